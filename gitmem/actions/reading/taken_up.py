"""Leave out to-dos that a later session took up.

In one conversation nobody ticks off what another one does. A to-do is no longer left
if a later session with results has all of its words in its goal, in a prompt, in what
it completed or in the subject of a commit: at least three words, or no others, each
negated in both texts or in neither.
"""

from collections.abc import Iterable
from dataclasses import replace

from gitmem.documents.session.session import Session
from gitmem.frozen import frozen

_ENOUGH = 3
"""Words of a to-do that are not together by chance."""
_CLUE = 4
"""Letters that all forms of a word begin with."""


@frozen
class _Work:
    session: Session
    texts: tuple[str, ...]
    folded: str
    """All texts, in which a clue is looked for before words are compared."""


def without_taken_up(
    sessions: Iterable[Session], works: Iterable[Session]
) -> list[Session]:
    """Return sessions in their order, without to-dos that later works took up."""
    sessions = list(sessions)
    if not any(session.work_pending for session in sessions):
        return sessions
    with_results = [_work(session) for session in works if _has_results(session)]
    return [_still_left(session, with_results) for session in sessions]


def _has_results(session: Session) -> bool:
    return bool(session.files or session.commits or session.work_completed)


def _work(session: Session) -> _Work:
    subjects = (commit.subject for commit in session.commits)
    texts = (session.goal, *session.prompts, *session.work_completed, *subjects)
    return _Work(session, texts, "\n".join(texts).casefold())


def _still_left(session: Session, works: Iterable[_Work]) -> Session:
    pending_at = session.pending_at if session.work_pending else None
    if pending_at is None:
        return session
    later = [
        work
        for work in works
        if work.session.updated_at > pending_at and work.session.id != session.id
    ]
    pending = tuple(
        to_do
        for to_do in session.work_pending
        if not any(_takes_up(work, to_do) for work in later)
    )
    return replace(session, work_pending=pending)


def _takes_up(work: _Work, to_do: str) -> bool:
    clue = max(to_do.casefold().split(), key=len, default="")[:_CLUE]
    if clue not in work.folded:
        return False
    from gitmem.search.likeness import words_of  # few need it
    from gitmem.search.wording import wording

    words, negated = words_of(to_do), wording(to_do).negated
    for text in work.texts:
        text_words = words_of(text)
        has_all = words <= text_words if len(words) >= _ENOUGH else words == text_words
        if has_all and wording(text).negated & words == negated & words:
            return True
    return False
