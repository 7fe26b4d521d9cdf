"""What a client is told when a call fails: what is wrong, and how to go on.

An expected error carries its message and hint. Anything else is a fault of ours: the
client gets the name of the exception and the path of the log, never a traceback, and
the log has the rest, redacted.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolResult, TextContent
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gitmem.answers import without_folders
from gitmem.config import SERVED, Environment
from gitmem.errors import GitmemError
from gitmem.redaction.redact import redact, redact_own

_LENGTH = 500
_MOST_TOLD = 3
"""More wrong arguments than this are only counted."""


def refused(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


def short(text: str) -> str:
    """A message may repeat what it was given: something huge, or a secret."""
    text = redact(text)
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"


@contextmanager
def as_protocol_error(operation: str, environment: Environment) -> Iterator[None]:
    """Whatever is raised inside becomes an error of the protocol."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - a client never sees a traceback
        code = INVALID_PARAMS if isinstance(error, GitmemError) else INTERNAL_ERROR
        raise MCPError(code, explained(operation, error, environment)) from None


@contextmanager
def logged(environment: Environment) -> Iterator[None]:
    """For what nobody waits for: a fault of ours is logged, and that is all."""
    try:
        yield
    except GitmemError:
        pass  # whoever calls a tool is told
    except Exception as error:  # noqa: BLE001 - the server goes on
        log_trouble(environment, error)


def explained(operation: str, error: Exception, environment: Environment) -> str:
    """Return what is said of an error, without folders where the client may be far."""
    text = _explanation(operation, error, environment)
    return without_folders(text) if SERVED in environment.variables else text


def _explanation(operation: str, error: Exception, environment: Environment) -> str:
    cause = error.__cause__ if isinstance(error, ToolError) else error
    if isinstance(cause, GitmemError):
        message = short(cause.message)
        return f"{message}\n{redact_own(cause.hint)}" if cause.hint else message
    if isinstance(error, ToolError) and not isinstance(error, UnexpectedToolError):
        if isinstance(cause, ValidationError):
            return wrong_arguments(cause)
        return short(str(error))
    log = log_trouble(environment, cause or error)
    log_hint = f"The log has more: {log}" if log else "There was no place for a log."
    return f"{operation} failed with {type(cause or error).__name__}. {log_hint}"


def wrong_arguments(error: ValidationError) -> str:
    """What a caller is told whose arguments have wrong types, or are missing."""
    details = error.errors(include_url=False, include_context=False)
    problems = " ".join(_sentence(detail) for detail in details[:_MOST_TOLD])
    untold = len(details) - _MOST_TOLD
    return f"{problems} ({untold} more are wrong.)" if untold > 0 else problems


def _sentence(detail: ErrorDetails) -> str:
    """`status` should be 'open' or 'closed'. Never the value: it may be huge."""
    name = short(".".join(str(part) for part in detail["loc"]))
    if detail["type"] == "missing":
        return f"The argument `{name}` is missing."
    return f"`{name}` {detail['msg'].removeprefix('Input ')}."


def log_trouble(environment: Environment, error: BaseException) -> Path | None:
    """Add the traceback of `error`, redacted, to the log of the repository.

    Gives the log's path; None where there is no repository, or no writing to it.
    """
    import traceback

    from gitmem.store.error_log import append_to_log
    from gitmem.workspace import open_workspace

    with suppress(Exception):  # the same defect may be met here again
        workspace = open_workspace(environment)
        trace = "".join(traceback.format_exception(error))
        text = redact(f"{workspace.now().isoformat()} {trace}")
        return append_to_log(workspace.repository.common_dir, text)
    return None
