"""What a conversation is told as it reads or edits a file.

Its notes are made anew once the memory has moved, of what changed since the last ones.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from itertools import chain, islice

from gitmem.actions import detached
from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.remembering.named_files import NamedFiles, Paths
from gitmem.actions.remembering.statement import in_one_line
from gitmem.config import RECALL_SETTING, is_recalled
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.memory import Standing
from gitmem.documents.session.index import STATING
from gitmem.documents.session.session import SAID
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.search.queries.query import of_words
from gitmem.store.file_notes import FileNotes
from gitmem.store.lock import locked
from gitmem.store.trees.committing import circle_in
from gitmem.text.code_names import names_in
from gitmem.text.shape import value_of
from gitmem.workspace import Workspace

LINES = 5
"""Statements that are told of a file."""
_MOST_SESSIONS = 1000
_MOST_STATEMENTS = 5000
_FEW_FILES = 2
"""A session that touched so few: what it decided is about them."""
_KINDS_TOLD = frozenset({"decision", "failed", "constraint", SAID})
_PATIENCE = 2.0
"""Seconds that a look for identifiers may take, or another process with the notes."""


@frozen(kw_only=True)
class FileStatement:
    """A statement of a memory or a session, with what tells its files."""

    document_id: str
    at: datetime
    expires: datetime | None = None
    author: str
    line: str
    paths: tuple[str, ...]
    """Files that its author gave."""
    names: tuple[str, ...] = ()
    """Names of code in its text, where no files were given."""
    touched: tuple[str, ...] = ()
    """The files of its session, where these are few."""


@frozen
class Identifier:
    name: str
    paths: tuple[str, ...]
    """Files that define it, or contain it."""


@frozen(kw_only=True)
class NoteSources:
    """What notes were made of, at `state`."""

    state: str = ""
    memories: tuple[FileStatement, ...] = ()
    sessions: tuple[FileStatement, ...] = ()
    identifiers: tuple[Identifier, ...] = ()


def start_noting(workspace: Workspace) -> None:
    """Have the notes for files made anew, in another process, where they are old."""
    if FileNotes(workspace.own_dir).state != _state(workspace):
        with suppress(OSError):
            detached.start_in(workspace.repository.common_dir, "notes")


def note_files(workspace: Workspace) -> None:
    """Write down what is told of each file, unless that is done.

    Raises OSError and GitmemError.
    """
    git, notes = workspace.repository, FileNotes(workspace.own_dir)
    with locked(workspace.own_dir / "recall.lock", _PATIENCE):
        state = _state(workspace)
        if notes.state == state:
            return
        lines: Mapping[str, list[str]] = {}
        sources = NoteSources(state=state)
        if is_recalled(git.config(RECALL_SETTING), "files"):
            files = NamedFiles(git)
            sources = _renewed(workspace, files, _last_sources(notes), state)
            lines = _lines_by_path(workspace, files, sources)
        text = json.dumps(asdict(sources), default=datetime.isoformat)
        notes.write(state, lines, text)


def _state(workspace: Workspace) -> str:
    """Name what notes are made of; the launcher compares the first two with refs."""
    git = workspace.repository
    tips = map(git.resolve_ref, (MEMORY.ref, SESSION.ref))
    setting = git.config(RECALL_SETTING) or ""
    return " ".join(tip or "-" for tip in (*tips, git.head().commit, *setting.split()))


def _last_sources(notes: FileNotes) -> NoteSources:
    with suppress(ValueError, RecursionError):  # not there, or of another version
        return value_of(NoteSources, json.loads(notes.sources))
    return NoteSources()


def _renewed(
    workspace: Workspace, files: NamedFiles, last: NoteSources, state: str
) -> NoteSources:
    """Read what changed since the last notes."""
    tips, last_tips = state.split(), [*last.state.split(), "-", "-", "-"]
    memories, sessions = last.memories, last.sessions
    if tips[0] != last_tips[0]:
        memories = tuple(_of_memories(workspace, last.memories, last_tips[0]))
    if tips[1] != last_tips[1]:
        sessions = tuple(islice(_of_sessions(workspace), _MOST_STATEMENTS))
    names = {name for each in (*memories, *sessions) for name in each.names}
    known = {each.name: each for each in last.identifiers if tips[2] == last_tips[2]}
    wanted = {name for name in names - {*known} if not files.with_path(name)}
    found = files.with_identifiers(wanted, _PATIENCE)
    return NoteSources(
        state=state,
        memories=memories,
        sessions=sessions,
        identifiers=(
            *(known[name] for name in sorted(names & {*known})),
            *(Identifier(name, paths) for name, paths in found.items()),
        ),
    )


def _of_memories(
    workspace: Workspace, last: Iterable[FileStatement], last_tip: str
) -> Iterator[FileStatement]:
    tree = workspace.store_of(MEMORY).memory()
    try:
        before = tree.at(None if last_tip == "-" else last_tip)
    except GitmemError:  # it was rewritten
        before, last = tree.at(None), ()
    changed = tree.differing_ids(before)
    yield from (each for each in last if each.document_id not in changed)
    for memory in filter(None, map(tree.readable, changed)):
        paths = tuple(sorted({file.path for file in memory.files}))
        names = () if paths else tuple(sorted(names_in(memory.text)))
        is_for_all = memory.status is Standing.ACTIVE and memory.scope != "session"
        if is_for_all and (paths or names):
            yield FileStatement(
                document_id=memory.id,
                at=memory.updated_at,
                expires=memory.expires,
                author=memory.author,
                line=in_one_line(memory.kind, memory.title, memory.id),
                paths=paths,
                names=names,
            )


def _of_sessions(workspace: Workspace) -> Iterator[FileStatement]:
    """Yield what sessions decided, gave up and found to be a rule, the newest first."""
    query = of_words("", SESSION.name, ((STATING,),))
    hits = ask_index(workspace, lambda at: at.search(query, limit=_MOST_SESSIONS))
    for hit in sorted(hits, key=lambda hit: hit.at, reverse=True):
        for reference, kind, text, *_ in hit.stated:
            if kind in _KINDS_TOLD:
                yield FileStatement(
                    document_id=hit.id,
                    at=hit.at,
                    author=hit.author,
                    line=in_one_line(kind, text, reference),
                    paths=(),
                    names=tuple(sorted(names_in(text))),
                    touched=hit.paths if len(hit.paths) <= _FEW_FILES else (),
                )


def _lines_by_path(
    workspace: Workspace, files: NamedFiles, sources: NoteSources
) -> Mapping[str, list[str]]:
    """Return what is told of each file, the newest first."""
    own, now = circle_in(workspace.repository), workspace.now()
    identifiers = {each.name: each.paths for each in sources.identifiers}
    lines: dict[str, list[str]] = {}
    statements = (*sources.memories, *sources.sessions)
    for each in sorted(statements, key=lambda each: each.at, reverse=True):
        if own.trusts(each.author) and not (each.expires and each.expires <= now):
            for path in _paths_of(each, files, identifiers):
                known = lines.setdefault(path, [])
                if len(known) < LINES and each.line not in known:
                    known.append(each.line)
    return lines


def _paths_of(
    statement: FileStatement, files: NamedFiles, identifiers: Mapping[str, Paths]
) -> Iterable[str]:
    """Return the files that a statement is about; those of its session if none."""
    named = (files.with_path(n) or identifiers.get(n, ()) for n in statement.names)
    return {*statement.paths, *chain.from_iterable(named)} or statement.touched
