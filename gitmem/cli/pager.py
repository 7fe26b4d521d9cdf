"""Showing what is longer than the terminal, in the pager that git would use."""

import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.cli import git, output

_DEFAULTS = {"LESS": "FRX", "LV": "-c"}
"""What git tells the pagers it knows, where the user has told them nothing."""


def page(text: str, folder: Path, variables: Mapping[str, str]) -> None:
    """Show `text`, through the pager of the repository at `folder` if it is long."""
    if sys.stdout.isatty() and text.count("\n") >= output.console().height:
        environment = git.unattached(variables)
        _run(git.pager(folder, environment), text, _DEFAULTS | environment)
    else:
        output.say_rendered(text)


def _run(command: str, text: str, variables: Mapping[str, str]) -> None:
    # A command line that the user wrote for a shell, and no clone brings along.
    pager = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, env=variables)  # noqa: S602
    with suppress(KeyboardInterrupt, BrokenPipeError):  # the user has seen enough
        pager.communicate(text.encode("utf-8", "replace"))
    while pager.returncode is None:
        with suppress(KeyboardInterrupt):  # it is the pager's to understand
            pager.wait()
