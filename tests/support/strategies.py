"""Generated sessions, hostile text included."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st
from support.harness import NOON

from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import Checkpoint, Rewrite, merge_files
from gitmem.documents.session.fields import FIELDS, FieldForm, FieldRule, SessionField
from gitmem.documents.session.identity import provisional_slug
from gitmem.documents.session.session import (
    GoalSource,
    PlanFile,
    Reference,
    Session,
    Status,
)
from gitmem.documents.session.statement_times import text_digest
from gitmem.git.values import Change, Commit, CommitPatch, FileChange

SESSION_ID = "2026-02-23_14-32_cursor_tei-migration"


def session(**values: Any) -> Session:
    """One that has nothing yet but what is given."""
    base: dict[str, Any] = {
        "id": SESSION_ID,
        "tool": "cursor",
        "project": "inference",
        "client_session_id": "c-1",
        "started_at": NOON,
        "updated_at": NOON,
    }
    return Session(**{**base, **values})


NASTY = (
    *("\n", "\r\n", "\r", "\t", " ", "  ", "\x00", "\x1b[31m", "\x85", "\u2028"),
    *("\ufeff", "\u202e", "🧵", "日本語", "|", "\\|", "`", "```", "~~~\n", "\\"),
    *("---", "---\n", "===", "- ", "* * *", "# ", "## Goal\n", "### Created\n"),
    *("### ✅ Work Completed\n", "<", "<!--", "<script>", "</details>"),
    *("<https://a.b>", "&", "&amp;", "&lt;", "&#x0;", "&amp;amp;#xA;"),
    *("&#xFFFFFF;", "[", "]", "(", ")", "[x]: y", "]("),
    *("**Label:** why. [link](https://a.b/c?d=1&e=2)", "word", ": ", "#", '"'),
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


def patches() -> st.SearchStrategy[tuple[CommitPatch, ...]]:
    digits = st.text("0123456789abcdef", min_size=12, max_size=12)
    blobs = st.lists(digits | digits.map(lambda blob: f"{blob}:3-17,20-20"), max_size=2)
    one = st.builds(CommitPatch, shas(), st.just("") | digits, blobs.map(tuple))
    return st.lists(one, max_size=2, unique=True).map(tuple)


def former_ids() -> st.SearchStrategy[tuple[str, ...]]:
    slugs = st.text("abc0123", min_size=1, max_size=3)
    ids = slugs.map(lambda slug: f"{SESSION_ID[:17]}cursor_{slug}")
    return st.lists(ids, max_size=3, unique=True).map(tuple)


_VALUES: dict[FieldForm, Callable[[], st.SearchStrategy[Any]]] = {
    FieldForm.TEXT: texts,
    FieldForm.ITEMS: items,
    FieldForm.PATHS: items,
    FieldForm.FILES: files,
    FieldForm.PLANS: plan_files,
    FieldForm.REFERENCES: references,
    FieldForm.COMMITS: commits,
    FieldForm.PATCHES: patches,
}


def sessions() -> st.SearchStrategy[Session]:
    optional = st.none() | header_texts(min_size=1)
    return st.builds(
        Session,
        id=st.just(SESSION_ID),
        session_id=st.just("") | session_ids(),
        tool=header_texts(),
        project=header_texts(),
        client_session_id=header_texts(),
        started_at=times(),
        updated_at=times(),
        ended_at=st.none() | times(),
        author=header_texts(),
        parent=header_texts(),
        program=header_texts(),
        other_repositories=st.integers(0, 999_999),
        former_ids=former_ids(),
        branch=optional,
        git_sha_start=st.none() | shas(),
        git_sha_end=st.none() | shas(),
        trigger=st.sampled_from(Trigger),
        status=st.sampled_from(Status),
        goal_source=st.sampled_from(GoalSource),
        ranks=ranks(),
        stated_at=st.lists(st.tuples(digests(), times()), max_size=3).map(tuple),
        **{field.name: _VALUES[field.form]() for field in FIELDS},
        **{field.stamp: st.none() | times() for field in FIELDS if field.stamp},
    )


ADDED_HEADERS = (
    "reviewer: Ana\n",
    "reviewer: Ben  # asked on Monday\n",
    "# about tests\ntags:\n- a\n\n- b\n# the end\n",
    "note: |\n  one\n\n  two\nreviewer: Ana\n",
    "# alone\n\nno entry\n'b c': 1\n",
)
ADDED_BODIES = (
    "## Mine\n\nx",
    "## Mine\n\ny\n\n## Questions\n\nWhy?",
    "## Code\n\n```sh\n## Goal",
    "## Notes\n\n~~~~\n### Created\n~~~~\n\n- z",
)


def versions(client: str = "c-1") -> st.SearchStrategy[Session]:
    """What clones may hold of one conversation: they have much in common."""
    letters = st.lists(st.sampled_from("pqrst"), max_size=4, unique=True).map(tuple)
    zones = (UTC, timezone(timedelta(hours=1)))
    moments = st.builds(
        lambda hour, zone: datetime(2026, 2, 23, hour, tzinfo=UTC).astimezone(zone),
        st.integers(12, 15),
        st.sampled_from(zones),
    )
    one_file = st.builds(FileChange, st.sampled_from("ab"), st.sampled_from(Change))
    return st.builds(
        Session,
        id=session_ids(),
        session_id=session_ids(),
        tool=st.sampled_from(("", "cursor")),
        project=st.sampled_from(("", "x", "y")),
        client_session_id=st.just(client),
        started_at=moments,
        updated_at=moments,
        ended_at=st.none() | moments,
        former_ids=st.lists(session_ids(), max_size=2).map(tuple),
        parent=st.sampled_from(("", "p", "q")),
        program=st.sampled_from(("", "sdk-cli", "sdk-ts")),
        other_repositories=st.sampled_from((0, 1, 2)),
        branch=st.sampled_from((None, "main")),
        git_sha_start=st.sampled_from((None, "a1", "b2")),
        trigger=st.sampled_from(Trigger),
        status=st.sampled_from(Status),
        goal=st.sampled_from(("", "one", "two")),
        goal_source=st.sampled_from(GoalSource),
        goal_at=st.none() | moments,
        work_pending=letters,
        pending_at=st.none() | moments,
        work_summary=st.sampled_from(((), ("done",))),
        answers=letters,
        answers_at=st.none() | moments,
        last_answer=st.sampled_from(("", "that", "this")),
        client_summary=st.sampled_from(("", "all of it")),
        observed_at=st.none() | moments,
        changed_meanwhile=letters,
        files=st.lists(one_file, max_size=3).map(lambda many: merge_files((), many)),
        diff_summary=st.sampled_from(("", "+1")),
        decisions=letters,
        tried=letters,
        blockers=letters,
        blockers_at=st.none() | moments,
        references=letters.map(lambda urls: tuple(Reference(url, "") for url in urls)),
        patches=letters.map(
            lambda shas: tuple(CommitPatch(f"{ord(sha):x}" * 4, "") for sha in shas)
        ),
        ranks=ranks(),
        stated_at=st.lists(st.tuples(digests(), moments), max_size=3).map(tuple),
        extra_header=st.sampled_from(("", *ADDED_HEADERS)),
        extra_body=st.sampled_from(("", *ADDED_BODIES)),
    )


def session_ids() -> st.SearchStrategy[str]:
    """Few of them, also provisional ones."""
    clients = ("", "c-1", "c-2")
    slugs = ["a", "b", *map(provisional_slug, clients)]
    return st.sampled_from([f"{SESSION_ID[:24]}{slug}" for slug in slugs])


def ranks() -> st.SearchStrategy[tuple[tuple[str, tuple[int, ...]], ...]]:
    """Fitting ones and others: the value has only those that fit."""
    some = st.lists(st.integers(0, 3), max_size=4).map(sorted).map(tuple)
    of_lists = st.dictionaries(
        st.sampled_from(("decisions", "references", "tried")), some
    )
    return of_lists.map(lambda told: tuple(told.items()))


def digests() -> st.SearchStrategy[str]:
    """Those of the letters that short lists have, and of no item."""
    return st.sampled_from([*map(text_digest, "abc"), "0" * 8])


def rewrites() -> st.SearchStrategy[tuple[Rewrite, ...]]:
    one = st.builds(Rewrite, old=shas(), new=st.builds(Commit, shas(), texts()))
    return st.lists(one, max_size=2).map(tuple)


def checkpoints() -> st.SearchStrategy[Checkpoint]:
    return st.builds(
        Checkpoint,
        at=times(),
        trigger=st.sampled_from(Trigger),
        status=st.none() | st.sampled_from(Status),
        parent=header_texts(),
        program=header_texts(),
        other_repositories=st.integers(0, 9),
        goal_source=st.sampled_from(GoalSource),
        rewritten=rewrites(),
        branch=st.none() | header_texts(min_size=1),
        head=st.none() | shas(),
        **{field.name: _checkpoint_value(field) for field in FIELDS},
    )


def _checkpoint_value(field: SessionField) -> st.SearchStrategy[Any]:
    """What a checkpoint says of a field; None for nothing about it."""
    values = _VALUES[field.form]()
    is_optional = (
        field.rule in (FieldRule.REPLACE, FieldRule.STATE) or field.name == "goal"
    )
    return st.none() | values if is_optional else values
