"""The journal, the write-ahead log: what was acknowledged, before git has it.

A file a conversation, named after the client's session id, with a JSON object a line,
only appended to. A record is durable once `append` returns. `mark` notes how far it is
committed. `mark`, `forget` and `archive` need the lock; reading and appending do not.

Standard library only: hooks write here as well, and they have milliseconds.
"""

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from gitmem.documents.event import Event, Start
from gitmem.documents.event_log import events_in, from_json, open_conversation, to_json
from gitmem.documents.kind import Kind
from gitmem.documents.names import clean_client_id, digest, is_document_id
from gitmem.errors import NoPermission
from gitmem.frozen import frozen
from gitmem.git.files import (
    is_folder,
    make_folder,
    open_own,
    open_to_append,
    replace_file,
    sync,
    write_all,
)
from gitmem.git.layout import own_dir
from gitmem.redaction.redact import Redacted, following, seal
from gitmem.store.journal.archive import Archive, archived
from gitmem.store.journal.beside import BESIDE, MARK, Position
from gitmem.text.patterns import pattern

_SAFE_NAME = pattern(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@frozen
class Entry:
    """A line of a journal."""

    journal: str
    line: str
    end: int
    """Offset in bytes behind the line."""


def journal_name(client_session_id: str) -> str:
    """Return the client's id where a file can be named so, else what stands for it."""
    name = clean_client_id(client_session_id)
    return name if _SAFE_NAME.fullmatch(name) else digest(name)[:32]


def journal_of(common_dir: Path, kind: Kind[Any]) -> "Journal":
    """Return the journals of a kind; those of sessions lie in the folder itself."""
    folder = own_dir(common_dir) / "journal"
    return Journal(folder if kind.name == "session" else folder / kind.name)


class Journal:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.past = Archive(folder / "past")

    def note(self, event: Event) -> None:
        """Append what a hook saw to the journal of its conversation, redacted."""
        self.append(journal_name(event.client_session_id), seal(event, to_json))

    def append(self, name: str, line: Redacted) -> Entry:
        """Write a line and sync it. Raises NoPermission.

        The line end in front keeps the line apart from one that a crash cut short.
        Where the journal was archived meanwhile, the next one gets the line.
        """
        path = self._folder / f"{name}.jsonl"
        data = f"\n{line}\n".encode()
        try:
            for folder in (self._folder.parent, self._folder):
                if make_folder(folder):
                    sync(folder.parent)
            while (end := self._appended(path, data)) is None:
                pass
        except OSError as error:
            raise self._refused(error) from error
        return Entry(name, line, end)

    def pending(self, *names: str) -> Iterator[Entry]:
        """Yield the lines of these journals, else of all, that are not replayed yet."""
        for name in names or self.unreplayed():
            yield from self._entries(name, self.position_of(name).offset)

    def unreplayed(self) -> Iterator[str]:
        """Yield the names of the journals that go beyond their mark."""
        for name, status in self._files():
            size, replayed = status.st_size, Position.read(self._mark(name)).offset
            if size != replayed and size > self.position_of(name).offset:
                yield name

    def entries(self, name: str) -> Iterator[Entry]:
        """Yield all lines; those of an archived journal end at 0."""
        past = self.past.get(name)
        for line in past.lines if past else ():
            yield Entry(name, line, 0)
        yield from self._entries(name, 0)

    def names(self) -> list[str]:
        """Return the names of all journals, archived ones included."""
        return sorted({name for name, _ in self._files()}.union(self.past.names()))

    def newest_first(self) -> list[str]:
        return [*self.written_at()]

    def written_at(self) -> dict[str, float]:
        """Return times by names, in seconds since 1970, last written first."""
        files = sorted(((f.st_mtime, n) for n, f in self._files()), reverse=True)
        return {name: moment for moment, name in files}

    def lines(self, name: str) -> list[str]:
        return [entry.line for entry in self.entries(name)]

    def events(self, client_session_id: str) -> list[Event]:
        return events_in(self.lines(journal_name(client_session_id)))

    def newest_events(self, client_session_id: str) -> Iterator[Event]:
        """Return the newest first; a line is looked into when it is asked for."""
        lines = self.lines(journal_name(client_session_id))
        return filter(None, map(from_json, reversed(lines)))

    def beside(self, client_session_id: str, kind: str) -> Path:
        """Return the path of a file beside the journal of a conversation."""
        return self._folder / f"{journal_name(client_session_id)}{kind}"

    def position_of(self, name: str) -> Position:
        """Return how far a journal is replayed; a damaged mark counts for nothing."""
        mark = Position.read(self._mark(name))
        if not self._is_line_end(name, mark.offset):
            mark = replace(mark, offset=0)
        if not is_document_id(mark.document_id or ""):
            past = self.past.get(name)
            mark = replace(mark, document_id=past.session_id if past else None)
        return mark

    def mark(self, entry: Entry, session_id: str | None) -> None:
        """Note that everything up to this entry is committed.

        The offset is not synced: if it is lost, entries are replayed again, which adds
        nothing. The journal is synced, because a shell may have written to it: if it
        were shorter than its offset after a power cut, what is appended next would
        count as replayed.
        """
        try:
            sync(self._folder / f"{entry.journal}.jsonl")
            Position(entry.end, session_id).write(self._mark(entry.journal))
        except OSError as error:
            raise self._refused(error) from error

    def forget(self, name: str) -> None:
        """Leave of a conversation nothing but, where it is open, that it is.

        By whoever holds the store's lock. A hook that writes meanwhile may write to the
        file that goes. The mark goes first: a journal without one is replayed again,
        and one that is shorter than its mark would never be.
        """
        path = self._folder / f"{name}.jsonl"
        last = open_conversation(self.lines(name)) if path.exists() else None
        try:
            self.past.remove(name)
            for kind in BESIDE:
                self.beside(name, kind).unlink(missing_ok=True)
            if last:
                self._begin_anew(name, path, last)
            else:
                path.unlink(missing_ok=True)
            if self._folder.exists():
                sync(self._folder)
        except OSError as error:
            raise self._refused(error) from error

    def archive(self, name: str, position: Position | None = None) -> None:
        """Leave of a journal what a resumed conversation needs: see `past`.

        By whoever holds the store's lock, unless it goes beyond `position`, which is
        that of its mark if not given. The mark goes before the journal, as in `forget`.
        Whoever writes to the journal meanwhile finds that it is elsewhere and writes
        again, or we do.
        """
        path, mark = self._folder / f"{name}.jsonl", position or self.position_of(name)
        try:
            self._end_archiving(name)  # an earlier time may have been cut off
            if not path.exists() or path.stat().st_size != mark.offset:
                return
            past = archived(mark.document_id, self.lines(name), mark.offset)
            self.past.put(name, past)
            self._mark(name).unlink(missing_ok=True)
            path.rename(self.past.leftover(name))
            sync(self._folder)
            self._end_archiving(name)
        except OSError as error:
            raise self._refused(error) from error

    def _end_archiving(self, name: str) -> None:
        """Append anew what somebody wrote at the last moment."""
        leftover, past = self.past.leftover(name), self.past.get(name)
        for entry in _entries_in(name, leftover, past.length if past else 0):
            # What is no JSON says nothing; the writer followed the user's rules.
            with suppress(ValueError), following(()):
                self.append(name, seal(json.loads(entry.line), json.dumps))
        leftover.unlink(missing_ok=True)

    def _begin_anew(self, name: str, path: Path, last: Event) -> None:
        tool, client, root = last.tool, last.client_session_id, last.root
        begun = Start(at=last.at, tool=tool, client_session_id=client, root=root)
        line = f"{seal(begun, to_json)}\n"
        replace_file(path, line.encode())
        self.mark(Entry(name, line, len(line.encode())), None)

    def _mark(self, name: str) -> Path:
        return self._folder / f"{name}{MARK}"

    def _entries(self, name: str, offset: int) -> Iterator[Entry]:
        return _entries_in(name, self._folder / f"{name}.jsonl", offset)

    def _appended(self, path: Path, data: bytes) -> int | None:
        """Return where the line ends; None if the file was archived meanwhile."""
        file = open_to_append(path)
        try:
            write_all(file, data)  # appended: others write to it at the same time
            end = os.lseek(file, 0, os.SEEK_CUR)
            os.fsync(file)  # before anybody is told that the line is safe
            sync(self._folder)  # costs nothing where the file was there
            return end if _is_at(file, path) else None
        finally:
            os.close(file)

    def _files(self) -> list[tuple[str, os.stat_result]]:
        """Return the journals by their names; each is looked at once."""
        if not is_folder(self._folder):
            return []
        try:
            with os.scandir(self._folder) as entries:
                names = [
                    entry.name for entry in entries if entry.name.endswith(".jsonl")
                ]
        except OSError:
            return []
        files = []
        for name in sorted(names):
            with suppress(FileNotFoundError):
                status = (self._folder / name).lstat()
                if stat.S_ISREG(status.st_mode):
                    files.append((name.removesuffix(".jsonl"), status))
        return files

    def _is_line_end(self, name: str, offset: int) -> bool:
        if offset == 0:
            return True
        try:
            with open_own(self._folder / f"{name}.jsonl") as file:
                file.seek(offset - 1)
                return file.read(1) == b"\n"
        except OSError:
            return False

    def _refused(self, error: OSError) -> NoPermission:
        path = error.filename2 or error.filename or self._folder
        return NoPermission(
            f"The journal in {path} cannot be written: {error.strerror}.",
            hint="Is the repository read-only, or the disk full? See `ocm doctor`.",
        )


def _entries_in(name: str, path: Path, offset: int) -> Iterator[Entry]:
    """Yield whole lines only: the last one may still be being written."""
    try:
        with open_own(path) as file:
            file.seek(offset)
            content = file.read()
    except OSError:
        return
    for line in content.splitlines(keepends=True):
        offset += len(line)
        # A crash or a full disk may have cut the last line, even within a character.
        if line.endswith(b"\n") and line.strip():
            yield Entry(name, line.decode("utf-8", "replace").strip(), offset)


def _is_at(file: int, path: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), path.lstat())
    return False
