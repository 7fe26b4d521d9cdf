"""`ocm uninstall`: every file as it was before `ocm init`."""

import typer

from gitmem.actions.installing.uninstall import has_memory, planned, replay
from gitmem.actions.installing.user_settings import is_active, removal
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import DRY_RUN, YES, flag, goes_ahead
from gitmem.cli.output import PATH, say, say_json, say_whole
from gitmem.cli.steps import carried_out, has_failed, steps_json
from gitmem.config import current_environment
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def uninstall(
    user: bool = flag(
        "--user", "Take out of your own settings what `ocm init --user` put there."
    ),
    purge: bool = flag("--purge", "Remove the memory as well: all sessions, for good."),
    yes: bool = YES,
    dry_run: bool = DRY_RUN,
) -> None:
    """Take out of this repository what `ocm init` put there.

    Every file is as it was before; where somebody changed one since, what is ours goes
    and the rest stays. The memory stays, unless `--purge` removes it.
    """
    if user:
        _of_user(dry_run=dry_run, is_purge=purge)
        return
    workspace = current_workspace()
    if purge and not (dry_run or yes):
        sessions = sum(1 for _ in workspace.current_sessions().ids())
        question = (
            f"Remove the memory of {workspace.project}, with"
            f" {counted(sessions, 'session')}, from this clone for good?"
        )
        goes_ahead(question, "uninstall", yes=False, dry_run=False)
    if not purge and not dry_run:
        replay(workspace)
    steps = planned(workspace, is_purge=purge)
    root, title = workspace.root, f"Plan for {workspace.root}"
    results = carried_out(steps, title, root, is_dry=dry_run)
    said = {"project": workspace.project, "root": str(root)}
    say_json({**said, "steps": steps_json(results, root)})
    if not (purge and dry_run):
        _say_what_stays(workspace)
    if has_failed(results):
        raise typer.Exit(1)


def _of_user(*, dry_run: bool, is_purge: bool) -> None:
    if is_purge:
        raise InvalidInput("`--purge` is about one repository, `--user` about none.")
    environment = current_environment()
    home, steps = environment.user_home, removal(environment)
    results = carried_out(steps, f"Plan for {home}", home, is_dry=dry_run)
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
