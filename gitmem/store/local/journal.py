"""The journal: what was acknowledged, before git has it.

One file a conversation, named after the client's own session id, one JSON object a
line, only ever appended to. A record is safe as soon as `append` returns; `pending`
gives what no commit holds yet, and `mark` says how far commits have come. Reading and
appending need no lock; marking is done by whoever holds the store's.

Standard library only: hooks write here as well, and they have milliseconds.
"""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitmem.errors import NoPermission
from gitmem.model.event import Event, Start, open_conversation, to_json
from gitmem.model.identity import clean_client_id, digest
from gitmem.model.redaction import Redacted, seal
from gitmem.model.shape import fits
from gitmem.store.files import replace_file

_SAFE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a journal that no commit holds yet."""

    journal: str
    line: str
    end: int
    """Where the line ends in the file, in bytes."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a journal is drained, and into which document."""

    offset: int = 0
    session_id: str | None = None


def journal_name(client_session_id: str) -> str:
    """The client's id where a file can be named so, else what stands for it."""
    name = clean_client_id(client_session_id)
    return name if _SAFE_NAME.fullmatch(name) else digest(name)[:32]


class Journal:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, event: Event) -> None:
        """Append what a hook saw to the journal of its conversation, redacted."""
        self.append(journal_name(event.client_session_id), seal(event, to_json))

    def append(self, name: str, line: Redacted) -> int:
        """Write one line and wait until the disk has it; gives where it ends.

        The line end in front keeps the line apart from one that a crash cut short.
        Raises NoPermission when the file system refuses.
        """
        path = self._folder / f"{name}.jsonl"
        try:
            for folder in (self._folder.parent, self._folder):
                folder.mkdir(exist_ok=True, mode=0o700)
            is_new = not path.exists()
            file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                _write_all(file, f"\n{line}\n".encode())
                end = os.lseek(file, 0, os.SEEK_CUR)
                os.fsync(file)
            finally:
                os.close(file)
            if is_new:
                _sync_folder(self._folder)
        except OSError as error:
            raise self._refused(error) from error
        return end

    def pending(self) -> Iterator[Entry]:
        """Undrained lines, each journal in its own order."""
        for name in self.undrained():
            yield from self._entries(name, self.mark_of(name).offset)

    def undrained(self) -> Iterator[str]:
        """Names of the journals that go beyond their mark."""
        for name in self.names():
            try:
                size = (self._folder / f"{name}.jsonl").stat().st_size
            except OSError:
                continue
            if size > self.mark_of(name).offset:
                yield name

    def entries(self, name: str) -> Iterator[Entry]:
        return self._entries(name, 0)

    def names(self) -> list[str]:
        try:
            return sorted(path.stem for path in self._folder.glob("*.jsonl"))
        except OSError:
            return []

    def newest_first(self) -> list[str]:
        """Names of the journals, the last written one first."""
        try:
            paths = [(p.stat().st_mtime, p.stem) for p in self._folder.glob("*.jsonl")]
        except OSError:
            return []
        return [name for _, name in sorted(paths, reverse=True)]

    def lines(self, name: str) -> list[str]:
        return [entry.line for entry in self.entries(name)]

    def mark_of(self, name: str) -> Mark:
        try:
            data = json.loads(self._mark_path(name).read_text("utf-8"))
            mark = Mark(**data)
        except (OSError, ValueError, TypeError, RecursionError):
            return Mark()
        return mark if fits(mark, Mark) and mark.offset >= 0 else Mark()

    def mark(self, entry: Entry, session_id: str | None) -> None:
        """Everything up to this entry is in commits.

        Not synced: if a mark is lost, its entries drain again, which adds nothing.
        """
        content = json.dumps({"offset": entry.end, "session_id": session_id})
        try:
            replace_file(self._mark_path(entry.journal), content.encode())
        except OSError as error:
            raise self._refused(error) from error

    def forget(self, name: str) -> None:
        """Leave of a conversation nothing but, where it is open, that it is.

        By whoever holds the store's lock. A hook that writes meanwhile may write to the
        file that goes. The mark goes first: a journal without one is drained again,
        and one that is shorter than its mark would never be.
        """
        path = self._folder / f"{name}.jsonl"
        last = open_conversation(self.lines(name))
        try:
            self._mark_path(name).unlink(missing_ok=True)
            if last:
                self._begin_anew(name, path, last)
            else:
                path.unlink(missing_ok=True)
            if self._folder.exists():
                _sync_folder(self._folder)
        except OSError as error:
            raise self._refused(error) from error

    def _begin_anew(self, name: str, path: Path, last: Event) -> None:
        begun = Start(
            at=last.at,
            tool=last.tool,
            client_session_id=last.client_session_id,
            root=last.root,
        )
        line = f"{seal(begun, to_json)}\n"
        replace_file(path, line.encode())
        self.mark(Entry(name, line, len(line.encode())), None)

    def _entries(self, name: str, offset: int) -> Iterator[Entry]:
        """Whole lines only: the last one may still be being written."""
        try:
            with (self._folder / f"{name}.jsonl").open("rb") as file:
                file.seek(offset)
                content = file.read()
        except OSError:
            return
        for line in content.splitlines(keepends=True):
            offset += len(line)
            if line.endswith(b"\n") and line.strip():
                yield Entry(name, line.decode("utf-8", "replace").strip(), offset)

    def _refused(self, error: OSError) -> NoPermission:
        return NoPermission(
            f"The journal in {self._folder} cannot be written: {error.strerror}.",
            hint="Is the repository read-only or the disk full?",
        )

    def _mark_path(self, name: str) -> Path:
        return self._folder / f"{name}.mark"


def _write_all(file: int, data: bytes) -> None:
    """In one call wherever the system allows it, so that lines never interleave."""
    while data:
        data = data[os.write(file, data) :]


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
