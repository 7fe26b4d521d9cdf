"""The user's commits, and sessions that list them."""

import subprocess
from pathlib import Path
from typing import Any

from support.harness import git, saved

from gitmem.git.values import Commit
from gitmem.workspace import Workspace


def committed(root: Path, path: str, content: str, subject: str = "work") -> str:
    """Commit a file with this content; gives the full name of the commit."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(content)
    git(root, "add", "--force", "--", path)
    git(root, "commit", "--quiet", f"--message={subject}")
    return git(root, "rev-parse", "HEAD")


def imported(root: Path, stream: str) -> None:
    """Many commits at once, as git-fast-import(1) takes them."""
    command = ["git", "-C", str(root), "fast-import", "--quiet", "--force"]
    subprocess.run(command, input=stream.encode(), check=True)


def remembered(workspace: Workspace, client: str, *shas: str, **values: Any) -> str:
    """The session id of one that lists the commits, as short as documents have them.

    A name of less than full length is listed as it stands.
    """
    listed = tuple(
        Commit(sha[:12] if len(sha) == 40 else sha, f"subject of {sha[:4]}")
        for sha in shas
    )
    values.setdefault("goal", f"Goal of {client}")
    return saved(workspace.store, client, commits=listed, **values).session_id
