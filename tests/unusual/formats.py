"""Repositories with objects or refs of another format, which libgit2 does not open."""

from pathlib import Path

from support.harness import git
from unusual.kinds import Odd, given_away


def sha256(folder: Path) -> Odd:
    return Odd(_begun(folder / "sha256", "--object-format=sha256"))


def reftable(folder: Path) -> Odd:
    return Odd(_begun(folder / "reftable", "--ref-format=reftable"))


def sha256_and_reftable(folder: Path) -> Odd:
    formats = ("--object-format=sha256", "--ref-format=reftable")
    return Odd(_begun(folder / "both", *formats))


def linked_work_tree_of_reftable(folder: Path) -> Odd:
    git(reftable(folder).root, "worktree", "add", "-q", str(folder / "linked"))
    return Odd(folder / "linked")


def linked_work_tree_of_sha256(folder: Path) -> Odd:
    git(sha256(folder).root, "worktree", "add", "-q", str(folder / "linked"))
    return Odd(folder / "linked")


def bare_sha256(folder: Path) -> Odd:
    git(folder, "clone", "-q", "--bare", str(sha256(folder).root), "bare.git")
    return Odd(folder / "bare.git", commits=False, is_heard=False)


def submodule_of_sha256(folder: Path) -> Odd:
    outer, inner = _begun(folder / "o", "--object-format=sha256"), sha256(folder).root
    allowed = ("-c", "protocol.file.allow=always")
    git(outer, *allowed, "submodule", "-q", "add", str(inner), "inner")
    return Odd(outer / "inner")


def separate_git_dir_of_sha256(folder: Path) -> Odd:
    root, apart = folder / "separate", str(folder / "apart")
    sha = ("--object-format=sha256", "--separate-git-dir", apart)
    git(folder, "init", "-q", *sha, str(root))
    return Odd(root)


def foreign_sha256(folder: Path) -> Odd:
    return given_away(sha256(folder))


def _begun(root: Path, *formats: str) -> Path:
    git(root.parent, "init", "-q", *formats, str(root))
    (root / "file.txt").write_text("0\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "commit 0")
    return root
