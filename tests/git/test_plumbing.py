"""What can only go wrong where git itself is asked, one process for all objects."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from support.harness import NOON, git, make_repository, pack_objects

from gitmem.errors import Damaged, NotARepository, Unavailable
from gitmem.git.odb.objects import GitObject, ObjectType
from gitmem.git.opening import open_through_git as open_repository
from gitmem.git.repository import Repository
from gitmem.git.values import Signature
from gitmem.redaction.redact import redact

REF = "refs/ocm/test"
ADA = Signature("Ada", "ada@example.com", NOON)


@pytest.fixture
def opened(repository: Path) -> Repository:
    return open_repository(repository, os.environ)


def commit(repository: Repository, text: str) -> str:
    tree = repository.write_tree(None, {"a": redact(text)})
    return repository.create_commit(tree, [], redact("m"), ADA)


def readers(folder: Path) -> list[int]:
    """The processes that read its objects."""
    ours = {pid: line for pid, line in command_lines().items() if f"={folder}/" in line}
    return [pid for pid, line in ours.items() if " cat-file " in line]


def command_lines() -> dict[int, str]:
    if Path("/proc/self/cmdline").exists():
        lines = {}
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it ended meanwhile
                words = file.read_bytes().decode("utf-8", "replace")
                lines[int(file.parent.name)] = words.replace("\0", " ")
        return lines
    command = ["ps", "-A", "-ww", "-o", "pid=,args="]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = (line.split(maxsplit=1) for line in listed.splitlines())
    return {int(pid): words for pid, words in rows}


def test_reading_survives_a_killed_reader(repository: Path) -> None:
    opened = open_repository(repository, os.environ)
    head = opened.head().commit or ""
    tree = opened.tree_of(head)
    for each in readers(repository):
        os.kill(each, signal.SIGKILL)
    assert opened.tree_of(head) == tree
    assert len(readers(repository)) == 1
    del opened
    assert not readers(repository)


def test_later_packs_are_found(repository: Path, opened: Repository) -> None:
    head = opened.head().commit or ""
    assert opened.tree_of("0" * 39 + "1") is None
    assert opened.read_header(f"{head}{'0' * 24}") is None
    git(repository, "commit", "--quiet", "--allow-empty", "--message=later")
    later = git(repository, "rev-parse", "HEAD")
    assert opened.tree_of(later) == opened.tree_of(head)
    git(repository, "gc", "--quiet")
    assert opened.committed_at(head) <= opened.committed_at(later)


def test_changed_settings_are_read(repository: Path, opened: Repository) -> None:
    assert opened.config("ocm.x") is None
    more = repository / ".git" / "more"
    more.write_text('[ocm]\n\tX = 1\n\tx\n[remote "A.b"]\n\turl = u\n')
    git(repository, "config", "include.path", "more")
    assert opened.config_values("OCM.x") == ["1", ""]
    assert opened.remotes() == {"A.b": "u"}
    Path(os.environ["HOME"], ".config", "git").mkdir(parents=True)
    more.unlink()
    assert opened.config_values("ocm.x") == []


def test_duplicate_names_damage_a_tree(repository: Path, opened: Repository) -> None:
    blob = git(repository, "rev-parse", "HEAD:file.txt")
    entry = b"100644 a\0" + bytes.fromhex(blob)
    trees = [entry * 2, entry[:-1], b"100644 a", b"x a\0" + bytes(20)]
    objects = [GitObject(ObjectType.TREE, content) for content in trees]
    pack_objects(repository, objects)
    for tree in objects:
        with pytest.raises(Damaged):
            opened.read_tree(tree.oid)


def test_what_is_configured_to_replace_or_to_run_does_neither(
    repository: Path, opened: Repository
) -> None:
    head, new = opened.head().commit or "", commit(opened, "new")
    hook = repository / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert opened.update_ref(REF, None, new, "made")
    hook.unlink()
    git(repository, "replace", head, new)
    again = open_repository(repository, os.environ)
    assert again.tree_of(head) != again.tree_of(new)


def test_bad_refs_are_reported(repository: Path, opened: Repository) -> None:
    file = repository / ".git" / REF
    file.parent.mkdir(parents=True)
    file.write_text(f"{'1' * 40}\n")
    assert opened.resolve_ref(REF) == "1" * 40
    with pytest.raises(Damaged, match=r"cannot read refs/ocm/test: fatal: [^\n]*$"):
        opened.update_ref(REF, "1" * 40, "2" * 40, "to nothing, too")
    file.write_text("")
    with pytest.raises(Damaged):
        opened.resolve_ref(REF)
    git(repository, "branch", f"refs/heads/{REF}")  # not taken for it
    file.unlink()
    assert opened.resolve_ref(REF) is None


def test_a_repository_is_opened_from_within_and_by_its_name(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "new\nline ü")
    git(root, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = root / ".git" / "worktrees" / "linked"
    for git_dir, work_tree in ((root / ".git", root), (linked, tmp_path / "linked")):
        for opened in (
            open_repository(git_dir, os.environ),
            open_repository(tmp_path, os.environ, git_dir),
            open_repository(work_tree, {**os.environ, "GIT_DIR": "/nowhere"}),
        ):
            assert opened.git_dir == git_dir
            assert opened.common_dir == root / ".git"
            assert opened.work_tree == work_tree


def test_without_a_git_command_it_is_said_so(repository: Path) -> None:
    with pytest.raises(Unavailable, match="does not run"):
        open_repository(repository, {"PATH": "/nowhere"})


def test_ended_git_said_nothing(repository: Path, tmp_path: Path) -> None:
    ended = tmp_path / "git"
    ended.write_text("#!/bin/sh\nkill -9 $$\n")
    ended.chmod(0o755)
    with pytest.raises(NotARepository, match="did not say why"):
        open_repository(repository, {"PATH": str(tmp_path)})
