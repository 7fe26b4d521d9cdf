"""Events: what a hook saw, as a journal keeps it beside the checkpoints.

One dataclass a kind. Hooks only note; `observed.py` of the sessions says what comes of
the events of a conversation.
"""

from collections.abc import Iterable
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from itertools import islice

from gitmem.frozen import frozen
from gitmem.git.values import Change, FileChange
from gitmem.redaction.redact import NAME, redacted_start


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
    """The client's word, as `startup`; empty where nobody saw the beginning."""

    @property
    def comes_first(self) -> bool:
        """Whether what differs from HEAD by then cannot be the conversation's work."""
        return self.source not in ("", "compact")


FORKED = "fork"
"""The source of a conversation that has the lines of another one before its own."""


@frozen(kw_only=True)
class WorkTreeState(Event):
    """What git said when the conversation began."""

    branch: str | None
    head: str | None = field(metadata=NAME)
    dirty: tuple[str, ...]
    """Paths that differed from HEAD already: not this session's until they change."""
    changed: tuple[float, ...] = ()
    """When each was changed last, in seconds since 1970; 0 for one that was gone."""


@frozen(kw_only=True)
class Connected(WorkTreeState):
    """What git said when an MCP connection began, of which no hook tells."""


@frozen(kw_only=True)
class Prompt(Event):
    text: str
    """The beginning of it, at most PROMPT_LENGTH characters."""


@frozen(kw_only=True)
class Edit(Event):
    path: str
    """Path in the innermost work tree as git knows it, with `/` and without links."""
    change: Change = Change.MODIFIED


@frozen
class Todo:
    id: str
    """The assistant's name for it; its text where it has none."""
    text: str
    """Empty if only the state changed."""
    done: bool | None
    """None if only the text changed."""
    is_dropped: bool = False
    """True if the assistant took it off its list."""


@frozen
class TodoList:
    items: tuple[Todo, ...]
    is_whole: bool
    """True for a whole list, false for what changed in one."""


@frozen(kw_only=True)
class Todos(Event):
    items: tuple[Todo, ...]
    is_whole: bool
    """True for a whole list, false for what changed in one."""


def bounded_todos(todos: Iterable[Todo]) -> tuple[Todo, ...]:
    """The first to-dos of a list, redacted and then cut: half a secret is not found."""
    return tuple(
        replace(
            todo,
            id=redacted_start(todo.id, TODO_LENGTH),
            text=redacted_start(todo.text, TODO_LENGTH),
        )
        for todo in islice(todos, TODOS_LIMIT)
    )


@frozen(kw_only=True)
class Committed(Event):
    """A commit was made, and git's hook found it to be of this conversation."""

    sha: str = field(metadata=NAME)
    """Name of the commit as a session lists it."""
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
class TranscriptRead(Event):
    """What a transcript has, beyond the offset up to which it was read before."""

    transcript: str = field(metadata=NAME)
    """Empty if the client itself told the last answer, and keeps no transcript."""
    offset: int
    """Bytes of the transcript that are read."""
    prompts: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    """Answers as a session lists them."""
    last_answer: str = ""
    """The end of the last answer."""
    summary: str = ""
    """The client's summary of the conversation when it was compacted."""
    files: tuple[FileChange, ...] = ()
    """Files that tools edited or a shell wrote."""
    edits: int = 0
    """Number of these edits; a file may have several."""
    todos: tuple[TodoList, ...] = ()
    removed: tuple[str, ...] = ()
    """Paths that a shell named in a command, and that are not there."""
    runs: tuple[Run, ...] = ()
    work_trees: tuple[str, ...] = field(default=(), metadata=NAME)
    """Work trees of this repository with these files, the last touched one last."""
    elsewhere: tuple[str, ...] = field(default=(), metadata=NAME)
    """A work tree of each other repository with files that it touched."""
    program: str | None = field(default=None, metadata=NAME)
    """The program that holds the conversation, "" for a person; None if no transcript
    was read."""


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
