"""Git's configuration, read through libgit2; `gitmem.store.git.config` writes it."""

import re

import pygit2

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


def _as_git_keeps(key: str) -> str:
    """Upper and lower case differ in the middle of a key alone: in a remote's name."""
    section, dot, rest = key.partition(".")
    middle, last_dot, name = rest.rpartition(".")
    return f"{section.lower()}{dot}{middle}{last_dot}{name.lower()}"


def _text(entry: pygit2.config.ConfigEntry) -> str:
    return (entry.raw_value or b"").decode("utf-8", "replace")
