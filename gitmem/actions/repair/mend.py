"""All repairs of `ocm doctor --fix`, in the order of need.

`ocm doctor` finds what is wrong. Each mender does one thing, may be run twice, and
holds up no other if it fails. A repair may reveal more, so the checks are run again
until they find nothing new.
"""

from collections.abc import Callable, Collection, Iterable, Iterator

from gitmem.actions.doctor.doctor import INSTALLED, examine
from gitmem.actions.doctor.finding import Code, Finding
from gitmem.actions.repair import journals, own_files
from gitmem.actions.repair.history import history
from gitmem.config import Environment
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.workspace import Workspace, open_workspace

_MOST_ROUNDS = 4

Mender = Callable[[Workspace], Iterator[str]]
"""Says what it did, a line each. Raises GitmemError and OSError."""


@frozen
class Mending:
    found: tuple[Finding, ...]
    """What was wrong."""
    done: tuple[str, ...]
    error: str = ""
    """Why not all of it could be done."""


@frozen
class Mended:
    mendings: tuple[Mending, ...]
    left: list[Finding]
    """All there is to report afterwards."""


def mend(environment: Environment) -> Mended:
    """Mend what can be mended; raises nothing."""
    mendings: list[Mending] = []
    left, untried = examine(environment), dict(_MENDERS)
    for _ in range(_MOST_ROUNDS):
        due = {m: f for m, codes in untried.items() if (f := _mendable(left, codes))}
        if not due:
            break
        for mender, found in due.items():
            del untried[mender]
            mendings.append(_mended(environment, mender, found))
        left = examine(environment)
    return Mended(tuple(mendings), left)


def _mendable(
    findings: Iterable[Finding], codes: Collection[Code]
) -> tuple[Finding, ...]:
    return tuple(f for f in findings if f.is_mendable and f.code in codes)


def _mended(
    environment: Environment, mender: Mender, found: tuple[Finding, ...]
) -> Mending:
    done: list[str] = []
    error = ""
    try:
        done.extend(mender(open_workspace(environment)))
    except GitmemError as refused:
        error = refused.message
    except OSError as refused:
        error = refused.strerror or str(refused)
    return Mending(found, tuple(done), error)


_MENDERS: dict[Mender, Collection[Code]] = {
    own_files.permissions: (Code.PERMISSIONS,),
    own_files.locks: (Code.LOCK,),
    history: (Code.OBJECTS, Code.MEMORY, Code.CONVERSATIONS),
    journals.vanished: (Code.VANISHED,),
    journals.waiting: (Code.JOURNAL,),
    own_files.index: (Code.INDEX,),
    own_files.installation: INSTALLED,
}
"""What is needed for others comes first: to write, to read, to find."""
