"""What the processes of the tests do; in a module that they can import."""

import os
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from search.builders import changed, found, learn, session

from gitmem.documents.changes import Changes
from gitmem.search import folder as index_folder
from gitmem.search.index import Index


def write_and_search(folder: Path, failures: Connection, first: int) -> None:
    """Catch up with ten tips in turn, as a process that comes and goes would.

    However busy the machine is: one that has waited for too long would leave the index
    where it is, which is right and not what is tried here.
    """
    index_folder.LOCK_WAIT = 120.0
    try:
        for n in range(first, first + 10):
            index = Index.open(folder / "index", folder / "lock")
            learn(index, f"tip {n}", [session(f"s{n}", goal=f"quokka w{n}")])
            assert found(index, f"w{n}") == [f"s{n}"]
    except BaseException as error:  # noqa: BLE001 - the parent asserts on it
        failures.send(repr(error))


def write_for_ever(folder: Path) -> None:
    index = Index.open(folder / "index", folder / "lock")
    for n in range(1_000_000):
        tip = f"{os.getpid()} {n}"
        if n % 4 == 0:
            rows = [session(f"s{k}", goal=f"quokka {tip}") for k in range(30)]
            anew = Changes(None, tip, 30, [*map(changed, rows)])
            index.catch_up(tip, partial(_given, anew))
        else:
            learn(index, tip, [session("s0", goal=f"quokka {tip}")])


def _given(anew: Changes, _: str | None) -> Changes:
    return anew
