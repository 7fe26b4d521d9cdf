"""A bare remote with a memory, clones of it, and what processes in them cost."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench import histories
from support.harness import git, make_repository, record

from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import Signature
from gitmem.redaction.redact import redact
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.session_tree import REF

TRACKING = "refs/ocm/remotes/origin/sessions"
BESIDE = "refs/heads/beside"
"""A branch with the same history, for git alone."""
OCM = [sys.executable, "-P", "-m", "gitmem"]


@dataclass(frozen=True, slots=True)
class Cost:
    seconds: float
    peak: int
    """Megabytes that the largest of its processes had in memory."""


def make_remote(place: Path, size: int) -> Path:
    """A bare repository with some code, and a memory of so many sessions, packed."""
    code = make_repository(place / "code", commits=20)
    remote = place / "remote.git"
    git(place, "clone", "--quiet", "--bare", str(code), str(remote))
    git(remote, "config", "http.receivepack", "true")
    if size:
        histories.extend(remote, histories.sessions(0, size))
        git(remote, "gc", "--quiet")
        git(remote, "update-ref", BESIDE, REF)
    return remote


def make_clone(remote: Path, folder: Path, url: str) -> Path:
    """A clone that shares its memory with the remote, and is where that is."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "remote", "add", "origin", str(remote))
    git(folder, "fetch", "--quiet", "origin", f"+{REF}:{TRACKING}")
    git(folder, "fetch", "--quiet", "origin")
    git(folder, "update-ref", REF, TRACKING)
    git(folder, "update-ref", BESIDE, BESIDE.replace("heads", "remotes/origin"))
    git(folder, "config", "ocm.remote", "origin")
    git(folder, "remote", "set-url", "origin", url)
    return folder


def save_session(folder: Path, client: str) -> None:
    """A new session, committed, that the remote does not have."""
    store = SessionStore(open_repository(folder))
    at = datetime.now(UTC).replace(microsecond=0)
    store.append(
        record(client, at=at, goal=f"Goal of {client}", work_summary=(client,))
    )
    store.replay()


def commit_beside(folder: Path, name: str) -> None:
    """A commit of one new file on the branch that is git's alone."""
    repository = open_repository(folder)
    before = repository.resolve_ref(BESIDE)
    assert before
    tree = repository.tree_of(before)
    tree = repository.write_tree(tree, {f"sessions/2030/{name}.md": redact(name)})
    by = Signature("Bench", "bench@example.com", datetime.now(UTC))
    commit = repository.create_commit(tree, [before], redact(name), by)
    assert repository.update_ref(BESIDE, before, commit, "bench")


def cost(command: Sequence[str], folder: Path) -> Cost:
    """Run it to its end; raises when it fails."""
    measured = subprocess.check_output(
        [sys.executable, "-I", "-c", _MEASURED, *command],
        cwd=folder,
        stderr=subprocess.DEVNULL,
    )
    seconds, peak = measured.split()
    return Cost(float(seconds), int(peak) // 1024)


_MEASURED = """
import resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(time.perf_counter() - began)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A process begins with the memory of the one that starts it: here a small one."""
