"""What `ocm init` does, as a plan: the repository made known, the assistants told.

The same plan answers whether all is as it should be, without writing: then nothing in
it is left to do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gitmem.actions.installing import everywhere, git_hooks, managed_files
from gitmem.actions.installing.detect import others, present
from gitmem.actions.installing.entries import Entries, entries_of, with_rules
from gitmem.actions.installing.everywhere import Scope
from gitmem.actions.installing.file_steps import (
    Notes,
    added,
    find,
    guarded,
    noted_files,
    notes_of,
    taken_out,
)
from gitmem.actions.installing.merge_entries import Place
from gitmem.actions.installing.plan import Step
from gitmem.assistants.assistant import Assistant, Target
from gitmem.assistants.claude_code import settings as claude_settings
from gitmem.errors import NoPermission
from gitmem.git.repository import Repository
from gitmem.store.install_manifest import InstalledFile
from gitmem.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Plan:
    assistants: list[Assistant]
    """Those that are configured; none in a bare repository."""
    by_hand: list[Assistant]
    """Those that are here, and that the user has to tell."""
    steps: list[Step]
    asked_about: list[str]
    """Tools of ours that one of them asks about before it runs them."""
    has_files: bool
    """Whether files of the work tree are part of it."""
    rules_in: str
    """The file with the rules by which it would not."""


def planned(
    workspace: Workspace,
    named: Sequence[str] = (),
    *,
    is_local: bool | None = None,
    scope: Scope | None = None,
    allows_tools: bool = False,
    ocm: str = "ocm",
) -> Plan:
    """The plan for the work tree of the workspace; nothing is written.

    `is_local` keeps all of it out of files that git tracks; None does as it was done
    the last time, and so does a `scope` of None. `allows_tools` has our tools run
    without a question; where that is so, it stays. `ocm` is the command that runs us,
    for advice. Raises InvalidInput for an assistant that we cannot configure.
    """
    common_dir, root = workspace.repository.common_dir, workspace.root.resolve()
    noted = noted_files(common_dir)
    if is_local is None:
        is_local = any(file.local for file in noted if file.root == str(root))
    notes = notes_of(noted)
    site = _Site(root, workspace.repository, notes, is_local, allows_tools, ocm)
    assistants = present(workspace, named)
    if site.repository.work_tree is None:
        assistants = []
    is_wide = _is_wide(workspace, scope)
    has_files = not is_wide or any(file.root == str(root) for file in noted)
    user: list[Step] = []
    if is_wide:
        is_for_all = scope is Scope.ALL
        user = everywhere.planned(
            workspace, assistants, is_for_all=is_for_all, allows_tools=allows_tools
        )
    files = list(_steps(site, assistants)) if has_files else []
    _keep_folders(site.notes, noted)
    hooks = git_hooks.planned(workspace)
    settings = _settings(workspace, is_wide=is_wide)
    return Plan(
        assistants=assistants,
        by_hand=others(workspace),
        steps=[*_own(workspace, site.notes), *user, *files, *hooks],
        asked_about=[] if allows_tools else _asked_about(assistants, settings),
        has_files=has_files,
        rules_in=str(settings[0]) if is_wide else claude_settings.LOCAL,
    )


def _is_wide(workspace: Workspace, scope: Scope | None) -> bool:
    """Whether the user's own settings shall serve the repository."""
    if workspace.repository.work_tree is None:
        return False
    if scope is None:
        return everywhere.is_active(workspace)
    return scope is not Scope.WORK_TREE


def _own(workspace: Workspace, notes: Notes) -> list[Step]:
    common_dir = workspace.repository.common_dir
    excluded = managed_files.excluded(common_dir, notes)
    return [
        managed_files.registered(workspace),
        managed_files.noted(common_dir, notes),
        managed_files.launcher_there(common_dir),
        excluded,
    ]


def _asked_about(assistants: list[Assistant], settings: Sequence[Path]) -> list[str]:
    targets = (target for each in assistants for target in each.targets)
    if not any(target.allow for target in targets):
        return []
    return claude_settings.asked_about(map(claude_settings.read_json, settings))


def _settings(workspace: Workspace, *, is_wide: bool) -> tuple[Path, ...]:
    """Those of Claude Code that count, the user's first; in any folder, it alone."""
    home, variables = workspace.environment.user_home, workspace.environment.variables
    files = claude_settings.paths(workspace.root, home, variables)
    return files[:1] if is_wide else files


@dataclass(frozen=True, slots=True)
class _Site:
    root: Path
    repository: Repository
    notes: Notes
    is_local: bool
    allows_tools: bool
    ocm: str


_BARE = Step(
    what="assistants are told of the memory by files in a work tree",
    why_not="this repository is bare: run `ocm init` in a work tree of it",
)


def _steps(site: _Site, assistants: list[Assistant]) -> Iterator[Step]:
    """The steps for all files of the assistants."""
    if site.repository.work_tree is None:
        yield _BARE
        return
    for target in (target for each in assistants for target in each.targets):
        path = _path(site, target)
        for other in {target.path, target.local} - {path, ""}:
            yield from _beside(site, target, other)
        yield from _placed(site, target, path)


def _path(site: _Site, target: Target) -> str:
    """The file to use; where a team has ours in the shared one, that is it."""
    if not (site.is_local and target.local):
        return target.path
    shared = _found(site, target.path)
    is_of_the_team = shared and shared.has_ours and not shared.noted
    return target.path if is_of_the_team else target.local


def _beside(site: _Site, target: Target, path: str) -> Iterator[Step]:
    """The other file of a target, which may have the rules for tools alone."""
    rules = _rules(site, target, path)
    if not (target.allow and rules):
        yield from _abandoned(site, path)
        return
    what = target.what_allowed.format(path=path)
    if site.repository.tracks(path):
        yield Step(what=what, why_not=f"git tracks {path}")
    else:
        yield _added(site, path, what, with_rules(None, rules))


def _rules(site: _Site, target: Target, path: str) -> tuple[str, ...]:
    """Those for this file that the user agrees to, or agreed to before."""
    if not target.allow or path != target.local:
        return ()
    if site.allows_tools:
        return target.allow
    there = claude_settings.rules(claude_settings.read_json(site.root / path), "allow")
    return tuple(rule for rule in target.allow if rule in there)


def _abandoned(site: _Site, path: str) -> Iterator[Step]:
    """What was put into this file the last time goes from there."""
    place = _found(site, path)
    if place and place.noted:
        what = f"{path} has nothing of ours any more"
        yield guarded(path, what, lambda: taken_out(place, what, site.notes))


def _placed(site: _Site, target: Target, path: str) -> Iterator[Step]:
    place = _found(site, path)
    if site.is_local and place and site.repository.tracks(place.path):
        yield from _abandoned(site, path)
        yield _left_alone(site, target, place)
    else:
        entries = entries_of(target.content)
        if rules := _rules(site, target, path):
            entries = with_rules(entries, rules)
        yield _added(site, path, target.what.format(path=path), entries)


def _added(site: _Site, path: str, what: str, entries: Entries) -> Step:
    return guarded(
        path,
        what,
        lambda: added(
            find(site.root, path, site.notes),
            what,
            entries,
            site.notes,
            is_local=site.is_local,
        ),
    )


def _left_alone(site: _Site, target: Target, place: Place) -> Step:
    """A file that git tracks may have ours by way of others; by us it does not."""
    what = target.what.format(path=place.path)
    advice = target.by_hand.format(ocm=site.ocm)
    skipped = Step(what=what, why_not=f"git tracks {place.path}", advice=advice)
    if place.noted or not place.has_ours:
        return skipped
    text = (place.file.content or b"").decode("utf-8", "replace")
    is_there = entries_of(target.content).are_in
    return guarded(
        place.path, what, lambda: Step(what=what) if is_there(text) else skipped
    )


def _keep_folders(notes: Notes, before: list[InstalledFile]) -> None:
    """Folders that were made for a file go with the last one that is in them."""
    made = {(file.root, folder) for file in before for folder in file.folders}
    for key, note in notes.items():
        ours = made | {(note.root, folder) for folder in note.folders}
        above = [folder.as_posix() for folder in PurePosixPath(note.path).parents]
        folders = tuple(each for each in above if (note.root, each) in ours)
        notes[key] = replace(note, folders=folders)


def _found(site: _Site, path: str) -> Place | None:
    """None where it is not to be touched."""
    try:
        return find(site.root, path, site.notes)
    except NoPermission:
        return None
