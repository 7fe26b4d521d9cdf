"""Writers side by side, each as fast as it can.

    python -m crash.writing COUNT FOLDER...

One process in each folder saves so many checkpoints. A line tells each as soon as it is
acknowledged and its writer has done with it: its text, and the milliseconds it took.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from support.harness import record
from support.workspaces import workspace_at

from gitmem.errors import Busy

_OF_ONE = 20
"""Checkpoints of one conversation."""


def main() -> None:
    count, folders = int(sys.argv[1]), sys.argv[2:]
    for number, folder in enumerate(folders):
        if not os.fork():
            write(f"writer-{number}", Path(folder), count)
            os._exit(0)
    ended = [os.wait()[1] for _ in folders]
    sys.exit(max(ended) > 0)


def write(writer: str, folder: Path, count: int) -> None:
    """Saved by somebody else where we do not come to it: that is promised, too."""
    store = workspace_at(folder).store
    for number in range(count):
        said, began = f"Decision {number} of {writer}.", time.perf_counter()
        client = f"{writer}-{number // _OF_ONE}"
        store.append(record(client, goal=client, decisions=(said,)))
        with suppress(Busy):
            store.replay()
        took = 1000 * (time.perf_counter() - began)
        os.write(1, f"{said}\t{took:.1f}\n".encode())


if __name__ == "__main__":
    main()
