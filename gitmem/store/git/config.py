"""Settings of one repository, yes or no; and written, by the git command.

What is the user's in that file stays as it is, byte for byte, and so does its mode; a
section that is empty afterwards goes. libgit2 leaves it there, takes the group's right
to write away, and repeats a value that is on the line of its section.
"""

from collections.abc import Mapping

from gitmem.errors import Busy, NoPermission
from gitmem.store.git.command import RefusedError, output_of_git
from gitmem.store.git.repository import Repository

_WHAT = "the repository's configuration"
_YES = ("true", "yes", "on", "1")


def is_on(git: Repository, key: str, *, by_default: bool = False) -> bool:
    """Whether a setting says yes; `by_default` where nobody has set it."""
    value = git.config(key)
    return by_default if value is None else value.strip().lower() in _YES


def set_config(
    git: Repository, key: str, value: str | None, variables: Mapping[str, str]
) -> None:
    """Set a key in the configuration of this repository alone; None removes it.

    `variables` are the user's environment. Raises Busy while another program writes
    there, and NoPermission where nobody can.
    """
    change = ["--unset-all", key] if value is None else ["--replace-all", key, value]
    _write(git, change, variables)
    if value is None:
        _drop_empty(git, key.partition(".")[0], variables)


def add_config(
    git: Repository, key: str, value: str, variables: Mapping[str, str]
) -> None:
    """Add a value to a key that may have several, once. Raises as set_config does."""
    if value not in git.config_values(key):
        _write(git, ["--add", key, value], variables)


def remove_config(
    git: Repository, key: str, value: str, variables: Mapping[str, str]
) -> None:
    """Remove exactly this value; others of the key stay. Raises as set_config does."""
    _write(git, ["--fixed-value", "--unset-all", key, value], variables)


def _drop_empty(git: Repository, section: str, variables: Mapping[str, str]) -> None:
    """Git leaves a section there that has a comment of the user before it."""
    header = f"[{section}]\n".encode()
    before, found, after = (git.common_dir / "config").read_bytes().partition(header)
    if found and not after and b"[" + section.encode() not in before:
        _write(git, ["--remove-section", section], variables)


def _write(git: Repository, change: list[str], variables: Mapping[str, str]) -> None:
    own = ["config", "--file", str(git.common_dir / "config")]
    try:
        with output_of_git(git.git_dir, git.work_tree, [*own, *change], variables):
            pass
    except RefusedError as error:
        if said := str(error):  # nothing is said of what is not there
            raise _failed(said) from None  # it says no more than that


def _failed(said: str) -> Exception:
    if "could not lock" in said and "File exists" in said:
        return Busy(f"Another program is writing {_WHAT}.")
    return NoPermission(
        f"Git cannot write {_WHAT}: {said}",
        hint="Is the repository read-only, or the disk full?",
    )
