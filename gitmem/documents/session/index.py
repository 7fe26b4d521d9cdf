"""A session, with what was said in it, as an entry of the index."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from gitmem.documents.index_entry import SLUG, Field, IndexEntry, Role
from gitmem.documents.session.fields import FIELDS, KINDS
from gitmem.documents.session.identity import slug_of
from gitmem.documents.session.session import GoalSource, Session
from gitmem.documents.session.statements import Statement, statements
from gitmem.git.values import COMMIT_LENGTH
from gitmem.text.code_names import names_in

STATING, NAMING = "stating", "names:"
"""Labels of a session that states something, and, before it, of what it names there."""
_MOST = 200
"""Statements of a session that a hit gives back."""
_INDEXED = sorted(
    (
        (field.name, field.index_name or field.name, field.role)
        for field in FIELDS
        if field.role
    ),
    key=lambda row: row[2].value,
)
"""The lists that the index has as they are: attribute, name and role, by role."""


def entry(session: Session, turns: tuple[str, ...] = ()) -> IndexEntry:
    """Return the entry of a session; `said` are the turns of its conversation."""
    questions = tuple(_asked(session, turns))
    plain = IndexEntry(
        kind="session",
        id=session.id,
        public_id=session.session_id,
        names=tuple(_names(session)),
        title=session.goal,
        at=session.started_at,
        until=session.updated_at,
        tool=session.tool,
        branch=session.branch or "",
        author=session.author,
        project=session.project,
        status=session.status.value,
        labels=(f"branch:{session.branch or ''}",),
        paths=tuple(file.path for file in session.files),
        commits=tuple(_commit_names(session)),
        fields=tuple(_fields(session, questions)),
        passages=tuple(_passages(session, questions)),
        said=turns,
        items=tuple(_items(session)),
    )
    return stating(plain, statements(session))


def _names(session: Session) -> Iterator[str]:
    yield from (session.session_id, *session.former_ids)
    yield SLUG + slug_of(session.session_id)
    if session.client_session_id:
        yield session.client_session_id


def _commit_names(session: Session) -> Iterator[str]:
    """Yield what leads to a session from a commit, also from one with another name."""
    yield from (commit.sha for commit in session.commits)
    for patch in session.patches:
        yield from map(patch_term, filter(None, (patch.patch_id, *patch.blobs)))


def patch_term(digits: str) -> str:
    """Return the term of a patch or a file, which is the start of no commit's name."""
    return f"p{digits[: COMMIT_LENGTH - 1]}"


def stating(entry: IndexEntry, session_statements: Iterable[Statement]) -> IndexEntry:
    """Return the entry with what the session states, found by the names in it."""
    stated = tuple(
        (e.reference, e.kind, e.text, e.at.isoformat(), e.by)
        for e in islice(session_statements, _MOST)
    )
    names = {name.casefold() for statement in stated for name in names_in(statement[2])}
    labels = (STATING, *(NAMING + name for name in sorted(names))) if stated else ()
    return replace(entry, stated=stated, labels=(*entry.labels, *labels))


def _asked(session: Session, turns: Iterable[str]) -> Iterator[str]:
    """Yield a derived goal, prompts and answers, as far as the conversation lacks them.

    Such a goal is the first prompt; counted twice it would weigh more than a written
    one. A conversation may be known from its middle on.
    """
    known_words = " ".join(" ".join(turns).split())
    is_derived = session.goal_source is GoalSource.DERIVED
    for text in (session.goal if is_derived else "", *session.prompts):
        if text.removesuffix("…") not in known_words:
            yield text
            known_words = f"{known_words} {text}"
    if not turns:
        yield from session.observed


def _fields(session: Session, questions: tuple[str, ...]) -> Iterator[Field]:
    """Names as in docs/search.md.

    A derived goal is one more line of text: as the goal it would be wrong more often
    than right.
    """
    is_written = session.goal_source is GoalSource.WRITTEN
    goal_role = Role.GOAL if is_written else Role.TEXT
    subjects = tuple(commit.subject for commit in session.commits)
    yield Field("goal", goal_role, (session.goal,), is_indexed=is_written)
    for name, index_name, role in _INDEXED:
        yield Field(index_name, role, getattr(session, name))
    yield Field("commits", Role.TODOS, subjects)
    yield Field("", Role.TODOS, (slug_of(session.session_id),))
    for plan in session.plan_files:
        yield Field("plans", Role.TODOS, (plan.header,))
        yield Field("plans", Role.PATHS, (plan.path,))
    yield Field("files", Role.PATHS, tuple(file.path for file in session.files))
    yield Field("branch", Role.PATHS, (session.branch or "",))
    yield Field("prompts", Role.TEXT, session.prompts, is_indexed=False)
    yield Field("", Role.TEXT, questions)
    yield Field("work", Role.TEXT, (*session.work_summary, session.diff_summary))
    yield Field("work", Role.TEXT, session.observed, is_indexed=False)
    for reference in session.references:
        yield Field("references", Role.TEXT, (reference.title, reference.url))
    yield Field("notes", Role.TEXT, (session.extra_body,))


def _passages(session: Session, questions: tuple[str, ...]) -> Iterator[str]:
    if session.goal_source is GoalSource.WRITTEN:
        yield session.goal
    yield from questions
    yield from (statement.text for statement in statements(session))
    yield from _plain(session)
    yield from session.work_summary
    yield session.diff_summary
    for plan in session.plan_files:
        yield from (plan.header, plan.path)
    for reference in session.references:
        yield from (reference.title, reference.url)
    yield from (commit.subject for commit in session.commits)
    yield session.extra_body
    yield slug_of(session.session_id)
    yield session.branch or ""
    yield from (file.path for file in session.files)


def _plain(session: Session) -> Iterator[str]:
    """Yield the items of the indexed lists that are no statements."""
    for name, _, _ in _INDEXED:
        if name not in KINDS:
            yield from getattr(session, name)


def _items(session: Session) -> Iterator[str]:
    yield from (statement.text for statement in statements(session))
    yield from _plain(session)
    yield from session.work_summary
    yield from session.observed
    yield from session.extra_body.splitlines()
    yield from session.prompts
    yield from (commit.subject for commit in session.commits)
    yield from (plan.header for plan in session.plan_files)
    yield from (reference.title for reference in session.references)
