"""What went wrong through a fault of ours, noted for whoever looks into it."""

import traceback
from pathlib import Path

from gitmem.config import Environment
from gitmem.redaction.redact import redact
from gitmem.store.error_log import append_to_log
from gitmem.workspace import open_workspace


def log_trouble(environment: Environment, error: BaseException) -> Path | None:
    """Add the traceback of `error`, redacted, to the log of the repository.

    Gives the log's path; None where there is no repository, or no writing to it.
    """
    try:
        workspace = open_workspace(environment)
        what = "".join(traceback.format_exception(error))
        text = redact(f"{workspace.now().isoformat()} {what}")
        return append_to_log(workspace.repository.common_dir, text)
    except Exception:  # noqa: BLE001 - the same defect may be met here again
        return None
