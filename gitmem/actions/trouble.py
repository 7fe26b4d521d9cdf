"""The log: what went wrong through a fault of ours, for whoever looks into it."""

import os
import traceback
from pathlib import Path

from gitmem.config import Environment
from gitmem.model.redaction import redact
from gitmem.workspace import open_workspace

LOG_LIMIT = 100_000  # bytes; a log that has grown past it starts anew


def log_trouble(environment: Environment, error: BaseException) -> Path | None:
    """Add the traceback of `error`, redacted, to the log of the repository.

    Gives the log's path; None where there is no repository, or no writing to it.
    """
    try:
        workspace = open_workspace(environment)
        log = workspace.repository.common_dir / "ocm" / "log"
        stamp = workspace.now().isoformat()
        _append(log, redact(f"{stamp} {''.join(traceback.format_exception(error))}"))
    except Exception:  # noqa: BLE001 - the same defect may be met here again
        return None
    return log


def _append(log: Path, text: str) -> None:
    log.parent.mkdir(mode=0o700, exist_ok=True)
    is_full = log.exists() and log.stat().st_size > LOG_LIMIT
    how = os.O_TRUNC if is_full else os.O_APPEND
    file = os.open(log, os.O_WRONLY | os.O_CREAT | how, 0o600)
    with os.fdopen(file, "w", encoding="utf-8", errors="replace") as stream:
        stream.write(text)
