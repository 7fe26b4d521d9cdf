"""The plan of `ocm init`: register the repository, configure assistants.

Doctor uses the same plan: nothing to do means that all is installed.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from gitmem.actions.installing import git_hooks, managed_files, user_settings
from gitmem.actions.installing.entries import agreeing, entries_of
from gitmem.actions.installing.plan import Step
from gitmem.actions.installing.present import present
from gitmem.actions.installing.user_files import (
    Notes,
    Place,
    UserFiles,
    placed,
    read_notes,
    stays,
    undone,
    with_shared_folders,
)
from gitmem.actions.installing.user_settings import Scope, rules_for
from gitmem.assistants.assistant import (
    Assistant,
    Checked,
    Rules,
    Skill,
    Target,
    load,
)
from gitmem.assistants.known import CONFIGURED, targets_of
from gitmem.assistants.targets import AGENTS_RULES
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.workspace import Workspace


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
    git, root = workspace.repository, workspace.root.resolve()
    before = read_notes(git.common_dir)
    here = [note for note in before.values() if note.root == str(root)]
    if is_local is None:
        is_local = all(note.local for note in here)
    files = UserFiles(root, dict(before), git)
    site = _Site(files, git, is_local, allows_tools, ocm)
    assistants = present(workspace, named)
    if git.work_tree is None:
        assistants = []
    is_wide = _is_wide(workspace, scope)
    user: list[Step] = []
    if is_wide:
        is_for_all = scope is Scope.ALL
        user = user_settings.planned(
            workspace, assistants, is_for_all=is_for_all, allows_tools=allows_tools
        )
    work_tree = list(_steps(site, assistants)) if here or not is_wide else []
    own = managed_steps(workspace, with_shared_folders(site.files.notes, before))
    asking = [] if allows_tools else assistants
    return Plan(
        assistants=assistants,
        steps=[*own, *user, *work_tree, *git_hooks.planned(workspace)],
        asked_about=_asked_about(workspace, asking, is_wide),
        form="user" if is_wide else "local" if is_local else "team",
        is_first=not (here or user_settings.is_active(workspace)),
        is_unasked=allows_tools and any(each.allow for each in targets_of(assistants)),
        commits=[] if is_wide or is_local else _for_team(site),
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


def _is_wide(workspace: Workspace, scope: Scope | None) -> bool:
    if workspace.repository.work_tree is None:
        return False
    if scope is None:
        return user_settings.is_active(workspace)
    return scope is not Scope.WORK_TREE


def _asked_about(
    workspace: Workspace, assistants: list[Assistant], is_wide: bool
) -> list[str]:
    environment = workspace.environment
    root = None if is_wide else workspace.root
    checked = Checked(environment.user_home, environment.variables, root)
    asking = [load(each.asked_about) for each in assistants if each.asked_about]
    return [tool for asked_about in asking for tool in asked_about(checked)]


@frozen
class _Site:
    files: UserFiles
    repository: Repository
    is_local: bool
    allows_tools: bool
    ocm: str

    @property
    def root(self) -> Path:
        return self.files.root


def _steps(site: _Site, assistants: list[Assistant]) -> Iterator[Step]:
    if site.repository.work_tree is None:
        what = "assistants are told of the memory by files in a work tree"
        why_not = "this repository is bare: run `ocm init` in a work tree of it"
        yield Step(what=what, why_not=why_not)
        return
    targets = targets_of(assistants)
    if assistants and not site.is_local and AGENTS_RULES not in targets:
        targets.append(AGENTS_RULES)
    chosen = {_path(site, target) for target in targets}
    for path in _obsolete(site):
        yield from _abandoned(site, path)
    for target in targets:
        if other := _serving(site, target, chosen):
            yield from _abandoned(site, target.path)
            if not isinstance(target.content, Rules):
                yield Step(what=target.what.format(path=other))
            continue
        path = _path(site, target)
        for other in {target.path, target.local} - {path, ""}:
            yield from _beside(site, target, other)
        yield from _placed(site, target, path)


def _serving(site: _Site, target: Target, chosen: Collection[str]) -> str:
    """Return the file of another assistant that does for this one; "" if none does.

    A file with our entries stays, and hooks see to it that an event counts once.
    """
    is_alone = not isinstance(target.content, Rules) and site.files.has_ours(
        target.path
    )
    if is_alone or not target.is_served(site.root):
        return ""
    return next((e for e in target.served_by if _is_to_have(site, e, chosen)), "")


def _is_to_have(site: _Site, path: str, chosen: Collection[str]) -> bool:
    """Tell whether a file will have our entries."""
    if site.is_local and site.files.is_tracked(path):
        return site.files.is_of_team(path)
    return path in chosen or site.files.has_ours(path)


def _for_team(site: _Site) -> list[str]:
    here = [note for note in site.files.notes.values() if note.root == str(site.root)]
    own = {target.local for target in targets_of(CONFIGURED)}
    return [each.path for each in here if not each.local and each.path not in own]


def _obsolete(site: _Site) -> list[str]:
    """Return the files of an earlier version that nothing needs any more."""
    targets = targets_of(CONFIGURED)
    needed = {path for each in targets for path in (each.path, each.local) if path}
    needed |= {place.path for each in needed if (place := site.files.found(each))}
    here = (path for root, path in site.files.notes if root == str(site.root))
    return [path for path in here if path not in needed]


def _path(site: _Site, target: Target) -> str:
    """Return the shared file if a team has our entries in it, else the local one."""
    is_local = site.is_local and target.local
    if not is_local or site.files.is_of_team(target.path):
        return target.path
    return target.local


def _beside(site: _Site, target: Target, path: str) -> Iterator[Step]:
    """Yield the step for the other file of a target: rules for tools, or removal."""
    rules = _rules(site, target, path)
    what = target.what_allowed.format(path=path)
    if not rules:
        yield from _abandoned(site, path)
    elif site.files.is_tracked(path):
        yield Step(what=what, why_not=f"git tracks {path}")
    else:
        yield placed(site.files, path, what, agreeing(rules), is_local=site.is_local)


def _rules(site: _Site, target: Target, path: str) -> Sequence[str]:
    if path != target.local:
        return ()
    return rules_for(target, site.root / path, allows_tools=site.allows_tools)


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
        what, rules = target.what.format(path=path), _rules(site, target, path)
        is_approved = bool(rules) or path == target.path
        entries = entries_of(target, rules=rules, is_approved=is_approved)
        yield placed(site.files, path, what, entries, is_local=is_local)


def _left_alone(site: _Site, target: Target, place: Place) -> Step:
    """Plan nothing for a tracked file, which others may have configured."""
    what = target.what.format(path=place.path)
    advice = target.by_hand.format(ocm=site.ocm)
    skipped = Step(what=what, why_not=f"git tracks {place.path}", advice=advice)
    if not site.files.is_of_team(place.path):
        return skipped
    text = (place.file.content or b"").decode("utf-8", "replace")
    try:
        is_there = entries_of(target).are_in(text)
    except InvalidInput as error:
        return Step(what=what, fault=f"{place.path}: {error.message}")
    return Step(what=what) if is_there else skipped
