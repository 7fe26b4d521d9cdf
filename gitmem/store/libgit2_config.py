"""Git's configuration through libgit2."""

import re
from pathlib import Path

import pygit2

_ANY, _NONE = ".*", "a^"
_REMOTE_URL = re.compile(rb"remote\.(.+)\.url", re.DOTALL)


def values(git: pygit2.Repository, key: str) -> list[str]:
    """See Repository.config_values."""
    wanted = _as_git_keeps(key).encode()
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


def add_value(file: Path, key: str, value: str) -> None:
    """See Repository.add_config."""
    own = pygit2.Config(str(file))
    if key not in own or value not in own.get_multivar(key):
        own.set_multivar(key, _NONE, value)


def remove_value(file: Path, key: str, value: str) -> None:
    """See Repository.remove_config."""
    own = pygit2.Config(str(file))
    if key in own:
        own.delete_multivar(key, _exactly(value))


def _as_git_keeps(key: str) -> str:
    """Upper and lower case differ in the middle of a key alone: in a remote's name."""
    section, dot, rest = key.partition(".")
    middle, last_dot, name = rest.rpartition(".")
    return f"{section.lower()}{dot}{middle}{last_dot}{name.lower()}"


def _exactly(value: str) -> str:
    """A regular expression in which a bracket takes from each mark what it may mean."""
    marks = (c if c.isalnum() else r"\^" if c == "^" else f"[{c}]" for c in value)
    return f"^{''.join(marks)}$"


def _text(entry: pygit2.config.ConfigEntry) -> str:
    return (entry.raw_value or b"").decode("utf-8", "replace")
