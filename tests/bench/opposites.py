"""Measures how many opposites are taken for the same statement.

    python tests/bench/opposites.py [--verbose]

Each pair of `opposites.jsonl` is remembered in a repository of its own, one after the
other. They are taken for the same where the second makes no memory of its own, where
both are proposed to be merged, or where `ocm memories --duplicates` joins them. Other
pairs say the same in another form, and should be taken for it.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measures import table
from support.harness import make_repository
from support.workspaces import workspace_at

from gitmem.actions.remembering import clean_up
from gitmem.actions.remembering.keeping import Action, SavedMemory
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.memory.memory import Relate
from gitmem.workspace import Workspace

PAIRS = Path(__file__).with_suffix(".jsonl")
WAYS = ("remembered", "proposed to merge", "joined as duplicates")


def ways_joined(pair: dict[str, Any]) -> list[str]:
    """Return the ways in which both are taken for the same."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        workspace = workspace_at(make_repository(Path(scratch, "project")))
        _, kept = [_remembered(workspace, pair[name]) for name in ("one", "other")]
        joined = [
            kept.action is not Action.CREATED,
            any(each.proposal is Relate.MERGE for each in kept.similar),
            any(
                each.proposal in (Relate.MERGE, Relate.SUPPORT)
                for each in clean_up.duplicates(workspace)
            ),
        ]
    return [way for way, is_joined in zip(WAYS, joined, strict=True) if is_joined]


def _remembered(workspace: Workspace, text: str) -> SavedMemory:
    given = {"text": text, "kind": "convention"}
    statement = parse_statement(given, workspace.now())
    return remember(workspace, statement, "person:Bench")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="controls, too")
    is_verbose = parser.parse_args().verbose
    pairs = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    with ProcessPoolExecutor() as pool:
        joined = [*pool.map(ways_joined, pairs)]
    results = [*zip(pairs, joined, strict=True)]
    for pair, ways in results:
        if ways and not pair["same"]:
            print(f"{pair['turn']}: {pair['one']} | {pair['other']}: {ways}")
        elif is_verbose and pair["same"] and not ways:
            print(f"other form, {pair['turn']}: {pair['one']} | {pair['other']}")
    rows = [_row(name, results, is_same) for name, is_same in _GROUPS.items()]
    table("Taken for the same", ["", "pairs", "taken for the same", *WAYS], rows)


_GROUPS = {"opposites": False, "other forms": True}


def _row(
    name: str, results: Sequence[tuple[dict[str, Any], list[str]]], is_same: bool
) -> list[object]:
    ways = [joined for pair, joined in results if pair["same"] is is_same]
    by_way = (sum(way in joined for joined in ways) for way in WAYS)
    return [name, len(ways), sum(map(bool, ways)), *by_way]


if __name__ == "__main__":
    main()
