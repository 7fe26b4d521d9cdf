"""Git's configuration, as `git config --list` prints it.

It is asked for a dozen times in a command, and a process each time would be most of
its work: so it is read again when one of its files is another one.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.git.plumbing.process import Process

Entry = tuple[bytes, bytes]
"""A key as git keeps it, and a value."""
_State = tuple[int, int, int]
_REMOTE_URL = re.compile(rb"remote\.(.+)\.url", re.DOTALL)


class Configuration:
    def __init__(self, git: Process, variables: Mapping[str, str]) -> None:
        self._git = git
        self._usual = list(_usual_files(git, variables))
        self._entries: list[Entry] = []
        self._seen: dict[Path, _State | None] | None = None

    def entries(self) -> list[Entry]:
        """All settings, in the order in which git reads them."""
        if self._seen is None or self._seen != _states(self._seen):
            usual = _states(self._usual)  # before they are read
            files, self._entries = _parsed(self._git.listed_settings())
            folder = self._git.work_tree or self._git.git_dir
            self._seen = usual | _states({folder / file for file in files})
        return self._entries


def _usual_files(git: Process, variables: Mapping[str, str]) -> Iterator[Path]:
    """Where settings may appear; those that are there name their files themselves."""
    yield git.common_dir / "config"
    yield git.git_dir / "config.worktree"
    yield git.git_dir / "HEAD"  # a file may count for one branch alone
    yield git.git_dir / "reftable" / "tables.list"  # has HEAD, where it is
    home = variables.get("HOME")
    if home:
        yield Path(home, ".gitconfig")
    if folder := variables.get("XDG_CONFIG_HOME") or (home and f"{home}/.config"):
        yield Path(folder, "git", "config")


def _parsed(listed: bytes) -> tuple[set[Path], list[Entry]]:
    """The files that settings stand in or are looked for in, and the settings."""
    fields = iter(listed.split(b"\0")[:-1])
    files: set[Path] = set()
    entries: list[Entry] = []
    for origin, setting in zip(fields, fields, strict=True):
        key, _, value = setting.partition(b"\n")
        entries.append((key, value))
        if origin.startswith(b"file:"):
            file = Path(os.fsdecode(origin.removeprefix(b"file:")))
            files.add(file)
            if key.startswith((b"include.", b"includeif.")):  # what may be empty yet
                files.add(file.parent / _expanded(os.fsdecode(value)))
    return files, entries


def _expanded(name: str) -> Path:
    """As it stands where it begins with a user that nobody knows."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def _states(files: Iterable[Path]) -> dict[Path, _State | None]:
    return {file: _state(file) for file in files}


def _state(file: Path) -> _State | None:
    """None where it is not there."""
    with suppress(OSError):
        found = file.stat()
        return found.st_ino, found.st_size, found.st_mtime_ns
    return None


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
