"""Generated sessions, hostile text included."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import strategies as st

from gitmem.model.checkpoint import Checkpoint, Rewrite, merge_files
from gitmem.model.session import (
    Change,
    Commit,
    FileChange,
    GoalSource,
    PlanFile,
    Reference,
    Session,
    Status,
    Trigger,
)

SESSION_ID = "2026-02-23_14-32_cursor_tei-migration"

NASTY = (
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "\x00",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\ufeff",
    "\u202e",
    "🧵",
    "日本語",
    "|",
    "\\|",
    "`",
    "```",
    "~~~\n",
    "\\",
    "---",
    "---\n",
    "===",
    "- ",
    "* * *",
    "# ",
    "## Goal\n",
    "### Created\n",
    "### ✅ Work Completed\n",
    "<",
    "<!--",
    "<script>",
    "</details>",
    "<https://a.b>",
    "&",
    "&amp;",
    "&lt;",
    "&#x0;",
    "&amp;amp;#xA;",
    "&#xFFFFFF;",
    "[",
    "]",
    "(",
    ")",
    "[x]: y",
    "](",
    "**Label:** why. [link](https://a.b/c?d=1&e=2)",
    "word",
    ": ",
    "#",
    '"',
    "'",
)


CHARACTERS = st.characters(exclude_categories=["Cs"])  # the gate lets none through
PIECES = st.sampled_from(NASTY) | st.text(CHARACTERS, max_size=4)


def texts(*, min_size: int = 0) -> st.SearchStrategy[str]:
    built = st.lists(PIECES, max_size=5).map("".join)
    return built.filter(lambda text: len(text) >= min_size) if min_size else built


def header_texts(*, min_size: int = 0) -> st.SearchStrategy[str]:
    yaml_words = st.sampled_from(
        ("true", "No", "null", "~", "1e3", "0x1F", "1_0", "12:30", "- a", "a: b", "#c")
    )
    plain = st.text(CHARACTERS, min_size=min_size, max_size=20)
    return st.one_of(plain, yaml_words)


def times() -> st.SearchStrategy[datetime]:
    zones = st.sampled_from(
        [UTC, timezone(timedelta(hours=5, minutes=30)), timezone(-timedelta(hours=8))]
    )
    moments = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=zones)
    return moments.map(lambda moment: moment.replace(microsecond=0))


def shas() -> st.SearchStrategy[str]:
    return st.text("0123456789abcdef", min_size=7, max_size=40)


def files() -> st.SearchStrategy[tuple[FileChange, ...]]:
    one = st.builds(FileChange, texts(min_size=1), st.sampled_from(Change))
    return st.lists(one, max_size=3).map(lambda many: merge_files((), many))


def items() -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(texts(), max_size=3, unique=True).map(tuple)


def plan_files() -> st.SearchStrategy[tuple[PlanFile, ...]]:
    one = st.builds(PlanFile, texts(min_size=1), texts())
    return st.lists(one, max_size=2, unique=True).map(tuple)


def references() -> st.SearchStrategy[tuple[Reference, ...]]:
    one = st.builds(Reference, texts(min_size=1), texts())
    return st.lists(one, max_size=2, unique=True).map(tuple)


def commits() -> st.SearchStrategy[tuple[Commit, ...]]:
    one = st.builds(Commit, shas(), texts())
    return st.lists(one, max_size=2, unique=True).map(tuple)


def former_ids() -> st.SearchStrategy[tuple[str, ...]]:
    slugs = st.text("abc0123", min_size=1, max_size=3)
    ids = slugs.map(lambda slug: f"{SESSION_ID[:17]}cursor_{slug}")
    return st.lists(ids, max_size=3, unique=True).map(tuple)


def sessions() -> st.SearchStrategy[Session]:
    optional = st.none() | header_texts(min_size=1)
    return st.builds(
        Session,
        id=st.just(SESSION_ID),
        tool=header_texts(),
        project=header_texts(),
        client_session_id=header_texts(),
        started_at=times(),
        updated_at=times(),
        ended_at=st.none() | times(),
        author=header_texts(),
        former_ids=former_ids(),
        branch=optional,
        git_sha_start=st.none() | shas(),
        git_sha_end=st.none() | shas(),
        trigger=st.sampled_from(Trigger),
        status=st.sampled_from(Status),
        goal=texts(),
        goal_source=st.just(GoalSource.WRITTEN),
        prompts=items(),
        work_completed=items(),
        work_pending=items(),
        files=files(),
        diff_summary=texts(),
        work_summary=items(),
        plan_files=plan_files(),
        decisions=items(),
        references=references(),
        commits=commits(),
    )


def rewrites() -> st.SearchStrategy[tuple[Rewrite, ...]]:
    one = st.builds(Rewrite, old=shas(), new=st.builds(Commit, shas(), texts()))
    return st.lists(one, max_size=2).map(tuple)


def checkpoints() -> st.SearchStrategy[Checkpoint]:
    return st.builds(
        Checkpoint,
        at=times(),
        trigger=st.sampled_from(Trigger),
        status=st.none() | st.sampled_from(Status),
        goal=st.none() | texts(),
        goal_source=st.sampled_from(GoalSource),
        prompts=items(),
        work_completed=items(),
        work_pending=st.none() | items(),
        work_summary=items(),
        decisions=items(),
        plan_files=plan_files(),
        references=references(),
        files=files(),
        commits=commits(),
        rewritten=rewrites(),
        diff_summary=st.none() | texts(),
        branch=st.none() | header_texts(min_size=1),
        head=st.none() | shas(),
    )
