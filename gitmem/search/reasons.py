"""Why a session was found: which parts of its document hold words of the query."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitmem.documents.session.session import GoalSource, Session
from gitmem.search import ranking
from gitmem.search.documents import Hit
from gitmem.search.matching import Asked, within
from gitmem.search.queries.query import Query
from gitmem.search.snippets import Snippet, snippet

_READ = 100_000
"""Characters of a field that are looked at: more, which few have, would take long."""


@dataclass(frozen=True, slots=True)
class Reasons:
    matched: tuple[str, ...]
    """Names of fields of the document, and `conversation`, most telling first."""
    snippet: Snippet | None
    """What of it answers the query; None where that is only what is shown anyway."""


NOTHING = Reasons((), None)
"""Where the session cannot be read."""


def reasons(session: Session, hit: Hit, query: Query, asked: Asked) -> Reasons:
    """Why `session` is the hit of a query, whose words `asked` has.

    Of the conversation only the hit's passage is known.
    """
    return Reasons(
        matched=tuple(matched_fields(session, hit, query, asked)),
        snippet=snippet(session, hit, asked),
    )


def matched_fields(session: Session, hit: Hit, query: Query, asked: Asked) -> list[str]:
    """The fields that hold words of the query, or something else that it names.

    What tells most comes first: many words of it, in a field of importance.
    """
    told = [
        (importance * asked.in_texts(within(texts, _READ)).bit_count(), name)
        for name, importance, texts in _fields(session, hit)
    ]
    named = set(_named(session, query))
    found = [(value, name) for value, name in told if value or name in named]
    return [name for _, name in sorted(found, key=lambda one: -one[0])]


def _fields(session: Session, hit: Hit) -> Iterator[tuple[str, float, Iterable[str]]]:
    """Names as in docs/search.md."""
    is_written = session.goal_source is GoalSource.WRITTEN
    yield "goal", ranking.GOAL if is_written else ranking.WORK, (session.goal,)
    yield "decisions", ranking.DECISIONS, session.decisions
    yield "completed", ranking.UNDERTAKINGS, session.work_completed
    yield "pending", ranking.UNDERTAKINGS, session.work_pending
    yield (
        "commits",
        ranking.UNDERTAKINGS,
        (commit.subject for commit in session.commits),
    )
    yield (
        "plans",
        ranking.UNDERTAKINGS,
        (f"{plan.header} {plan.path}" for plan in session.plan_files),
    )
    yield "files", ranking.PLACES, (file.path for file in session.files)
    yield "branch", ranking.PLACES, (session.branch or "",)
    yield "prompts", ranking.WORK, session.prompts
    work = (*session.work_summary, *session.observed, session.diff_summary)
    yield "work", ranking.WORK, work
    yield (
        "references",
        ranking.WORK,
        (f"{one.title} {one.url}" for one in session.references),
    )
    yield "notes", ranking.WORK, (session.extra_body,)
    yield "conversation", ranking.WORK, (hit.said,) if hit.said else ()


def _named(session: Session, query: Query) -> Iterator[str]:
    """The fields that fulfil a part of the query that is no word."""
    if query.branch:
        yield "branch"
    paths = (file.path.lower() for file in session.files)
    if query.paths and any(part in path for path in paths for part in query.paths):
        yield "files"
    if query.commits and any(c.sha.startswith(query.commits) for c in session.commits):
        yield "commits"
