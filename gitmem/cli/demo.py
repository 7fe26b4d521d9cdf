"""`ocm demo`: the whole of gitmem in a throwaway repository, in a few seconds."""

import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp
from typing import Any

import anyio

from gitmem.actions.reading.documents import read_document
from gitmem.cli import output
from gitmem.cli.options import flag
from gitmem.cli.output import FAINT, GOOD, ID, PATH
from gitmem.cli.reading.drawing import drawn
from gitmem.config import current_environment
from gitmem.errors import Unavailable
from gitmem.server.demo import Call, Scene, Work, play
from gitmem.workspace import open_other

_LABEL = 16


def demo(
    keep: bool = flag("--keep", "Leave the repository there, to look around."),
) -> None:
    """Show in a throwaway repository how memory is shared.

    It starts the real server for each of them, and talks to it as they do.
    """
    if which("git") is None:
        raise Unavailable("The demo needs git.", hint="Install git, then try again.")
    folder = Path(mkdtemp(prefix="ocm-demo-")).resolve()
    try:
        _play(folder)
    finally:
        if not keep:
            rmtree(folder, ignore_errors=True)
    if keep:
        output.say_whole("It is all in ", (str(folder), PATH))
    else:
        output.say("The repository is gone again; `ocm demo --keep` leaves it there.")
    output.say("In a repository of yours, begin with ", ("ocm init", ID))


def _play(folder: Path) -> None:
    found: list[str] = []
    anyio.run(play, folder, partial(_tell, found))
    _headline("What the hit leads to: a document that people and assistants read")
    _show_document(folder, found[0])
    _headline("Every checkpoint is a commit: git log --oneline refs/ocm/sessions")
    _show_log(folder)
    output.say("")


def _tell(found: list[str], scene: Scene) -> None:
    """Print one scene; the ids of hits are remembered for later."""
    match scene:
        case str():
            _headline(scene)
        case Work():
            _tell_work(scene)
        case Call(tool="ocm__search_sessions"):
            _tell_call(scene)
            for hit in scene.result["result"]:
                _tell_hit(hit)
                found.append(hit["session_id"])
        case Call():
            _tell_call(scene)
            output.say("  saved ", (scene.result["session_id"], ID))
            output.say("")


def _headline(text: str) -> None:
    output.say("")
    output.say(("● ", GOOD), (text, "bold"))
    output.say("")


def _tell_work(work: Work) -> None:
    output.say(("  edits   ", FAINT), ", ".join(work.files))
    output.say(("  commits ", FAINT), work.commit)
    output.say("")


def _tell_call(call: Call) -> None:
    output.say("  ", (call.tool, "bold"))
    for name, value in call.arguments.items():
        label = name
        for line in _lines(value):
            output.say_cut((f"    {label:{_LABEL}}", FAINT), line)
            label = ""


def _lines(value: Any) -> list[str]:
    if isinstance(value, list):
        return [line for item in value for line in _lines(item)] or ["(none left)"]
    if isinstance(value, Mapping):
        return [", ".join(map(str, value.values()))]
    return [str(value)]


def _tell_hit(hit: Mapping[str, Any]) -> None:
    match = f"  {hit['match']} match"
    output.say(f"  {hit['rank']}  ", (hit["session_id"], ID), (match, GOOD))
    output.say_cut("     ", hit["goal"])
    output.say("     ", (", ".join(hit["top_files"]), FAINT), hang=5)
    output.say_whole("     ", (hit["markdown_path"], PATH))
    output.say("")


def _show_document(folder: Path, session_id: str) -> None:
    workspace = open_other(current_environment(), folder)
    document = read_document(workspace, session_id)
    if output.is_terminal():
        sys.stdout.write(drawn(document, workspace.now()))
    else:
        output.say_raw(document.text)


def _show_log(folder: Path) -> None:
    colour = "always" if output.is_terminal() else "never"
    command = ["git", "-C", str(folder), "--no-pager", "log", f"--color={colour}"]
    sys.stdout.flush()
    subprocess.run([*command, "--oneline", "refs/ocm/sessions"], check=True)
