"""What is odd in one kind of repository alone."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cli.running import Ran
from support.harness import bound_by_permissions, git
from support.installing import python_with_gitmem
from support.without_locks import can_refuse_all, refuse_all_locks
from support.workspaces import saved_session, workspace_at
from unusual import kinds
from unusual.kinds import Kind
from unusual.round_trip import REF, Life

from gitmem.errors import NoPermission
from gitmem.git.opening import open_repository
from gitmem.git.plumbing.blame import blame_file
from gitmem.git.values import Change, FileChange
from gitmem.git.work_tree import differing_paths, stats_since
from gitmem.redaction.redact import redact

SOURCES = os.pathsep.join(
    [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]
)


PROGRAM = """
import sys
sys.executable = sys.argv.pop(1)
from gitmem.cli.main import main
main()
"""
"""`ocm`, as if it had been installed into the Python that is named first."""


def test_hooks_know_a_separate_git_dir(tmp_path: Path) -> None:
    root, apart = tmp_path / "root", tmp_path / "apart"
    where = ("--separate-git-dir", str(apart), str(root))
    git(tmp_path, "init", "-q", *where)
    found = open_repository(root, os.environ, apart)
    assert (found.work_tree, found.git_dir) == (root, apart)


def test_no_program_in_the_configuration_runs_when_git_is_asked(tmp_path: Path) -> None:
    root = kinds.sha256(tmp_path).root
    ran = tmp_path / "ran"
    program = tmp_path / "hooks" / "program"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n: >'{ran}'\n")
    program.chmod(0o755)
    for hook in ("post-index-change", "reference-transaction", "pre-auto-gc"):
        (program.parent / hook).symlink_to(program)
    head = git(root, "rev-parse", "HEAD")
    for key, value in {
        "core.hooksPath": str(program.parent),
        "core.fsmonitor": str(program),
        "diff.external": str(program),
        "diff.x.textconv": str(program),
        "gpg.program": str(program),
        "log.showSignature": "true",
        "remote.origin.url": f"ext::{program}",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():
        git(root, "config", key, value)
    (root / ".gitattributes").write_text("* diff=x\n")
    (root / "file.txt").write_text("other\n")
    repository = open_repository(root, os.environ)
    [stat] = stats_since(repository, head, {"file.txt"})
    assert (stat.insertions, stat.deletions) == (1, 1)
    assert differing_paths(repository, head, ["file.txt"]) == {"file.txt"}
    assert repository.tracks("file.txt")
    assert not repository.is_ignored("file.txt")
    assert repository.commit_details("0" * 63 + "1") is None  # nor is it fetched
    assert repository.commits_between(None, head)
    assert repository.moves("HEAD")
    assert blame_file(repository, "file.txt").uncommitted == 1
    saved_session(workspace_at(root), goal="g")
    assert not ran.exists()


@pytest.mark.endurance
def test_what_a_group_shares_is_closed_to_nobody_of_it(tmp_path: Path) -> None:
    """Else git lets no colleague add an object, where one of ours began a folder."""
    git_dir = kinds.shared_with_a_group(tmp_path).root / ".git"
    before = os.umask(0o077)
    try:
        workspace = workspace_at(git_dir.parent)
        saved_session(workspace, goal="g")
        workspace.repository.forget_moves(REF)
        many = {str(number): redact(str(number)) for number in range(100)}
        workspace.repository.write_tree(None, many)
    finally:
        os.umask(before)
    written = [*git_dir.glob("objects/**/*"), *git_dir.glob("*/refs/ocm/**/*")]
    written += git_dir.glob("refs/ocm/**/*")
    assert any(path.suffix == ".pack" for path in written)
    for path in written:
        if path.suffix == ".keep":  # git's own are closed, and need not be read
            continue
        needed = stat.S_IRWXG if path.is_dir() else stat.S_IRGRP
        assert path.stat().st_mode & needed == needed, path


@pytest.mark.endurance
@pytest.mark.parametrize("kind", [kinds.sparse_cone, kinds.sparse_index])
def test_what_is_not_checked_out_was_not_deleted(tmp_path: Path, kind: Kind) -> None:
    odd = kind(tmp_path)
    workspace = workspace_at(odd.root)
    (odd.root / odd.file).write_text("once\n")
    saved_session(workspace, goal="g")
    [session] = workspace.store.memory().newest()
    assert session.files == (FileChange(odd.file, Change.CREATED),)
    assert session.diff_summary == "1 file created. +1 / -0 lines."


@pytest.mark.endurance
@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_foreign_repository_opens_if_git_may(tmp_path: Path) -> None:
    odd = kinds.foreign(tmp_path)
    git(odd.root, "config", "--global", "--unset-all", "safe.directory")
    with pytest.raises(NoPermission, match="another user") as caught:
        workspace_at(odd.root)
    assert "safe.directory" in (caught.value.hint or "")
    git(odd.root, "config", "--global", "--add", "safe.directory", str(odd.root))
    saved_session(workspace_at(odd.root), goal="g")
    assert git(odd.root, "for-each-ref", REF)


SAVER = """
from pathlib import Path
from support.workspaces import saved_session, workspace_at
workspace = workspace_at(Path.cwd())
saved_session(workspace, goal="g")
[session] = workspace.store.memory().newest()
print(sorted(file.path for file in session.files))
"""


@pytest.mark.endurance
@pytest.mark.parametrize("kind", [kinds.plain, kinds.sha256])
@pytest.mark.parametrize("closed", ["new", "file.txt"])
def test_unreadable_file_stops_no_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind, closed: str
) -> None:
    """As a container leaves them."""
    root = kind(tmp_path).root
    for name in (closed, "other"):
        (root / name).write_text("other\n")
    (root / closed).chmod(0)
    monkeypatch.setenv("PYTHONPATH", SOURCES)
    command = bound_by_permissions([sys.executable, "-c", SAVER])
    done = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout == f"{sorted([closed, 'other'])}\n"


@pytest.mark.endurance
def test_no_two_sessions_differ_in_case_alone(tmp_path: Path) -> None:
    workspace = workspace_at(kinds.without_case(tmp_path).root)
    for slug in ("Double-Charge", "double-charge", "DOUBLE-CHARGE"):
        saved_session(workspace, goal=slug, slug=slug)
    assert len({each.lower() for each in workspace.store.memory().ids()}) == 3


@pytest.mark.endurance
@can_refuse_all
def test_all_works_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = kinds.plain(tmp_path)
    monkeypatch.setenv("PYTHONPATH", SOURCES)
    (tmp_path / "bin").mkdir()
    python = python_with_gitmem(tmp_path / "bin")

    def ocm(*arguments: str, stdin: bytes = b"") -> Ran:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(python), *arguments],
            cwd=odd.root,
            input=stdin,
            capture_output=True,
            preexec_fn=refuse_all_locks,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    Life(odd, tmp_path / "memory.git", ocm, refuse_all_locks).live()


WRITER = """
import sys
from pathlib import Path
from support.harness import record
from support.workspaces import workspace_at
from support.without_locks import refuse_all_locks
refuse_all_locks()
store = workspace_at(Path.cwd()).store
for number in range(8):
    store.append(record(f"{sys.argv[1]}-{number}", goal=f"{sys.argv[1]} {number}"))
    store.replay()
"""


@pytest.mark.endurance
@can_refuse_all
def test_unlocked_writers_are_safe(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", SOURCES)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, name], cwd=repository)
        for name in ("a", "b", "c")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    sessions = workspace_at(repository).current_sessions().newest()
    expected = {f"{name} {number}" for name in "abc" for number in range(8)}
    assert sorted(each.goal or "" for each in sessions) == sorted(expected)
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""
