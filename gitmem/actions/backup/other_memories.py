"""Take over what other programs remember of this project.

Read are claude-mem 13.25 (observations and summaries), codemem 0.19 (active memories)
and Basic Memory 0.24 (notes). Their files are hostile. One commit adds all that is new,
with the time when it was said.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from gitmem.actions.remembering.notes import Fate
from gitmem.actions.remembering.remember import new_memory
from gitmem.actions.remembering.statement import category, parse_statement
from gitmem.assistants.opencode.database import DAMAGE, bound_queries, open_read_only
from gitmem.documents import header
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import TEXT_LENGTH, Category, Memory, ids_of
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.git.files import is_file, open_own
from gitmem.redaction.redact import redact, redact_own
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.calendar import moment_at
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_MOST = 100_000
"""Memories, or files, that are read at once."""
_MOST_BYTES = 1_000_000
_MOST_ITEMS, _ITEM_LENGTH = 50, 500
_BODY = (
    *("subtitle", "narrative", "body_text", "text"),
    *("investigated", "learned", "completed", "next_steps", "notes"),
)
"""Columns with what a memory says below its title."""
_SAYS_NOTHING = ("", "Manual memory")
"""What claude-mem itself writes for a memory that was saved by hand."""
_OBSERVATIONS = """
    SELECT *, coalesce(merged_into_project, project) AS origin FROM observations
"""
_SUMMARIES = """
    SELECT *, coalesce(merged_into_project, project) AS origin, 'event' AS type,
        request AS title
    FROM session_summaries
"""
_ITEMS = """
    SELECT memory_items.*, memory_items.kind AS type, sessions.project AS origin
    FROM memory_items JOIN sessions ON sessions.id = memory_items.session_id
    WHERE active = 1 AND deleted_at IS NULL AND visibility IS NOT 'private'
"""
_QUERIES = {"claude-mem": (_OBSERVATIONS, _SUMMARIES), "codemem": (_ITEMS,)}
_DATABASES = {
    "claude-mem": ".claude-mem/claude-mem.db",
    "codemem": ".codemem/mem.sqlite",
}
_NOTES = "basic-memory"
PROGRAMS = (*_QUERIES, _NOTES)

_TITLE = frozenset({"title"})
_TAGS = pattern(r"^tags:((?:\n[ \t]*- .*)+|.*)", re.MULTILINE)
_OBSERVATION = pattern(r"^[ \t]*[-*+] \[([^\[\]()]{2,60})\] (.+)$", re.MULTILINE)
_RELATION = pattern(r"^[ \t]*[-*+] .*\[\[.*$", re.MULTILINE)
_TAG = pattern(r"(?:^|\s)#([\w/-]+)")
_CONTEXT = pattern(r"\s*\(([^()]*)\)\s*\Z")
_WORD = pattern(r"[^\s,\[\]\"']+")


@frozen
class OtherMemory:
    """A memory of another program, as the arguments of `remember`."""

    said_at: datetime
    arguments: Mapping[str, Any]


@frozen
class TakenMemory:
    text: str
    fate: Fate


def take_over(
    workspace: Workspace,
    program: str,
    paths: Iterable[Path],
    project: str | None,
    *,
    is_dry: bool,
) -> list[TakenMemory]:
    """Remember what a program keeps of this project, or of the one that is named.

    Raises NotFound where there is nothing to read, InvalidInput where it cannot be
    read, and Busy.
    """
    others = islice(_others(workspace, program, paths, project), _MOST)
    tree, new = workspace.current(MEMORY), dict[str, Memory]()
    taken = []
    for other in others:
        memory = _memory(workspace, other, f"tool:{program}")
        if memory is None:
            taken.append(TakenMemory(other.arguments["text"], Fate.EMPTY))
            continue
        is_known = memory.id in new or tree.entry(memory.id)
        is_new = not (is_known or is_forgotten(tree, memory.id))
        taken.append(TakenMemory(memory.text, Fate.NEW if is_new else Fate.ALREADY))
        if is_new:
            new[memory.id] = memory
    if new and not is_dry:
        store, message = workspace.store_of(MEMORY), redact_own(f"import: {program}\n")
        store.add(new.values(), message, workspace.now())
    return taken


def _memory(workspace: Workspace, other: OtherMemory, source: str) -> Memory | None:
    """Return a memory of this repository; None where it says nothing."""
    try:
        statement = parse_statement(other.arguments, workspace.now())
    except InvalidInput:
        return None
    memory, _ = new_memory(workspace, statement, source, other.said_at)
    return replace(memory, id=next(ids_of(memory.text, memory.branch)))


def _others(
    workspace: Workspace, program: str, paths: Iterable[Path], project: str | None
) -> Iterator[OtherMemory]:
    named = [workspace.environment.start / path for path in paths]
    if program == _NOTES:
        files = [file for path in named for file in _notes(path)]
        if not files:
            raise NotFound(
                "There are no notes there.",
                hint="`ocm import basic-memory FOLDER` names a folder of its project.",
            )
        yield from (other for file in files for other in _in_note(file))
        return
    default = workspace.environment.user_home / _DATABASES[program]
    projects = {project} if project else {workspace.project, workspace.root.name}
    for file in named or [default]:
        if not is_file(file):
            raise NotFound(f"There is no file {file}.")
        yield from _in_database(file, program, projects, workspace.root)


def _in_database(
    file: Path, program: str, projects: set[str], root: Path
) -> Iterator[OtherMemory]:
    try:
        with open_read_only(file) as database:
            bound_queries(database)
            for query in _QUERIES[program]:
                for row in database.execute(query):
                    if row["origin"] in projects:
                        yield _in_row(dict(row), root)
    except (OSError, *DAMAGE) as error:
        raise InvalidInput(f"{file} is no database of {program}: {error}.") from error


def _in_row(row: Mapping[str, Any], root: Path) -> OtherMemory:
    parts = (_text(row.get(column)) for column in ("title", *_BODY))
    text = "\n".join(dict.fromkeys(part for part in parts if part not in _SAYS_NOTHING))
    files = [*_items(row.get("files_modified")), *_items(row.get("files_read"))]
    arguments = {
        "text": redact(text)[:TEXT_LENGTH],  # what is cut has no secret any more
        "kind": _kind(_text(row.get("type"))),
        "facts": _items(row.get("facts")),
        "tags": [*_items(row.get("concepts")), *_text(row.get("tags_text")).split()],
        "files": [file.removeprefix(f"{root}/") for file in files],
    }
    said_at = header.time_in(_text(row.get("created_at"))) or moment_at(0)
    return OtherMemory(said_at, _bounded(arguments))


def _bounded(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with no more items than a memory takes."""
    lists = {name: arguments[name] for name in ("facts", "tags", "files")}
    return arguments | {
        name: [str(redact(item))[:_ITEM_LENGTH] for item in items[:_MOST_ITEMS]]
        for name, items in lists.items()
    }


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _items(value: object) -> list[str]:
    """Return the texts of a JSON array in a column."""
    with suppress(ValueError, RecursionError):
        items = json.loads(_text(value) or "[]")
        if isinstance(items, list):
            return [item for item in map(_text, items) if item]
    return []


def _kind(name: str) -> str:
    with suppress(InvalidInput):
        return category("kind", name)
    return Category.FACT


def _notes(path: Path) -> Iterator[Path]:
    inside = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    return (file for file in islice(inside, _MOST) if is_file(file))


def _in_note(file: Path) -> Iterator[OtherMemory]:
    """Yield each observation of a note, and its prose."""
    with open_own(file) as stream:
        text = redact(stream.read(_MOST_BYTES).decode("utf-8", "replace"))
        said_at = moment_at(int(file.stat().st_mtime))
    head, body = header.split(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    title = header.read(head, _TITLE).values.get("title") or file.stem
    tags = [tag for part in _TAGS.findall(head) for tag in _WORD.findall(part)]
    tags = [tag for tag in tags if tag != "-"]
    for name, content in _OBSERVATION.findall(body):
        said = _CONTEXT.sub("", _TAG.sub("", content)).strip()
        context = _CONTEXT.search(content)
        arguments = {
            "text": f"{title}: {said}"[:TEXT_LENGTH],
            "kind": _kind(name.strip().lower()),
            "why": context[1] if context else None,
            "tags": [*tags, *_TAG.findall(content)],
        }
        yield OtherMemory(said_at, _bounded({"facts": [], "files": [], **arguments}))
    prose = _RELATION.sub("", _OBSERVATION.sub("", body)).strip()
    prose = prose.removeprefix(f"# {title}").strip()
    if prose:
        arguments = {"text": f"{title}\n{prose}"[:TEXT_LENGTH], "tags": tags}
        yield OtherMemory(said_at, _bounded({"facts": [], "files": [], **arguments}))
