"""Settings of git as entries, in the order in which it reads them."""

import re
from collections.abc import Iterable

Entry = tuple[bytes, bytes]
"""A key as git keeps it, and a value."""
_REMOTE_URL = re.compile(rb"remote\.(.+)\.url", re.DOTALL)


def values_of(entries: Iterable[Entry], key: str) -> list[str]:
    """See Repository.config_values."""
    wanted = _as_git_keeps(key).encode()
    return [_text(value) for name, value in entries if name == wanted]


def remotes_of(entries: Iterable[Entry]) -> dict[str, str]:
    """See Repository.remotes; of several URLs of one, git fetches from the first."""
    found: dict[str, str] = {}
    for name, value in entries:
        if named := _REMOTE_URL.fullmatch(name):
            found.setdefault(_text(named[1]), _text(value))
    return found


def _as_git_keeps(key: str) -> str:
    """Upper and lower case differ in the middle of a key alone: in a remote's name."""
    section, dot, rest = key.partition(".")
    middle, last_dot, name = rest.rpartition(".")
    return f"{section.lower()}{dot}{middle}{last_dot}{name.lower()}"


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
