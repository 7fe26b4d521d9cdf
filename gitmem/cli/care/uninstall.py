"""`ocm uninstall`: every file as it was before `ocm init`."""

import typer

from gitmem.actions.installing.uninstall import (
    has_memory,
    left_to_team,
    planned,
    replay,
)
from gitmem.actions.installing.user_settings import is_active, removal
from gitmem.cli.options import DRY_RUN, VERBOSE, YES, can_ask, confirmed, flag
from gitmem.cli.output import PATH, say, say_json, say_whole
from gitmem.cli.steps import carried_out, has_failed, steps_json
from gitmem.config import current_environment
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted
from gitmem.workspace import Workspace, current_workspace


def uninstall(
    user: bool = flag(
        "--user", "Take out of your own settings what `ocm init --user` put there."
    ),
    team: bool = flag(
        "--team", "Out of files that git tracks as well, to be committed."
    ),
    purge: bool = flag("--purge", "Remove the memory as well: all sessions, for good."),
    yes: bool = YES,
    verbose: bool = VERBOSE,
    dry_run: bool = DRY_RUN,
) -> None:
    """Take out of this repository what `ocm init` put there.

    Every file is as it was before; where somebody changed one since, what is ours goes
    and the rest stays. What others committed stays, unless `--team` takes it out. The
    memory stays, unless `--purge` removes it.
    """
    if user:
        _of_user(dry_run=dry_run, is_purge=purge, is_verbose=verbose)
        return
    workspace = current_workspace()
    if purge and not (dry_run or yes):
        sessions = sum(1 for _ in workspace.current_sessions().ids())
        question = (
            f"Remove the memory of {workspace.project}, with"
            f" {counted(sessions, 'session')}, from this clone for good?"
        )
        confirmed(question, "uninstall", yes=False, dry_run=False)
    if not purge and not dry_run:
        replay(workspace)
    tracked = [] if team else left_to_team(workspace)
    if tracked and can_ask() and not (yes or dry_run):
        team = _is_for_team(tracked)
    steps = planned(workspace, is_purge=purge, is_for_team=team)
    root, title = workspace.root, f"Plan for {workspace.root}"
    results = carried_out(steps, root, title, is_dry=dry_run, is_verbose=verbose)
    answer = {"project": workspace.project, "root": str(root)}
    say_json({**answer, "steps": steps_json(results, root)})
    if tracked and not team:
        say_whole("\nGit tracks ", ", ".join(tracked), ", which stay as they are.")
        say_whole("To take gitmem out of them: ", ("ocm uninstall --team", PATH))
    if not (purge and dry_run):
        _say_what_stays(workspace)
    if has_failed(results):
        raise typer.Exit(1)


def _is_for_team(tracked: list[str]) -> bool:
    files = counted(len(tracked), "file")
    question = f"Git tracks {files} with gitmem. Take it out, for everybody?"
    return typer.confirm(question, err=True)


def _of_user(*, dry_run: bool, is_purge: bool, is_verbose: bool) -> None:
    if is_purge:
        raise InvalidInput("`--purge` is about one repository, `--user` about none.")
    environment = current_environment()
    home, steps = environment.user_home, removal(environment)
    title = f"Plan for {home}"
    results = carried_out(steps, home, title, is_dry=dry_run, is_verbose=is_verbose)
    say_json({"root": str(home), "steps": steps_json(results, home)})
    if has_failed(results):
        raise typer.Exit(1)


def _say_what_stays(workspace: Workspace) -> None:
    if is_active(workspace):
        say(
            "\nYour own settings serve all repositories, this one too. To leave it out:"
        )
        say_whole("  ", ("git config ocm.everywhere false", PATH))
    if has_memory(workspace):
        say("\nThe memory stays: `ocm list` shows its sessions.")
