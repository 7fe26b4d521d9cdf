"""The git command, for what belongs between git and its user: pager and log."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

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
