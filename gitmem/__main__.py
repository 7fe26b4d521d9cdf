"""The program, from its first moment: Ctrl-C ends it quietly while it loads as well."""

import os
import sys
from typing import NoReturn

from gitmem.resources import collect_rarely


def main() -> None:
    collect_rarely()
    try:
        if sys.argv[1:] == ["serve"] and not os.isatty(0):
            _serve()
        from gitmem.cli.main import main
    except KeyboardInterrupt:
        sys.exit(130)  # as `gitmem.cli.failure` says of it
    main()


def _serve() -> NoReturn:
    """What assistants start and wait for, so the command line is left out."""
    try:
        from gitmem.server.main import serve

        serve()
        sys.exit()
    except Exception as error:  # noqa: BLE001 - told where all errors are
        _fail(error)


def _fail(error: Exception) -> NoReturn:
    from gitmem.cli.failure import guarded
    from gitmem.cli.output import prepare

    def fail() -> NoReturn:
        raise error

    prepare()
    sys.exit(guarded(fail))


if __name__ == "__main__":
    main()
