"""What a context is asked for, and what sessions have to do with it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, filterfalse
from typing import Any

from gitmem.actions.context.rows import LABELS
from gitmem.actions.reading.latest import latest
from gitmem.actions.remembering.corrections import (
    Claim,
    corrections,
    statement_claim,
    statements_of,
)
from gitmem.actions.remembering.marks import corrected_mark
from gitmem.actions.remembering.session_statements import names_file, sessions_naming
from gitmem.assistants.known import NICKNAMES
from gitmem.documents.session.fields import KINDS
from gitmem.documents.session.session import Session
from gitmem.documents.session.statements import SAID, Statement, statements
from gitmem.errors import InvalidInput
from gitmem.search.documents import Match
from gitmem.search.index import Hit, Index
from gitmem.search.likeness import words_of
from gitmem.search.queries.query import SESSION, Query, of_words, parse, relaxed
from gitmem.store.trees.committing import configured_trust
from gitmem.text.counting import CONTEXT_BUDGET, LEAST_BUDGET
from gitmem.text.markdown import harmless_line
from gitmem.workspace import Workspace

PARTS = ("conversation", "state", "rules", "files", "task", "timeline")
_MOST_FILES = 20
_MOST_SESSIONS = 5
_MOST_STATED, _STATEMENT = 2, 240
"""Statements of a session beside its line, and characters of one."""
_MOST_COMPARED = 8
"""Statements of a session that may take back others: the nearest to the task."""


@dataclass(slots=True, eq=False, repr=False)
class ContextRequest:
    """A request for a context; no parts are all of them. Raises InvalidInput."""

    task: str = ""
    files: Sequence[str] = ()
    budget: int = CONTEXT_BUDGET
    parts: Sequence[str] = ()
    around: str = ""
    """The session whose neighbours the timeline has; "" for the one that fits best."""

    def __post_init__(self) -> None:
        if self.budget < LEAST_BUDGET:
            raise InvalidInput(
                f"The budget must be at least {LEAST_BUDGET} tokens, not {self.budget}."
            )
        if unknown := [part for part in self.parts if part not in PARTS]:
            part_names = ", ".join(PARTS)
            raise InvalidInput(f"parts must be of {part_names}, not {unknown[0]!r}.")
        self.task = self.task.strip()
        self.files = list(dict.fromkeys(self.files))[:_MOST_FILES]
        self.parts = tuple(self.parts) or PARTS


@dataclass
class Task:
    """A task in words, and the files at hand; each may be empty."""

    workspace: Workspace
    index: Index
    text: str
    files: tuple[str, ...]

    @cached_property
    def query(self) -> Query:
        return parse(self.text, now=self.workspace.now(), tools=NICKNAMES)

    @cached_property
    def hits(self) -> list[Hit]:
        """What answers, as a search finds it: without filters that leave nothing."""
        broader_queries = (query for query, _ in relaxed(self.query))
        queries = chain([self.query], broader_queries) if self.text else ()
        return next(filter(None, map(self._answers, queries)), [])

    @cached_property
    def naming(self) -> list[Hit]:
        """The newest sessions with a statement that names a file."""
        return sessions_naming(self.index, self.files, _MOST_SESSIONS)

    @cached_property
    def touching(self) -> list[Hit]:
        """The newest sessions that may have touched a file."""
        paths = tuple(map(str.lower, self.files))
        query = replace(of_words("", SESSION, ()), paths=paths)
        return self.index.search(query, limit=_MOST_SESSIONS) if paths else []

    def concerns(self, session: Session) -> bool:
        """Tell whether the session touched or names a file, or clearly answers."""
        clear = (hit for hit in self.hits if hit.match is Match.STRONG)
        near = {hit.id for hit in chain(self.naming, clear)}
        touched = {file.path for file in session.files}
        is_any = not (self.text or self.files)
        return is_any or session.id in near or not touched.isdisjoint(self.files)

    def stated(self, hit: Hit) -> Iterator[str]:
        """Yield rows of what a session states, the nearest to the task first."""
        for statement in self._near(hit, _MOST_STATED):
            newer = self._newer.get(statement.reference)
            mark = f" {corrected_mark(newer)}" if newer else ""
            who = f" by {statement.by.lower()}" if statement.by else ""
            text = harmless_line(statement.text, _STATEMENT)
            yield f"  {LABELS[statement.kind]}{who}: {text}{mark}"

    def speech(self, session: Session) -> Iterable[str]:
        """Return rows of what is said in a session that has no statements."""
        hits = (hit for hit in chain(self.naming, self.hits) if hit.id == session.id)
        hit = None if any(statements(session)) else next(hits, None)
        return self.stated(hit) if hit else ()

    def nearest_last(self, session: Session) -> Session:
        """Return the session with what still holds, in the order of a list's end."""
        past = {e.text for e in statements(session) if e.reference in self._newer}
        lists: dict[str, Any] = {}
        for name in KINDS:
            holding = filterfalse(past.__contains__, getattr(session, name))
            lists[name] = tuple(sorted(holding, key=self._nearness))
        return replace(session, **lists)

    @cached_property
    def _newer(self) -> Mapping[str, Claim]:
        """What holds now, by the reference of each statement that was corrected."""
        hits = {hit.id: hit for hit in chain(self.naming, self.touching, self.hits)}
        trust = configured_trust(self.workspace.repository)
        return corrections(
            statement_claim(statement, is_trusted=trust.covers(hit.author))
            for hit in hits.values()
            for statement in self._near(hit, _MOST_COMPARED)
        )

    def _near(self, hit: Hit, most: int) -> list[Statement]:
        near = sorted(statements_of(hit), key=lambda e: self._nearness(e.text))
        telling = [e for e in near if e.kind != SAID or any(self._nearness(e.text))]
        return telling[: -most - 1 : -1]

    def _nearness(self, text: str) -> tuple[bool, int]:
        """Return whether it names a file, and how many words of the task it has."""
        common = words_of(self.text) & words_of(text)
        return names_file(text, self.files), len(common)

    def _answers(self, query: Query) -> list[Hit]:
        if query.about_order:
            return latest(self.workspace, self.index, query, _MOST_SESSIONS)
        return self.index.search(query, limit=_MOST_SESSIONS)
