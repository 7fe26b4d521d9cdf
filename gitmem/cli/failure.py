"""The one place where errors become words on stderr and an exit status."""

import errno
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import typer

from gitmem import __version__
from gitmem.cli.output import BAD, FAINT, is_json, note, one_line, say_error
from gitmem.cli.output import hint as say_hint
from gitmem.cli.streams import abandon, has_reader
from gitmem.errors import (
    Ambiguous,
    GitmemError,
    InvalidInput,
    NoPermission,
    NotARepository,
    NotFound,
)

USAGE, DEFECT, INTERRUPTED, BROKEN_PIPE = 2, 3, 130, 141
"""Exit statuses beside those of `gitmem.errors`; the last two are a shell's words for
Ctrl-C, and for a reader that has gone."""
_PACKAGES = ("pygit2", "tantivy", "mcp", "typer", "rich")

_DEFECTS = (None, errno.ENOENT, errno.EEXIST, errno.EBADF)
"""What the system says where we look for a file that we should have made."""
_MISTAKES = (InvalidInput, NotFound, Ambiguous, NotARepository)

# Newer Typer brings a Click of its own, and exports only the leaves of its errors.
_UsageError: Any = typer.BadParameter.__mro__[1]

_signals: list[int] = []
"""Signals that interrupted us. C code may make another exception of one, or none."""


def handle_signals() -> None:
    """Let what runs clean up at SIGINT and SIGTERM."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as `nohup` and `&` want it
            signal.signal(number, _interrupt)


def _interrupt(number: int, _: object) -> NoReturn:
    _signals.append(number)
    raise KeyboardInterrupt


def leave(status: int) -> NoReturn:
    """Exit; SIGTERM ends us as it ends git, once all is cleaned up."""
    if signal.SIGTERM in _signals:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
    sys.exit(INTERRUPTED if _signals else status)


def guarded(command: Callable[[], object], path: str = "ocm") -> int:
    """Run the command at `path`; tell the user what went wrong.

    Gives the exit status.
    """
    try:
        return _run(command)
    except GitmemError as error:
        _tell(error.code, error.message, error.hint, _cause(error))
        return error.exit_status
    except _UsageError as error:
        _tell("usage", error.format_message(), _usage_hint(error, path))
        return USAGE
    except Exception as error:  # noqa: BLE001 - the last door before a traceback
        if _signals:
            return INTERRUPTED
        _tell_defect(error)
        return DEFECT


def _run(command: Callable[[], object]) -> int:
    try:
        status = command()
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # of `ocm serve`
        return BROKEN_PIPE
    except OSError as error:
        if error.errno in _DEFECTS:
            raise
        path = error.filename2 or error.filename
        if path is None:  # it may be what is printed
            abandon(sys.stdout.fileno())
        at_path = f" {path}" if path else ""
        raise NoPermission(f"The system refuses{at_path}: {error.strerror}.") from error
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else DEFECT
    if not has_reader():
        return BROKEN_PIPE
    return status if isinstance(status, int) else 0


def _tell(code: str, message: str, hint: str | None, cause: str = "") -> None:
    from gitmem.redaction.redact import redact, redact_own

    message = redact(message)  # it may repeat what was given, as all of this may
    hint = hint and redact_own(hint)  # the ids of sessions in it have to remain
    if is_json():
        say_error({"error": {"code": code, "message": message, "hint": hint}})
        return
    note(("error:", BAD), f" {message}")
    if cause:
        note(("caused by:", FAINT), f" {redact(cause)}")
    if hint:
        say_hint(hint)


def _cause(error: GitmemError) -> str:
    """What led to the error, where its message does not say so.

    Of a mistake of the user, the message says everything.
    """
    cause = error.__cause__
    if cause is None or isinstance(error, _MISTAKES):
        return ""
    reason = cause.strerror if isinstance(cause, OSError) else None
    text = reason or one_line(str(cause))
    return "" if text in error.message else text


def _usage_hint(error: Any, path: str) -> str:
    path = error.ctx.command_path if error.ctx else path  # none without a value
    way = f"`{path} --help` shows what it takes"
    if not hasattr(error, "possibilities") or error.option_name[:2] == "--":
        return f"{way}."
    if path == "ocm search":
        return "A word to leave out goes behind --: `ocm search -- retry -upload`."
    types = {parameter.param_type_name for parameter in error.ctx.command.params}
    if "argument" in types:
        return f"{way}; a name that begins with - goes behind --."
    return f"{way}."


def _tell_defect(error: Exception) -> None:
    report = _report(error)
    message = f"This is a defect of gitmem: {type(error).__name__}."
    hint = f"What is needed to repair it is in\n  {report}"
    _tell("defect", message, hint if report else None)


def _report(error: Exception) -> Path | None:
    """Write what a developer needs, without what is the user's alone.

    A defect that is met again and again has one file, named after its place. None
    where it cannot be written.
    """
    import traceback

    from gitmem.config import current_environment
    from gitmem.git.files import replace_file
    from gitmem.redaction.redact import redact

    report = redact("\n".join([*_versions(), "", *traceback.format_exception(error)]))
    frame = traceback.extract_tb(error.__traceback__)[-1]
    name = (
        f"crash-{type(error).__name__}-{Path(frame.filename).stem}-{frame.lineno}.txt"
    )
    with suppress(Exception):  # the environment may be the defect
        folder = current_environment().home / "crashes"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(folder / name, report.encode("utf-8", "replace"))
        return folder / name
    return None


def _versions() -> Iterator[str]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    yield f"gitmem {__version__}"
    yield f"python {sys.version.split()[0]} on {platform.platform()}"
    for name in _PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is missing"
