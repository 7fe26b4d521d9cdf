"""The one place where errors become words on stderr and an exit status."""

import errno
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import typer

from gitmem.cli.output import BAD, FAINT, HINT, note, note_json, one_line
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

_REFUSALS = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES),
    *(errno.EISDIR, errno.ENOTDIR, errno.ELOOP),  # something else is in the place
)
_MISTAKES = (InvalidInput, NotFound, Ambiguous, NotARepository)

# Newer Typer brings a Click of its own, and exports only the leaves of its errors.
_UsageError: Any = typer.BadParameter.__mro__[1]


def guarded(command: Callable[[], object], *, as_json: bool) -> int:
    """Run `command`; tell the user what went wrong. Gives the exit status."""
    try:
        return _run(command)
    except GitmemError as error:
        _tell(error.code, error.message, _hint(error), _causes(error), as_json)
        return error.exit_status
    except _UsageError as error:
        _tell("usage", error.format_message(), _usage_hint(error), [], as_json)
        return USAGE
    except Exception as error:  # noqa: BLE001 - the last door before a traceback
        _tell_defect(error, as_json)
        return DEFECT


def _run(command: Callable[[], object]) -> int:
    try:
        status = command()
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_output()
        return BROKEN_PIPE
    except OSError as error:
        if error.errno not in _REFUSALS:
            raise
        _abandon_output()
        where = f" {path}" if (path := error.filename2 or error.filename) else ""
        raise NoPermission(f"The system refuses{where}: {error.strerror}.") from error
    except SystemExit as leaving:
        return _status_of(leaving)
    return status if isinstance(status, int) else 0


def _abandon_output() -> None:
    """Let what is left of it go nowhere, when Python closes it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _status_of(leaving: SystemExit) -> int:
    """Typer and rich leave with 1 when nobody reads any more."""
    if isinstance(leaving.__context__, BrokenPipeError):
        return BROKEN_PIPE
    return leaving.code if isinstance(leaving.code, int) else DEFECT


def _tell(
    code: str, message: str, hint: str | None, causes: list[str], as_json: bool
) -> None:
    from gitmem.redaction.redact import redact, redact_own

    message = redact(message)  # it may repeat what was given, as all of this may
    hint = hint and redact_own(hint)  # the ids of sessions in it have to remain
    if as_json:
        error = {"code": code, "message": message, "hint": hint}
        note_json({"error": error})
        return
    note(("error:", BAD), f" {message}")
    for cause in causes:
        note(("caused by:", FAINT), f" {redact(cause)}")
    if hint:
        note(("hint:", HINT), f" {hint}")


def _hint(error: GitmemError) -> str | None:
    if isinstance(error, Ambiguous):
        return "\n  ".join(["It may be one of these:", *error.candidates])
    return error.hint


def _causes(error: BaseException) -> list[str]:
    """What led to the error, one line each, if it says more than was said already.

    Of a mistake of the user, the message says everything.
    """
    said, causes = str(error), []
    for cause in _chain(error) if not isinstance(error, _MISTAKES) else ():
        text = _words_of(cause)
        if text and text not in said:
            causes.append(text)
            said += text
    return causes


def _chain(error: BaseException) -> Iterator[BaseException]:
    while error.__cause__ is not None:
        error = error.__cause__
        yield error


def _words_of(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return one_line(str(error))


def _usage_hint(error: Any) -> str:
    path = error.ctx.command_path if error.ctx else "ocm"
    return f"`{path} --help` says what can be given."


def _tell_defect(error: Exception, as_json: bool) -> None:
    from gitmem.cli.crash import write_report

    report = write_report(error)
    message = f"This is a defect of gitmem: {type(error).__name__}."
    hint = f"What is needed to mend it is in\n  {report}"
    _tell("defect", message, hint if report else None, [], as_json)
