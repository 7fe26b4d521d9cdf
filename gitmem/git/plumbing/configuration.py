"""Git's configuration, as `git config --list` prints it.

It is asked for a dozen times in a command, and a process each time would be most of
its work: so it is read again when one of its files is another one.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.git.layout import config_files
from gitmem.git.plumbing.process import Process, fields, text

Entry = tuple[bytes, bytes]
"""A key as git keeps it, and a value."""
_REMOTE_URL = re.compile(rb"remote\.(.+)\.url", re.DOTALL)


class Configuration:
    def __init__(self, git: Process, variables: Mapping[str, str]) -> None:
        self._git = git
        self._files = {
            *config_files(git.common_dir, variables),
            git.git_dir / "config.worktree",
        }
        self._seen: dict[Path, object] | None = None
        self._entries: list[Entry] = []

    def entries(self) -> list[Entry]:
        """All settings, in the order in which git reads them."""
        if self._seen != (now := {file: _state(file) for file in self._files}):
            self._seen, self._entries = now, list(self._listed())
        return self._entries

    def _listed(self) -> Iterator[Entry]:
        """Each file that is named joins those that are looked at."""
        folder = self._git.work_tree or self._git.git_dir
        each = iter(fields(self._git.listed_settings()))
        for origin, setting in zip(each, each, strict=True):
            if origin.startswith(b"file:"):
                file = os.fsdecode(origin.removeprefix(b"file:"))
                self._files.add(folder / file)
            key, _, value = setting.partition(b"\n")
            yield key, value


def _state(file: Path) -> object:
    """None where it is not there."""
    with suppress(OSError):
        found = file.stat()
        return found.st_ino, found.st_size, found.st_mtime_ns
    return None


def values_of(entries: Iterable[Entry], key: str) -> list[str]:
    """See Repository.config_values."""
    wanted = _as_git_keeps(key).encode()
    return [text(value) for name, value in entries if name == wanted]


def remotes_of(entries: Iterable[Entry]) -> dict[str, str]:
    """See Repository.remotes; of several URLs of one, git fetches from the first."""
    found: dict[str, str] = {}
    for name, value in entries:
        if named := _REMOTE_URL.fullmatch(name):
            found.setdefault(text(named[1]), text(value))
    return found


def _as_git_keeps(key: str) -> str:
    """Upper and lower case differ in the middle of a key alone: in a remote's name."""
    section, dot, rest = key.partition(".")
    middle, last_dot, name = rest.rpartition(".")
    return f"{section.lower()}{dot}{middle}{last_dot}{name.lower()}"
