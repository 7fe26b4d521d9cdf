"""openCodeMemory: the documents and the database of `ocm-session-memory`.

It keeps both in the folder of the project in which our readable copies are. A document
has our headings, between rules; the database has also the status and the end. Written
after records of version 0.2.0.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from gitmem.assistants.known import tool_of_client
from gitmem.assistants.opencode.database import DAMAGE, open_read_only
from gitmem.assistants.transcripts import Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.transcript_files import (
    folder_above,
    moment,
    text_lines,
)
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.identity import is_slug, slug_of
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.session import PlanFile, Reference, Status
from gitmem.git.layout import FOLDER
from gitmem.git.values import Change, FileChange
from gitmem.text.calendar import moment_at
from gitmem.text.patterns import pattern

_DATABASE = "memory.db"
_FIELD = pattern(r"^(session_id|tool|started_at): *(\S.{0,199})$")
_OURS = "format: gitmem/"
_RULE = "---\n"
_HEADER_LINES = 40
_LISTS = ("work_completed", "work_pending", "work_summary")
_VALUES = (
    *("goal", *_LISTS, "decisions", "plan_files", "references", "files"),
    "diff_summary",
)


def _places(
    user_home: Path, _variables: Mapping[str, str], roots: Iterable[Path]
) -> Iterator[Path]:
    """Yield the database and documents that it does not have; no copies of ours.

    The folder in the user's home has sessions of all projects.
    """
    for folder in (root / FOLDER for root in roots if root != user_home):
        yield folder / _DATABASE
        known = set[str]()
        with suppress(OSError, *DAMAGE):
            known = {str(row["markdown_path"]) for row in _rows(folder / _DATABASE)}
        for file in sorted((folder / "sessions").glob("*.md")):
            if f"sessions/{file.name}" not in known and not _is_ours(file):
                yield file


def _read(file: Path) -> Iterator[Transcript | Unread]:
    try:
        if file.suffix == ".md":
            yield _of_document(file)
            return
        for row in _rows(file):
            yield _of_row(file, row)
    except DAMAGE:
        yield Unread("not as openCodeMemory 0.2 writes it")


def _listed(file: Path) -> Iterator[tuple[str, str]]:
    for read in _read(file):
        if isinstance(read, Transcript):
            yield read.client_session_id, read.folder


OPENCODEMEMORY = TranscriptReader(
    "opencodememory",
    "*.[md][db]",  # .md and .db
    _places,
    _read,
    listed=_listed,
)


def _is_ours(file: Path) -> bool:
    with suppress(OSError):
        head = islice(text_lines(file), _HEADER_LINES)
        return any(line.startswith(_OURS) for line in head)
    return False


def _of_document(file: Path) -> Transcript | Unread:
    """Read a document. Raises KeyError for one that names no session."""
    if _is_ours(file):
        return Unread("a readable copy of gitmem")
    lines = [*text_lines(file)]
    fields = map(_FIELD.match, map(str.rstrip, lines[:_HEADER_LINES]))
    head = {found[1]: found[2] for found in fields if found}
    if (began_at := moment(head["started_at"])) is None:
        return Unread("no time")
    body = (line for line in lines[1:] if line != _RULE)
    session = parse(file.stem, f"---\n---\n{''.join(body)}")
    values = {name: value for name in _VALUES if (value := getattr(session, name))}
    written = Checkpoint(at=began_at, slug=_slug(slug_of(file.stem)), **values)
    return _transcript(file, head["session_id"], head["tool"], began_at, written)


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the sessions, with their chunks and files. Raises OSError and `DAMAGE`."""
    with open_read_only(file) as database:
        for row in map(dict, database.execute("SELECT * FROM sessions")):
            for table, order in (("session_chunks", "id"), ("session_files", "rowid")):
                query = f"SELECT * FROM {table} WHERE session_id = ? ORDER BY {order}"  # noqa: S608 - names of ours
                row[table] = [*map(dict, database.execute(query, (row["id"],)))]
            yield row


def _of_row(file: Path, row: dict[str, Any]) -> Transcript:
    chunks: dict[str, list[str]] = {}
    for chunk in row["session_chunks"]:
        chunks.setdefault(chunk["chunk_type"], []).append(str(chunk["content"]))
    began_at = moment_at(row["started_at"])
    ends = [row["ended_at"], *(each["created_at"] for each in row["session_chunks"])]
    ended_at = moment_at(max([*filter(None, ends), row["started_at"]]))
    summary = "".join(chunks.get("diff_summary", ())[-1:])
    plans = map(json.loads, chunks.get("plan_file", ()))
    references = map(json.loads, chunks.get("reference", ()))
    lists: Any = {each: tuple(chunks[each]) for each in _LISTS if each in chunks}
    written = Checkpoint(
        at=ended_at,
        slug=_slug(row["slug"] or ""),
        goal=row["goal"] or None,
        plan_files=tuple(PlanFile(str(x["path"]), str(x["header"])) for x in plans),
        references=tuple(Reference(str(x["url"]), str(x["title"])) for x in references),
        files=tuple(
            FileChange(str(each["file_path"]), Change(each["change_type"]))
            for each in row["session_files"]
        ),
        status=Status(row["status"]),
        diff_summary="\n".join(map(str.strip, summary.splitlines())) or None,
        decisions=tuple(chunks.get("decision", ())),
        **lists,
    )
    return _transcript(file, row["id"], row["tool"], began_at, written)


def _transcript(
    file: Path, name: str, tool: str, began_at: datetime, written: Checkpoint
) -> Transcript:
    return Transcript(
        tool=tool_of_client(tool),
        client_session_id=name,
        folder=folder_above(file, FOLDER),
        began_at=began_at,
        ended_at=written.at,
        written=written,
    )


def _slug(text: str) -> str | None:
    return text if is_slug(text) else None
