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
 --todo 'Make a retry safe' --todo 'Run against the sandbox'
git commit --quiet --allow-empty -m 'payments: retry with an idempotency key'
ocm checkpoint --done 'Made every retry safe'\
 --todo 'Run against the sandbox'\
 --decision '**Idempotency key over a lock:** the provider keeps it, not we.'
ocm checkpoint --done 'Ran 1,000 timeouts in the sandbox'\
 --note 'Sandbox login: <private>demo / correct horse</private>' --status closed

# Codex knows nothing of it, and asks
ocm search why do retries send an idempotency key
ocm checkpoint --slug pending-payments --goal 'Show a pending payment as pending.'\
 --todo 'Poll by idempotency key'

# What the hit leads to: a document that people and assistants read
ocm show double-charge

# Every checkpoint is a commit
git log --oneline refs/ocm/sessions"""
"""Scenes, each a headline and the commands that are shown and run."""
_ASSISTANTS = {"Claude Code": "CLAUDE_CODE_SESSION_ID", "Codex": "CODEX_SESSION_ID"}
"""The variable by which each tells its children which conversation it is."""
_PREPARATION = """\
git init --quiet --template= --initial-branch=main
git config user.name Demo
git config user.email demo@example.com
git config commit.gpgSign false
git config core.hooksPath /dev/null"""


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
    finally:
        if not keep:
            rmtree(folder, ignore_errors=True)
    if keep:
        output.say_whole("The repository is in ", (str(folder), PATH))
    else:
        output.say("The repository is gone again; `ocm demo --keep` leaves it there.")
    output.say("To begin in your own repository: ", ("ocm init", ID))


def _play(folder: Path) -> None:
    given = current_environment().variables.items()
    variables = {k: v for k, v in given if k not in _ASSISTANTS.values()}
    variables |= {"OCM_HOME": str(folder / ".git" / "ocm-home"), "GIT_PAGER": "cat"}
    for line in _PREPARATION.splitlines():
        _run(line, folder, variables)
    for scene in _STORY.split("\n\n"):
        headline, *lines = scene.splitlines()
        output.say(("\n● ", GOOD), (headline.removeprefix("# "), "bold"), "\n")
        at_work = {v: "demo" for k, v in _ASSISTANTS.items() if k in headline}
        for line in lines:
            output.say_whole(("$ ", GOOD), line)
            sys.stdout.flush()
            _run(line, folder, variables | at_work)


def _run(line: str, folder: Path, variables: dict[str, str]) -> None:
    program, *arguments = shlex.split(line)
    command = [sys.executable, "-m", "gitmem"] if program == "ocm" else [program]
    subprocess.run([*command, *arguments], cwd=folder, env=variables, check=True)
