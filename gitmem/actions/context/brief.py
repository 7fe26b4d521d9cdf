"""The brief: what a conversation is given of earlier ones, within a budget.

It is for an assistant to read, at every start: dense, and the most important first,
because a client may show only the beginning of what it finds long.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from gitmem.actions.context.page import (
    FRAME,
    RULES_SHARE,
    RULES_TITLE,
    Page,
    PageSection,
    RowGroup,
    Section,
    framed,
    utf16_length,
)
from gitmem.actions.context.rows import (
    FIRST,
    HANDED_OVER,
    NAME,
    NEXT,
    OWN,
    Remembered,
    details,
    files_row,
    in_detail,
    in_one_line,
    of_memory,
    of_somebody,
    standing,
)
from gitmem.actions.context.rules import StandingRule
from gitmem.documents.event import Compaction, Connected, Event, Start, WorkTreeState
from gitmem.documents.session.handoff import handoff_text
from gitmem.documents.session.identity import slug_of
from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.text.counting import estimated_tokens
from gitmem.text.markdown import harmless_line


@frozen
class Before:
    """The last brief that the context was given, and need not be told again."""

    at: datetime
    is_whole: bool = True
    """True if the context has all of the conversation: false after a compaction."""


def before_this(events: Iterable[Event]) -> Before | None:
    """The brief before the one that is due now; None where the context is new.

    `events` are those of the conversation, the one that the brief is due for included.
    """
    events = list(events)
    occasions = _occasions(events)
    if len(occasions) < 2:
        return None
    last, due = occasions[-2:]
    if isinstance(due, Compaction):
        return Before(last.at, is_whole=False)
    starts = [event for event in events if isinstance(event, Start)]
    is_resumed = starts and starts[-1].source == "resume"
    return Before(last.at) if is_resumed else None


def before_next(events: Iterable[Event]) -> Before | None:
    """The last brief so far, as a conversation has it that will be resumed."""
    occasions = _occasions(events)
    return Before(occasions[-1].at) if occasions else None


def _occasions(events: Iterable[Event]) -> list[Event]:
    return [
        event
        for event in events
        if isinstance(event, WorkTreeState | Compaction)
        and not isinstance(event, Connected)
    ]


MOST_CHARACTERS = 9000
"""Length of the longest brief in UTF-16 units, as JavaScript counts.

Claude Code and Codex put a preview in the place of a text of more than 10,000.
"""

PATH = 4 * NAME

_ID = "This conversation's session id is {session_id}.\n"
_EARLIER, _NEWS = "Earlier sessions of this project", "New since the last brief"
_WITH_MEMORIES = "Earlier sessions and memories of this project"
_NO_NEWS = "Nothing is new in this project's memory since the last brief.\n"
_NOTHING = "Nothing is saved yet in this project's memory of sessions.\n"
_ALSO_TITLE = "Decided, tried and found out:"
_FIRST_SHARE, _OTHERS_SHARE = 0.3, 0.1
_SAVING = "`ocm__checkpoint`, without that tool `ocm checkpoint` in the shell"
_SAVE = f"Save this one once its goal is clear: {_SAVING}.\n"
_GO_ON = f"Go on with this conversation; save what is new: {_SAVING}.\n"
_SEARCH = "Others: `ocm__search_sessions`, or `ocm search`.\n"


@frozen
class Continuation:
    """The session that "continue" means."""

    session_id: str
    record: str
    """Path or URI of the whole record of that session."""

    @property
    def row(self) -> str:
        name, record = slug_of(self.session_id), harmless_line(self.record, PATH)
        return f'"Continue" means {name}, without asking; its whole record: {record}\n'


@frozen(kw_only=True)
class Listener:
    """The conversation that a brief is for."""

    session_id: str | None
    """Its id, the client's own while it has no document."""
    branch: str | None
    before: Before | None = None
    """The last brief in this context; the contents are what is new since."""
    parent: str = ""
    """The client's own name of the conversation whose state the first prompt tells."""


@frozen(kw_only=True)
class Contents:
    """Sessions and memories for a brief, as far as it has room."""

    own: Remembered | None = None
    """The session of a conversation that goes on."""
    first: Sequence[Remembered] = ()
    """Sessions told in detail."""
    in_one_line: Sequence[Session] = ()
    """Sessions told in one line."""
    foreign: Sequence[Session] = ()
    """Sessions of other people, told only by author and goal."""
    memories: Sequence[StandingRule] = ()
    """Memories, those that always hold first."""
    continuation: Continuation | None = None


@frozen
class Brief:
    text: str
    """Whole lines; empty where the brief is turned off."""
    tokens: int
    """Estimated size, by `estimated_tokens`."""
    budget: int
    parts: tuple[PageSection, ...]


OFF = Brief("", 0, 0, ())


def compose(listener: Listener, contents: Contents, budget: int) -> Brief:
    """Return the brief that says as much of the contents as the budget allows.

    Whole rows are left out, never a part of one; what stands around them is always
    there.
    """
    begin, end = _introduction(listener), _ending(listener, contents)
    title = _WITH_MEMORIES if contents.memories else _EARLIER
    if listener.before:
        title = _NEWS
    around = begin + FRAME.format(title=title, fence="````", rows="") + end
    page = Page(
        budget - estimated_tokens(around), MOST_CHARACTERS - utf16_length(around)
    )
    parts = page.fill([*_sections(listener, contents)])
    text = f"{begin}{framed(title, page.rows)}{end}"
    rest = estimated_tokens(text) - sum(part.tokens for part in parts)
    first = PageSection("introduction", rest, (begin + end).count("\n"), 0)
    return Brief(text, estimated_tokens(text), budget, (first, *parts))


def _introduction(listener: Listener) -> str:
    name = harmless_line(listener.session_id or "", 2 * NAME)
    has_it = listener.before and listener.before.is_whole
    return _ID.format(session_id=name) if name and not has_it else ""


def _ending(listener: Listener, contents: Contents) -> str:
    has_sessions = contents.first or contents.in_one_line or contents.foreign
    if listener.before and not has_sessions and not contents.own:
        return "" if contents.memories else _NO_NEWS
    if contents.own:
        return _GO_ON
    if not has_sessions:
        return _NOTHING + _SAVE
    row = contents.continuation.row if contents.continuation else ""
    return row + _SEARCH


def _sections(listener: Listener, contents: Contents) -> Iterator[Section]:
    """Yield what there is to tell, the most important first."""
    branch = listener.branch
    if own := contents.own:
        yield Section("this conversation", *_own(own, listener.before))
    always = [rule for rule in contents.memories if rule.always_holds]
    if always:
        yield Section("rules", RULES_TITLE, _of_memories(always), share=RULES_SHARE)
    if contents.first:
        on_branch = f"on branch {harmless_line(branch or '', NAME)} unless said; "
        title = f"Sessions, {on_branch if branch else ''}unfinished ones first:"
        groups = [*_first(listener, contents)]
        yield Section("first", title, groups, share=_FIRST_SHARE)
    if also := [rule for rule in contents.memories if not rule.always_holds]:
        yield Section("memories", _ALSO_TITLE, _of_memories(also))
    if contents.in_one_line:
        rows = [RowGroup((in_one_line(s, branch),)) for s in contents.in_one_line]
        yield Section("other sessions", "Other sessions:", rows, share=_OTHERS_SHARE)
    if contents.foreign:
        rows = [RowGroup((of_somebody(s),)) for s in contents.foreign]
        yield Section("other people", "By other people:", rows)


def _of_memories(memories: Iterable[StandingRule]) -> list[RowGroup]:
    return [RowGroup((of_memory(m.memory, is_own=m.is_own),)) for m in memories]


def _first(listener: Listener, contents: Contents) -> Iterator[RowGroup]:
    """Yield the sessions in detail, the first and the one to go on with in more.

    Of the one whose state the prompt tells, only that it is there.
    """
    main = contents.continuation
    for number, record in enumerate(contents.first):
        session = record.session
        is_main = number == 0 or (main and main.session_id == session.session_id)
        rows = in_detail(record, listener.branch, FIRST if is_main else NEXT)
        names = {session.client_session_id, *SESSION.names(session)} - {""}
        yield RowGroup(rows[:1] if listener.parent in names else rows, least=2)


def _own(own: Remembered, before: Before | None) -> tuple[str, list[RowGroup]]:
    """Return all of it, or what others changed where the context has the rest."""
    if before and before.is_whole:
        return "This conversation's files:", [RowGroup((files_row(own, OWN),))]
    title = f"This conversation so far ({standing(own, own.session.branch)}):"
    return title, [RowGroup((row,)) for row in details(own, OWN)]


def handoff(remembered: Remembered, record: str) -> str:
    """The text, whole lines; `record` is how the whole record is read.

    What the session says stands as data inside a fence: it may be somebody else's.
    """
    session = remembered.session
    about = f"- {session.session_id} ({standing(remembered, None)})"
    rows = [about, *details(remembered, HANDED_OVER)]
    records = framed("What is known of it", rows)
    return handoff_text(session.session_id, records, record)
