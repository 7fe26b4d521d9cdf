"""The fields that a session is told: a row each, in the order of the document.

Parsing, rendering, changing, merging, the index, `ocm checkpoint` and the MCP tool
follow from these rows. The fields that identify a conversation are no rows.
"""

from collections.abc import Callable, Iterator
from enum import Enum, auto

from gitmem.documents.index_entry import Role
from gitmem.frozen import frozen

RECORD_VERSION = 7
"""The version of a checkpoint in a journal; goes up with each row that is added."""
COUNT_DIGITS = 6
"""The digits of a count in a document, at most."""


class FieldForm(Enum):
    """How a section writes a value."""

    TEXT = auto()
    """Paragraphs."""
    ITEMS = auto()
    """A list of texts."""
    PATHS = auto()
    """A list of paths."""
    FILES = auto()
    """A list of paths for each change of a file."""
    PLANS = auto()
    """A table of plan files."""
    REFERENCES = auto()
    """A list of links."""
    COMMITS = auto()
    """A list of commits."""
    PATCHES = auto()
    """A list of what commits changed."""


class FieldRule(Enum):
    """What a new value does to the present one."""

    APPEND = auto()
    """New items are added; none is ever removed."""
    REPLACE = auto()
    """The newest list replaces the former one, an empty list as well."""
    NEWEST = auto()
    """The newest value replaces the former one, unless it is empty."""
    STATE = auto()
    """It is replaced with the state of the session, whose stamp is `updated_at`."""
    FILES = auto()
    """Each path has the net effect of all its changes."""


@frozen
class Argument:
    """An argument of `ocm__checkpoint`, and an option of `ocm checkpoint`."""

    option: str = ""
    """The option as its help shows it: `--done -d TEXT`; "" for none."""
    help: str = ""
    """The help of the option."""
    description: str = ""
    """The description in the schema of the tool."""


@frozen(kw_only=True)
class SessionField:
    name: str
    """The attribute of `Session` and `Checkpoint`."""
    heading: str
    parent: str = ""
    """The heading of the section in which it is a subsection."""
    form: FieldForm = FieldForm.ITEMS
    rule: FieldRule = FieldRule.APPEND
    stamp: str = ""
    """The attribute of `Session` with the time of the present value."""
    argument: Argument | None = None
    """None for what only hooks, transcripts and git tell."""
    kind: str = ""
    """The kind of statement that its items are. A reference to one has the initial of
    the name, as in `<id>#d1`, which is unique among these fields."""
    label: str = ""
    """The word before such a statement in a brief."""
    urgency: int = 0
    """The place of such statements in a brief, the highest first."""
    role: Role | None = None
    """The role of its texts in the index; None for what `index.py` adds itself."""
    index_name: str = ""
    """The name of the field in the index, if it is not `name`."""


@frozen(kw_only=True)
class TextLists:
    """The lists of texts that are added to, alike in a session and a checkpoint."""

    work_completed: tuple[str, ...] = ()
    work_summary: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    """Attempts that were given up."""
    constraints: tuple[str, ...] = ()


FIELDS = (
    SessionField(
        name="goal",
        heading="## Goal",
        form=FieldForm.TEXT,
        rule=FieldRule.NEWEST,
        stamp="goal_at",
        argument=Argument("--goal TEXT", "What it is about."),
    ),
    SessionField(name="prompts", heading="## Prompts"),
    SessionField(
        name="work_completed",
        heading="### ✅ Work Completed",
        parent="## Todos",
        argument=Argument("--done -d TEXT", "Something completed."),
        role=Role.TODOS,
        index_name="completed",
    ),
    SessionField(
        name="work_pending",
        heading="### 🔲 Work To Be Completed",
        parent="## Todos",
        rule=FieldRule.REPLACE,
        stamp="pending_at",
        argument=Argument(
            "--todo TEXT", "Something left to do; these replace the former."
        ),
        role=Role.TODOS,
        index_name="pending",
    ),
    SessionField(
        name="files",
        heading="## Files Touched",
        form=FieldForm.FILES,
        rule=FieldRule.FILES,
    ),
    SessionField(
        name="changed_meanwhile",
        heading="## Changed Meanwhile",
        form=FieldForm.PATHS,
        rule=FieldRule.STATE,
    ),
    SessionField(
        name="diff_summary",
        heading="## Git Diff Summary",
        form=FieldForm.TEXT,
        rule=FieldRule.STATE,
    ),
    SessionField(
        name="work_summary",
        heading="## Work Done",
        argument=Argument("--note TEXT", "Something worth knowing."),
    ),
    SessionField(
        name="answers", heading="## Answers", rule=FieldRule.NEWEST, stamp="answers_at"
    ),
    SessionField(
        name="last_answer",
        heading="## Last Answer",
        form=FieldForm.TEXT,
        rule=FieldRule.NEWEST,
        stamp="observed_at",
    ),
    SessionField(
        name="client_summary",
        heading="## Compaction Summary",
        form=FieldForm.TEXT,
        rule=FieldRule.NEWEST,
        stamp="observed_at",
    ),
    SessionField(
        name="plan_files",
        heading="## Plan Files",
        form=FieldForm.PLANS,
        argument=Argument(),
    ),
    SessionField(
        name="decisions",
        heading="## Architecture Decisions",
        argument=Argument("--decision TEXT", "A decision and why.", "**What:** why."),
        kind="decision",
        label="decided",
        urgency=4,
        role=Role.DECISIONS,
    ),
    SessionField(
        name="tried",
        heading="## Tried And Given Up",
        argument=Argument(
            "--tried TEXT", "Something given up and why.", "What failed: why."
        ),
        kind="failed",
        label="given up",
        urgency=2,
        role=Role.DECISIONS,
    ),
    SessionField(
        name="constraints",
        heading="## Constraints",
        argument=Argument("--constraint TEXT", "A rule or limit that holds."),
        kind="constraint",
        label="constraint",
        urgency=3,
        role=Role.DECISIONS,
    ),
    SessionField(
        name="blockers",
        heading="## Blockers",
        rule=FieldRule.REPLACE,
        stamp="blockers_at",
        argument=Argument(
            "--blocker TEXT", "What blocks the work; these replace the former."
        ),
        kind="blocker",
        label="blocked",
        urgency=5,
        role=Role.TODOS,
    ),
    SessionField(
        name="questions",
        heading="## Open Questions",
        rule=FieldRule.REPLACE,
        stamp="questions_at",
        argument=Argument(
            "--question TEXT", "An open question; these replace the former."
        ),
        kind="question",
        label="open question",
        urgency=1,
        role=Role.TODOS,
    ),
    SessionField(
        name="references",
        heading="## References",
        form=FieldForm.REFERENCES,
        argument=Argument(),
    ),
    SessionField(name="commits", heading="## Commits", form=FieldForm.COMMITS),
    SessionField(name="patches", heading="## Patches", form=FieldForm.PATCHES),
)


def _names(is_meant: Callable[[SessionField], object]) -> Iterator[str]:
    return (field.name for field in FIELDS if is_meant(field))


APPENDED = (*_names(lambda field: field.rule is FieldRule.APPEND),)
"""The lists that are only ever added to."""
REPLACED = {
    field.name: field.stamp for field in FIELDS if field.rule is FieldRule.REPLACE
}
"""The lists of what is left, and the attributes with their stamps."""
STAMPED = REPLACED | {
    field.name: field.stamp
    for field in FIELDS
    if field.rule is FieldRule.NEWEST and field.form is FieldForm.ITEMS
}
"""All lists that are replaced, and the attributes with their stamps."""
OBSERVED = {
    stamp: tuple(field.name for field in FIELDS if field.stamp == stamp)
    for stamp in ("answers_at", "observed_at")
}
"""What was observed, by the attributes with the stamps."""
KINDS = {field.name: field.kind for field in FIELDS if field.kind}
"""The kinds of statements, by the fields that list them."""
ARGUMENTS = {
    field.name: (field.form, field.argument) for field in FIELDS if field.argument
}
"""Forms and arguments of the fields that a caller may send, by name."""
STATE = (
    *("updated_at", "status", "ended_at", "git_sha_end", "branch", "trigger"),
    *_names(lambda field: field.rule is FieldRule.STATE),
)
"""The attributes that say where a session stands, replaced together; `updated_at` is
their stamp."""
