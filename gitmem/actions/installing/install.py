"""The plan of `ocm init`: register the repository, configure assistants.

Doctor uses the same plan: nothing to do means that all is installed.
"""

from collections.abc import Collection, Iterator, Sequence

from gitmem.actions.installing import git_hooks, managed_files, user_settings
from gitmem.actions.installing.entries import agreeing, allowed_in, entries_of
from gitmem.actions.installing.plan import Step
from gitmem.actions.installing.present import present
from gitmem.actions.installing.user_files import (
    LOCAL_PATHS,
    PATHS,
    Notes,
    TargetFile,
    UserFiles,
    placed,
    read_notes,
    stays,
    undone,
)
from gitmem.actions.installing.user_settings import Scope, rules_for
from gitmem.assistants.assistant import TOOLS, Assistant, Rules, Skill, Target
from gitmem.assistants.known import targets_of
from gitmem.assistants.targets import AGENTS_RULES
from gitmem.frozen import frozen
from gitmem.workspace import Workspace

_IN_NO_WORK_TREE = Step(
    description="assistants are told of the memory by files in a work tree",
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
    """Whether nothing was installed for this work tree before."""
    is_unasked: bool
    """Whether an assistant then runs our tools without a question."""
    commits: list[str]
    """The files for the team."""


def planned(
    workspace: Workspace,
    named: Sequence[str] = (),
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
    files = UserFiles(workspace.root.resolve(), read_notes(git.common_dir), git)
    noted = files.noted
    if is_local is None:
        is_local = all(note.local for note in noted)
    is_wide = is_active if scope is None else scope is not Scope.WORK_TREE
    assistants = present(workspace, named)
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
    elif noted or not is_wide:
        steps += _steps(_Site(files, is_local, allows_tools, ocm), assistants)
    steps = [*managed_steps(workspace, files.notes), *steps]
    asking = [] if allows_tools else assistants
    return Plan(
        assistants=assistants,
        steps=[*steps, *git_hooks.planned(workspace)],
        asked_about=_asked_about(workspace, asking, is_wide),
        form="user" if is_wide else "local" if is_local else "team",
        is_first=not (noted or is_active),
        is_unasked=allows_tools and any(each.allow for each in targets_of(assistants)),
        commits=[] if is_wide or is_local else _for_team(files),
    )


def managed_steps(workspace: Workspace, notes: Notes) -> list[Step]:
    common_dir = workspace.repository.common_dir
    excluded = managed_files.excluded(common_dir, notes)  # it is noted as well
    return [
        managed_files.registered(workspace),
        managed_files.noted(common_dir, notes),
        managed_files.launcher_there(common_dir),
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
    files: UserFiles
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
        if other := _serving(site, target, chosen):
            yield from _abandoned(site, target.path)
            if not isinstance(target.content, Rules):
                yield Step(description=target.description.format(path=other))
            continue
        path = _path(site, target)
        for other in {target.path, target.local} - {path, ""}:
            yield from _beside(site, target, other)
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
    return next((e for e in target.served_by if _is_to_have(site, e, chosen)), "")


def _is_to_have(site: _Site, path: str, chosen: Collection[str]) -> bool:
    """Tell whether a file will have our entries."""
    if site.is_local and site.files.is_tracked(path):
        return site.files.is_of_team(path)
    return path in chosen or site.files.has_ours(path)


def _for_team(files: UserFiles) -> list[str]:
    shared = (note.path for note in files.noted if not note.local)
    return [path for path in shared if path not in LOCAL_PATHS]


def _obsolete(files: UserFiles) -> list[str]:
    """Return the files of an earlier version that nothing needs any more."""
    behind_links = {place.path for each in PATHS if (place := files.found(each))}
    needed = PATHS | behind_links
    return [note.path for note in files.noted if note.path not in needed]


def _path(site: _Site, target: Target) -> str:
    """Return the shared file if a team has our entries in it, else the local one."""
    is_local = site.is_local and target.local
    if not is_local or site.files.is_of_team(target.path):
        return target.path
    return target.local


def _beside(site: _Site, target: Target, path: str) -> Iterator[Step]:
    """Yield the step for the other file of a target: rules for tools, or removal."""
    rules = _rules(site, target, path)
    what = target.permission_description.format(path=path)
    if not rules:
        yield from _abandoned(site, path)
    elif site.files.is_tracked(path):
        yield Step(description=what, why_not=f"git tracks {path}")
    else:
        yield placed(site.files, path, what, agreeing(rules), is_local=site.is_local)


def _rules(site: _Site, target: Target, path: str) -> Sequence[str]:
    if path != target.local:
        return ()
    return rules_for(target, site.files.root / path, allows_tools=site.allows_tools)


def _abandoned(site: _Site, path: str) -> Iterator[Step]:
    files, place = site.files, site.files.found(path)
    if not (place and place.noted) or files.is_of_team(path) or stays(files, path):
        return
    if step := undone(files, path):
        yield step


def _placed(site: _Site, target: Target, path: str) -> Iterator[Step]:
    place = site.files.found(path)
    is_local = site.is_local or isinstance(target.content, Skill)
    if is_local and place and site.files.is_tracked(place.path):
        yield from _abandoned(site, path)
        yield _left_alone(site, target, place)
    else:
        what, rules = target.description.format(path=path), _rules(site, target, path)
        is_approved = bool(rules) or path == target.path
        entries = entries_of(target, rules=rules, is_approved=is_approved)
        yield placed(site.files, path, what, entries, is_local=is_local)


def _left_alone(site: _Site, target: Target, place: TargetFile) -> Step:
    """Plan nothing for a tracked file, which others may have configured."""
    path, what = place.path, target.description.format(path=place.path)
    if site.files.is_of_team(path):
        step = placed(UserFiles(site.files.root, {}), path, what, entries_of(target))
        if not step.changes:
            return step
    advice = target.manual_advice.format(ocm=site.ocm)
    return Step(description=what, why_not=f"git tracks {path}", advice=advice)
