"""Everything that `ocm doctor --fix` mends, one thing after the other.

What is wrong is what `ocm doctor` finds. Each mender looks again at what it is about to
mend, does one thing, and may be run twice; one that fails holds up no other. Whatever
was mended may bring something to light, so it is looked at again until nothing is new.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gitmem.actions.doctor.doctor import INSTALLED, Section, examine
from gitmem.actions.doctor.finding import Code, Finding
from gitmem.actions.repair import files, journals
from gitmem.actions.repair.history import history
from gitmem.actions.repair.index import index
from gitmem.actions.repair.installation import installation
from gitmem.config import Environment
from gitmem.errors import GitmemError
from gitmem.workspace import Workspace, open_workspace

_MOST_ROUNDS = 4

Mender = Callable[[Workspace], Iterator[str]]
"""Says what it did, a line each. Raises GitmemError and OSError."""


@dataclass(frozen=True, slots=True)
class Mending:
    found: tuple[Finding, ...]
    """What was wrong."""
    done: tuple[str, ...]
    error: str = ""
    """Why not all of it could be done."""


@dataclass(frozen=True, slots=True)
class Mended:
    mendings: tuple[Mending, ...]
    left: list[Section]
    """All there is to say afterwards."""


def mend(environment: Environment) -> Mended:
    """Mend what can be mended; raises nothing."""
    mendings: list[Mending] = []
    tried = set[Mender]()
    left = examine(environment)
    for _ in range(_MOST_ROUNDS):
        due = _due(left, tried)
        if not due:
            break
        for mender, found in due.items():
            tried.add(mender)
            mendings.append(_mended(environment, mender, found))
        left = examine(environment)
    return Mended(tuple(mendings), left)


def _due(
    sections: Sequence[Section], tried: set[Mender]
) -> dict[Mender, tuple[Finding, ...]]:
    """The menders that there is something to do for, in the order of need."""
    findings = [f for section in sections for f in section.findings if f.is_mendable]
    found: dict[Mender, tuple[Finding, ...]] = {}
    for code, mender in _MENDERS.items():
        of_code = tuple(each for each in findings if each.code is code)
        if of_code and mender not in tried:
            found[mender] = (*found.get(mender, ()), *of_code)
    return found


def _mended(
    environment: Environment, mender: Mender, found: tuple[Finding, ...]
) -> Mending:
    done: list[str] = []
    try:
        done.extend(mender(open_workspace(environment)))
    except GitmemError as error:
        return Mending(found, tuple(done), error.message)
    except OSError as error:
        return Mending(found, tuple(done), error.strerror or str(error))
    return Mending(found, tuple(done))


_MENDERS: dict[Code, Mender] = {
    Code.PLACE: files.places,
    Code.PERMISSIONS: files.permissions,
    Code.LOCK: files.locks,
    Code.OBJECTS: history,
    Code.MEMORY: history,
    Code.CONVERSATIONS: history,
    Code.OWN_FILE: files.own_files,
    Code.VANISHED: journals.vanished,
    Code.JOURNAL: journals.waiting,
    Code.INDEX: index,
    **dict.fromkeys(INSTALLED, installation),
    Code.STALE_COPY: files.copies,
}
"""What is needed for others comes first: to write, to read, to find."""
