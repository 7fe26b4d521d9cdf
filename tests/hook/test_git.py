"""Commits as people make them, with git's hooks installed, and what sessions list then.

Everything is real: git, its hooks, the launcher, and the processes that it starts and
does not wait for.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from select import select
from typing import Any

import pytest
from hook import calls
from support.events import event, note, now
from support.harness import CLIENT, git, make_repository
from support.rounds import few
from support.workspaces import workspace_at

from gitmem.actions.installing.git_hooks import planned
from gitmem.actions.installing.plan import carry_out
from gitmem.actions.saving.commits import record_commits
from gitmem.documents.event import Edit, Event, Prompt, Start
from gitmem.documents.session.session import Session
from gitmem.hook.git import run
from gitmem.workspace import Workspace

CHECKOUT = Path(__file__).parents[2]
PATIENCE = 30.0  # seconds, for a machine that is busy
INTERPRETER = """#!/bin/sh
echo "$*" >>"$0.begun"
shift  # what would hide the checkout from Python
PYTHONPATH='{checkout}' '{python}' "$@" 2>>"$0.said"
"""


@dataclass(frozen=True)
class Desk:
    """A work tree in which somebody commits."""

    root: Path
    common_dir: Path
    at_work: list[int] = field(default_factory=list)
    """Pipes that are closed when nobody who was started holds the other end."""

    @property
    def workspace(self) -> Workspace:
        return workspace_at(self.root)

    @property
    def interpreter(self) -> Path:
        """What the launcher starts; it notes with what, and what came of it."""
        return self.common_dir.parent.parent / "interpreter"

    @property
    def head(self) -> str:
        return git(self.root, "rev-parse", "HEAD")

    def see(self, kind: type[Event], client: str = CLIENT, **values: Any) -> None:
        here = {"at": now(), "root": str(self.root)}
        note(self.common_dir.parent, event(kind, client=client, **{**here, **values}))

    def begin(self, *edits: str, client: str = CLIENT) -> None:
        self.see(Start, client)
        for path in edits:
            self.see(Edit, client, path=path)

    def write(self, *paths: str, text: str = "x\n") -> None:
        for path in paths:
            (self.root / path).write_text(text)
        git(self.root, "add", *paths)

    def git(self, *arguments: str, below: str = ".", **variables: str) -> None:
        """Run git, which shall say nothing."""
        done = self.run("git", *arguments, cwd=self.root / below, **variables)
        assert (done.stdout, done.stderr) == (b"", b"")

    def run(
        self, *command: str, cwd: Path, **variables: str
    ) -> subprocess.CompletedProcess[bytes]:
        ours, theirs = os.pipe()
        self.at_work.append(ours)
        try:
            return subprocess.run(
                command,
                cwd=cwd,
                env={**os.environ, **variables},
                capture_output=True,
                check=True,
                pass_fds=[theirs],
            )
        finally:
            os.close(theirs)

    def commit(self, subject: str, *more: str, **variables: str) -> None:
        self.git("commit", "--quiet", f"--message={subject}", *more, **variables)

    def settle(self) -> None:
        """Wait until all that was started is done, and be sure nobody complained."""
        while self.at_work:
            pipe = self.at_work.pop()
            assert select([pipe], [], [], PATIENCE)[0], "it does not come to an end"
            os.close(pipe)
        said = Path(f"{self.interpreter}.said")
        assert not said.exists() or said.read_text() == ""
        assert not (self.common_dir / "ocm" / "log").exists()
        assert not list((self.common_dir / "ocm").glob("told-*"))

    @property
    def begun(self) -> list[str]:
        """With what the interpreter was started."""
        begun = Path(f"{self.interpreter}.begun")
        return begun.read_text().splitlines() if begun.exists() else []

    def session(self, client: str = CLIENT) -> Session:
        sessions = self.workspace.current_sessions().newest()
        [found] = [each for each in sessions if each.client_session_id == client]
        return found

    def subjects(self, client: str = CLIENT) -> list[str]:
        """Of the commits that the session lists, by the names it has for them."""
        commits = self.session(client).commits
        for each in commits:
            shown = git(self.root, "log", "-1", "--format=%s", each.sha)
            assert shown == each.subject
        return [each.subject for each in commits]


def install(desk: Desk) -> None:
    text = INTERPRETER.format(checkout=CHECKOUT, python=sys.executable)
    desk.interpreter.write_text(text)
    desk.interpreter.chmod(0o755)
    calls.install(desk.root, str(desk.interpreter))
    assert list(carry_out(planned(desk.workspace)))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    root = make_repository(tmp_path / "repository")
    made = Desk(root, root / ".git")
    install(made)
    return made


def traces(desk: Desk) -> dict[str, bytes]:
    """All that is ours in a repository."""
    folders = (desk.common_dir / "ocm", desk.common_dir / "ocm-index")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    refs = git(desk.root, "for-each-ref", "refs/ocm").encode()
    return {str(path): path.read_bytes() for path in files} | {"refs": refs}


def test_commits_of_all_kinds_come_into_the_session(desk: Desk) -> None:
    desk.begin("a.py", "b.py")
    (desk.root / "below").mkdir()
    desk.write("a.py", "b.py")
    desk.commit("partial", "a.py")
    desk.git("commit", "--quiet", "--message=from below", below="below")
    (desk.root / "a.py").write_text("changed\n")
    desk.commit("all", "--all")
    desk.settle()
    assert sorted(desk.subjects()) == ["all", "from below", "partial"]
    assert {file.path for file in desk.session().files} >= {"a.py", "b.py"}
    assert desk.session().git_sha_end == desk.head


def test_who_wrote_the_commit_did_not_write_the_memory(desk: Desk) -> None:
    desk.begin("a.py")
    desk.write("a.py")
    desk.commit("hers", "--author=Grace <grace@example.com>")
    desk.settle()
    assert desk.subjects() == ["hers"]
    assert git(desk.root, "log", "--format=%ae", "refs/ocm/sessions") == (
        "ada@example.com"
    )


@pytest.mark.endurance
def test_git_may_be_told_where_everything_is(desk: Desk, tmp_path: Path) -> None:
    desk.begin("a.py")
    desk.write("a.py")
    where = [f"--git-dir={desk.common_dir}", f"--work-tree={desk.root}"]
    commit = ["commit", "--quiet", "--message=from afar"]
    desk.git(*where, *commit, below="..")
    desk.settle()
    away = tmp_path / "away"
    away.mkdir()
    where[1] = f"--work-tree={away}"
    (away / "a.py").write_text("elsewhere\n")
    desk.git(*where, *commit, "--all", below="..")
    desk.settle()
    assert desk.subjects() == ["from afar"]
    assert len(desk.session().commits) == 1


@pytest.mark.endurance
def test_amended_at_once_only_the_last_commit_is_listed(desk: Desk) -> None:
    desk.see(Start)
    desk.see(Prompt, text="Do it")
    desk.see(Edit, path="a.py")
    desk.write("a.py")
    desk.commit("one")
    for number in range(2):
        desk.commit(f"amended {number}", "--amend")
    desk.settle()
    assert desk.subjects() == ["amended 1"]
    assert desk.session().git_sha_end == desk.head


def test_a_rebase_is_followed(desk: Desk) -> None:
    desk.begin("a", "b", "c")
    for name in "abc":
        desk.write(name)
        desk.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", name)
        assert record_commits(desk.workspace, desk.head)
    assert desk.subjects() == ["a", "b", "c"]
    edit = {"GIT_SEQUENCE_EDITOR": "sed -i -e '1{h;d};2G'", "GIT_EDITOR": "true"}
    desk.git("rebase", "--quiet", "--interactive", "HEAD~3", **edit)
    desk.settle()
    assert git(desk.root, "log", "--format=%s", "-3").split() == ["c", "a", "b"]
    assert sorted(desk.subjects()) == ["a", "b", "c"]
    names = git(desk.root, "log", "--format=%h", "--abbrev=12", "-3").split()
    assert {each.sha for each in desk.session().commits} == set(names)
    assert desk.session().git_sha_end == desk.head


def test_without_an_assistant_everything_stays_as_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = traces(desk)
    desk.commit("before there was any", "--allow-empty")
    desk.commit("amended", "--amend", "--allow-empty")
    desk.settle()
    assert (traces(desk), desk.begun) == (before, [])
    desk.begin("a.py")
    before = traces(desk)
    desk.write("by-hand.txt")
    monkeypatch.chdir(desk.root)
    git(desk.root, "config", "core.hooksPath", "/dev/null")
    desk.commit("by hand")
    old = desk.head
    run(["post-commit", old], BytesIO())
    desk.commit("by hand, better", "--amend")
    run(["post-rewrite", "amend"], BytesIO(f"{old} {desk.head}\n".encode()))
    assert traces(desk) == before


@pytest.mark.parametrize("gone", ["interpreter", "launcher", "mode", "ocm"])
def test_what_is_removed_is_not_missed(desk: Desk, gone: str) -> None:
    desk.begin("a.py")
    launcher = desk.common_dir / "ocm" / "run"
    if gone == "interpreter":
        desk.interpreter.unlink()
    elif gone == "launcher":
        launcher.unlink()
    elif gone == "mode":
        launcher.chmod(0o644)
    else:
        shutil.rmtree(launcher.parent)
    desk.write("a.py")
    desk.commit("one")
    desk.commit("two", "--amend")
    for pipe in desk.at_work:
        assert select([pipe], [], [], PATIENCE)[0]
    assert desk.begun == []


def test_git_says_what_it_says_without_hooks(desk: Desk, tmp_path: Path) -> None:
    bare = make_repository(tmp_path / "without")
    desk.interpreter.write_text("#!/bin/sh\necho noise; echo noise >&2; exit 1\n")
    desk.begin("a.py")
    when = "2026-02-23T12:00:00Z"
    dates = {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
    said = []
    for folder in (bare, desk.root):
        (folder / "a.py").write_text("x\n")
        for command in ("add .", "commit -m one", "commit --amend -m two"):
            done = desk.run("git", *command.split(), cwd=folder, **dates)
            said.append((done.stdout.split()[2:], done.stderr))
    assert said[:3] == said[3:]
    desk.settle()


@pytest.mark.endurance
def test_the_commit_is_named_while_it_is_the_newest(desk: Desk) -> None:
    desk.begin()
    desks = [desk]
    for name in ("linked", "detached"):
        path = desk.root.parent / name
        git(desk.root, "worktree", "add", "--quiet", str(path))
        desks.append(Desk(path, desk.common_dir, desk.at_work))
    git(desks[2].root, "switch", "--quiet", "--detach")
    for each in desks:
        each.commit("one", "--allow-empty")
    desk.settle()
    told = sorted(line.split()[5] for line in desk.begun)
    assert told == sorted(each.head for each in desks)


@pytest.mark.endurance
def test_many_commits_in_quick_succession_start_one_process(desk: Desk) -> None:
    script = desk.interpreter.read_text().replace("shift", "sleep 1\nshift")
    desk.interpreter.write_text(script)  # as on a machine that is busy
    desk.begin("a.py")
    for number in range(20):
        desk.write("a.py", text=f"{number}\n")
        desk.commit(f"{number}")
    desk.settle()
    assert len(desk.begun) == 1
    assert desk.subjects() == [str(number) for number in range(20)]


@pytest.mark.endurance
@few(1, "left", [b"", b"4194305\n", b"no number"])
def test_what_a_crash_left_behind_is_no_obstacle(desk: Desk, left: bytes) -> None:
    (desk.common_dir / "ocm" / "told-.git").write_bytes(left)
    desk.begin("a.py")
    desk.write("a.py")
    desk.commit("one")
    desk.settle()
    assert desk.subjects() == ["one"]


def test_nonsense_on_stdin_changes_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.begin("a.py")
    before = traces(desk)
    monkeypatch.chdir(desk.root)
    for text in (b"", b"\xff\xfe\n\n", b"HEAD main\n", b"a" * 40, b"x" * 6_000_000):
        run(["post-rewrite", "rebase"], BytesIO(text))
    for arguments in (["post-commit", "HEAD~3; true"], ["post-commit", "0" * 40]):
        run(arguments, BytesIO())
    run(["pre-push"], BytesIO())
    run([], BytesIO())
    assert traces(desk) == before
