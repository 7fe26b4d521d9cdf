"""`ocm init`: make this repository known, and say what is left to do."""

import json
import shlex
import sys
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, GOOD, PATH, say, say_json, say_whole
from gitmem.resources import resource

if TYPE_CHECKING:
    from gitmem.actions.init import Step

SERVER = "opencodememory"


def init(as_json: Json = False) -> None:
    """Make this repository known to gitmem.

    It may be run again at any time: what is done already stays as it is. Nothing that
    git tracks is changed.
    """
    from gitmem.actions import init as action
    from gitmem.workspace import current_environment, open_workspace

    workspace = open_workspace(current_environment())
    steps = action.init(workspace)
    command = [str(_own_path()), "serve"]
    rules, hooks = resource("rules/opencodememory.md"), resource("hooks")
    if as_json:
        say_json(
            {
                "project": workspace.project,
                "root": str(workspace.root),
                "steps": [{"what": step.what, "done": step.done} for step in steps],
                "server": command,
                "rules": str(rules),
                "hooks": str(hooks),
            }
        )
        return
    for step in steps:
        _say_step(step)
    _say_what_next(command)
    _say_what_helps(rules, hooks)


def _say_step(step: "Step") -> None:
    if step.done:
        say(("done     ", GOOD), step.what)
    else:
        say(("already  ", FAINT), step.what)


def _say_what_next(command: list[str]) -> None:
    entry = {"command": command[0], "args": command[1:]}
    servers = json.dumps({"mcpServers": {SERVER: entry}}, indent=2)
    say("\nNow tell your assistants where the memory is. Claude Code:\n")
    say_whole("  ", (f"claude mcp add {SERVER} -- {shlex.join(command)}", PATH))
    say("\nOthers, in their list of MCP servers such as .cursor/mcp.json:\n")
    say_whole((indent(servers, "  "), PATH))


def _say_what_helps(rules: Path, hooks: Path) -> None:
    say("\nWhen to save is told to them by the server. To insist, copy into CLAUDE.md,")
    say("AGENTS.md or .cursor/rules what stands in\n")
    say_whole("  ", (str(rules), PATH))
    say("\nHooks that tell a session's beginning and end to gitmem are in\n")
    say_whole("  ", (str(hooks), PATH))
    say("\nThe sessions that are saved are shown by `ocm list`.")


def _own_path() -> Path:
    """The `ocm` that runs: assistants rarely have the PATH of the user's shell."""
    started = Path(sys.argv[0]).absolute()
    beside = started.with_name("ocm")
    return beside if beside.exists() else started
