"""`ocm-hook git HOOK`: what git's hooks start, and mostly do not wait for.

Git and assistants set variables that lead to repositories. Only GIT_DIR counts here,
and only for the work tree that git ran the hook in.
"""

import re
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from gitmem.actions.maintenance import run_maintenance
from gitmem.actions.saving.commit_trailer import commit_trailer
from gitmem.actions.saving.commits import commits_rewritten, record_commits
from gitmem.actions.sharing.auto_push import push_along
from gitmem.config import current_environment
from gitmem.errors import GitmemError
from gitmem.git.values import Oid
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace, open_workspace

_PAIRS_LIMIT = 5_000_000
"""Bytes: some 60,000 commits."""
_OID = r"(?:[0-9a-f]{40}|[0-9a-f]{64})"
_PAIR = pattern(rf"({_OID}) ({_OID})(?: .*)?")


def run(arguments: list[str], stdin: BinaryIO) -> None:
    """Handle a hook of git, if the repository has a journal or auto-push.

    `post-commit [COMMIT [FILE]]`: COMMIT was HEAD as git ran the hook; while FILE
    exists, the launcher starts no other.
    `post-rewrite KIND` reads lines `OLD NEW`, as githooks(5) says. `pre-push NAME URL`.
    `prepare-commit-msg` prints a trailer, for which git waits.
    """
    workspace = _workspace()
    if workspace is None:
        return
    match arguments:
        case ["pre-push", name, url]:
            push_along(workspace, name, url)
            return
        case _ if not workspace.store.journal.names():
            return
        case ["prepare-commit-msg"]:
            sys.stdout.write(commit_trailer(workspace))
            return
        case ["post-commit", *given]:
            commit, file = [*given, "", ""][:2]
            _take_away(workspace, file)
            is_oid = re.fullmatch(_OID, commit)
            if oid := commit if is_oid else workspace.repository.head().commit:
                record_commits(workspace, oid)
        case ["post-rewrite", _]:
            commits_rewritten(workspace, _pairs(stdin))
    run_maintenance(workspace)


def _workspace() -> Workspace | None:
    """Open the work tree in which git runs the hook: the working directory."""
    try:
        environment, folder = current_environment(), Path.cwd()
        relative_git_dir = environment.variables.get("GIT_DIR")
        git_dir = folder / relative_git_dir if relative_git_dir else None
        workspace = open_workspace(replace(environment, start=folder, git_dir=git_dir))
    except GitmemError:  # none here, or none that we can open
        return None
    work_tree = workspace.repository.work_tree
    return workspace if work_tree and work_tree.samefile(folder) else None


def _take_away(workspace: Workspace, file: str) -> None:
    """Remove the mark first, so that later commits report themselves."""
    if re.fullmatch(r"told-[^/]+", file):
        with suppress(OSError):  # a folder in its place tells nobody to wait
            (workspace.own_dir / file).unlink()


def _pairs(stdin: BinaryIO) -> dict[Oid, Oid]:
    lines = stdin.read(_PAIRS_LIMIT).decode("ascii", "replace").splitlines()
    pairs = (match.groups() for line in lines if (match := _PAIR.fullmatch(line)))
    return {old: new for old, new in pairs if old != new}
