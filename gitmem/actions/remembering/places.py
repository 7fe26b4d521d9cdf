"""Where memories are kept: in this repository, or in a bare one of the user's.

What belongs to a person lies in the space `user`, and what belongs to a team in one
that its members name: each is a bare repository below `spaces/` of the user's gitmem
folder, with the refs that every repository has.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from gitmem.actions.remembering.statement import BRANCH, PROJECT, USER
from gitmem.errors import GitmemError, InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.git.opening import make_bare
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace, open_other

_NAME = pattern(r"[a-z0-9][a-z0-9._-]{0,62}")
_SUFFIX = ".git"


@frozen
class Place:
    """A repository with memories, and the scope that leads to it."""

    scope: str
    workspace: Workspace


def spaces_folder(workspace: Workspace) -> Path:
    return workspace.environment.home / "spaces"


def space_folder(workspace: Workspace, name: str) -> Path:
    """Return where a space is, or would be. Raises InvalidInput for no name of one."""
    if not _NAME.fullmatch(name) or name in (BRANCH, PROJECT):
        raise InvalidInput(
            f"{name!r} cannot be the name of a space.",
            hint="Lower-case letters, digits, '.', '-' and '_'.",
        )
    return spaces_folder(workspace) / f"{name}{_SUFFIX}"


def space_names(workspace: Workspace) -> list[str]:
    """Return the names of all spaces; the user's own is one."""
    found = spaces_folder(workspace).glob(f"*{_SUFFIX}")
    return sorted(each.name.removesuffix(_SUFFIX) for each in found if each.is_dir())


def place_of(workspace: Workspace, scope: str) -> Place:
    """Return the place that a scope means.

    The space of the user is made where there is none. Raises NotFound for a space that
    nobody added.
    """
    if scope in (BRANCH, PROJECT):
        return Place(scope, workspace)
    folder = space_folder(workspace, scope)
    if not folder.is_dir():
        if scope != USER:
            raise NotFound(
                f"There is no space {scope!r}.",
                hint="scope must be branch, project, user, or a space that"
                " `ocm space add` added.",
            )
        make_bare(folder, workspace.environment.variables)
    return Place(scope, open_other(workspace.environment, folder))


def places(
    workspace: Workspace, scope: str | None, unreachable: list[str]
) -> Iterator[Place]:
    """Yield where to look: in all places, or in that of a scope.

    What cannot be opened is named in `unreachable`. Raises as `place_of` does for the
    one scope that was asked for.
    """
    if scope:
        yield place_of(workspace, scope)
        return
    yield Place(PROJECT, workspace)
    yield from _reachable(workspace, space_names(workspace), unreachable)


def _reachable(
    workspace: Workspace, names: Iterable[str], unreachable: list[str]
) -> Iterator[Place]:
    for name in names:
        try:
            yield place_of(workspace, name)
        except (GitmemError, OSError):
            unreachable.append(name)
