"""Refs of ours that are no refs: empty ones, ones full of NULs, links to other refs.

Git refuses to read such a ref and to write it, so whoever mends it takes it away first.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.errors import Damaged
from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.files import replace_file
from gitmem.git.repository import Repository
from gitmem.git.values import Oid

_DIRECT = re.compile(rb"\s*[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\s.*)?", re.DOTALL)
_SYMBOLIC = b"ref:"


def symbolic_target(
    git: Repository, ref: str, variables: Mapping[str, str]
) -> str | None:
    """The ref that `ref` is a symbolic one to; None where it is none.

    `variables` are the user's environment. Raises Unavailable without git.
    """
    if not (git.common_dir / "reftable").is_dir():
        return _target_in(git.common_dir / ref)
    question = ["symbolic-ref", "--quiet", ref]
    with (
        suppress(RefusedError),
        output_of_git(git.git_dir, git.work_tree, question, variables) as output,
    ):
        return output.read().decode("utf-8", "replace").strip() or None
    return None


def make_direct(
    git: Repository, ref: str, commit: Oid | None, variables: Mapping[str, str]
) -> None:
    """Have a symbolic ref name a commit itself, in one step; None removes it.

    The ref that it was a link to stays as it is. Raises Damaged where git refuses, and
    Unavailable without git.
    """
    change = [ref, commit] if commit else ["-d", ref]
    command = ["update-ref", "--no-deref", "-m", "doctor: no link any more", *change]
    try:
        with output_of_git(git.git_dir, git.work_tree, command, variables):
            return
    except RefusedError as error:
        raise Damaged(f"Git cannot write {ref}: {error}") from error


def replace_broken(common_dir: Path, ref: str, commit: Oid | None) -> bool:
    """Have a ref whose file names nothing name a commit, in one step; None removes it.

    False, and nothing happened, where the file names something or there is none. Under
    the lock of whoever writes our refs. Raises OSError.
    """
    path = common_dir / ref
    if not path.is_file() or path.is_symlink() or _names_something(path):
        return False
    if commit:
        replace_file(path, f"{commit}\n".encode(), mode=None)
    else:
        path.unlink()
    return True


def _target_in(path: Path) -> str | None:
    with suppress(OSError):
        content = path.read_bytes()
        if content.startswith(_SYMBOLIC):
            target = content.removeprefix(_SYMBOLIC)
            return target.decode("utf-8", "replace").strip()
    return None


def _names_something(path: Path) -> bool:
    content = path.read_bytes()
    return bool(_DIRECT.fullmatch(content)) or content.startswith(_SYMBOLIC)
