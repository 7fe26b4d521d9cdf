"""What belongs between git and its user: environment, pager and log."""

import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.cli import output
from gitmem.errors import Unavailable


def unattached(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment without what names a repository.

    Git exports such variables to its hooks, and a git that is told another repository
    by its arguments would still follow some of them.
    """
    names = _output(["rev-parse", "--local-env-vars"], variables).split()
    return {name: value for name, value in variables.items() if name not in names}


def pager(folder: Path, variables: Mapping[str, str]) -> str:
    """The pager's command line, from the user's settings as git reads them."""
    return _output(["-C", str(folder), "var", "GIT_PAGER"], variables).strip() or "cat"


def _output(arguments: list[str], variables: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], capture_output=True, env=variables, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(
            "The git command does not run.", hint="Install git, or see to the PATH."
        ) from error
    return done.stdout.decode("utf-8", "replace")


_DEFAULTS = {"LESS": "FRX", "LV": "-c"}
"""What git tells the pagers it knows, where the user has told them nothing."""


def page(text: str, folder: Path, variables: Mapping[str, str]) -> None:
    """Show `text`, through the pager of the repository at `folder` if it is long."""
    if sys.stdout.isatty() and text.count("\n") >= output.console().height:
        environment = unattached(variables)
        _run(pager(folder, environment), text, _DEFAULTS | environment)
    else:
        output.say_rendered(text)


def _run(command: str, text: str, variables: Mapping[str, str]) -> None:
    # A command line that the user wrote for a shell, and no clone brings along.
    into = subprocess.PIPE
    process = subprocess.Popen(command, shell=True, stdin=into, env=variables)  # noqa: S602
    with suppress(KeyboardInterrupt, BrokenPipeError):  # the user has seen enough
        process.communicate(text.encode("utf-8", "replace"))
    while process.returncode is None:
        with suppress(KeyboardInterrupt):  # it is the pager's to understand
            process.wait()
