"""What `ocm init` asks on a terminal: for whom, and what it is to replace."""

from functools import partial

import typer
from click import Choice

from gitmem.actions.installing.install import Plan
from gitmem.cli.care.plan_summary import say_summary
from gitmem.cli.output import note
from gitmem.git.files import make_folder, replace_file
from gitmem.text.control_characters import harmless
from gitmem.workspace import Workspace


def agreed(
    make: partial[Plan], workspace: Workspace, *, is_open: bool
) -> partial[Plan]:
    """Return what makes the plan that the user agrees to. Raises typer.Abort."""
    if not is_open:
        typer.confirm("Go ahead?", default=True, abort=True, err=True)
        return make
    question = "For [y]ou here, for the [t]eam, for you [e]verywhere, or [n]ot at all?"
    letters = Choice(["y", "t", "e", "n"], case_sensitive=False)
    letter = typer.prompt(
        question, default="y", type=letters, show_choices=False, err=True
    )
    if letter == "n":
        raise typer.Abort
    if letter == "t":
        make = partial(make, is_local=False)
    if letter == "e":
        make = partial(make, is_user=True)
    if letter != "y":
        say_summary(make(), workspace, is_new=False)
    return make


def agrees_once(workspace: Workspace, about: str, question: str) -> bool:
    """Ask, unless the user said no before; note a no."""
    declined = workspace.own_dir / f"declined-{about}"
    if declined.exists() or _agrees(question):
        return not declined.exists()
    make_folder(declined.parent)
    replace_file(declined, b"")
    note("You are not asked this again.")
    return False


def _agrees(question: str) -> bool:
    return typer.confirm(harmless(question), default=True, err=True)
