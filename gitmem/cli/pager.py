"""The pager between a long text and its reader, as git chooses it.

`ocm log` is git's own output, and whoever can write to the memory writes messages and
names into it. Git is told to put this module in front of the pager: of the control
characters only colours pass, which are git's own.

    python -m gitmem.cli.pager < OUTPUT_OF_GIT
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
"""Git's settings for the pagers it knows, where the user has none."""


def page(text: str, folder: Path, variables: Mapping[str, str]) -> None:
    """Show `text`, through the pager of the repository at `folder` if it is long."""
    if not (sys.stdout.isatty() and text.count("\n") >= get_terminal_size().lines):
        sys.stdout.write(text)
        return
    # A command line that the user wrote for a shell, and no clone brings along.
    command, into = _pager(folder, variables), subprocess.PIPE
    environment = {**_DEFAULTS, **variables}
    process = subprocess.Popen(command, shell=True, stdin=into, env=environment)  # noqa: S602
    with suppress(KeyboardInterrupt, BrokenPipeError):  # the user has seen enough
        process.communicate(text.encode("utf-8", "replace"))
    while process.returncode is None:
        with suppress(KeyboardInterrupt):  # the pager reacts to it
            process.wait()


def safe_pager(folder: Path, variables: Mapping[str, str]) -> str:
    """Return the command line of a pager behind a filter that lets colours pass."""
    return f"{shlex.join(module_command(__spec__.name))} | {_pager(folder, variables)}"


def without_repository(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without the variables that name a repository.

    Git exports such variables to its hooks, and a git that is told another repository
    by its arguments would still follow some of them.
    """
    names = _output(["rev-parse", "--local-env-vars"], variables).split()
    return {name: value for name, value in variables.items() if name not in names}


def only_colours(text: str) -> str:
    """Return a text of git without control characters, but for colours."""
    return _COLOUR_OR_UNSEEN.sub(lambda match: match["colour"] or _UNSHOWN, text)


def _pager(folder: Path, variables: Mapping[str, str]) -> str:
    """Return the pager's command line, from the user's settings as git reads them."""
    return _output(["-C", str(folder), "var", "GIT_PAGER"], variables).strip() or "cat"


def _output(arguments: list[str], variables: Mapping[str, str]) -> str:
    command = ["git", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, env=variables, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(
            "git cannot be run.", hint="Install git, or add it to the PATH."
        ) from error
    return done.stdout.decode("utf-8", "replace")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pager reacts to it
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the user has seen enough
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "replace")
        sys.stdout.buffer.write(only_colours(text).encode())


if __name__ == "__main__":
    main()
