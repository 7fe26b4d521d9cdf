"""What belongs between git and its user: environment, pager, and text on its way there.

`ocm log` is git's own output, and whoever can write to the memory writes messages and
names into it. Git is told to put this module before the pager: of the control
characters only those pass that colour, as git's own do.

    python -m gitmem.cli.pager < what git says
"""

import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shutil import get_terminal_size

from gitmem.errors import Unavailable
from gitmem.resources import module_command
from gitmem.text.control_characters import UNSEEN
from gitmem.text.patterns import pattern

_COLOUR_OR_UNSEEN = pattern(rf"(?P<colour>\x1b\[(?:[\d;]{{0,40}}m|K))|{UNSEEN.pattern}")
_UNSHOWN = "\N{REPLACEMENT CHARACTER}"
_DEFAULTS = {"LESS": "FRX", "LV": "-c"}
"""What git tells the pagers it knows, where the user has told them nothing."""


def unattached(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment without what names a repository.

    Git exports such variables to its hooks, and a git that is told another repository
    by its arguments would still follow some of them.
    """
    names = _output(["rev-parse", "--local-env-vars"], variables).split()
    return {name: value for name, value in variables.items() if name not in names}


def safe_pager(folder: Path, variables: Mapping[str, str]) -> str:
    """The command line of a pager that gets no control characters but colours."""
    return f"{shlex.join(module_command(__spec__.name))} | {_pager(folder, variables)}"


def page(text: str, folder: Path, variables: Mapping[str, str]) -> None:
    """Show `text`, through the pager of the repository at `folder` if it is long."""
    if not (sys.stdout.isatty() and text.count("\n") >= get_terminal_size().lines):
        sys.stdout.write(text)
        return
    environment = unattached(variables)
    # A command line that the user wrote for a shell, and no clone brings along.
    command, into = _pager(folder, environment), subprocess.PIPE
    variables = _DEFAULTS | environment
    process = subprocess.Popen(command, shell=True, stdin=into, env=variables)  # noqa: S602
    with suppress(KeyboardInterrupt, BrokenPipeError):  # the user has seen enough
        process.communicate(text.encode("utf-8", "replace"))
    while process.returncode is None:
        with suppress(KeyboardInterrupt):  # it is the pager's to understand
            process.wait()


def _pager(folder: Path, variables: Mapping[str, str]) -> str:
    """The pager's command line, from the user's settings as git reads them."""
    return _output(["-C", str(folder), "var", "GIT_PAGER"], variables).strip() or "cat"


def _output(arguments: list[str], variables: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], capture_output=True, env=variables, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(
            "git cannot be run.", hint="Install git, or add it to the PATH."
        ) from error
    return done.stdout.decode("utf-8", "replace")


def filtered(text: str) -> str:
    return _COLOUR_OR_UNSEEN.sub(lambda match: match["colour"] or _UNSHOWN, text)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the pager's to understand
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the user has seen enough
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "replace")
        sys.stdout.buffer.write(filtered(text).encode())


if __name__ == "__main__":
    main()
