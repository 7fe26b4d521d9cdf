"""Plays conversations with all real clients, and checks what was remembered of them.

    python tests/clients/real_clients.py CLIENTS [--only CLIENT...] [--scenario NAME...]

Each client is CLIENTS/<client>/node_modules/.bin/<client>. The model is a script on
127.0.0.1. Each scenario has a new home and a new project; `ocm` is the one beside the
Python that runs this. It prints a table, and what is not as it should be.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from clients.client import CLIENTS, Client
from clients.elsewhere import ELSEWHERE, LEAVING
from clients.play import Played, played
from clients.remembering import ALONE, found
from clients.stage import stage

_SCENARIOS = {**ALONE, **ELSEWHERE}
NAMES = [*_SCENARIOS, "found"]
Programs = Mapping[Client, Path]


def main() -> None:
    known = {client.name: client for client in CLIENTS}
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("clients", type=Path, help="the folder with all of them")
    parser.add_argument("--only", nargs="+", choices=known, default=[*known])
    parser.add_argument("--scenario", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--jobs", type=int, default=2, help="scenarios at once")
    chosen = parser.parse_args()

    folder = chosen.clients.absolute()
    programs = {
        known[name]: folder / name / "node_modules/.bin" / name for name in chosen.only
    }
    scenarios = [name for name in NAMES if name in chosen.scenario]
    rows: dict[str, list[Played]] = {name: [] for name in chosen.only}
    for client, scenario, each in _outcomes(programs, scenarios, chosen.jobs):
        print(f"{client.name} {each.version} {scenario}:{each}", flush=True)
        rows[client.name].append(each)
    print(_table(scenarios, rows))
    sys.exit(1 if any(each.missed for row in rows.values() for each in row) else 0)


def _outcomes(
    programs: Programs, scenarios: Sequence[str], jobs: int
) -> Iterator[tuple[Client, str, Played]]:
    runs = list(product(programs, (name for name in scenarios if name in _SCENARIOS)))
    with ThreadPoolExecutor(jobs) as pool:
        outcomes = pool.map(lambda run: _alone(programs, *run), runs)
        for (client, name), each in zip(runs, outcomes, strict=True):
            yield client, name, each
    if "found" in scenarios:
        with stage(*next(iter(programs.items()))) as made:
            yield from found(made, programs)


def _alone(programs: Programs, client: Client, name: str) -> Played:
    if name in ELSEWHERE and client.name not in LEAVING:
        return Played("", [], "-")
    is_installed = name != "undone"  # it begins before that
    return played(_SCENARIOS[name], client, programs[client], installed=is_installed)


def _table(scenarios: Sequence[str], rows: Mapping[str, Sequence[Played]]) -> str:
    lines = [["client", *scenarios], ["---"] * (1 + len(scenarios))]
    for client, row in rows.items():
        cells = ["WRONG" if each.missed else each.noted or "ok" for each in row]
        lines.append([f"{client} {row[0].version}", *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()
