"""Events: what a hook saw, as a journal keeps it beside the checkpoints.

One dataclass a kind. Hooks only note; `observed.py` of the sessions says what comes of
the events of a conversation.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, field
from datetime import datetime
from enum import StrEnum

from gitmem.documents.names import is_tool
from gitmem.frozen import frozen
from gitmem.git.values import SHA, Change
from gitmem.redaction.redact import NAME
from gitmem.text.shape import value_of


class Trigger(StrEnum):
    """What made the newest checkpoint happen."""

    MANUAL = "manual"
    CONTEXT_LIMIT = "context_limit"
    GIT_COMMIT = "git_commit"
    SESSION_END = "session_end"
    OBSERVED = "observed"  # hooks saw something, and somebody read
    IMPORT = "import"  # the assistant's own transcript was read


PROMPT_LENGTH = 1000
"""Characters of a prompt that are kept."""
TODOS_LIMIT = 200
RECALLED_LIMIT = 50  # statements that are told at once
TODO_LENGTH = 300
"""Characters of a to-do that are kept."""


@frozen(kw_only=True)
class Event:
    """What all events have in common."""

    at: datetime
    tool: str = field(metadata=NAME)
    client_session_id: str = field(metadata=NAME)
    root: str = field(metadata=NAME)
    """The work tree the conversation is about."""


@frozen(kw_only=True)
class Start(Event):
    """The conversation began, or went on after its end."""

    source: str = ""
    """As the client says it: `startup`, `resume`, ...; "" where nobody saw it begin."""

    @property
    def comes_first(self) -> bool:
        """Whether what differs from HEAD by then cannot be the conversation's work."""
        return self.source not in ("", "compact")


FORKED = "fork"
"""The source of a conversation that has the lines of another one before its own."""


@frozen(kw_only=True)
class Found(Event):
    """What git said when the conversation began."""

    branch: str | None
    head: str | None = field(metadata=NAME)
    dirty: tuple[str, ...]
    """Paths that differed from HEAD already: not this session's until they change."""
    changed: tuple[float, ...] = ()
    """When each was changed last, in seconds since 1970; 0 for one that was gone."""


@frozen(kw_only=True)
class Connected(Found):
    """What git said when an MCP connection began, of which no hook tells."""


@frozen(kw_only=True)
class Prompt(Event):
    text: str
    """The beginning of it, at most PROMPT_LENGTH characters."""


@frozen(kw_only=True)
class Edit(Event):
    path: str
    """As git knows it: relative to the innermost work tree, with `/`, without links."""
    change: Change = Change.MODIFIED


@frozen
class Todo:
    id: str
    """What the assistant calls it; its text where it has no name."""
    text: str
    """Empty where only its state was told."""
    done: bool | None
    """None where only its text was told."""
    is_dropped: bool = False
    """Whether the assistant took it off its list."""


@frozen(kw_only=True)
class Todos(Event):
    items: tuple[Todo, ...]
    is_whole: bool
    """Whether this is the whole list, or what changed in it."""


@frozen(kw_only=True)
class Committed(Event):
    """A commit was made, and git's hook found it to be of this conversation."""

    sha: str = field(metadata=NAME)
    """As a session lists it."""
    subject: str


@frozen(kw_only=True)
class Client(Event):
    """Which process holds the conversation, and where its transcript is."""

    pid: int
    """0 where that is not known."""
    started: str = field(metadata=NAME)
    """When the process started, in the system's words: process ids are used again."""
    transcript: str = field(metadata=NAME)
    """"" where the client names none."""
    version: str = ""  # of the assistant


@frozen(kw_only=True)
class Fork(Event):
    """The conversation goes on from another one: from a copy, or after a handoff."""

    parent: str = field(metadata=NAME)
    """The client's own name of that."""


@frozen
class Run:
    """The time in which a shell or a subagent was at work."""

    began: datetime
    ended: datetime

    def holds(self, moment: float) -> bool:
        """Whether this, in seconds since 1970, was then; a run has whole seconds."""
        return self.began.timestamp() <= moment < self.ended.timestamp() + 1


@frozen(kw_only=True)
class Heard(Event):
    """What the transcript has beyond the last offset, and no other event."""

    transcript: str = field(metadata=NAME)
    """"" where the client itself told the last answer, and keeps no transcript."""
    offset: int
    """Bytes of the transcript that are read."""
    prompts: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """As a session lists them."""
    last_answer: str = ""
    """The end of it."""
    summary: str = ""
    """What the client made of the conversation when it was compacted."""
    files: tuple[str, ...] = ()
    """Those that tools edited and no hook saw, and those that a shell wrote."""
    gone: tuple[str, ...] = ()
    """Those that a shell named in a command, and that are not there."""
    runs: tuple[Run, ...] = ()
    program: str | None = field(default=None, metadata=NAME)
    """The program that holds the conversation, "" for a person; None where no
    transcript was read."""


@frozen(kw_only=True)
class Compaction(Event):
    """The conversation is shortened: it is about to be, or just was."""


@frozen(kw_only=True)
class Nudge(Event):
    """The assistant was reminded to save."""


class Occasion(StrEnum):
    START = "start"
    PROMPT = "prompt"
    READ = "read"
    EDIT = "edit"
    SUBAGENT = "subagent"
    CALL = "call"  # of a tool


@frozen(kw_only=True)
class Recalled(Event):
    """The assistant was told what was known at a state of the memories."""

    path: str = ""
    subagent: str = field(default="", metadata=NAME)
    where: Occasion = Occasion.EDIT
    ids: tuple[str, ...] = field(default=(), metadata=NAME)
    """Statements, as `statement_id` names them."""
    tokens: int = 0
    state: str = field(default="", metadata=NAME)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", self.ids[:RECALLED_LIMIT])


@frozen(kw_only=True)
class End(Event):
    """The conversation ended; it may be resumed."""


@frozen(kw_only=True)
class Interrupted(Event):
    """The client's process is gone, and the conversation did not end."""


_KINDS: dict[str, type[Event]] = {
    kind.__name__.lower(): kind
    for kind in (
        *(Start, Found, Connected, Client, Fork, Prompt, Edit, Todos, Committed, Heard),
        *(Compaction, Nudge, Recalled, End, Interrupted),
    )
}
_NO_SIGN_OF_LIFE = (Client, Committed, Fork, Heard, Recalled)
"""What is noted of a conversation by others, also after its end."""


def to_json(event: Event) -> str:
    """The event as one line of JSON in ASCII, without a line end."""
    kind = type(event).__name__.lower()
    return json.dumps({"event": kind, **asdict(event)}, default=datetime.isoformat)


def from_json(line: str) -> Event | None:
    """The event in a line of a journal; None for a line that holds none."""
    try:
        data = json.loads(line)
        event = value_of(_KINDS[data.pop("event")], data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return event if _is_sound(event) else None


def events_in(lines: Iterable[str]) -> list[Event]:
    """The events of a journal, in their order."""
    return list(filter(None, map(from_json, lines)))


def first_event(lines: Iterable[str]) -> Event | None:
    """With what a hook saw the conversation of a journal begin."""
    return next(filter(None, map(from_json, lines)), None)


def last_sign(events: Iterable[Event | None]) -> Event | None:
    """The first that the conversation itself gave; `events` begin with the newest."""
    return next((e for e in events if e and not isinstance(e, _NO_SIGN_OF_LIFE)), None)


def newest_sign(lines: Sequence[str]) -> Event | None:
    """The last event of a journal that the conversation itself gave."""
    return last_sign(map(from_json, reversed(lines)))


def open_conversation(lines: Sequence[str]) -> Event | None:
    """The last event of a conversation that hooks saw begin, and not end."""
    newest = newest_sign(lines)
    return None if isinstance(newest, End | Connected) else newest


def is_unhooked(newest_first: Iterable[Event]) -> bool:
    """Whether of a conversation nothing is seen but its MCP connection."""
    begun = (each for each in newest_first if isinstance(each, Start | Connected))
    return isinstance(next(begun, None), Connected)


def forked_at(events: Iterable[Event]) -> datetime | None:
    """When the conversation began as a fork; None where it is none.

    What its transcript has from before is a copy of its parent's.
    """
    begun = next((each for each in events if isinstance(each, Start)), None)
    return begun.at if begun and begun.source == FORKED else None


def _is_sound(event: Event) -> bool:
    """Whether a session can be made of it; a journal is a file like any other."""
    if isinstance(event, Committed) and not SHA.fullmatch(event.sha):
        return False
    return is_tool(event.tool)
