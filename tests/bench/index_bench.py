"""Measures the index of a large memory: what building it takes, and what it costs then.

    python tests/bench/index_bench.py FOLDER [--sizes 10000 100000]

Makes a repository of each size in FOLDER, with conversations, where there is none yet,
and builds its index anew by the process that a search starts. 100,000 sessions take a
gigabyte, as much for the index, and most of an hour.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import histories, made
from bench.data import NOW
from bench.measures import milliseconds, spread, table
from bench.travelling import OCM, cost
from support.harness import make_repository
from support.workspaces import workspace_at

from gitmem.indexing import caught_up_index
from gitmem.search.queries.query import parse
from gitmem.workspace import Workspace

ROUNDS = 20
LATER = count(1_000_000, 1000)
"""Numbers of sessions that are newer than all others."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    arguments = parser.parse_args()
    os.environ["OCM_HOME"] = str(arguments.folder / "home")
    table(
        "The index of sessions with conversations",
        [
            "sessions",
            "built, s",
            "sessions a second",
            "MB on disk",
            "MB in memory: builder",
            "`ocm search`",
            "warm search (ms, p50 / p99)",
            "caught up with 1 (ms, median, most)",
            "with 100",
        ],
        (_row(arguments.folder / str(size), size) for size in arguments.sizes),
    )


def _row(folder: Path, size: int) -> list[str]:
    if not folder.exists():
        histories.extend_with_said(make_repository(folder), histories.kept(0, size))
    workspace = workspace_at(folder)
    shutil.rmtree(workspace.index_folder, ignore_errors=True)
    common_dir = str(workspace.repository.common_dir)
    built = cost([sys.executable, "-m", "gitmem.hook", "index", common_dir], folder)
    files = workspace.index_folder.iterdir()
    on_disk = sum(file.stat().st_size for file in files) / 1e6
    return [
        *(f"{size:,}", f"{built.seconds:.0f}", f"{size / built.seconds:.0f}"),
        *(f"{on_disk:.0f}", f"{built.peak}"),
        f"{cost([*OCM, 'search', 'wave file'], folder).peak}",
        spread(_searches(workspace)),
        *(_most(_catches_up(workspace, number)) for number in (1, 100)),
    ]


def _searches(workspace: Workspace) -> Iterator[float]:
    index = workspace.open_index()
    for one in made.sessions(200):
        query = parse(one.work_summary[0], now=NOW, tools={})
        yield milliseconds(partial(index.search, query, limit=5))


def _catches_up(workspace: Workspace, number: int) -> Iterator[float]:
    for first, _ in zip(LATER, range(ROUNDS), strict=False):
        added = histories.kept(first, number, "codex")
        histories.extend_with_said(workspace.root, added)
        yield milliseconds(partial(caught_up_index, workspace))


def _most(times: Iterator[float]) -> str:
    taken = [*times]
    return f"{median(taken):.0f}, {max(taken):.0f}"


if __name__ == "__main__":
    main()
