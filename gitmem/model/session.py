"""A session: what one conversation with a coding assistant set out to do and did."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Status(StrEnum):
    OPEN = "open"
    FROZEN = "frozen"  # the assistant's context limit was hit
    CLOSED = "closed"


class Trigger(StrEnum):
    """What made the newest checkpoint happen."""

    MANUAL = "manual"
    CONTEXT_LIMIT = "context_limit"
    GIT_COMMIT = "git_commit"
    SESSION_END = "session_end"
    OBSERVED = "observed"  # hooks saw something, and somebody read
    IMPORT = "import"  # the assistant's own transcript was read


class GoalSource(StrEnum):
    WRITTEN = "written"  # by the assistant or a person, as the goal
    DERIVED = "derived"  # taken from something else, such as the first prompt


class Change(StrEnum):
    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class FileChange:
    path: str
    """Relative to the project root, with `/` between its parts."""
    change: Change


@dataclass(frozen=True, slots=True)
class PlanFile:
    path: str
    header: str
    """The first heading of the file, as it stands there."""


@dataclass(frozen=True, slots=True)
class Reference:
    url: str
    title: str


COMMIT_LENGTH = 12
"""Digits of a commit's name by which a session lists it."""
LISTED_PROMPT_LENGTH = 200
"""Characters of a prompt that a session lists."""
PROMPTS_LIMIT = 20
"""Prompts that a session lists: the first ones tell what it is about."""


@dataclass(frozen=True, slots=True)
class Commit:
    sha: str
    subject: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Everything a session document holds.

    Times are aware datetimes in whole seconds; `started_at` keeps the offset of the
    place where the session began, because its id shows local time.
    """

    id: str
    tool: str
    """The assistant: `claude-code`, `cursor`, ..."""
    project: str
    client_session_id: str
    """The assistant's own name for the conversation."""
    started_at: datetime
    updated_at: datetime
    ended_at: datetime | None = None
    author: str = ""
    """Who began it, `Name <address>` as in a commit; empty where that is not known."""
    former_ids: tuple[str, ...] = ()
    """The ids this session had before: until it was given its slug, and in clones that
    gave it another one."""
    branch: str | None = None
    git_sha_start: str | None = None
    git_sha_end: str | None = None
    """HEAD at the newest checkpoint."""
    trigger: Trigger = Trigger.MANUAL
    status: Status = Status.OPEN

    goal: str = ""
    goal_source: GoalSource = GoalSource.WRITTEN
    prompts: tuple[str, ...] = ()
    """The beginnings of what the person asked, one line each; empty where all that is
    known of it is the goal."""
    work_completed: tuple[str, ...] = ()
    work_pending: tuple[str, ...] = ()
    files: tuple[FileChange, ...] = ()
    """Each path once; created ones first, then modified, then deleted ones."""
    diff_summary: str = ""
    work_summary: tuple[str, ...] = ()
    plan_files: tuple[PlanFile, ...] = ()
    decisions: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    commits: tuple[Commit, ...] = ()

    extra_header: str = ""
    """Header entries that a person added, as they wrote them."""
    extra_body: str = ""
    """Sections that a person added, as they wrote them."""
