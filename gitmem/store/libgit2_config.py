"""Git's configuration through libgit2."""

import re
from pathlib import Path

import pygit2

_ANY = ".*"
_REMOTE_URL = re.compile(rb"remote\.(.+)\.url", re.DOTALL)


def values(git: pygit2.Repository, key: str) -> list[str]:
    """See Repository.config_values."""
    wanted = key.lower().encode()
    return [_text(e) for e in git.config if e.raw_name == wanted]


def remotes(git: pygit2.Repository) -> dict[str, str]:
    """See Repository.remotes; of several URLs of one, git fetches from the first."""
    found: dict[str, str] = {}
    for entry in git.config:
        if named := _REMOTE_URL.fullmatch(entry.raw_name):
            found.setdefault(named[1].decode("utf-8", "replace"), _text(entry))
    return found


def set_value(file: Path, key: str, value: str | None) -> None:
    """In this file alone; None removes the key."""
    own = pygit2.Config(str(file))
    if value is not None:
        own.set_multivar(key, _ANY, value)
    elif key in own:
        own.delete_multivar(key, _ANY)


def _text(entry: pygit2.config.ConfigEntry) -> str:
    return (entry.raw_value or b"").decode("utf-8", "replace")
