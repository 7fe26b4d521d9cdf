"""Counts the starts of the real Claude Code whose first request offers our tools.

    python tests/clients/first_request.py CLAUDE [--starts 12]

CLAUDE is the program; `real_claude.py` says where it plays. Run it beside other work.
"""

import argparse
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from clients.client import claude
from clients.scripted_model import say
from clients.stage import Stage, stage

from gitmem.assistants.assistant import TOOLS


def has_tools(stage: Stage) -> bool:
    """Whether the first request of a new conversation that offers tools has ours."""
    before = len(stage.model.requests)
    stage.model.will(say("Hello."))
    stage.prompt("Say hello")
    asked = (each for each in stage.model.requests[before:] if each.get("tools"))
    names = [tool["name"] for tool in next(asked)["tools"]]
    return all(any(name.endswith(tool) for name in names) for tool in TOOLS)


def main() -> None:
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("claude", type=Path, help="the program")
    parser.add_argument("--starts", type=int, default=12)
    chosen = parser.parse_args()
    with stage(claude(), chosen.claude) as made:
        made.run("ocm", "init", "--yes", "--assistant", "claude-code")
        seconds, having = [], 0
        for _ in range(chosen.starts):
            began = time.perf_counter()
            having += has_tools(made)
            seconds.append(time.perf_counter() - began)
    print(f"{having} of {chosen.starts} first requests offered our tools;", end=" ")
    print(f"a start with its one answer took {median(seconds):.1f} s (median)")


if __name__ == "__main__":
    main()
