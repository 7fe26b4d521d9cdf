"""The parts of a context, each of which looks for what it tells.

A statement that was superseded is never told.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from gitmem.actions.context.build import remembered
from gitmem.actions.context.page import RULES_SHARE, RULES_TITLE, RowGroup, Section
from gitmem.actions.context.rows import (
    FIRST,
    NAME,
    NEXT,
    OWN,
    Detail,
    in_detail,
    in_one_line,
    of_memory,
    of_somebody,
)
from gitmem.actions.context.rules import StandingRule, rules
from gitmem.actions.context.task import PARTS, ContextRequest, Task
from gitmem.actions.reading.latest import to_do
from gitmem.actions.reading.recent import ids_from
from gitmem.actions.reading.taken_up import without_taken_up
from gitmem.actions.remembering.corrections import memory_claim, statement_claim
from gitmem.actions.remembering.marks import corrected_mark, marked_texts, with_marks
from gitmem.actions.remembering.recall import RecalledMemory, RecallQuery, recall
from gitmem.actions.saving.conversation import Caller, conversation_of
from gitmem.documents.kinds import SESSION
from gitmem.documents.memory.memory import Memory
from gitmem.documents.session.gist import by_urgency, has_work, is_small_talk
from gitmem.documents.session.index import entry
from gitmem.documents.session.session import Session
from gitmem.documents.session.statements import statements
from gitmem.lookup import find_id
from gitmem.search.documents import Match
from gitmem.search.index import Index
from gitmem.search.matching import QueryWords
from gitmem.search.queries.query import Query, of_words
from gitmem.search.reasons import snippet
from gitmem.store.trees.committing import configured_trust, present_branch
from gitmem.text.counting import shortlist
from gitmem.text.markdown import harmless_line
from gitmem.workspace import Workspace

_SHARES = {"state": 0.25, "rules": RULES_SHARE, "files": 0.1, "task": 0.2}
"""Shares of the budget that parts before these leave for them."""
FILES_NAMED = 3
_LOOKED_AT = 5
"""Newest sessions of a branch, of which the most urgent are shown."""
THIS = "this conversation"
_IN_DETAIL = 2
_MEMORIES, _WEAK_MEMORIES = 5, 2
_BESIDE, _BESIDE_ALONE = 2, 5
_SNIPPET, _WITH_SNIPPET = 240, 3
"""Characters of a snippet, and the number of sessions that have one."""
_MOST_BYTES = 2_000_000
"""Longer documents are skipped: they take too long to read."""


@dataclass
class Parts:
    """Makes a section of each part that is asked for."""

    workspace: Workspace
    request: ContextRequest
    caller: Caller | None
    index: Index
    files: tuple[str, ...]
    unreachable: list[str] = field(default_factory=list)
    _best: str = ""
    """The session that fits best, which has the neighbours."""

    def __post_init__(self) -> None:
        self.memory = self.workspace.store.memory().limited(most_bytes=_MOST_BYTES)
        self.branch = present_branch(self.workspace.repository)
        self.trust = configured_trust(self.workspace.repository)
        self.task = Task(self.workspace, self.index, self.request.task, self.files)
        self.own: Session | None = None
        if self.caller and "conversation" in self.request.parts:
            conversation = conversation_of(self.workspace, self.caller)
            self.own = conversation.session

    def sections(self) -> list[Section]:
        """Return the sections that are asked for, in the order of all parts."""
        makers: dict[str, Callable[[], tuple[str, Iterable[RowGroup]]]] = {
            "conversation": self._conversation,
            "state": self._state,
            "rules": self._rules,
            "files": self._of_files,
            "task": self._of_task,
            "timeline": self._timeline,
        }
        sections = []
        for part in (part for part in PARTS if part in self.request.parts):
            title, groups = makers[part]()
            sections.append(Section(part, title, [*groups], _SHARES.get(part, 0.0)))
        return sections

    def _conversation(self) -> tuple[str, Iterable[RowGroup]]:
        own = self.own
        groups = [self._in_detail(own, OWN, THIS)] if own else []
        return "This conversation so far:", groups

    def _state(self) -> tuple[str, Iterable[RowGroup]]:
        """Return the unfinished work of this branch, or of all if it has none."""
        newest_ids = islice(self.memory.begun_ids(self.workspace.now()), _LOOKED_AT)
        sessions = self._on_branch() or [*self._read(newest_ids)]
        own_id = self.own.id if self.own else ""
        unfinished = without_taken_up(sessions, filter(self._is_own, sessions))
        other_sessions = (session for session in unfinished if session.id != own_id)
        concerned = filter(self.task.concerns, filter(has_work, other_sessions))
        fitting = by_urgency(concerned, self.branch)
        fitting.sort(key=lambda session: not self._is_own(session))
        first_sessions = fitting[:_IN_DETAIL]
        self._best = first_sessions[0].id if first_sessions else ""
        detail = zip(first_sessions, (FIRST, NEXT), strict=False)
        name = harmless_line(self.branch or "", NAME)
        title = f"Where branch {name} stands:" if name else "Where the work stands:"
        return title, (self._in_detail(*pair, "state") for pair in detail)

    def _on_branch(self) -> list[Session]:
        if not self.branch:
            return []
        newest = replace(of_words("", SESSION.name, ()), branch=self.branch.lower())
        hits = self.index.search(newest, limit=_LOOKED_AT)
        sessions = self._read(hit.id for hit in hits)
        return [session for session in sessions if session.branch == self.branch]

    def _rules(self) -> tuple[str, Iterable[RowGroup]]:
        standing = rules(self.workspace, int(self.request.budget * RULES_SHARE))
        claims = [
            memory_claim(rule.memory, is_trusted=rule.is_own) for rule in standing
        ]
        past = marked_texts(claims, self.workspace, self.index)
        corrected = (rule.with_text(past.get(rule.memory.text)) for rule in standing)
        return RULES_TITLE, map(_rule_row, corrected)

    def _of_files(self) -> tuple[str, Iterable[RowGroup]]:
        names = [harmless_line(path, NAME) for path in self.files]
        return f"About {shortlist(names, FILES_NAMED)}:", self._naming_files()

    def _naming_files(self) -> Iterator[RowGroup]:
        if not self.files:
            return
        memories = self._recalled("", self.files)
        yield from (self._of_memory(memory, "names a file") for memory in memories)
        for hit in self.task.naming:
            if session := self._telling(hit.id):
                yield self._in_a_line(session, "names a file", self.task.stated(hit))
        for hit in self.task.touching:
            session = self._telling(hit.id)
            if session and any(f.path in self.files for f in session.files):
                yield self._in_a_line(session, "touched a file", self.task.stated(hit))

    def _of_task(self) -> tuple[str, Iterable[RowGroup]]:
        return "For the task:", self._answering() if self.request.task else ()

    def _answering(self) -> Iterator[RowGroup]:
        query = self.task.query
        memories = [] if query.about_order else self._recalled(self.request.task, ())
        strong = [memory for memory in memories if memory.match is Match.STRONG]
        yield from (self._of_memory(memory, "answers") for memory in strong)
        yield from self._sessions(query)
        weak = [memory for memory in memories if memory.match is Match.WEAK]
        yield from (self._of_memory(memory, "near") for memory in weak[:_WEAK_MEMORIES])

    def _sessions(self, query: Query) -> Iterator[RowGroup]:
        hits = self.task.hits
        if hits and (hits[0].match is Match.STRONG or not self._best):
            self._best = hits[0].id
        words = QueryWords(chain(query.words, *query.also), {})
        for rank, hit in enumerate(hits):
            if session := self._telling(hit.id):
                why, rows = None, [*self.task.stated(hit)]
                if query.about_order:
                    why = to_do(session).snippet
                elif rank < _WITH_SNIPPET and self._is_own(session):
                    why = snippet(entry(session), hit, words)
                text = harmless_line(why.text, _SNIPPET) if why else ""
                if text.strip("…") not in "".join(rows):
                    rows.append(f"  {text}")
                is_strong = hit.match is Match.STRONG
                yield self._in_a_line(session, "answers" if is_strong else "near", rows)

    def _timeline(self) -> tuple[str, Iterable[RowGroup]]:
        around = self.request.around
        is_alone = "task" not in self.request.parts
        if around:
            name = find_id(self.workspace, SESSION, around)
        elif is_alone and self.request.task:
            name = next((hit.id for hit in self.task.hits), "")
        else:
            name = self._best
        if not name and not self.request.task:
            name = next(self.memory.begun_ids(self.workspace.now()), "")
        most = _BESIDE_ALONE if is_alone else _BESIDE
        return "Before and after:", self._beside(name, most)

    def _beside(self, middle: str, most: int) -> Iterator[RowGroup]:
        """Yield the sessions around `middle`, and `middle` if it was not shown."""
        after = islice(ids_from(self.memory, middle, 1), most)
        before = islice(ids_from(self.memory, middle, -1), most)
        for session_id in (*reversed([*after]), middle, *before):
            if session := self._telling(session_id):
                later = "after" if session_id > middle else "before"
                why = "around" if session_id == middle else later
                yield self._in_a_line(session, why)

    def _recalled(self, text: str, files: Sequence[str]) -> list[RecalledMemory]:
        query = RecallQuery(text, files=files, limit=_MEMORIES)
        recollection = recall(self.workspace, query, self.index)
        self.unreachable += recollection.unreachable
        return [memory for memory in recollection.memories if not memory.rival]

    def _read(self, ids: Iterable[str]) -> Iterator[Session]:
        return filter(None, map(self.memory.readable, ids))

    def _telling(self, session_id: str) -> Session | None:
        """Return a session that is more than small talk."""
        session = self.memory.readable(session_id)
        return None if session is None or is_small_talk(session) else session

    def _is_own(self, session: Session) -> bool:
        return self.trust.covers(session.author)

    def _of_memory(self, recalled: RecalledMemory, why: str) -> RowGroup:
        row = of_memory(
            recalled.memory,
            is_own=recalled.is_own,
            changed_files=recalled.changed_files,
        )
        mark = f" {corrected_mark(recalled.correction)}" if recalled.correction else ""
        return _memory_group(recalled.memory, row + mark, why)

    def _in_detail(self, session: Session, much: Detail, why: str) -> RowGroup:
        nearest_last = self.task.nearest_last(self._with_past(session))
        detailed = remembered(self.workspace, nearest_last)
        rows = (*in_detail(detailed, self.branch, much), *self.task.speech(session))
        return self._block(session, rows, why)

    def _in_a_line(
        self, session: Session, why: str, extra_rows: Iterable[str] = ()
    ) -> RowGroup:
        line = in_one_line(self._with_past(session), self.branch)
        return self._block(session, (line, *extra_rows), why)

    def _with_past(self, session: Session) -> Session:
        is_own = self._is_own(session)
        claims = [statement_claim(s, is_trusted=is_own) for s in statements(session)]
        return with_marks(session, marked_texts(claims, self.workspace, self.index))

    def _block(self, session: Session, rows: Sequence[str], why: str) -> RowGroup:
        """Group the rows; show only author and goal of a session of others."""
        visible_rows = rows if self._is_own(session) else (of_somebody(session),)
        return RowGroup(visible_rows, session.id, SESSION.name, why)


def _rule_row(rule: StandingRule) -> RowGroup:
    why = "pinned" if rule.memory.pinned else "always"
    return _memory_group(rule.memory, of_memory(rule.memory, is_own=rule.is_own), why)


def _memory_group(memory: Memory, row: str, why: str) -> RowGroup:
    return RowGroup((row,), memory.id, memory.kind, why, memory.text)
