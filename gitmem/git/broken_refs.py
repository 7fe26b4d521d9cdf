"""Refs of ours that are no refs: empty ones, ones full of NULs, links to other refs.

Git refuses to read such a ref and to write it, so whoever mends it takes it away first.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.files import replace_file
from gitmem.git.repository import Repository
from gitmem.git.values import Oid

_DIRECT = re.compile(rb"\s*[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\s.*)?", re.DOTALL)


def symbolic_target(
    git: Repository, ref: str, variables: Mapping[str, str]
) -> str | None:
    """The ref that `ref` is a symbolic one to; None where it is none.

    `variables` are the user's environment. Raises Unavailable without git.
    """
    question = ["symbolic-ref", "--quiet", ref]
    with (
        suppress(RefusedError),
        output_of_git(git.git_dir, git.work_tree, question, variables) as output,
    ):
        return output.read().decode("utf-8", "replace").strip() or None
    return None


def replace_broken(common_dir: Path, ref: str, commit: Oid | None) -> bool:
    """Have a ref whose file names nothing name a commit, in one step; None removes it.

    False, and nothing happened, where the file names something or there is none. Under
    the lock of whoever writes our refs. Raises OSError.
    """
    path = common_dir / ref
    if not path.is_file() or path.is_symlink() or _DIRECT.fullmatch(path.read_bytes()):
        return False
    if commit:
        replace_file(path, f"{commit}\n".encode(), mode=None)
    else:
        path.unlink()
    return True
