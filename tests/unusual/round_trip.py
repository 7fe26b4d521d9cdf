"""What somebody does in a repository, from `ocm init` to `ocm uninstall`.

Everything is real: git, its hooks, the launcher, and the processes that it starts.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from select import select

from cli.running import Ran
from hook.calls import SESSION, Call, claude, commands_for, edit, run_command
from support.installing import tree
from support.workspaces import workspace_at
from unusual.kinds import Kind, Odd

from gitmem.documents.session.session import Session

GOAL = "Stop the double charge"
SUBJECT = "Take the money once"
REF = "refs/ocm/sessions"
PATIENCE = 30.0  # seconds, for a machine that is busy
LOCAL = ("init", "--yes", "--local", "--assistant", "claude")

Ocm = Callable[..., Ran]
"""Runs a command line in the repository, with the variables that are set there."""


@dataclass(frozen=True, slots=True)
class Life:
    odd: Odd
    remote: Path
    """Where the memory is shared; there is nothing yet."""
    ocm: Ocm
    begin: Callable[[], None] | None = None
    """What a process does before it runs git."""

    @property
    def root(self) -> Path:
        return self.odd.root

    def live(self) -> None:
        """From the beginning to the end; the user's own stays as it was all along."""
        others = tree(*self.odd.untouched)
        self._come_and_go()
        with self._nothing_changes():
            self._done(*LOCAL)
        is_begun = self.work() if self.odd.commits else False
        with self._nothing_changes():
            session_id = self._remember(is_begun=is_begun)
            self._recall(session_id)
        if self.odd.is_whole:
            self._travel()
        with self._nothing_changes():
            self._done("uninstall")
        if self.odd.is_whole:
            self.git("fsck", "--strict")
        assert tree(*self.odd.untouched) == others

    def work(self) -> bool:
        """A conversation edits a file and commits it; whether our hooks saw that."""
        file = self.root / self.odd.file
        self._hear(claude("SessionStart-startup", self.root))
        file.write_text("once\n")
        self._hear(edit(self.root, str(file), type="create"))
        self.git("add", "--", f":(literal){self.odd.file}")
        self.commit(SUBJECT)
        if self.odd.is_heard:
            session = self.session()
            assert [commit.subject for commit in session.commits] == [SUBJECT]
            assert {file.path for file in session.files} == {self._written_name}
            assert session.git_sha_end == self.git("rev-parse", "HEAD")
        return self.odd.is_heard

    def commit(self, subject: str, *how: str) -> None:
        """In the assistant's shell, until all that git's hooks started is done."""
        ours, theirs = os.pipe()
        command = ["git", "-C", str(self.root), "commit", "-q", "-m", subject, *how]
        done = subprocess.run(
            command,
            env={**os.environ, "CLAUDE_CODE_SESSION_ID": SESSION},
            capture_output=True,
            pass_fds=[theirs],
            preexec_fn=self.begin,
            check=False,
        )
        os.close(theirs)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert select([ours], [], [], PATIENCE)[0], "it does not come to an end"
        os.close(ours)

    def git(self, *arguments: str) -> str:
        """What git says; a path may have any bytes."""
        command = ["git", "-C", str(self.root), *arguments]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == 0, (arguments, done.stderr)
        return os.fsdecode(done.stdout.removesuffix(b"\n"))

    @property
    def _written_name(self) -> str:
        """Of the file, as a document has it."""
        return os.fsencode(self.odd.file).decode("utf-8", "replace")

    def session(self) -> Session:
        [found] = workspace_at(self.root).current_sessions().newest()
        return found

    def _done(self, *arguments: str, stdin: bytes = b"") -> Ran:
        ran = self.ocm(*arguments, stdin=stdin)
        assert ran.status == 0, (arguments, ran.out, ran.err)
        return ran

    @contextmanager
    def _nothing_changes(self) -> Iterator[None]:
        """Of what is the user's."""
        before = self._state()
        yield
        assert self._state() == before

    def _state(self) -> list[tuple[int, bytes]]:
        questions = [
            ("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"),
            ("for-each-ref", "--exclude=refs/ocm/*"),
            ("ls-files", "--stage", "-t", "-z"),
            ("stash", "list"),
            ("reflog", "show", "HEAD"),
        ]
        return [self._answer(*question) for question in questions]

    def _answer(self, *question: str) -> tuple[int, bytes]:
        command = ["git", "-C", str(self.root), "--no-optional-locks", *question]
        done = subprocess.run(command, capture_output=True, check=False)
        lines = done.stdout.splitlines(keepends=True)
        own = [line for line in lines if b"refs/ocm/" not in line]
        return done.returncode, b"".join(own)

    def _come_and_go(self) -> None:
        """With what is shared by way of files in the work tree."""
        before, files = self._state(), _files(self.root)
        self._done("init", "--yes", "--assistant", "claude")
        self._done("uninstall")
        assert (self._state(), _files(self.root)) == (before, files)

    def _hear(self, call: Call) -> None:
        """As Claude Code tells its hooks."""
        for command in commands_for(call):
            done = run_command(command, call, self.root)
            assert (done.returncode, done.stderr) == (0, b"")

    def _remember(self, *, is_begun: bool) -> str:
        """In two checkpoints, between which git packs all refs."""
        given = {"goal": GOAL, "work_completed": ["Found the second call"]}
        which = ("--session", self.session().id) if is_begun else ()
        stdin = json.dumps(given).encode()
        if which:
            saved = self._done("checkpoint", *which, "--goal", GOAL, "--json")
        else:
            saved = self._done("checkpoint", "--input", "-", "--json", stdin=stdin)
        session_id: str = saved.json["session_id"]
        self.git("pack-refs", "--all")
        self._done("checkpoint", "--session", session_id, "--done", "It is done")
        return session_id

    def _recall(self, session_id: str) -> None:
        [listed] = self._done("list", "--json").json
        assert (listed["session_id"], listed["goal"]) == (session_id, GOAL)
        [hit] = self._done("search", "double charge", "--json").json
        assert hit["session_id"] == session_id
        assert "It is done" in Path(hit["markdown_path"]).read_text("utf-8")
        if self.odd.commits and self.odd.is_heard:
            told = self._done("why", self.odd.file, "--json").json
            assert [each["session_id"] for each in told["sessions"]] == [session_id]
            assert self._done("why", "HEAD", "--json").json["commit"]
        self._done("brief")
        assert self.ocm("doctor").status == (0 if self.odd.is_healthy else 1)

    def _travel(self) -> None:
        """To a remote, and nothing but the memory."""
        kind = self.git("rev-parse", "--show-object-format")
        subprocess.run(
            [
                "git",
                "init",
                "-q",
                "--bare",
                f"--object-format={kind}",
                str(self.remote),
            ],
            check=True,
        )
        self.git("remote", "add", "memory", str(self.remote))
        self.git("config", "ocm.remote", "memory")
        with self._nothing_changes():
            assert self._done("sync").out == "Sent 1 session.\n"
            assert self._done("sync").out == "Nothing is new.\n"
        there = ["git", "-C", str(self.remote), "for-each-ref", "--format=%(refname)"]
        refs = subprocess.run(there, capture_output=True, text=True, check=True)
        assert REF in refs.stdout.split()
        assert all(ref.startswith("refs/ocm/") for ref in refs.stdout.split())


def _files(root: Path) -> dict[Path, object]:
    """What is in the work tree."""
    return {
        path: content
        for path, content in tree(root).items()
        if ".git" not in path.parts
    }


Begin = Callable[[Kind], Life]
