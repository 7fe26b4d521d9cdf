"""Plays conversations with the real Claude Code, and checks what was remembered.

    python tests/clients/real_claude.py CLAUDE... [--rounds N] [--only SCENARIO...]

CLAUDE is the program, in as many versions as there are to compare. The model is a
script on 127.0.0.1. Each scenario has a new home and a new project; `ocm` is the one
beside the Python that runs this. tmux is needed. It says what is not as it should be.
"""

import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from clients import elsewhere, ending, going_on, unsaved
from clients.play import Play
from clients.stage import stage

Scenario = Callable[[Play], None]

SCENARIOS: tuple[Scenario, ...] = (
    going_on.checkpoint,
    going_on.compact,
    going_on.continued,
    going_on.resume,
    going_on.fork,
    ending.sigterm,
    ending.sigkill,
    ending.two_processes,
    elsewhere.subfolder,
    elsewhere.user_form,
    unsaved.subagent,
    unsaved.remembered,
    ending.person,
    unsaved.no_permission,
    unsaved.declined,
    unsaved.to_do_list,
    unsaved.twenty_files,
)


class Played(NamedTuple):
    """What one version made of a scenario."""

    version: str
    name: str
    missed: Sequence[str]


def main() -> None:
    names = [each.__name__ for each in SCENARIOS]
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("claude", type=Path, nargs="+", help="the program")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--jobs", type=int, default=2, help="scenarios at once")
    chosen = parser.parse_args()

    wanted = [each for each in SCENARIOS if each.__name__ in chosen.only]
    rounds = range(1, chosen.rounds + 1)
    numbers, scenarios, claudes = zip(
        *product(rounds, wanted, chosen.claude), strict=True
    )
    played = missed = 0
    with ThreadPoolExecutor(chosen.jobs) as pool:
        outcomes = pool.map(_played, scenarios, claudes)
        for number, each in zip(numbers, outcomes, strict=True):
            outcome = "\n  WRONG: ".join(["", *each.missed]) or " as it should be"
            print(f"{number} {each.version} {each.name}:{outcome}", flush=True)
            played += 1
            missed += bool(each.missed)
    print(f"\n{played} played, {missed} not as they should be")
    sys.exit(1 if missed else 0)


def _played(scenario: Scenario, claude: Path) -> Played:
    claude, tools = claude.absolute(), Path(sys.executable).parent
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        stage(Path(folder), claude, tools) as made,
    ):
        play = Play(made)
        try:
            play.install()
            scenario(play)
            play.expect_clean()
        except Exception:  # noqa: BLE001 - the others are played all the same
            play.missed.append(traceback.format_exc())
        version = made.run(claude, "--version").split()[0]
        return Played(version, scenario.__name__, play.missed)


if __name__ == "__main__":
    main()
