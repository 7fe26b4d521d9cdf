"""Checkpoints one after the other, as a server has them saved for its assistants.

    python -m crash.saving FIRST COUNT

Each is saved in the repository around the working directory, three in a session, and a
line with its number is written once it is acknowledged.
"""

import json
import os
import sys
from pathlib import Path

from support.workspaces import saved_session, workspace_at

from gitmem.actions.saving.conversation import Caller
from gitmem.cli.main import run


def main() -> None:
    first, count = map(int, sys.argv[1:])
    workspace = workspace_at(Path.cwd())
    for number in range(first, first + count):
        caller = Caller("cursor", own_conversation=f"conversation-{number // 3}")
        saved_session(workspace, caller, goal=goal_of(number), decisions=[said(number)])
        os.write(1, f"{number}\n".encode())


def goal_of(number: int) -> str:
    return f"Goal {number // 3}"


def said(number: int) -> str:
    return f"Decision {number:06}."


def run_commands() -> None:
    """Command lines from standard input, one after the other, each as JSON.

    Written is a line with the number of each that succeeded, and nothing else.
    """
    acknowledged, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    for number, line in enumerate(sys.stdin.read().splitlines()):
        if run(json.loads(line)) == 0:
            os.write(acknowledged, f"{number}\n".encode())
