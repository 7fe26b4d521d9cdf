"""What a conversation is told as it reads or edits a file."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from gitmem import processes
from gitmem.actions.remembering.corrections import (
    Claim,
    corrections,
    memory_claim,
    statement_claim,
    statements_of,
)
from gitmem.actions.remembering.marks import corrected_mark, earlier_mark
from gitmem.actions.remembering.named_files import files_by_name
from gitmem.actions.remembering.statement import in_one_line
from gitmem.config import RECALL_SETTING, is_recalled
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.kind import ACTIVE
from gitmem.documents.session.index import STATING
from gitmem.documents.session.statements import OPEN_KINDS
from gitmem.frozen import frozen
from gitmem.git.values import COMMIT_LENGTH
from gitmem.indexing import ask_index
from gitmem.search.queries.query import of_words
from gitmem.search.wording import denies
from gitmem.store.file_notes import FileNotes
from gitmem.store.lock import locked
from gitmem.store.trees.committing import configured_trust
from gitmem.text.code_names import names_in
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.search.documents import Hit

_MOST_DOCUMENTS = 1000
_MOST_COMPARED, _MOST_TOLD = 8, 3
"""Statements about a file: the newest ones, and those that hold of them."""
_MOST_ENDING = 20
"""Newest statements that name no file and may end what one says that does."""
_FEW_FILES = 2
"""A session that touched so few: what it decided is about them."""
_PATIENCE = 5.0
"""Seconds that another process may take with the notes."""


@frozen
class FileStatement:
    """A statement of a memory or a session, and what tells its files."""

    claim: Claim
    authored_paths: frozenset[str] = frozenset()
    """Files that its author named as its own."""
    touched: tuple[str, ...] = ()
    """The files of its session, where these are few."""

    def paths(self, paths_by_name: Mapping[str, Iterable[str]]) -> Iterable[str]:
        """Return the files that it is about: those given, else named, else touched."""
        files = chain.from_iterable(paths_by_name[name] for name in self.claim.names)
        return self.authored_paths or {*files} or self.touched


def start_noting(workspace: Workspace) -> None:
    """Have the notes for files made anew, in another process, where they are old."""
    if FileNotes(workspace.own_dir).state != _state(workspace):
        with suppress(OSError):
            processes.start_task(workspace.repository.common_dir, "notes")


def note_files(workspace: Workspace) -> None:
    """Write down what is told of each file, unless that is done.

    Raises OSError and GitmemError.
    """
    notes = FileNotes(workspace.own_dir)
    with locked(workspace.own_dir / "recall.lock", _PATIENCE):
        if notes.state != (state := _state(workspace)):
            setting = workspace.repository.config(RECALL_SETTING)
            is_on = is_recalled(setting, "files")
            notes.write(state, _lines_by_path(workspace) if is_on else {})


def _state(workspace: Workspace) -> str:
    """Name what notes are made of; the launcher compares the first line with refs."""
    git = workspace.repository
    tips = (git.resolve_ref(ref) or "-" for ref in (MEMORY.ref, SESSION.ref))
    short = " ".join(tip[:COMMIT_LENGTH] for tip in tips)
    return f"{short}\n{git.head().commit} {git.config(RECALL_SETTING)}"


def _lines_by_path(workspace: Workspace) -> Mapping[str, list[str]]:
    statements = [*_of_memories(workspace), *_of_sessions(workspace)]
    statements.sort(key=lambda statement: statement.claim.order, reverse=True)
    names = {
        name
        for statement in statements
        if not statement.authored_paths
        for name in statement.claim.names
    }
    paths_by_name = files_by_name(workspace.repository, names)
    by_path: dict[str, list[Claim]] = defaultdict(list)
    ending: list[Claim] = []
    for statement in statements:
        claim, paths = statement.claim, statement.paths(paths_by_name)
        for path in paths:
            by_path[path].append(claim)
        if not paths and denies(claim.text):
            ending.append(claim)
    del ending[_MOST_ENDING:]
    return {path: _lines(c[:_MOST_COMPARED], ending) for path, c in by_path.items()}


def _lines(claims: list[Claim], ending: list[Claim]) -> list[str]:
    """Return what is told of those that hold, the newest first.

    What holds no more for one that names no file is told with that.
    """
    words = frozenset[str]().union(*(claim.words for claim in claims))
    near = [claim for claim in ending if len(claim.words & words) > 1]
    newer = corrections([*claims, *near])
    past = {old for old, claim in newer.items() if claim not in near}
    holding = [claim for claim in claims if claim.reference not in past]
    lines = (_line(claim, newer, holding[0]) for claim in holding[:_MOST_TOLD])
    return [*dict.fromkeys(lines)]


def _line(claim: Claim, newer: Mapping[str, Claim], newest: Claim) -> str:
    """Return a line with the day of what is not the newest about its file."""
    is_earlier = claim.document_id != newest.document_id
    mark = f"{earlier_mark(claim)} " if is_earlier else ""
    line = in_one_line(claim.kind, mark + claim.title, claim.reference)
    now = newer.get(claim.reference)
    return f"{line} {corrected_mark(now)}" if now else line


def _of_memories(workspace: Workspace) -> Iterator[FileStatement]:
    tree, now = workspace.store_of(MEMORY).memory(), workspace.now()
    for hit in _hits(workspace, MEMORY.name, ACTIVE):
        is_about_files = hit.paths or names_in(hit.title) or denies(hit.title)
        memory = tree.readable(hit.id) if is_about_files else None
        if memory and memory.is_current(now) and memory.scope != "session":
            file_paths = frozenset(file.path for file in memory.files)
            yield FileStatement(memory_claim(memory), file_paths)


def _of_sessions(workspace: Workspace) -> Iterator[FileStatement]:
    """Yield what sessions decided, gave up and found to be a rule."""
    for hit in _hits(workspace, SESSION.name, STATING):
        touched = hit.paths if len(hit.paths) <= _FEW_FILES else ()
        for claim in map(statement_claim, statements_of(hit)):
            if claim.kind not in OPEN_KINDS:
                yield FileStatement(claim, touched=touched)


def _hits(workspace: Workspace, kind: str, label: str) -> Iterator["Hit"]:
    """Yield what is told in full: the user's own, and that of trusted authors."""
    trust = configured_trust(workspace.repository)
    query = of_words("", kind, ((label,),))
    hits = ask_index(workspace, lambda at: at.search(query, limit=_MOST_DOCUMENTS))
    return (hit for hit in hits if trust.covers(hit.author))
