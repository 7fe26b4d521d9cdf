"""What is stored, looked through by today's rules for secrets.

Rules change, and so what was saved by those of its time may have what would be hidden
now; and what came from a remote never passed our gate.
"""

from collections import Counter, defaultdict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeGuard

from gitmem.actions.reading.documents import find_session
from gitmem.actions.scanning.stored import Gap, Stored, Where, session_named, stored
from gitmem.documents.kinds import SESSION
from gitmem.errors import GitmemError, NotFound
from gitmem.frozen import frozen
from gitmem.redaction.redact import rules_that_see
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace


@frozen
class Place:
    session_id: str | None
    where: Where
    is_earlier: bool


@dataclass(slots=True)
class Scan:
    texts: int = 0
    """How many were looked at."""
    seen: dict[Place, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    """How often each rule sees something there."""
    gaps: list[Gap] = field(default_factory=list)

    @property
    def sessions(self) -> set[str]:
        """The ids of those that have something."""
        return {place.session_id for place in self.seen if place.session_id}


def scan(
    workspace: Workspace, only: Collection[str] | None, progress: Progress
) -> Scan:
    """Look through everything, or through what is of these sessions alone.

    The journal is replayed before. What cannot be read is reported as a gap.
    """
    with suppress(GitmemError, OSError):  # the gaps will say so
        workspace.current_sessions()
    found = Scan()
    texts = [one for one in stored(workspace) if _is_told(one, only, found)]
    for number, one in enumerate(texts, 1):
        _look(one, only, found)
        progress(number, len(texts))
    return found


def ids_of(workspace: Workspace, name: str) -> set[str]:
    """All ids of the session that is meant; see find_session for errors.

    One that is at no tip any more is meant by its id.
    """
    try:
        session_id = find_session(workspace, name)
    except NotFound:
        if SESSION.is_id(name):
            return {name}
        raise
    session = workspace.store.memory().readable(session_id)
    return {session_id, *(session.all_ids if session else ())}


def _is_told(
    one: Stored | Gap, only: Collection[str] | None, found: Scan
) -> TypeGuard[Stored]:
    if isinstance(one, Gap):
        found.gaps.append(one)
        return False
    return only is None or one.session_id is None or one.session_id in only


def _look(one: Stored, only: Collection[str] | None, found: Scan) -> None:
    try:
        text = one.read()
    except (GitmemError, OSError) as error:
        found.gaps.append(Gap(one.session_id, one.where, str(error)))
        return
    session_id = one.session_id or session_named(text)
    if only is None or session_id in only:
        found.texts += 1
        if rules := rules_that_see(text):
            found.seen[Place(session_id, one.where, one.is_earlier)] += rules
