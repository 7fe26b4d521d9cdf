"""Take over what other programs remember of this project.

Read are claude-mem 13.25 (observations and summaries), codemem 0.19 (active memories)
and Basic Memory 0.24 (notes). Their files are hostile. One commit adds all that is new,
with the time when it was said.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

from gitmem.actions.remembering.notes import Fate, header_and_body, markdown_files
from gitmem.actions.remembering.remember import new_memory
from gitmem.actions.remembering.statement import category, parse_statement
from gitmem.assistants.opencode.database import DAMAGE, bound_queries, open_read_only
from gitmem.documents import header
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import TEXT_LENGTH, Category, Memory, ids_of
from gitmem.errors import InvalidInput, NotFound
from gitmem.git.files import is_file
from gitmem.redaction.redact import redact, redact_own
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.calendar import moment_at
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_MOST = 100_000
"""Memories that are read at once."""
_MOST_ITEMS, _ITEM_LENGTH = 50, 500
_TEXTS = (
    *("title", "subtitle", "narrative", "body_text", "text"),
    *("request", "investigated", "learned", "completed", "next_steps", "notes"),
)
"""Columns with what a memory says, in this order."""
_FILES = ("files_modified", "files_edited", "files_read")
_SAYS_NOTHING = ("", "Manual memory")
"""Texts of columns that nobody wrote."""
_ITEMS = """
    SELECT memory_items.*, memory_items.kind AS type, sessions.project
    FROM memory_items JOIN sessions ON sessions.id = memory_items.session_id
    WHERE active = 1 AND deleted_at IS NULL AND visibility IS NOT 'private'
"""
_DATABASES = {
    "claude-mem": (
        ".claude-mem/claude-mem.db",
        "SELECT * FROM observations",
        "SELECT *, 'event' AS type FROM session_summaries",
    ),
    "codemem": (".codemem/mem.sqlite", _ITEMS),
}
"""The path of a program's database, and the queries for what is in it."""

_TITLE = frozenset({"title"})
_TAGS = pattern(r"^tags:((?:\n[ \t]*- .*)+|.*)", re.MULTILINE)
_WORD = pattern(r"[^\s,\[\]\"'-][^\s,\[\]\"']*")
_OBSERVATION = pattern(r"^[ \t]*[-*+] \[([^\[\]()]{2,60})\] (.+)$", re.MULTILINE)
_NO_PROSE = pattern(
    rf"(?:{_OBSERVATION.pattern}|^[ \t]*[-*+] .*\[\[.*$"
    r"|^#+ (?:Observations|Relations)[ \t]*$)\n*",
    re.MULTILINE,
)
"""Observations, relations and their headings."""
_TAG = pattern(r"(?:^|\s)#([\w/-]+)")
_CONTEXT = pattern(r"\s*\(([^()]*)\)\s*\Z")

_Entry = tuple[datetime, Mapping[str, str | list[str]]]
"""When something was said, and the arguments of `remember`, of any length."""


def take_over(
    workspace: Workspace,
    program: str,
    paths: Sequence[Path],
    project: str | None,
    *,
    is_dry: bool,
) -> list[tuple[Fate, str]]:
    """Remember what a program keeps of this project, or of the one that is named.

    Return what became of each text. Raises NotFound where there is nothing to read,
    InvalidInput where it cannot be read, and Busy.
    """
    files = [workspace.environment.start / path for path in paths]
    projects = {project} if project else {workspace.project, workspace.root.name}
    if program in _DATABASES:
        entries = _in_database(workspace, program, files, projects)
    else:
        entries = chain.from_iterable(map(_in_note, markdown_files(files)))
    tree, new = workspace.current(MEMORY), dict[str, Memory]()
    outcomes = []
    for said_at, entry in islice(entries, _MOST):
        arguments = {name: _bounded(value) for name, value in entry.items()}
        fate, memory = Fate.EMPTY, _memory(workspace, program, said_at, arguments)
        if memory:
            is_known = memory.id in new or tree.entry(memory.id)
            is_new = not (is_known or is_forgotten(tree, memory.id))
            fate = Fate.NEW if is_new else Fate.ALREADY
            new |= {memory.id: memory} if is_new else {}
        outcomes.append((fate, str(arguments["text"])))
    if new and not is_dry:
        store, message = workspace.store_of(MEMORY), redact_own(f"import: {program}\n")
        store.add(new.values(), message, workspace.now())
    return outcomes


def _bounded(value: str | list[str]) -> str | list[str]:
    """Return what a memory takes of a text or texts; what is cut has no secret."""
    if isinstance(value, str):
        return redact(value)[:TEXT_LENGTH]
    return [redact(item)[:_ITEM_LENGTH] for item in value[:_MOST_ITEMS]]


def _memory(
    workspace: Workspace, program: str, said_at: datetime, arguments: Mapping[str, Any]
) -> Memory | None:
    """Return a memory of this repository; None where it says nothing."""
    try:
        kind = category("kind", arguments["kind"])
    except InvalidInput:
        kind = Category.FACT
    try:
        statement = parse_statement({**arguments, "kind": kind}, workspace.now())
    except InvalidInput:
        return None
    memory, _ = new_memory(workspace, statement, f"tool:{program}", said_at)
    return replace(memory, id=next(ids_of(memory.text, memory.branch)))


def _in_database(
    workspace: Workspace, program: str, files: Sequence[Path], projects: set[str]
) -> Iterator[_Entry]:
    default, *queries = _DATABASES[program]
    for file in files or [workspace.environment.user_home / default]:
        if not is_file(file):
            raise NotFound(f"There is no file {file}.")
        try:
            with open_read_only(file) as database:
                bound_queries(database)
                rows = chain.from_iterable(map(database.execute, queries))
                for row in map(dict, rows):
                    if (row.get("merged_into_project") or row["project"]) in projects:
                        yield _in_row(row, workspace.root)
        except (OSError, *DAMAGE) as error:
            raise InvalidInput(
                f"{file} is no database of {program}: {error}."
            ) from error


def _in_row(row: Mapping[str, Any], root: Path) -> _Entry:
    texts = dict.fromkeys(_text(row.get(column)) for column in _TEXTS)
    files = [file for column in _FILES for file in _items(row.get(column))]
    arguments: dict[str, str | list[str]] = {
        "text": "\n".join(text for text in texts if text not in _SAYS_NOTHING),
        "kind": _text(row.get("type")),
        "facts": _items(row.get("facts")),
        "tags": [*_items(row.get("concepts")), *_text(row.get("tags_text")).split()],
        "files": [file.removeprefix(f"{root}/") for file in files],
    }
    return header.time_in(_text(row.get("created_at"))) or moment_at(0), arguments


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _items(value: object) -> list[str]:
    """Return the texts of a JSON array in a column."""
    with suppress(ValueError, RecursionError):
        items = json.loads(_text(value) or "[]")
        if isinstance(items, list):
            return [*filter(None, map(_text, items))]
    return []


def _in_note(file: Path) -> Iterator[_Entry]:
    """Yield each observation of a note, and its prose."""
    head, body = header_and_body(file)
    said_at = moment_at(int(file.stat().st_mtime))
    title = header.read(head, _TITLE).values.get("title") or file.stem
    tags = [tag for part in _TAGS.findall(head) for tag in _WORD.findall(part)]
    for name, content in _OBSERVATION.findall(body):
        statement = _CONTEXT.sub("", _TAG.sub("", content)).strip()
        context = _CONTEXT.search(content)
        yield (
            said_at,
            {
                "text": f"{title}: {statement}",
                "kind": name.strip().lower(),
                "why": context[1] if context else "",
                "tags": [*tags, *_TAG.findall(content)],
            },
        )
    prose = _NO_PROSE.sub("", body).strip()
    if prose := prose.removeprefix(f"# {title}").strip():
        yield said_at, {"text": f"{title}\n{prose}", "kind": "", "tags": tags}
