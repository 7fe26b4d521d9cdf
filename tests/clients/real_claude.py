"""Plays conversations with the real Claude Code, and checks what was remembered.

    python tests/clients/real_claude.py CLAUDE... [--rounds N] [--only SCENARIO...]

CLAUDE is the program, in as many versions as there are to compare. The model is a
script on 127.0.0.1. Each scenario has a new home and a new project; `ocm` is the one
beside the Python that runs this. tmux is needed. It says what is not as it should be.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from clients import ending, going_on, unsaved
from clients.client import claude
from clients.play import Scenario, played

SCENARIOS: tuple[Scenario, ...] = (
    going_on.checkpoint,
    going_on.compact,
    going_on.continued,
    going_on.resume,
    going_on.fork,
    ending.sigterm,
    ending.sigkill,
    ending.two_processes,
    unsaved.subagent,
    unsaved.remembered,
    ending.person,
    unsaved.no_permission,
    unsaved.declined,
    unsaved.to_do_list,
    unsaved.twenty_files,
)


def main() -> None:
    names = [each.__name__ for each in SCENARIOS]
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("claude", type=Path, nargs="+", help="the program")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--jobs", type=int, default=2, help="scenarios at once")
    chosen = parser.parse_args()

    wanted = [each for each in SCENARIOS if each.__name__ in chosen.only]
    runs = list(product(range(1, chosen.rounds + 1), wanted, chosen.claude))
    missed = 0
    with ThreadPoolExecutor(chosen.jobs) as pool:
        outcomes = pool.map(lambda run: played(run[1], claude(), run[2]), runs)
        for (number, scenario, _), each in zip(runs, outcomes, strict=True):
            print(f"{number} {each.version} {scenario.__name__}:{each}", flush=True)
            missed += bool(each.missed)
    print(f"\n{len(runs)} played, {missed} not as they should be")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
