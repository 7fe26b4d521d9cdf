"""The plan of `ocm init`: register the repository, configure assistants.

Doctor uses the same plan: nothing to do means that all is installed.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from gitmem.actions.installing import git_hooks, managed_files, user_settings
from gitmem.actions.installing.entries import allowed_in, entries_of, permitted
from gitmem.actions.installing.plan import Step
from gitmem.actions.installing.present import assistants_to_configure
from gitmem.actions.installing.user_files import (
    LOCAL_PATHS,
    PATHS,
    Manifest,
    Row,
    TargetFile,
    UserFolder,
    install_step,
    install_steps,
    is_left_to_team,
    read_manifest,
    removal_step,
)
from gitmem.actions.installing.user_settings import Scope
from gitmem.assistants.assistant import (
    TOOLS,
    Assistant,
    Permission,
    Rules,
    Skill,
    Target,
)
from gitmem.assistants.known import targets_of
from gitmem.assistants.targets import AGENTS_RULES
from gitmem.frozen import frozen
from gitmem.workspace import Workspace

_IN_NO_WORK_TREE = Step(
    state="assistants are told of the memory by files in a work tree",
    why_not="this repository is bare: run `ocm init` in a work tree of it",
)


@frozen
class Plan:
    assistants: list[Assistant]
    steps: list[Step]
    asked_about: list[str]
    """Tools of ours that an assistant asks about."""
    form: str
    """Whom it is for: `local`, `team`, or `user` for the user's own settings."""
    is_first: bool
    """True if nothing was installed for this work tree before."""
    is_unasked: bool
    """True if an assistant then runs our tools without a question."""
    commits: list[str]
    """The files for the team."""


def planned(
    workspace: Workspace,
    names: Sequence[str] = (),
    *,
    is_local: bool | None = None,
    scope: Scope | None = None,
    allows_tools: bool = False,
    ocm: str = "ocm",
) -> Plan:
    """Return the plan for the work tree; write nothing.

    `is_local` keeps it out of tracked files; None, also for `scope`, repeats the last
    choice, which is local at first. `allows_tools` lets our tools run, and the server
    start, without a question. Advice names the command `ocm`. Raises InvalidInput for
    an unknown assistant.
    """
    git, is_active = workspace.repository, user_settings.is_active(workspace)
    files = UserFolder(workspace.root.resolve(), read_manifest(git.common_dir), git)
    installed = files.installed
    if is_local is None:
        is_local = all(note.local for note in installed)
    is_wide = is_active if scope is None else scope is not Scope.WORK_TREE
    assistants = assistants_to_configure(workspace, names)
    if git.work_tree is None:
        assistants, is_wide = [], False
    steps = []
    if is_wide:
        is_for_all = scope is Scope.ALL
        steps += user_settings.planned(
            workspace, assistants, is_for_all=is_for_all, allows_tools=allows_tools
        )
    if git.work_tree is None:
        steps.append(_IN_NO_WORK_TREE)
    elif installed or not is_wide:
        steps += _steps(_Site(files, is_local, allows_tools, ocm), assistants)
    steps = [*managed_steps(workspace, files.manifest), *steps]
    asking = [] if allows_tools else assistants
    return Plan(
        assistants=assistants,
        steps=[*steps, *git_hooks.planned(workspace)],
        asked_about=_asked_about(workspace, asking, is_wide),
        form="user" if is_wide else "local" if is_local else "team",
        is_first=not (installed or is_active),
        is_unasked=allows_tools and any(map(_is_permission, targets_of(assistants))),
        commits=[] if is_wide or is_local else _for_team(files),
    )


def managed_steps(workspace: Workspace, manifest: Manifest) -> list[Step]:
    common_dir = workspace.repository.common_dir
    # The manifest has to record what this step adds to the file.
    exclude_step = managed_files.exclude_step(common_dir, manifest)
    return [
        managed_files.registration_step(workspace),
        managed_files.manifest_step(common_dir, manifest),
        managed_files.launcher_step(common_dir),
        exclude_step,
    ]


def _is_permission(target: Target) -> bool:
    return isinstance(target.content, Permission)


def _asked_about(
    workspace: Workspace, assistants: list[Assistant], is_wide: bool
) -> list[str]:
    """Return our tools that no settings file of an assistant allows."""
    environment, root = workspace.environment, workspace.root
    asked_about: list[str] = []
    for assistant in assistants:
        targets = assistant.targets
        home, variables = environment.user_home, environment.variables
        files = [target.user(home, variables) for target in targets if target.user]
        if not is_wide:
            files += (root / target.path for target in targets)
        rules = {rule for file in files for rule in allowed_in(file)}
        permissions = (target.content for target in targets)
        for permission in permissions:
            if isinstance(permission, Permission):
                tools = zip(TOOLS, permission.rules, strict=True)
                asked_about += (tool for tool, rule in tools if rule not in rules)
    return asked_about


@frozen
class _Site:
    """The files of a work tree, and what the user chose for them."""

    files: UserFolder
    is_local: bool
    is_agreed: bool
    """True if the user agrees that our tools run without a question."""
    ocm: str


def _steps(site: _Site, assistants: list[Assistant]) -> Iterator[Step]:
    """Yield the steps for the files of a work tree, of which a table has the rows."""
    targets = targets_of(assistants)
    if assistants and not site.is_local and AGENTS_RULES not in targets:
        targets.append(AGENTS_RULES)
    chosen = {_path(site, target) for target in targets}
    planned_rows = [_row(site, target, chosen) for target in targets]
    rows = [row for row in planned_rows if isinstance(row, Row)]
    filled = {row.path for row in rows}
    for path in (*_obsolete(site.files), *_paths(targets)):
        if path not in filled:
            yield from _abandoned(site.files, path)
    yield from install_steps(rows)
    yield from (step for step in planned_rows if isinstance(step, Step))


def _row(site: _Site, target: Target, chosen: Collection[str]) -> Row | Step | None:
    """Return the row of a target, or a step that says why its file stays as it is.

    None for rules that another file has, and for a permission that nobody gave.
    """
    if server := _serving(site, target, chosen):
        is_silent = isinstance(target.content, Rules)
        return None if is_silent else Step(state=target.state.format(path=server))
    path = _path(site, target)
    allowed = permitted(target, site.files.root / path, is_agreed=site.is_agreed)
    if allowed is None:
        return None
    is_local = site.is_local or isinstance(target.content, Permission | Skill)
    place = site.files.find_or_none(path)
    if is_local and place and site.files.is_tracked(place.path):
        return _left_alone(site, target, place)
    state = target.state.format(path=path)
    entries = entries_of(allowed, is_for_team=path == target.path)
    return Row(site.files, path, state, entries, is_local)


def _serving(site: _Site, target: Target, chosen: Collection[str]) -> str:
    """Return the file of another assistant that does for this one; "" if none does.

    A file with our entries stays, and hooks see to it that an event counts once.
    """
    is_alone = not isinstance(target.content, Rules)
    if is_alone and site.files.has_ours(target.path):
        return ""
    if not target.is_served(site.files.root):
        return ""
    serving = (path for path in target.served_by if _is_to_have(site, path, chosen))
    return next(serving, "")


def _is_to_have(site: _Site, path: str, chosen: Collection[str]) -> bool:
    """Tell whether a file will have our entries."""
    if site.is_local and site.files.is_tracked(path):
        return site.files.is_of_team(path)
    return path in chosen or site.files.has_ours(path)


def _for_team(files: UserFolder) -> list[str]:
    shared = (record.path for record in files.installed if not record.local)
    return [path for path in shared if path not in LOCAL_PATHS]


def _obsolete(files: UserFolder) -> list[str]:
    """Return the files of an earlier version that nothing needs any more."""
    behind_links = {place.path for path in PATHS if (place := files.find_or_none(path))}
    needed = PATHS | behind_links
    return [record.path for record in files.installed if record.path not in needed]


def _paths(targets: Iterable[Target]) -> set[str]:
    return {path for target in targets for path in (target.path, target.local) if path}


def _path(site: _Site, target: Target) -> str:
    """Return the shared file if a team has our entries in it, else the local one."""
    is_local = site.is_local and target.local
    if not is_local or site.files.is_of_team(target.path):
        return target.path
    return target.local


def _abandoned(files: UserFolder, path: str) -> Iterator[Step]:
    place = files.find_or_none(path)
    if place is None or place.record is None:
        return
    if not (files.is_of_team(path) or is_left_to_team(files, path)):
        yield from filter(None, [removal_step(files, path)])


def _left_alone(site: _Site, target: Target, place: TargetFile) -> Step:
    """Plan nothing for a tracked file, which others may have configured."""
    path, state = place.path, target.state.format(path=place.path)
    if site.files.is_of_team(path):
        unrecorded = UserFolder(site.files.root, {})
        step = install_step(Row(unrecorded, path, state, entries_of(target)))
        if not step.changes:
            return step
    advice = target.manual_advice.format(ocm=site.ocm)
    return Step(state=state, why_not=f"git tracks {path}", advice=advice)
