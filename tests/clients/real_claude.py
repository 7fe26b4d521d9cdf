"""Plays conversations with the real Claude Code, and checks what was remembered.

    python tests/clients/real_claude.py CLAUDE... [--rounds N] [--only SCENARIO...]

CLAUDE is the program, in as many versions as there are to compare. The model is a
script on 127.0.0.1. Each scenario has a new home and a new project; `ocm` is the one
beside the Python that runs this. tmux is needed. It says what is not as it should be,
and ends with a table of what was seen.
"""

import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby, product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from clients import elsewhere, ending, going_on, unsaved
from clients.play import Play
from clients.row import brief_row, memory_row
from clients.stage import stage

Scenario = Callable[[Play], None]

SCENARIOS: tuple[Scenario, ...] = (
    going_on.checkpoint,
    going_on.clear,
    going_on.compact,
    going_on.continued,
    going_on.resume,
    going_on.fork,
    ending.sigterm,
    ending.sigkill,
    ending.two_processes,
    elsewhere.linked_work_tree,
    elsewhere.subfolder,
    elsewhere.user_form,
    unsaved.subagent,
    ending.person,
    unsaved.no_permission,
    unsaved.declined,
    ending.small_talks,
    unsaved.three_prompts,
    unsaved.to_do_list,
    unsaved.twenty_files,
    unsaved.nothing,
    elsewhere.copilot,
)


class HookEvent(NamedTuple):
    """What one version left of a scenario."""

    order: int
    """Where the scenario stands in the table."""
    what: str
    memory: str
    brief: str
    version: str
    name: str
    missed: Sequence[str]


def main() -> None:
    names = [each.__name__ for each in SCENARIOS]
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("claude", type=Path, nargs="+", help="the program")
    parser.add_argument("--copilot", type=Path, help="GitHub's Copilot CLI")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--jobs", type=int, default=2, help="scenarios at once")
    chosen = parser.parse_args()

    left_out = () if chosen.copilot else (elsewhere.copilot,)
    able = [each for each in SCENARIOS if each not in left_out]
    wanted = [each for each in able if each.__name__ in chosen.only]
    rounds = range(1, chosen.rounds + 1)
    numbers, scenarios, claudes = zip(
        *product(rounds, wanted, chosen.claude), strict=True
    )
    seen = []
    with ThreadPoolExecutor(chosen.jobs) as pool:
        played = pool.map(partial(_played, chosen.copilot), scenarios, claudes)
        for number, each in zip(numbers, played, strict=True):
            outcome = "\n  WRONG: ".join(["", *each.missed]) or " as it should be"
            print(f"{number} {each.version} {each.name}:{outcome}", flush=True)
            seen.append(each)
    print(f"\n{_table(seen)}")
    missed = sum(bool(each.missed) for each in seen)
    print(f"\n{len(seen)} played, {missed} not as they should be")
    sys.exit(1 if missed else 0)


def _played(copilot: Path | None, scenario: Scenario, claude: Path) -> HookEvent:
    claude, tools = claude.absolute(), Path(sys.executable).parent
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        stage(Path(folder), claude, tools) as made,
    ):
        play = Play(made, copilot)
        try:
            play.install()
            scenario(play)
            play.expect_clean()
        except Exception:  # noqa: BLE001 - the others are played all the same
            play.missed.append(traceback.format_exc())
        return HookEvent(
            order=SCENARIOS.index(scenario),
            what=str(scenario.__doc__),
            memory=memory_row(play.sessions()),
            brief=brief_row(play.brief),
            version=made.run(claude, "--version").split()[0],
            name=scenario.__name__,
            missed=play.missed,
        )


def _table(seen: Iterable[HookEvent]) -> str:
    """A row for each scenario, or one for each different outcome of it."""
    rows = [
        "| what happened | the memory | the next brief | seen in |",
        "|---|---|---|---|",
    ]
    for (_, *told), some in groupby(sorted(seen), lambda each: each[:4]):
        versions = ", ".join(sorted({each.version for each in some}))
        rows.append(f"| {' | '.join([*told, versions])} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
