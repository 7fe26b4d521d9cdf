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
        documented = set[str]()
        with suppress(OSError, *DAMAGE):
            rows = _rows(folder / _DATABASE)
            documented = {str(row["markdown_path"]) for row in rows}
        for file in sorted((folder / "sessions").glob("*.md")):
            if f"sessions/{file.name}" not in documented and not _is_ours(file):
                yield file


def _read(file: Path) -> Iterator[Transcript | Unread]:
    try:
        if file.suffix == ".md":
            yield _document_transcript(file)
            return
        for row in _rows(file):
            yield _row_transcript(file, row)
    except DAMAGE:
        yield Unread("not as openCodeMemory 0.2 writes it")


def _session_folders(file: Path) -> Iterator[tuple[str, str]]:
    for transcript in _read(file):
        if isinstance(transcript, Transcript):
            yield transcript.client_session_id, transcript.folder


OPENCODEMEMORY = TranscriptReader(
    "opencodememory",
    "*.[md][db]",  # .md and .db
    _places,
    _read,
    session_folders=_session_folders,
)


def _is_ours(file: Path) -> bool:
    with suppress(OSError):
        head = islice(text_lines(file), _HEADER_LINES)
        return any(line.startswith(_OURS) for line in head)
    return False


def _document_transcript(file: Path) -> Transcript | Unread:
    """Read a document. Raises KeyError for one that names no session."""
    if _is_ours(file):
        return Unread("a readable copy of gitmem")
    lines = [*text_lines(file)]
    fields = map(_FIELD.match, map(str.rstrip, lines[:_HEADER_LINES]))
    head = {field[1]: field[2] for field in fields if field}
    if (began_at := moment(head["started_at"])) is None:
        return Unread("no time")
    body = (line for line in lines[1:] if line != _RULE)
    session = parse(file.stem, f"---\n---\n{''.join(body)}")
    values = {name: value for name in _VALUES if (value := getattr(session, name))}
    checkpoint = Checkpoint(at=began_at, slug=_slug(slug_of(file.stem)), **values)
    return _transcript(file, head["session_id"], head["tool"], began_at, checkpoint)


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the sessions, with their chunks and files. Raises OSError and `DAMAGE`."""
    with open_read_only(file) as database:
        for row in map(dict, database.execute("SELECT * FROM sessions")):
            for table, order in (("session_chunks", "id"), ("session_files", "rowid")):
                query = f"SELECT * FROM {table} WHERE session_id = ? ORDER BY {order}"  # noqa: S608 - names of ours
                row[table] = [*map(dict, database.execute(query, (row["id"],)))]
            yield row


def _row_transcript(file: Path, row: dict[str, Any]) -> Transcript:
    chunks: dict[str, list[str]] = {}
    for chunk in row["session_chunks"]:
        chunks.setdefault(chunk["chunk_type"], []).append(str(chunk["content"]))
    began_at = moment_at(row["started_at"])
    ends = [row["ended_at"], *(chunk["created_at"] for chunk in row["session_chunks"])]
    ended_at = moment_at(max([*filter(None, ends), row["started_at"]]))
    summary = "".join(chunks.get("diff_summary", ())[-1:])
    plans = map(json.loads, chunks.get("plan_file", ()))
    references = map(json.loads, chunks.get("reference", ()))
    lists: Any = {name: tuple(chunks[name]) for name in _LISTS if name in chunks}
    checkpoint = Checkpoint(
        at=ended_at,
        slug=_slug(row["slug"] or ""),
        goal=row["goal"] or None,
        plan_files=tuple(
            PlanFile(str(plan["path"]), str(plan["header"])) for plan in plans
        ),
        references=tuple(
            Reference(str(reference["url"]), str(reference["title"]))
            for reference in references
        ),
        files=tuple(
            FileChange(str(changed["file_path"]), Change(changed["change_type"]))
            for changed in row["session_files"]
        ),
        status=Status(row["status"]),
        diff_summary="\n".join(map(str.strip, summary.splitlines())) or None,
        decisions=tuple(chunks.get("decision", ())),
        **lists,
    )
    return _transcript(file, row["id"], row["tool"], began_at, checkpoint)


def _transcript(
    file: Path, name: str, tool: str, began_at: datetime, checkpoint: Checkpoint
) -> Transcript:
    return Transcript(
        tool=tool_of_client(tool),
        client_session_id=name,
        folder=folder_above(file, FOLDER),
        began_at=began_at,
        ended_at=checkpoint.at,
        checkpoint=checkpoint,
    )


def _slug(text: str) -> str | None:
    return text if is_slug(text) else None
