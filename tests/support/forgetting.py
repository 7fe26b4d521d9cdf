"""Sessions forgotten in a process of its own, to be killed at any moment.

    python tests/support/forgetting.py REPOSITORY SESSION SECONDS [--history]

It is killed after so many seconds; what was loaded before does not count.
"""

import os
import signal
import sys
import time
from pathlib import Path

from support.workspaces import workspace_at

from gitmem.actions.forgetting import forget, sessions_named
from gitmem.store.remote.remote import TransportOptions


def main(repository: Path, session: str, seconds: float, *, from_history: bool) -> None:
    forgetting = os.fork()
    if not forgetting:
        workspace = workspace_at(repository)
        found = sessions_named(workspace, [session], from_history=from_history)
        forget(workspace, found, TransportOptions(30.0) if from_history else None)
        os._exit(0)
    time.sleep(seconds)
    os.kill(forgetting, signal.SIGKILL)
    os.waitpid(forgetting, 0)


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        sys.argv[2],
        float(sys.argv[3]),
        from_history="--history" in sys.argv,
    )
