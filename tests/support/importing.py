"""An import in a process of its own, to be run beside others and to be killed.

    python tests/support/importing.py REPOSITORY BATCHES SIZE

For each line on its standard input, a number of seconds, it begins an import, kills it
after that time and prints a line; without any it imports.
"""

import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

from support.harness import NOON, record

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import Trigger
from gitmem.git.libgit2.repository import open_repository
from gitmem.store.session_store import ImportedConversation, SessionStore, prepared


def started(repository: Path, batches: int, size: int) -> "subprocess.Popen[str]":
    path = ":".join([str(Path(__file__).parents[1]), *sys.path])
    return subprocess.Popen(
        [sys.executable, __file__, str(repository), str(batches), str(size)],
        env={"PYTHONPATH": path, "HOME": os.environ["HOME"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def import_all(repository: Path, batches: int, size: int) -> None:
    store = SessionStore(open_repository(repository))
    for number in range(batches):
        begin = number * size
        store.import_conversations(
            [_numbered(each) for each in range(begin, begin + size)]
        )


def _numbered(number: int) -> ImportedConversation:
    made = record(f"{number:08x}", goal=f"{number:02}", trigger=Trigger.IMPORT)
    turns = [Turn(Speaker.PERSON, f"Do {number}.")]
    return prepared(made, NOON - timedelta(minutes=number), turns)


def main(repository: Path, batches: int, size: int) -> None:
    moments = sys.stdin.readline()
    if not moments:
        import_all(repository, batches, size)
    while moments:
        importer = os.fork()
        if not importer:
            import_all(repository, batches, size)
            os._exit(0)
        time.sleep(float(moments))
        os.kill(importer, signal.SIGKILL)
        os.waitpid(importer, 0)
        print("killed", flush=True)
        moments = sys.stdin.readline()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
