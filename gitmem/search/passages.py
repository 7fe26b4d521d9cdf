"""Passages: the text of a session in pieces of equal length.

What belongs together stands together. A query whose words meet in one passage is about
that session, while one whose words are scattered over hours of conversation may not be.
Of a session that is out of all measure only a part is searched.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gitmem.documents.changes import IndexEntry
from gitmem.documents.session.identity import slug_of
from gitmem.documents.session.session import GoalSource, Session

WORDS = 150
"""In a passage: a few sentences, or a turn or two."""


@dataclass(frozen=True, slots=True)
class Passage:
    words: Sequence[str]
    """As white space sets them apart."""
    is_said: bool
    """Whether it is of the conversation, and not of the document."""

    @property
    def text(self) -> str:
        return " ".join(self.words)


def passages(told: IndexEntry) -> Iterator[Passage]:
    """All of a session that can be searched, piece by piece."""
    for words in _pieces(_written(told)):
        yield Passage(words, is_said=False)
    for words in _pieces(turn.text for turn in told.turns):
        yield Passage(words, is_said=True)


def asked(told: IndexEntry) -> Iterator[str]:
    """A goal that nobody wrote, prompts and answers, if the conversation lacks them.

    Such a goal is the first prompt, and told twice it would count for more than a
    written one. A conversation may be known from its middle on.
    """
    session = told.session
    is_derived = session.goal_source is GoalSource.DERIVED
    said = " ".join(word for turn in told.turns for word in turn.text.split())
    for text in (session.goal if is_derived else "", *session.prompts):
        if text.removesuffix("…") not in said:
            yield text
            said = f"{said} {text}"
    if not told.turns:
        yield from session.observed


def _pieces(texts: Iterable[str]) -> Iterator[list[str]]:
    words = "\n".join(texts).split()
    for start in range(0, len(words), WORDS):
        yield words[start : start + WORDS]


def _written(told: IndexEntry) -> Iterator[str]:
    """The document; what was asked only where the conversation does not have it."""
    session = told.session
    if session.goal_source is GoalSource.WRITTEN:
        yield session.goal
    yield from asked(told)
    yield from session.decisions
    yield from session.work_completed
    yield from session.work_pending
    yield from session.work_summary
    yield session.diff_summary
    for plan in session.plan_files:
        yield f"{plan.header} {plan.path}"
    for reference in session.references:
        yield f"{reference.title} {reference.url}"
    yield from (commit.subject for commit in session.commits)
    yield session.extra_body
    yield slug_of(session.id)
    yield session.branch or ""
    yield from (file.path for file in session.files)


MOST: Final = 2_000_000
"""Characters of a document that are searched, what tells most first."""

_FIELDS = (
    *("goal", "decisions", "work_completed", "work_pending", "work_summary"),
    *("answers", "last_answer", "client_summary"),
    *("prompts", "commits", "plan_files", "references", "diff_summary", "files"),
    "extra_body",
)


def within_reach(told: IndexEntry) -> IndexEntry:
    """The same where it is not too long; else without what goes beyond `MOST`."""
    session = told.session
    if sum(_length(getattr(session, name)) for name in _FIELDS) <= MOST:
        return told
    return replace(told, session=replace(session, **dict(_cut(session))))


def _cut(session: Session) -> Iterator[tuple[str, Any]]:
    room = MOST
    for name in _FIELDS:
        value = getattr(session, name)
        kept = value[:room] if isinstance(value, str) else tuple(_first(value, room))
        room -= _length(kept)
        yield name, kept


def _first(items: tuple[Any, ...], room: int) -> Iterator[Any]:
    for item in items:
        room -= _length(item)
        if room < 0:
            return
        yield item


def _length(value: Any) -> int:
    """Characters of a text, of a list, or of what an item of a list is made of."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, tuple):
        return sum(map(_length, value))
    return sum(len(getattr(value, name)) for name in value.__slots__)
