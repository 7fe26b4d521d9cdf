"""The program, from its first moment: Ctrl-C ends it quietly while it loads as well."""

import os
import sys
from typing import NoReturn

from gitmem.resources import collect_rarely

_OPT_IN = ["serve", "--opt-in"]


def main() -> None:
    collect_rarely()
    try:
        if sys.argv[1:] in (["serve"], _OPT_IN) and not os.isatty(0):
            _serve(is_opt_in=sys.argv[1:] == _OPT_IN)
        from gitmem.cli.main import main
    except KeyboardInterrupt:
        sys.exit(130)  # as `gitmem.cli.failure` says of it
    main()


def _serve(*, is_opt_in: bool) -> NoReturn:
    """What assistants start and wait for, so the command line is left out."""
    try:
        from gitmem.server.stdio import serve

        serve(is_opt_in=is_opt_in)
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
