"""`ocm log`: the history of the memory, by git itself."""

import os
from typing import Annotated

import typer

from gitmem.cli.care import sieve
from gitmem.cli.git import pager, unattached
from gitmem.errors import NotFound, Unavailable

Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="GIT-LOG-ARGS",
        help="Whatever `git log` takes, such as --oneline, -p or --since=monday.",
        show_default=False,
    ),
]


def log(arguments: Arguments = None) -> None:
    """Show the history of the memory with `git log`.

    One commit is one checkpoint. For example: ocm log --oneline -n 5
    """
    from gitmem.store.trees.session_tree import REF
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    if workspace.current_sessions().commit is None:
        raise NotFound("There are no sessions yet, so there is no history.")
    where = ["-C", str(workspace.root)]
    if workspace.environment.git_dir:  # else git itself judges what it finds there
        where = [f"--git-dir={workspace.repository.git_dir}"]
    # On a terminal always through a pager, as the sieve stands before that.
    command = ["git", *where, "--paginate", "log", REF, *(arguments or [])]
    environment = unattached(workspace.environment.variables)
    environment["GIT_PAGER"] = sieve.before(pager(workspace.root, environment))
    try:
        os.execvpe("git", command, environment)  # noqa: S606 - the user's git
    except OSError as error:
        raise Unavailable("The git command does not run.") from error
