"""A session: what one conversation with a coding assistant set out to do and did."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from gitmem.documents.event import Trigger
from gitmem.documents.header import VALUE_LENGTH
from gitmem.documents.session import ranks, statement_times
from gitmem.documents.session.fields import APPENDED, KINDS, STAMPED, TextLists
from gitmem.frozen import frozen
from gitmem.git.values import Commit, CommitPatch, FileChange
from gitmem.redaction.redact import NAME


class Status(StrEnum):
    OPEN = "open"
    FROZEN = "frozen"  # the assistant's context limit was hit
    CLOSED = "closed"
    INTERRUPTED = "interrupted"  # the client's process was gone, without an end


class GoalSource(StrEnum):
    WRITTEN = "written"  # by the assistant or a person, as the goal
    DERIVED = "derived"  # taken from something else, such as the first prompt


@dataclass(frozen=True, slots=True, order=True)
class PlanFile:
    path: str
    header: str
    """The first heading of the file, as it stands there."""


@dataclass(frozen=True, slots=True, order=True)
class Reference:
    url: str
    title: str


LISTED_PROMPT_LENGTH = 200
"""Characters of a prompt that a session lists."""
PROMPTS_LIMIT = 20
"""Prompts that a session lists: the first ones tell what it is about."""
MOST_FORMER_IDS = 100
"""Most former ids of one session; two clones and a slug make three."""


@frozen(kw_only=True)
class Session(TextLists):
    """Everything a session document holds.

    Times are aware datetimes in whole seconds; `started_at` keeps the offset of the
    place where the session began, because its id shows local time.

    Sessions that mean the same are equal: what says no more than a reader would assume
    without it gets one form when the value is made.
    """

    id: str = field(metadata=NAME)
    """The stem of its path in the tree."""
    tool: str = field(metadata=NAME)
    """The assistant: `claude-code`, `cursor`, ..."""
    project: str
    client_session_id: str = field(metadata=NAME)
    """The assistant's own name for the conversation."""
    started_at: datetime
    updated_at: datetime
    ended_at: datetime | None = None
    author: str = ""
    """Who began it, `Name <address>` as in a commit; empty where that is not known."""
    parent: str = field(default="", metadata=NAME)
    """The assistant's own name for the conversation that it goes on from."""
    program: str = field(default="", metadata=NAME)
    """The program that held the conversation; empty for a person."""
    session_id: str = field(default="", metadata=NAME)
    """The name that people and tools call it by; its id where the header has none."""
    former_ids: tuple[str, ...] = field(default=(), metadata=NAME)
    """Earlier session ids, sorted: until it was given its slug, and those of other
    clones. Beyond MOST_FORMER_IDS none is known."""
    other_repositories: int = 0
    """The number of other repositories that the conversation touched."""
    branch: str | None = None
    git_sha_start: str | None = field(default=None, metadata=NAME)
    git_sha_end: str | None = field(default=None, metadata=NAME)
    """HEAD at the newest checkpoint."""
    trigger: Trigger = Trigger.MANUAL
    status: Status = Status.OPEN

    goal: str = ""
    goal_source: GoalSource = GoalSource.WRITTEN
    goal_at: datetime | None = None
    """When it was last said anew; `updated_at` if not given, None without a goal."""
    prompts: tuple[str, ...] = ()
    """The beginnings of what the person asked, one line each; empty where all that is
    known of it is the goal."""
    work_pending: tuple[str, ...] = ()
    pending_at: datetime | None = None
    """When that was last said anew; `updated_at` if not given, None if it never was."""
    files: tuple[FileChange, ...] = ()
    """Each path once; created ones first, then modified, then deleted ones; by path."""
    diff_summary: str = ""
    answers: tuple[str, ...] = ()
    """What a transcript tells of the work, a line each; none once somebody wrote
    `work_summary`, which tells it better."""
    answers_at: datetime | None = None
    """When they were taken; `updated_at` if not given, None without any."""
    last_answer: str = ""
    """The end of what the assistant said last, as it was observed."""
    client_summary: str = ""
    """The client's own summary at the last compaction."""
    observed_at: datetime | None = None
    """When these two were taken; `updated_at` if not given, None without any."""
    changed_meanwhile: tuple[str, ...] = ()
    """Paths that differ from HEAD, and that nobody was seen to change: a person's
    edits, or another program's. No work of the session."""
    plan_files: tuple[PlanFile, ...] = ()
    blockers: tuple[str, ...] = ()
    blockers_at: datetime | None = None
    """As `pending_at`."""
    questions: tuple[str, ...] = ()
    questions_at: datetime | None = None
    """As `pending_at`."""
    references: tuple[Reference, ...] = ()
    commits: tuple[Commit, ...] = ()
    patches: tuple[CommitPatch, ...] = ()
    """What its commits changed, also those that were amended or rebased since."""
    former_commits: tuple[str, ...] = field(default=(), metadata=NAME)
    """Names of commits that were amended or rebased, sorted; a merge omits them."""
    ranks: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """By the name of a list how early its items appeared, where several did at once, in
    different clones; see `gitmem.documents.session.ranks`."""
    stated_at: statement_times.StatementTimes = field(default=(), metadata=NAME)
    """By its digest when each statement was made that is later than `started_at`; see
    `gitmem.documents.session.statement_times`."""

    extra_header: str = ""
    """Header entries that a person added, as they wrote them."""
    extra_body: str = ""
    """Sections that a person added, as they wrote them."""

    @property
    def observed(self) -> tuple[str, ...]:
        """What of the work was observed, and written by nobody."""
        return (*self.answers, *filter(None, (self.last_answer, self.client_summary)))

    def __post_init__(self) -> None:
        for name in ("branch", "git_sha_start", "git_sha_end"):
            if not 0 < len(getattr(self, name) or "") <= VALUE_LENGTH:
                self._settle(name, None)
        if self.goal:
            self._settle("goal_at", self.goal_at or self.updated_at)
        else:
            self._settle("goal_at", None)
            self._settle("goal_source", GoalSource.WRITTEN)
        if self.work_summary:
            self._settle("answers", ())
        if not self.answers:
            self._settle("answers_at", None)
        is_observed = self.last_answer or self.client_summary
        observed_at = (self.observed_at or self.updated_at) if is_observed else None
        self._settle("observed_at", observed_at)
        self._settle_lists()
        self._settle("session_id", self.session_id or self.id)
        if self.former_ids:
            former = {*self.former_ids} - {self.session_id}
            self._settle("former_ids", tuple(sorted(former)[:MOST_FORMER_IDS]))

    def _settle_lists(self) -> None:
        """Keep each item once: two may have become one without their secrets.

        Stamps, ranks and times are only those of items that are there.
        """
        for name in _LISTS:
            items = getattr(self, name)
            if len(items) > 1 and len(unique := dict.fromkeys(items)) < len(items):
                self._settle(name, tuple(unique))
        for name, said_at in STAMPED.items():
            if getattr(self, name):
                self._settle(said_at, getattr(self, said_at) or self.updated_at)
        if self.ranks:
            self._settle("ranks", tuple(self._telling_ranks()))
        if self.stated_at:
            self._settle("stated_at", tuple(self._telling_times()))

    def _telling_ranks(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        given_ranks = dict(self.ranks)
        for name in APPENDED:
            left_out = len(self.former_commits) if name == "commits" else 0
            shortest = ranks.shortest(
                given_ranks.get(name, ()), getattr(self, name), left_out
            )
            if shortest:
                yield name, shortest

    def _telling_times(self) -> Iterator[tuple[str, datetime]]:
        present = {*statement_times.digests(self)}
        beginning = self.started_at.isoformat()
        for digest, at in sorted(dict(self.stated_at).items()):
            if digest in present and at.isoformat() != beginning:
                yield digest, at

    def _settle(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


_LISTS = (*APPENDED, *STAMPED)


def without_items(session: Session, is_gone: Callable[[str], bool]) -> Session:
    """The session without the items of its lists that are gone, by their text."""
    remaining: dict[str, Any] = {
        name: tuple(item for item in items if not is_gone(text_of_item(item)))
        for name in _LISTS
        if (items := getattr(session, name))
    }
    return replace(session, **remaining)


def items_of(session: Session) -> Iterator[str]:
    """The texts by which the items of its lists are named."""
    for name in _LISTS:
        yield from map(text_of_item, getattr(session, name))


def text_of_item(item: object) -> str:
    """What names an item of a list, whatever else is known of it."""
    match item:
        case PlanFile(path=text) | Reference(url=text) | Commit(sha=text):
            return text
        case CommitPatch(sha=text):
            return text
    return str(item)


def is_written(session: Session) -> bool:
    """Whether an assistant or a person saved something, or wrote into the document."""
    is_saved = session.trigger is Trigger.MANUAL or session.status is Status.FROZEN
    is_goal = bool(session.goal) and session.goal_source is GoalSource.WRITTEN
    written = (
        *(session.work_summary, session.extra_body),
        *(session.plan_files, session.references),
        *(getattr(session, name) for name in KINDS),
    )
    return is_saved or is_goal or any(written)


SDK_CLI = "sdk-cli"
"""The program that a person runs as well, as `claude -p`."""


def is_of_program(session: Session) -> bool:
    """Whether no person held it, as far as its program and results tell."""
    has_result = session.files or session.commits or is_written(session)
    return bool(session.program) and not (session.program == SDK_CLI and has_result)
