"""The plan of `ocm init`: register the repository, configure assistants.

Doctor uses the same plan: nothing to do means that all is installed.
"""

from collections.abc import Collection, Iterator, Sequence

from gitmem.actions.installing import git_hooks, managed_files, user_settings
from gitmem.actions.installing.entries import agreeing, allowed_in, entries_of
from gitmem.actions.installing.plan import Step
from gitmem.actions.installing.present import assistants_to_configure
from gitmem.actions.installing.user_files import (
    LOCAL_PATHS,
    PATHS,
    Manifest,
    TargetFile,
    UserFolder,
    install_step,
    is_left_to_team,
    read_manifest,
    removal_step,
)
from gitmem.actions.installing.user_settings import Scope, rules_for
from gitmem.assistants.assistant import TOOLS, Assistant, Rules, Skill, Target
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
        is_unasked=allows_tools
        and any(target.allow for target in targets_of(assistants)),
        commits=[] if is_wide or is_local else _for_team(files),
    )


def managed_steps(workspace: Workspace, manifest: Manifest) -> list[Step]:
    common_dir = workspace.repository.common_dir
    excluded = managed_files.exclude_step(
        common_dir, manifest
    )  # the manifest step records it
    return [
        managed_files.registration_step(workspace),
        managed_files.manifest_step(common_dir, manifest),
        managed_files.launcher_step(common_dir),
        excluded,
    ]


def _asked_about(
    workspace: Workspace, assistants: list[Assistant], is_wide: bool
) -> list[str]:
    """Return our tools that no settings file of an assistant allows."""
    environment, root = workspace.environment, workspace.root
    asked_about: list[str] = []
    for target in targets_of(assistants):
        files = [] if is_wide else [root / target.path, root / target.local]
        if target.user:
            files.append(target.user(environment.user_home, environment.variables))
        rules = {rule for file in files for rule in allowed_in(file)}
        tools = zip(TOOLS, target.allow, strict=False)
        asked_about += (tool for tool, rule in tools if rule not in rules)
    return asked_about


@frozen
class _Site:
    files: UserFolder
    is_local: bool
    allows_tools: bool
    ocm: str


def _steps(site: _Site, assistants: list[Assistant]) -> Iterator[Step]:
    targets = targets_of(assistants)
    if assistants and not site.is_local and AGENTS_RULES not in targets:
        targets.append(AGENTS_RULES)
    chosen = {_path(site, target) for target in targets}
    for path in _obsolete(site.files):
        yield from _abandoned(site, path)
    for target in targets:
        if path_of_other := _serving(site, target, chosen):
            yield from _abandoned(site, target.path)
            if not isinstance(target.content, Rules):
                yield Step(state=target.state.format(path=path_of_other))
            continue
        path = _path(site, target)
        for path_of_other in {target.path, target.local} - {path, ""}:
            yield from _beside(site, target, path_of_other)
        yield from _placed(site, target, path)


def _serving(site: _Site, target: Target, chosen: Collection[str]) -> str:
    """Return the file of another assistant that does for this one; "" if none does.

    A file with our entries stays, and hooks see to it that an event counts once.
    """
    is_alone = not isinstance(target.content, Rules)
    if is_alone and site.files.has_ours(target.path):
        return ""
    if not target.is_served(site.files.root):
        return ""
    return next(
        (path for path in target.served_by if _is_to_have(site, path, chosen)), ""
    )


def _is_to_have(site: _Site, path: str, chosen: Collection[str]) -> bool:
    """Tell whether a file will have our entries."""
    if site.is_local and site.files.is_tracked(path):
        return site.files.is_of_team(path)
    return path in chosen or site.files.has_ours(path)


def _for_team(files: UserFolder) -> list[str]:
    shared = (note.path for note in files.installed if not note.local)
    return [path for path in shared if path not in LOCAL_PATHS]


def _obsolete(files: UserFolder) -> list[str]:
    """Return the files of an earlier version that nothing needs any more."""
    behind_links = {place.path for path in PATHS if (place := files.find_or_none(path))}
    needed = PATHS | behind_links
    return [note.path for note in files.installed if note.path not in needed]


def _path(site: _Site, target: Target) -> str:
    """Return the shared file if a team has our entries in it, else the local one."""
    is_local = site.is_local and target.local
    if not is_local or site.files.is_of_team(target.path):
        return target.path
    return target.local


def _beside(site: _Site, target: Target, path: str) -> Iterator[Step]:
    """Yield the step for the other file of a target: rules for tools, or removal."""
    rules = _rules(site, target, path)
    state = target.permitted_state.format(path=path)
    if not rules:
        yield from _abandoned(site, path)
    elif site.files.is_tracked(path):
        yield Step(state=state, why_not=f"git tracks {path}")
    else:
        yield install_step(
            site.files, path, state, agreeing(rules), is_local=site.is_local
        )


def _rules(site: _Site, target: Target, path: str) -> Sequence[str]:
    if path != target.local:
        return ()
    return rules_for(target, site.files.root / path, allows_tools=site.allows_tools)


def _abandoned(site: _Site, path: str) -> Iterator[Step]:
    files, place = site.files, site.files.find_or_none(path)
    if (
        not (place and place.record)
        or files.is_of_team(path)
        or is_left_to_team(files, path)
    ):
        return
    if step := removal_step(files, path):
        yield step


def _placed(site: _Site, target: Target, path: str) -> Iterator[Step]:
    place = site.files.find_or_none(path)
    is_local = site.is_local or isinstance(target.content, Skill)
    if is_local and place and site.files.is_tracked(place.path):
        yield from _abandoned(site, path)
        yield _left_alone(site, target, place)
    else:
        state, rules = (
            target.state.format(path=path),
            _rules(site, target, path),
        )
        is_approved = bool(rules) or path == target.path
        entries = entries_of(target, rules=rules, is_approved=is_approved)
        yield install_step(site.files, path, state, entries, is_local=is_local)


def _left_alone(site: _Site, target: Target, place: TargetFile) -> Step:
    """Plan nothing for a tracked file, which others may have configured."""
    path, state = place.path, target.state.format(path=place.path)
    if site.files.is_of_team(path):
        step = install_step(
            UserFolder(site.files.root, {}), path, state, entries_of(target)
        )
        if not step.changes:
            return step
    advice = target.manual_advice.format(ocm=site.ocm)
    return Step(state=state, why_not=f"git tracks {path}", advice=advice)
