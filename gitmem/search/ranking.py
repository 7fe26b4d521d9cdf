"""How a score comes about.

The score of a session is the share of the query that it answers, between 0 and 1:

    score = sum(weight(word) * strength(word, session)) / sum(weight(word))

The weight is what a word of the query tells. It is the inverse document frequency with
a constant in the place of the number of sessions,

    weight = ln(1 + COMMON / (sessions that have the word + 0.5)),

so a word of few sessions tells much, one of many tells little, and one that no session
has tells most and goes unanswered. Sessions that share no word with the query change
nothing, be they five or a hundred thousand, and scores of several repositories can be
compared.

The strength is how much a session is about a word, from FLOOR to 1. In one field it is
what BM25 makes of term frequency, with a fixed length in the place of the average one,

    importance * count / (count + SATURATION * (1 - LENGTH + LENGTH * terms / usual)),

the best field counts in full and the others by TIE, and the square root of it all keeps
a long field from drowning what is in it. It depends on the session alone, so it is
settled when the session is indexed, in LEVELS steps that make near-equal scores equal.

A session is found from THRESHOLD on. That is a little less than FLOOR: a session that
has every word of the query is always found, however long it is and wherever the words
stand, and one that has a sixth of them is not, unless it is about nothing else. The
figures were chosen on real sessions and are in docs/performance.md.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import log, sqrt

from gitmem.model.session import GoalSource, Session
from gitmem.search.words import terms, tokens

COMMON = 300
"""A word that so many sessions have tells an eighth of what a unique one tells."""
SATURATION = 4
LENGTH = 0.75
TIE = 0.1
LEVELS = 24
FLOOR = 1 / 6
THRESHOLD = 0.16

APART = 0.8
"""What the parts of an identifier are worth when they do not stand together."""
TOUCHED = 0.4
"""What a session scores at least if it touched a path that the query names."""
ALL = 1.0
"""The score of a session that was asked for by filters alone, or by its id."""


def weight(sessions: int) -> float:
    """What a word tells that so many sessions have."""
    return log(1 + COMMON / (sessions + 0.5))


def strength(level: int) -> float:
    """How much a session is about a word that it has at `level`."""
    return max(FLOOR, level / LEVELS)


def levels(session: Session) -> dict[str, int]:
    """Every term of `session`, and its level from 1 to LEVELS."""
    best: dict[str, float] = {}
    total: dict[str, float] = {}
    for importance, usual, texts in _fields(session):
        counts = _counts(texts)
        damping = SATURATION * (1 - LENGTH + LENGTH * counts.total() / usual)
        for term, count in counts.items():
            value = importance * count / (count + damping)
            best[term] = max(value, best.get(term, 0.0))
            total[term] = value + total.get(term, 0.0)
    return {
        term: _level(sqrt((1 - TIE) * value + TIE * total[term]))
        for term, value in best.items()
    }


def _level(strength: float) -> int:
    return max(1, min(LEVELS, round(strength * LEVELS)))


def _counts(texts: Iterable[str]) -> Counter[str]:
    found = tokens("\n".join(texts))
    return Counter([term for token in found for term in terms(token)])


def _fields(session: Session) -> Iterator[tuple[float, int, Iterable[str]]]:
    """Importance (a written goal has 1), usual number of terms, texts.

    A goal that nobody wrote is one more line of the work: as the goal it would be
    wrong more often than right.
    """
    if session.goal_source is GoalSource.WRITTEN:
        yield 1.0, 20, (session.goal,)
    yield 0.8, 100, session.decisions
    yield 0.5, 100, _undertakings(session)
    yield 0.5, 100, _places(session)
    yield 0.3, 300, _work(session)


def _undertakings(session: Session) -> Iterator[str]:
    yield from session.work_completed
    yield from session.work_pending
    yield from (commit.subject for commit in session.commits)
    yield from (plan.header for plan in session.plan_files)
    yield session.id.split("_", 3)[-1]  # the slug


def _places(session: Session) -> Iterator[str]:
    yield from (file.path for file in session.files)
    yield from (plan.path for plan in session.plan_files)
    yield session.branch or ""


def _work(session: Session) -> Iterator[str]:
    if session.goal_source is GoalSource.DERIVED:
        yield session.goal
    yield from session.work_summary
    yield session.diff_summary
    for reference in session.references:
        yield reference.title
        yield reference.url
    yield session.extra_body
