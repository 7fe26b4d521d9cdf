"""What git shows of the memory, made harmless on its way to the terminal.

`ocm log` is git's own output, and whoever can write to the memory writes messages and
names into it. Git puts this program before the pager; of the control characters only
those remain that colour, as git's own do.

    python -m gitmem.cli.care.sieve < what git says
"""

import shlex
import signal
import sys

from gitmem.resources import running
from gitmem.text.control_characters import UNSEEN
from gitmem.text.patterns import pattern

_COLOUR_OR_UNSEEN = pattern(rf"(?P<colour>\x1b\[(?:[\d;]{{0,40}}m|K))|{UNSEEN.pattern}")


def before(pager: str) -> str:
    """The command line of a pager that is given what passes the sieve."""
    return f"{shlex.join(running(__spec__.name))} | {pager}"


def sifted(text: str) -> str:
    return _COLOUR_OR_UNSEEN.sub(
        lambda found: found["colour"] or "\N{REPLACEMENT CHARACTER}", text
    )


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the pager's to understand
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the user has seen enough
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(sifted(line.decode("utf-8", "replace")).encode())


if __name__ == "__main__":
    main()
