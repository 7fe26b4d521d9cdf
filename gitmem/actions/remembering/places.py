"""Where memories are kept: in this repository, or in a bare one of the user's.

What is private to this machine lies in a bare repository inside of this one's.
What belongs to a person lies in the space `user`, and what belongs to a team in one
that its members name: each is a bare repository below `spaces/` of the user's gitmem
folder, with the refs that every repository has.
"""

from collections.abc import Iterator
from pathlib import Path

from gitmem.actions.remembering.statement import PRIVATE, PROJECT, SCOPES, USER
from gitmem.config import Environment
from gitmem.documents.authors import Trust
from gitmem.errors import GitmemError, InvalidInput, NotARepository, NotFound
from gitmem.frozen import frozen
from gitmem.git.layout import private_dir
from gitmem.git.opening import make_bare
from gitmem.git.repository import Repository
from gitmem.store.trees.committing import configured_trust
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace, open_other

_NAME = pattern(r"[a-z0-9][a-z0-9._-]{0,62}")
_SUFFIX = ".git"


@frozen
class ScopedWorkspace:
    """A repository with memories, and the scope that leads to it."""

    scope: str
    workspace: Workspace

    def trust(self, reader: Repository) -> Trust:
        """Return whom the reader trusts here: whom they trust at home, too."""
        return configured_trust(self.workspace.repository).joined(
            configured_trust(reader)
        )


def space_folder(environment: Environment, name: str) -> Path:
    """Return where a space is, or would be. Raises InvalidInput for no name of one."""
    if not _NAME.fullmatch(name) or name in {*SCOPES} - {USER}:
        raise InvalidInput(
            f"{name!r} cannot be the name of a space.",
            hint="Lower-case letters, digits, '.', '-' and '_'.",
        )
    return environment.spaces / f"{name}{_SUFFIX}"


def space_names(environment: Environment) -> list[str]:
    """Return the names of all spaces; the user's own is one."""
    repositories = environment.spaces.glob(f"*{_SUFFIX}")
    return sorted(
        repository.name.removesuffix(_SUFFIX)
        for repository in repositories
        if repository.is_dir()
    )


def require_space(environment: Environment, name: str) -> None:
    """Raise NotFound for a space that nobody added."""
    if not space_folder(environment, name).is_dir():
        raise NotFound(
            f"There is no space {name!r}.",
            hint=f"scope must be {', '.join(SCOPES)}, or a space that"
            " `ocm space add` added.",
        )


def space_of(environment: Environment, name: str) -> Workspace:
    """Open a space.

    That of the user is made where there is none. Raises NotFound for one that nobody
    added, and as `open_other` does.
    """
    folder = space_folder(environment, name)
    if name != USER:
        require_space(environment, name)
    return _open_bare(environment, folder)


def _open_bare(environment: Environment, folder: Path) -> Workspace:
    """Open a bare repository of ours, which is made where there is none."""
    if not folder.is_dir():
        make_bare(folder, environment.variables)
    space = open_other(environment, folder)
    if not space.repository.git_dir.samefile(folder):  # git found one above it
        raise NotARepository(f"{folder} is no git repository any more.")
    return space


def place_of(workspace: Workspace, scope: str) -> ScopedWorkspace:
    """Return the place that a scope means. Raises as `space_of` does."""
    if scope == PRIVATE:
        folder = private_dir(workspace.repository.common_dir)
        return ScopedWorkspace(scope, _open_bare(workspace.environment, folder))
    is_here = scope in {*SCOPES} - {USER}
    place = workspace if is_here else space_of(workspace.environment, scope)
    return ScopedWorkspace(scope, place)


def places(
    workspace: Workspace, scope: str | None, unreachable: list[str]
) -> Iterator[ScopedWorkspace]:
    """Yield where to look: in all places, or in that of a scope.

    What cannot be opened is named in `unreachable`. Raises as `place_of` does for the
    one scope that was asked for.
    """
    if scope:
        yield place_of(workspace, scope)
        return
    yield ScopedWorkspace(PROJECT, workspace)
    has_private = private_dir(workspace.repository.common_dir).is_dir()
    private = [PRIVATE] if has_private else []
    for name in (*private, *space_names(workspace.environment)):
        try:
            yield place_of(workspace, name)
        except (GitmemError, OSError):
            unreachable.append(name)
