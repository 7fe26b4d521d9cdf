"""Repositories of every odd kind, as git itself makes them."""

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from support.harness import git, make_repository

FILE = "charge.py"


@dataclass(frozen=True, slots=True)
class Odd:
    """A repository, and what of a life in it is possible."""

    root: Path
    """Where somebody works; the repository itself where there is no work tree."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """What whoever runs us has set."""
    file: str = FILE
    commits: bool = True
    """Whether they can commit now."""
    is_heard: bool = True
    """Whether our hooks do anything there."""
    is_healthy: bool = True
    """Whether `ocm doctor` finds no problem."""
    is_whole: bool = True
    """Whether git finds all its objects."""
    untouched: tuple[Path, ...] = ()
    """Folders in which nothing may change."""


Kind = Callable[[Path], Odd]


def plain(folder: Path) -> Odd:
    return Odd(make_repository(folder / "plain"))


def bare(folder: Path) -> Odd:
    git(folder, "clone", "-q", "--bare", str(source(folder)), "bare.git")
    return Odd(folder / "bare.git", commits=False, is_heard=False)


def linked_work_tree(folder: Path) -> Odd:
    git(source(folder), "worktree", "add", "-q", str(folder / "linked"))
    return Odd(folder / "linked")


def linked_work_tree_of_bare(folder: Path) -> Odd:
    git(bare(folder).root, "worktree", "add", "-q", str(folder / "linked"))
    return Odd(folder / "linked")


def submodule(folder: Path) -> Odd:
    outer = make_repository(folder / "outer")
    allowed = ("-c", "protocol.file.allow=always")
    git(outer, *allowed, "submodule", "-q", "add", str(source(folder)), "inner")
    git(outer, "commit", "-qm", "with a submodule")
    return Odd(outer / "inner")


def separate_git_dir(folder: Path) -> Odd:
    root = folder / "separate"
    git(folder, "init", "-q", "--separate-git-dir", str(folder / "apart"), str(root))
    return Odd(root)


def run_by_a_hook(folder: Path) -> Odd:
    """With what git sets for `pre-commit`, and for a push that it received."""
    root = plain(folder).root
    quarantine = folder / "quarantine"
    quarantine.mkdir()
    return Odd(
        root,
        {
            "GIT_DIR": ".git",
            "GIT_INDEX_FILE": str(folder / "next-index-1.lock"),
            "GIT_PREFIX": "",
            "GIT_EDITOR": ":",
            "GIT_OBJECT_DIRECTORY": str(quarantine),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(root / ".git" / "objects"),
            "GIT_QUARANTINE_PATH": str(quarantine),
        },
        untouched=(quarantine,),
    )


def led_astray(folder: Path) -> Odd:
    """With what belongs to another repository, which nothing may get into."""
    other = make_repository(folder / "other")
    variables = {
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_NAMESPACE": "other",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "Mallory",
    }
    return Odd(plain(folder).root, variables, untouched=(other,))


def with_alternates(folder: Path) -> Odd:
    git(folder, "clone", "-q", "--shared", str(source(folder)), "shared")
    return Odd(folder / "shared", untouched=(folder / "source",))


def without_its_alternate(folder: Path) -> Odd:
    root = with_alternates(folder).root
    (folder / "source").rename(folder / "moved")
    return Odd(root, commits=False, is_whole=False)


def shallow(folder: Path) -> Odd:
    git(folder, "clone", "-q", "--depth=1", source(folder).as_uri(), "shallow")
    return Odd(folder / "shallow")


def without_blobs(folder: Path) -> Odd:
    url = source(folder).as_uri()
    git(folder, "clone", "-q", "--filter=blob:none", url, "partial")
    return Odd(folder / "partial")


def _sparse(folder: Path, *how: str) -> Odd:
    root = folder / "sparse"
    git(folder, "clone", "-q", str(source(folder)), str(root))
    git(root, "sparse-checkout", "set", *how)
    return Odd(root, file=f"src/{FILE}")


def sparse_cone(folder: Path) -> Odd:
    return _sparse(folder, "--cone", "src")


def sparse_index(folder: Path) -> Odd:
    return _sparse(folder, "--cone", "--sparse-index", "src")


def split_index(folder: Path) -> Odd:
    root = plain(folder).root
    git(root, "config", "core.splitIndex", "true")
    git(root, "update-index", "--split-index")
    return Odd(root)


def unborn(folder: Path) -> Odd:
    return Odd(make_repository(folder / "unborn", commits=0))


def detached(folder: Path) -> Odd:
    root = make_repository(folder / "detached", commits=2)
    git(root, "switch", "-q", "--detach", "HEAD~1")
    return Odd(root)


def mid_rebase(folder: Path) -> Odd:
    """Stopped between two branches that changed the same line."""
    root = make_repository(folder / "rebase", commits=2)
    git(root, "switch", "-qc", "other", "HEAD~1")
    (root / "file.txt").write_text("other\n")
    git(root, "commit", "-qam", "other")
    command = ["git", "-C", str(root), "rebase", "main"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1
    return Odd(root, commits=False)


def hooks_elsewhere(folder: Path) -> Odd:
    """Hooks of the team's, in the work tree; one does something."""
    root = plain(folder).root
    hook = root / "tools" / "hooks" / "post-commit"
    hook.parent.mkdir(parents=True)
    hook.write_text("#!/bin/sh\n: >theirs-ran\n")
    hook.chmod(0o755)
    (root / ".gitignore").write_text("tools/\ntheirs-ran\n")
    git(root, "add", ".gitignore")
    git(root, "commit", "-qm", "hooks")
    git(root, "config", "core.hooksPath", "tools/hooks")
    return Odd(root)


def shared_with_a_group(folder: Path) -> Odd:
    root = folder / "shared"
    git(folder, "init", "-q", "--shared=group", str(root))
    return Odd(root)


def without_case(folder: Path) -> Odd:
    root = plain(folder).root
    git(root, "config", "core.ignoreCase", "true")
    return Odd(root, file="Charge.py")


def odd_names(folder: Path) -> Odd:
    """Spaces, a line end, quotes and a duck, in all paths."""
    root = make_repository(folder / "a b\n'c\" $d 🦆")
    return Odd(root, file="\t x\n\"y' $z 🦆.py")


def not_utf8(folder: Path) -> Odd:
    root = make_repository(folder / os.fsdecode(b"caf\xe9"))
    return Odd(root, file=os.fsdecode(b"pri\xe8re.py"))


def foreign(folder: Path) -> Odd:
    """Of another user, and trusted."""
    return given_away(plain(folder))


def given_away(odd: Odd) -> Odd:
    root = odd.root
    for path in (root, *root.rglob("*")):
        os.chown(path, 65534, 65534, follow_symlinks=False)
    git(root, "config", "--global", "--add", "safe.directory", str(root))
    return Odd(root, is_heard=False, is_healthy=False)


def source(folder: Path) -> Path:
    """What the others are clones of: three commits, and folders."""
    root = make_repository(folder / "source", commits=2)
    for name in ("src/old.py", "docs/page.md", "docs/deep/page.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"{name}\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "folders")
    git(root, "config", "uploadpack.allowFilter", "true")
    return root


def sha256(folder: Path) -> Odd:
    return Odd(_begun(folder / "sha256", "--object-format=sha256"))


def reftable(folder: Path) -> Odd:
    return Odd(_begun(folder / "reftable", "--ref-format=reftable"))


def linked_work_tree_of_reftable(folder: Path) -> Odd:
    relative = ("-c", "worktree.useRelativePaths=true")  # of git 2.48
    root = reftable(folder).root
    git(root, *relative, "worktree", "add", "-q", str(folder / "linked"))
    return Odd(folder / "linked")


def _begun(root: Path, *formats: str) -> Path:
    git(root.parent, "init", "-q", *formats, str(root))
    (root / "file.txt").write_text("0\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "commit 0")
    return root
