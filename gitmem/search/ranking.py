"""How a score comes about.

A text answers a share of a query, between 0 and 1:

    share = sum(weight(word) * strength(word, text)) / sum(weight(word))

The score of a session is the mean of two shares: that of the whole session, where the
fields of its document count by their importance, and that of its best passage. The
first says what the session is about, the second whether the words of the query belong
together in it.

The weight is what a word of the query tells. It is the inverse document frequency with
a constant in the place of the number of sessions,

    weight = ln(1 + COMMON / (sessions that have the word + 0.5)),

so a word of few sessions tells much, one of many tells little, and one that no session
has tells most and goes unanswered. Sessions that share no word with the query change
nothing, be they five or a hundred thousand, and scores of several repositories can be
compared.

The strength is how much a text is about a word. In a field it is what BM25 makes of
term frequency, with a fixed length in the place of the average one,

    importance * count / (count + SATURATION * (1 - LENGTH + LENGTH * terms / usual)).

In a passage that is all, with an importance of 1. In a session the best field counts in
full and the others by TIE, and the square root of it all keeps a long field from
drowning what is in it. It depends on the text alone, so it is settled when the session
is indexed, in LEVELS steps that make near-equal scores equal.

A word that no session has is answered by longer ones that begin as it does, by the best
of them and in part: `expansion` says by how much.

Whether there is an answer is asked of the query as a whole. The evidence for the best
session is its score times the root of the weight it answers,

    evidence = score * sqrt(score * sum(weight(word))),

and `enough` of it is an answer. A score alone would not do: half of two words that
every session has is chance, half of eight that few have is not. Where much was said a
word is found by chance more often, so enough is more there. A session that has every
word is an answer as well where they tell enough (`is_telling`), and one of the first
where few sessions have them all: three words that few have always find theirs, however
long it is and wherever they stand.

The figures were chosen on real sessions and are in docs/performance.md.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log, log2, sqrt

from gitmem.model.changes import Told
from gitmem.model.session import GoalSource, Session
from gitmem.search.passages import asked
from gitmem.search.words import terms, tokens

GOAL, DECISIONS, UNDERTAKINGS, PLACES, WORK = 1.0, 0.8, 0.5, 0.5, 0.3
"""Importance of the fields: a written goal, what was decided, what was done and is to
be done, where; and all else that was said."""
COMMON = 300
"""A word that so many sessions have tells an eighth of what a unique one tells."""
TIE = 0.1
LEVELS = 16
FLOOR = 1 / 8
"""The least strength of a word in a session that has it."""
APART = 0.8
"""The share of an identifier that its parts answer; the rest is that they are one."""
LEAST_TOLD = 0.1
"""Words that tell less than this part of the most telling one are not looked for."""
TOUCHED = 0.4
"""What a session scores at least if it touched a path that the query names."""
WORTH_A_LOOK = 0.4
"""The share of the best score that any other hit has."""
ALL = 1.0
"""The score of a session that was asked for by filters alone, or by its id."""

_SATURATION, _LENGTH = 4, 0.75
_PASSAGE_SATURATION, _PASSAGE_LENGTH, _PASSAGE_TERMS = 2, 0.5, 165
_EXPANDED_FROM = 5
"""Letters of a word from which longer ones answer it."""
_EXPANSION = 0.8
_ENOUGH, _FOR_MORE_SAID = 0.35, 0.04
_TELLING = 2.5
"""What a word tells that about twenty-six sessions have."""
_FEW = 2
"""So few words are a query by themselves, whatever they tell."""


UNKNOWN = log(1 + COMMON / 0.5)
"""What a word tells that no session has."""


def weight(sessions: int) -> float:
    """What a word tells that so many sessions have."""
    return log(1 + COMMON / (sessions + 0.5))


def score(whole: float, passage: float) -> float:
    """That of a session, from the shares of all of it and of its best passage."""
    return (whole + passage) / 2


def strength(level: int) -> float:
    """How much a text is about a word that it has at `level`."""
    return level / LEVELS


def stem_of(word: str) -> str:
    """What a longer word has to begin with to answer `word`; "" where none does.

    The last letter may change: `retry` is answered by `retries`, `retried`.
    """
    return word[: max(_EXPANDED_FROM, len(word) - 1)] if _is_long(word) else ""


def expansion(word: str, longer: str) -> float:
    """How much of `word` is answered by another that begins with its `stem_of`."""
    return _EXPANSION * len(stem_of(word)) / max(len(word), len(longer))


def evidence(score: float, weights: Sequence[float]) -> float:
    """How much speaks for a session that scores so, by the weights of the words."""
    return score * sqrt(score * sum(weights))


def enough(passages: float) -> float:
    """The evidence that makes an answer; by the passages that a usual session has."""
    return _ENOUGH + _FOR_MORE_SAID * log2(max(1.0, passages))


def is_telling(weights: Sequence[float]) -> bool:
    """Whether words of these weights name a session when it has all of them."""
    return len(weights) <= _FEW or sum(weights) >= _TELLING * len(weights)


def session_levels(told: Told) -> dict[str, int]:
    """Every term of a session with its conversation, and its level from 1 to LEVELS."""
    best: dict[str, float] = {}
    total: dict[str, float] = {}
    for importance, usual, texts in _fields(told):
        counts = _counts(texts)
        damping = _SATURATION * (1 - _LENGTH + _LENGTH * counts.total() / usual)
        for term, count in counts.items():
            value = importance * count / (count + damping)
            best[term] = max(value, best.get(term, 0.0))
            total[term] = value + total.get(term, 0.0)
    return {
        term: _level(max(FLOOR, sqrt((1 - TIE) * value + TIE * total[term])))
        for term, value in best.items()
    }


def passage_levels(text: str) -> dict[str, int]:
    """Every term of a passage, and its level from 1 to LEVELS."""
    counts = _counts([text])
    length = 1 - _PASSAGE_LENGTH + _PASSAGE_LENGTH * counts.total() / _PASSAGE_TERMS
    damping = _PASSAGE_SATURATION * length
    return {term: _level(count / (count + damping)) for term, count in counts.items()}


def _is_long(word: str) -> bool:
    return len(word) >= _EXPANDED_FROM


def _level(strength: float) -> int:
    return max(1, min(LEVELS, round(strength * LEVELS)))


def _counts(texts: Iterable[str]) -> Counter[str]:
    found = tokens("\n".join(texts))
    return Counter([term for token in found for term in terms(token)])


def _fields(told: Told) -> Iterator[tuple[float, int, Iterable[str]]]:
    """Importance (a written goal has 1), usual number of terms, texts.

    A goal that nobody wrote is one more line of the work: as the goal it would be
    wrong more often than right.
    """
    session = told.session
    if session.goal_source is GoalSource.WRITTEN:
        yield GOAL, 20, (session.goal,)
    yield DECISIONS, 100, session.decisions
    yield UNDERTAKINGS, 100, _undertakings(session)
    yield PLACES, 100, _places(session)
    yield WORK, 300, _work(told)


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


def _work(told: Told) -> Iterator[str]:
    session = told.session
    yield from asked(told)
    yield from (turn.text for turn in told.turns)
    yield from session.work_summary
    yield session.diff_summary
    for reference in session.references:
        yield reference.title
        yield reference.url
    yield session.extra_body
