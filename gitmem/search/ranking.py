"""How a score comes about.

The score of a session is the share of the query that it answers, between 0 and 1:

    score = sum(weight(word) * strength(word, session)) / sum(weight(word))

`weight` is what a word of the query tells: a word of few sessions tells much, one of
many tells little, and one that no session has counts in full below the line. It is the
inverse document frequency with a constant in the place of the number of sessions,

    weight = ln(1 + COMMON / (sessions that have the word + 0.5)),

so sessions that share no word with the query change nothing, whether they are five or
a hundred thousand, and scores of different repositories can be merged.

`strength` is how much a session is about the word. It is settled when the session is
indexed, because it depends on that session alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import log

from gitmem.model.session import GoalSource, Session
from gitmem.search.words import terms, tokens

COMMON = 100
LEVELS = 16
PRESENCE = 0.4
SATURATION = 0.6
LENGTH_SHARE = 0.5
TIE = 0.1
THRESHOLD = 0.3
TOUCHED = 0.4
APART = 0.8


def weight(sessions: int) -> float:
    """What a word tells that so many sessions have."""
    return log(1 + COMMON / (sessions + 0.5))


def levels(session: Session) -> dict[str, int]:
    """Every term of `session` with its strength, in steps from 1 to `LEVELS`."""
    best: dict[str, float] = {}
    rest: dict[str, float] = {}
    for importance, usual_length, texts in _fields(session):
        counts = Counter(
            term for text in texts for token in tokens(text) for term in terms(token)
        )
        length = (1 - LENGTH_SHARE) + LENGTH_SHARE * counts.total() / usual_length
        for term, count in counts.items():
            value = importance * count / (count + SATURATION * length)
            if value > best.get(term, 0.0):
                best[term], value = value, best.get(term, 0.0)
            rest[term] = rest.get(term, 0.0) + value
    return {term: _level(best[term] + TIE * rest[term]) for term in best}


def strength(level: int) -> float:
    return PRESENCE + (1 - PRESENCE) * level / LEVELS


def _level(value: float) -> int:
    return max(1, min(LEVELS, round(value * LEVELS)))


def _fields(session: Session) -> Iterator[tuple[float, int, Iterable[str]]]:
    """Importance (the goal's is 1), usual number of terms, texts."""
    written = session.goal_source is GoalSource.WRITTEN
    derived_goal = [] if written else [session.goal]
    if written:
        yield 1.0, 20, [session.goal]
    yield 0.8, 100, session.decisions
    yield (
        0.5,
        100,
        [
            *session.work_completed,
            *session.work_pending,
            *(commit.subject for commit in session.commits),
            *(plan.header for plan in session.plan_files),
            _slug(session.id),
        ],
    )
    yield (
        0.5,
        100,
        [
            *(file.path for file in session.files),
            *(plan.path for plan in session.plan_files),
            session.branch or "",
        ],
    )
    yield (
        0.3,
        300,
        [
            *derived_goal,
            *session.work_summary,
            session.diff_summary,
            *(f"{reference.title} {reference.url}" for reference in session.references),
            session.extra_body,
        ],
    )


def _slug(session_id: str) -> str:
    return session_id.split("_", 3)[-1]
