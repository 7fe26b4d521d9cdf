"""The program, from its first moment: Ctrl-C ends it with status 130, and no word.

A console script imports this module before it can call anything: only what Python has
loaded by then, or nearly so, stands at the top.
"""

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

INTERRUPTED = 128 + signal.SIGINT
"""The exit status, in a shell's words."""
_OPT_IN = ["serve", "--opt-in"]


def main() -> None:
    _end_quietly_when_interrupted()
    from gitmem.resources import collect_rarely

    collect_rarely()
    if sys.argv[1:] in (["serve"], _OPT_IN) and not os.isatty(0):
        _serve(is_opt_in=sys.argv[1:] == _OPT_IN)
    from gitmem.cli.main import main

    main()


def _end_quietly_when_interrupted() -> None:
    """Leave at once, for nothing is to be cleaned up while modules are loaded.

    What is interrupted later may be a destructor, or what runs at the exit: Python
    would print the exception, and go on.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as `nohup` and `&` want it
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    sys.excepthook, sys.unraisablehook = _uncaught, _unraisable


def _uncaught(kind: type, error: BaseException, trace: "TracebackType | None") -> None:
    if kind is KeyboardInterrupt:
        os._exit(INTERRUPTED)
    sys.__excepthook__(kind, error, trace)


def _unraisable(lost: "sys.UnraisableHookArgs") -> None:
    if lost.exc_type is KeyboardInterrupt:
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(lost)


def _serve(*, is_opt_in: bool) -> None:
    """What assistants start and wait for, so the command line is left out."""
    try:
        from gitmem.server.stdio import serve

        serve(is_opt_in=is_opt_in)
        sys.exit()
    except Exception as error:  # noqa: BLE001 - told where all errors are
        _fail(error)


def _fail(error: Exception) -> None:
    from gitmem.cli.failure import guarded
    from gitmem.cli.streams import prepare

    def fail() -> None:
        raise error

    prepare()
    sys.exit(guarded(fail))


if __name__ == "__main__":
    main()
