"""What goes on in a repository beside its writers, again and again."""

import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from crash.warm import Warm
from support.harness import git

GOES_ON = Callable[[], None]

HOUSEKEEPING = (
    ("gc", "--auto", "--quiet"),
    ("repack", "-adq"),
    ("pack-refs", "--all", "--prune"),
    ("maintenance", "run", "--quiet"),
    ("maintenance", "run", "--quiet", "--task=loose-objects"),
    ("maintenance", "run", "--quiet", "--task=incremental-repack"),
)
PRUNING = (("gc", "--quiet", "--prune=now"),)


@dataclass
class Housekeeping:
    """Git's commands, one after the other; some fail where they meet each other."""

    folder: Path
    commands: tuple[tuple[str, ...], ...]
    done: Counter[str] = field(default_factory=Counter)
    said: set[str] = field(default_factory=set)
    """By those that failed."""

    def __call__(self) -> None:
        for command in self.commands:
            run = ["git", "-C", str(self.folder), *command]
            ended = subprocess.run(run, check=False, capture_output=True, text=True)
            self.done[" ".join(command)] += ended.returncode == 0
            if ended.returncode:
                self.said.add(f"{command[0]}: {ended.stderr.strip()[:200]}")


@dataclass
class User:
    """Commits, pushes them, and rebases a branch; every command has to succeed."""

    folder: Path
    number: int = 0

    def __call__(self) -> None:
        self.number += 1
        self._commit("work")
        self._does("push", "--quiet", "origin", "main")
        self._does("switch", "--quiet", "--create", "topic", "HEAD~1")
        self._commit("topic")
        self._does("rebase", "--quiet", "main", again=("rebase", "--continue"))
        self._does("switch", "--quiet", "main")
        self._does("merge", "--quiet", "--ff-only", "topic")
        self._does("branch", "--quiet", "--delete", "topic")

    def _commit(self, name: str) -> None:
        (self.folder / f"{name}-{self.number}").write_text(f"{self.number}\n")
        self._does("add", "--all")
        self._does("commit", "--quiet", f"--message={name} {self.number}")

    def _does(self, *command: str, again: tuple[str, ...] = ()) -> None:
        """Once more where git removed a folder of objects before itself."""
        try:
            git(self.folder, *command)
        except subprocess.CalledProcessError as error:
            if "unable to create temporary file" not in error.stderr:
                raise
            self._does(*(again or command), again=again)

    def require_untouched(self) -> None:
        """All that was committed is there, in its order, and nothing else."""
        assert git(self.folder, "status", "--porcelain") == ""
        told = git(self.folder, "log", "--format=%s").splitlines()
        rounds = range(self.number, 0, -1)
        made = [f"{name} {each}" for each in rounds for name in ("topic", "work")]
        assert told == [*made, "commit 0"]
        assert git(self.folder, "branch", "--format=%(refname:short)") == "main"
        assert git(self.folder, "rev-parse", "main^") == git(
            self.folder, "rev-parse", "origin/main"
        )


@dataclass
class Assistant:
    """Commands of ours, each of which has to succeed."""

    folder: Path
    warm: Warm
    commands: tuple[tuple[str, ...], ...]
    said: list[str] = field(default_factory=list)

    def __call__(self) -> None:
        text = f"Said by command {len(self.said)}."
        for command in (("checkpoint", "--goal", text), *self.commands):
            ended = self.warm.ocm(self.folder, *command)
            assert ended.status == 0, (command, ended)
        self.said.append(text)


@contextmanager
def going_on(*loops: GOES_ON) -> Iterator[None]:
    """Each again and again until the end, which is told of the first that failed."""
    is_over, failures = Event(), []

    def go_on(loop: GOES_ON) -> None:
        try:
            while not is_over.is_set():
                loop()
        except (AssertionError, OSError, subprocess.SubprocessError) as error:
            error.add_note(str(getattr(error, "stderr", "")))
            failures.append(error)

    threads = [Thread(target=go_on, args=(loop,)) for loop in loops]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]
