"""What a run of the command line gives, and hands that meddle with the memory."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.workspaces import workspace_at

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import document_path
from gitmem.lookup import find_id


@dataclass(frozen=True, slots=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """The output without its colours."""
        return re.sub(r"\x1b\[[0-9;]*m", "", self.out)

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """What `--json` says of an error, which has to be all there is."""
        assert self.out == ""
        found: dict[str, Any] = json.loads(self.err)["error"]
        assert found.keys() == {"code", "message", "hint"}
        return found


Ocm = Callable[..., Ran]
"""Runs a command line in the repository; `stdin` is bytes, or somebody types."""


def checkpoint(ocm: Ocm, **arguments: object) -> str:
    """What an assistant says in JSON; gives the id of the session."""
    content = json.dumps(arguments).encode()
    ran = ocm("checkpoint", "--input", "-", "--json", stdin=content)
    return str(ran.json["session_id"])


def append_by_hand(repository: Path, session_id: str, text: str) -> None:
    """What somebody may have written into a document that was pulled."""
    path = document_path(find_id(workspace_at(repository), SESSION, session_id))
    shown = ["git", "show", f"refs/ocm/sessions:{path}"]
    document = subprocess.check_output(shown, cwd=repository, text=True)
    commit_by_hand(repository, path, f"{document}\n{text}")


def commit_by_hand(
    repository: Path, path: str, content: str, message: str = "by hand"
) -> str:
    """A commit on our ref in which the file has this content; gives its name."""
    environment = {**os.environ, "GIT_INDEX_FILE": str(repository.parent / "index")}

    def git(*arguments: str, stdin: str | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments],
            check=True,
            capture_output=True,
            encoding="utf-8",
            input=stdin,
            env=environment,
            cwd=repository,
        )
        return done.stdout.strip()

    ref = "refs/ocm/sessions"
    blob = git("hash-object", "-w", "--stdin", stdin=content)
    git("read-tree", ref)
    git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
    commit = git("commit-tree", git("write-tree"), "-p", ref, "-m", message)
    git("update-ref", ref, commit)
    return commit


def on_a_terminal(
    repository: Path, arguments: list[str], answer: str
) -> tuple[str, int]:
    """What `ocm` prints for somebody who answers, and its status."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "gitmem", *arguments],
        cwd=repository,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        os.write(ours, answer.encode())
        said = "".join(_read(ours))
        return said, process.wait()


def _read(terminal: int) -> list[str]:
    parts = []
    while select.select([terminal], [], [], 20)[0]:
        try:
            parts.append(os.read(terminal, 4096).decode())
        except OSError:  # the other end was closed
            break
    os.close(terminal)
    return parts
