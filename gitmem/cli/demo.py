"""`ocm demo`: two assistants share a memory in a throwaway repository."""

import shlex
import subprocess
import sys
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp

from gitmem.cli import output
from gitmem.cli.options import flag
from gitmem.cli.output import GOOD, ID, PATH
from gitmem.config import current_environment
from gitmem.errors import Unavailable

_STORY = """\
# Claude Code works on a bug, and saves as it goes
ocm checkpoint --slug double-charge --goal 'Charge no customer twice on a timeout.'\
 --todo 'Make retries safe' --todo 'Show a pending payment as pending'
edit shop/retry.py: charge(order, idempotency_key=order.id)
git commit --quiet -am 'retry: send an idempotency key'
ocm checkpoint --done 'Made retries safe' --todo 'Show a pending payment as pending'\
 --decision '**Idempotency key over a lock:** the provider keeps it, not we.'\
 --note 'Sandbox login: <private>demo / correct horse</private>'
ocm remember 'Every call of the provider carries an idempotency key.'\
 --kind constraint --file shop/retry.py

# Later Codex begins a conversation, and is told what is left
ocm brief

# It asks why the code is as it is
ocm search why do retries send an idempotency key
ocm why shop/retry.py:2

# Before it edits a file, it is told what holds there
ocm recall --file shop/retry.py
edit shop/retry.py: show_as_pending(order)
git commit --quiet -am 'retry: show a pending payment as pending'
ocm checkpoint --session double-charge --done 'Showed a pending payment as pending'\
 --todo '' --status closed

# What is kept: a document that people and assistants read, and a commit for each save
ocm show double-charge
git log --oneline refs/ocm/sessions"""
"""Scenes, each a headline and what is shown and done."""
_ASSISTANTS = {"Claude Code": "CLAUDE_CODE_SESSION_ID", "Codex": "CODEX_SESSION_ID"}
"""The variable by which each tells its children which conversation it is."""
_PREPARATION = """\
git init --quiet --template= --initial-branch=main
git config user.name Demo
git config user.email demo@example.com
git config commit.gpgSign false
git config core.hooksPath /dev/null
edit shop/retry.py: def retry(order):
git add shop
git commit --quiet -m 'retry: begin'"""


def demo(
    keep: bool = flag("--keep", "Leave the repository there, to look around."),
) -> None:
    """Show in a throwaway repository how memory is shared.

    The commands are printed and run. Assistants do the same over MCP.
    """
    if which("git") is None:
        raise Unavailable("The demo needs git.", hint="Install git, then try again.")
    folder = Path(mkdtemp(prefix="ocm-demo-")).resolve()
    try:
        _play(folder)
        output.say()
    finally:
        if not keep:
            rmtree(folder, ignore_errors=True)
    if keep:
        output.say_whole("The repository is in ", (str(folder), PATH))
    else:
        output.say("The repository is gone again; `ocm demo --keep` leaves it there.")
    output.say("To begin in your own repository: ", ("ocm init", ID))


def _play(folder: Path) -> None:
    environment = current_environment().variables.items()
    variables = {k: v for k, v in environment if k not in _ASSISTANTS.values()}
    variables |= {"OCM_HOME": str(folder / ".git" / "ocm-home"), "GIT_PAGER": "cat"}
    for line in _PREPARATION.splitlines():
        _do(line, folder, variables)
    for scene in _STORY.split("\n\n"):
        headline, *lines = scene.splitlines()
        output.say(("\n● ", GOOD), (headline.removeprefix("# "), "bold"))
        variables |= {v: "demo" for k, v in _ASSISTANTS.items() if k in headline}
        for line in lines:
            output.say(("\n$ ", GOOD), line, hang=4)
            sys.stdout.flush()
            _do(line, folder, variables)


def _do(line: str, folder: Path, variables: dict[str, str]) -> None:
    program, *arguments = shlex.split(line)
    if program == "edit":
        path, _, text = line.removeprefix("edit ").partition(": ")
        (folder / path).parent.mkdir(exist_ok=True)
        with (folder / path).open("a") as file:
            file.write(f"{text}\n")
        return
    command = [sys.executable, "-m", "gitmem"] if program == "ocm" else [program]
    subprocess.run([*command, *arguments], cwd=folder, env=variables, check=True)
