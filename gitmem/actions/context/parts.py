"""The parts of a context, each of which looks for what it tells.

Each document is told once, and of memories that say nearly the same the first; one that
was superseded never is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from gitmem.actions.context.build import remembered
from gitmem.actions.context.page import (
    RULES_SHARE,
    RULES_TITLE,
    Block,
    Page,
    Section,
)
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
    stated,
)
from gitmem.actions.context.rules import rules
from gitmem.actions.context.wish import Wish
from gitmem.actions.reading.documents import find_session
from gitmem.actions.reading.latest import latest, to_do
from gitmem.actions.reading.recent import ids_from, present_ids
from gitmem.actions.remembering.recall import Recalled, Wanted, recall
from gitmem.actions.saving.conversation import Caller, conversation_of
from gitmem.actions.saving.request import Request
from gitmem.assistants.known import SPOKEN
from gitmem.documents.memory.memory import Memory
from gitmem.documents.session.gist import has_work, urgency
from gitmem.documents.session.index import entry
from gitmem.documents.session.session import Session
from gitmem.search.documents import Match
from gitmem.search.index import Hit, Index
from gitmem.search.likeness import says_same
from gitmem.search.matching import Asked
from gitmem.search.queries.query import SESSION, Query, of_words, parse, relaxed
from gitmem.search.reasons import snippet
from gitmem.store.trees.committing import circle_in
from gitmem.text.counting import listed
from gitmem.text.markdown import harmless_line
from gitmem.workspace import Workspace

_SHARES = {"conversation": 0.2, "state": 0.25, "rules": RULES_SHARE}
"""What they get at most, and for sure, where other parts are asked for as well."""
FILES_NAMED = 3
_LOOKED_AT = 5
"""Sessions of a branch of which the most urgent are told."""
THIS = "this conversation"
_IN_DETAIL = 2
_MEMORIES, _WEAK_MEMORIES, _SESSIONS = 5, 2, 5
_BESIDE, _BESIDE_ALONE = 2, 5
_OF_FILE = Detail(to_do=0, stated=1, done=0, files=0)
_SNIPPET, _WITH_SNIPPET = 240, 3
"""Characters of what answers in a session, and sessions of which it is told."""
_MOST_BYTES = 2_000_000
"""Longer documents are not waited for."""


@dataclass
class Parts:
    """In the order of asking: what was told once is not told again."""

    workspace: Workspace
    asked: Wish
    caller: Caller | None
    index: Index
    files: tuple[str, ...]
    unreachable: list[str] = field(default_factory=list)
    _told: dict[str, str] = field(default_factory=dict)
    """Ids of what was told, with the texts of memories."""
    _best: str = ""
    """The session that fits best, which has the neighbours."""

    def __post_init__(self) -> None:
        self.memory = self.workspace.store.memory().limited(most_bytes=_MOST_BYTES)
        self.branch = self.workspace.repository.head().branch
        self.circle = circle_in(self.workspace.repository)

    def tell(self, part: str, page: Page) -> int:
        """Put a part on the page; gives how many documents had no room."""
        looks: dict[str, Callable[[], tuple[str, Iterable[Block]]]] = {
            "conversation": self._conversation,
            "state": self._state,
            "rules": self._rules,
            "files": self._of_files,
            "task": self._of_task,
            "timeline": self._timeline,
        }
        title, blocks = looks[part]()
        section = Section(part, title, [*blocks])
        share = _SHARES.get(part) if len(self.asked.parts) > 1 else None
        before = len(page.items)
        page.fill(section, int(self.asked.budget * share) if share else page.tokens)
        shown = {item.id for item in page.items[before:]}
        for block in section.blocks:
            if block.id not in shown:
                self._told.pop(block.id, None)
        return len(section.blocks) - len(shown)

    def _conversation(self) -> tuple[str, Iterable[Block]]:
        own = None
        if self.caller:
            own = conversation_of(self.workspace, Request(), self.caller).session
        found = [own] if own and self._is_new(own.id) else []
        blocks = (self._in_detail(each, OWN, THIS) for each in found)
        return "This conversation so far:", blocks

    def _state(self) -> tuple[str, Iterable[Block]]:
        """What was left on this branch; on one without sessions, at all."""
        newest = islice(present_ids(self.workspace, self.memory), _LOOKED_AT)
        found = self._on_branch() or [*self._read(newest)]
        fitting = [
            each for each in found if has_work(each) and each.id not in self._told
        ]
        fitting.sort(key=lambda each: urgency(each, self.branch))
        fitting.sort(key=lambda each: not self._is_own(each))
        some = fitting[:_IN_DETAIL]
        self._told |= dict.fromkeys((each.id for each in some), "")
        self._best = some[0].id if some else ""
        detail = zip(some, (FIRST, NEXT), strict=False)
        name = harmless_line(self.branch or "", NAME)
        where = f"Where branch {name} stands:" if name else "Where the work stands:"
        return where, (self._in_detail(each, much, "state") for each, much in detail)

    def _on_branch(self) -> list[Session]:
        if not self.branch:
            return []
        newest = replace(of_words("", SESSION, ()), branch=self.branch.lower())
        hits = self.index.search(newest, limit=_LOOKED_AT)
        sessions = self._read(hit.id for hit in hits)
        return [each for each in sessions if each.branch == self.branch]

    def _rules(self) -> tuple[str, Iterable[Block]]:
        known = [
            Block(
                (of_memory(each.memory, is_own=each.is_own),),
                each.memory.id,
                each.memory.kind,
                "pinned" if each.memory.pinned else "always",
            )
            for each in rules(self.workspace, int(self.asked.budget * RULES_SHARE))
            if self._is_news(each.memory)
        ]
        return RULES_TITLE, known

    def _of_files(self) -> tuple[str, Iterable[Block]]:
        names = listed([harmless_line(each, NAME) for each in self.files], FILES_NAMED)
        return f"About {names}:", self._naming_files()

    def _naming_files(self) -> Iterator[Block]:
        if not self.files:
            return
        found = self._recalled("", self.files)
        yield from (self._of_memory(each, "names a file") for each in found)
        touching = replace(
            of_words("", SESSION, ()), paths=tuple(map(str.lower, self.files))
        )
        hits = self.index.search(touching, limit=_LOOKED_AT)
        sessions = self._read(hit.id for hit in hits)
        naming = (each for each in sessions if {*self.files} & _paths(each))
        for session in islice(naming, _SESSIONS):
            if self._is_new(session.id):
                yield self._in_a_line(
                    session, "touched a file", stated(session, _OF_FILE)
                )

    def _of_task(self) -> tuple[str, Iterable[Block]]:
        return "For the task:", self._answering() if self.asked.task else ()

    def _answering(self) -> Iterator[Block]:
        query = self._query()
        found = [] if query.about_order else self._recalled(self.asked.task, ())
        strong = [each for each in found if each.match is Match.STRONG]
        yield from (self._of_memory(each, "answers") for each in strong)
        yield from self._sessions(query)
        weak = [each for each in found if each.match is Match.WEAK]
        yield from (self._of_memory(each, "near") for each in weak[:_WEAK_MEMORIES])

    def _sessions(self, query: Query) -> Iterator[Block]:
        hits = self._found(query)
        if hits and (hits[0].match is Match.STRONG or not self._best):
            self._best = hits[0].id
        words = Asked(chain(query.words, *query.also), {})
        for rank, hit in enumerate(hits):
            is_new = self._is_new(hit.id)
            if is_new and (session := self.memory.readable(hit.id)):
                why = None
                if query.about_order:
                    why = to_do(session).snippet
                elif rank < _WITH_SNIPPET and self._is_own(session):
                    why = snippet(entry(session), hit, words)
                said = why.text if why else ""
                row = [f"  {harmless_line(said, _SNIPPET)}"] if said else []
                is_strong = hit.match is Match.STRONG
                yield self._in_a_line(session, "answers" if is_strong else "near", row)

    def _query(self) -> Query:
        return parse(self.asked.task, now=self.workspace.now(), tools=SPOKEN)

    def _found(self, query: Query) -> list[Hit]:
        """As a search finds them: without filters that leave nothing."""
        for each in chain([query], (less for less, _ in relaxed(query))):
            if each.about_order:
                hits = latest(self.workspace, self.index, each, _SESSIONS)
            else:
                hits = self.index.search(each, limit=_SESSIONS)
            if hits:
                return hits
        return []

    def _timeline(self) -> tuple[str, Iterable[Block]]:
        around = self.asked.around
        is_alone = "task" not in self.asked.parts
        if around:
            name = find_session(self.workspace, around)
        elif is_alone and self.asked.task:
            name = next((hit.id for hit in self._found(self._query())), "")
        else:
            name = self._best
        middle = name or next(present_ids(self.workspace, self.memory), "")
        return "Before and after:", self._beside(middle, is_alone=is_alone)

    def _beside(self, middle: str, *, is_alone: bool) -> Iterator[Block]:
        most = _BESIDE_ALONE if is_alone else _BESIDE
        after = islice(ids_from(self.memory, middle, 1), most)
        before = islice(ids_from(self.memory, middle, -1), most)
        beside = [*reversed([*after]), *([middle] if is_alone else []), *before]
        for session_id in beside:
            is_new = self._is_new(session_id)
            if is_new and (session := self.memory.readable(session_id)):
                later = "after" if session_id > middle else "before"
                yield self._in_a_line(
                    session, "around" if session_id == middle else later
                )

    def _recalled(self, text: str, files: Sequence[str]) -> list[Recalled]:
        asked = Wanted(text, files=files, limit=_MEMORIES)
        found = recall(self.workspace, asked, self.index)
        self.unreachable += found.unreachable
        return [e for e in found.found if not e.rival and self._is_news(e.memory)]

    def _read(self, ids: Iterable[str]) -> Iterator[Session]:
        return filter(None, map(self.memory.readable, ids))

    def _is_own(self, session: Session) -> bool:
        return self.circle.trusts(session.author)

    def _is_new(self, document_id: str) -> bool:
        is_told = document_id in self._told
        self._told.setdefault(document_id, "")
        return not is_told

    def _is_news(self, memory: Memory) -> bool:
        """Whether nothing told so far says the same in nearly the same words."""
        if any(says_same(memory.text, text) for text in self._told.values()):
            return False
        is_new = self._is_new(memory.id)
        self._told[memory.id] = memory.text
        return is_new

    def _of_memory(self, found: Recalled, why: str) -> Block:
        row = of_memory(
            found.memory, is_own=found.is_own, changed_files=found.changed_files
        )
        return Block((row,), found.memory.id, found.memory.kind, why)

    def _in_detail(self, session: Session, much: Detail, why: str) -> Block:
        if not self._is_own(session):
            return Block((of_somebody(session),), session.id, SESSION, why)
        rows = in_detail(remembered(self.workspace, session), self.branch, much)
        return Block(rows, session.id, SESSION, why)

    def _in_a_line(self, session: Session, why: str, more: Iterable[str] = ()) -> Block:
        """With more rows only where the user, or somebody trusted, wrote it."""
        if not self._is_own(session):
            return Block((of_somebody(session),), session.id, SESSION, why)
        rows = (in_one_line(session, self.branch), *more)
        return Block(rows, session.id, SESSION, why)


def _paths(session: Session) -> set[str]:
    return {file.path for file in session.files}
