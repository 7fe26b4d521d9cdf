"""Settings of one repository, read and written.

The git command writes them: the rest of the file and its mode stay as they are. libgit2
would leave empty sections, drop the group's right to write, and repeat values.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from gitmem.errors import Busy, NoPermission
from gitmem.git.command import RefusedError, answer_in
from gitmem.git.repository import Repository

_YES = ("true", "yes", "on", "1")


def is_on(git: Repository, key: str, *, by_default: bool = False) -> bool:
    """Return whether a setting says yes; `by_default` where nobody has set it."""
    value = git.config(key)
    return by_default if value is None else value.strip().lower() in _YES


def set_config(git: Repository, key: str, value: str | None) -> None:
    """Set a key in the configuration of this repository alone; None removes it.

    Raises Busy while another program writes there, and NoPermission where nobody can.
    """
    change = ["--unset-all", key] if value is None else ["--replace-all", key, value]
    _write(git, *change)
    if value is None:
        _drop_empty(git, key.partition(".")[0])


def set_for_all(key: str, value: str | None, variables: Mapping[str, str]) -> None:
    """Set a key for all repositories of the user; None removes it. Raises as above."""
    change = ["--unset-all", key] if value is None else ["--replace-all", key, value]
    with _explained("your git configuration"):
        answer_in(Path("/"), ["config", "--global", *change], variables)


def is_on_for_all(key: str, variables: Mapping[str, str]) -> bool:
    """Return whether a setting says yes for all repositories of the user."""
    return _read(["--global", "--type=bool", "--get", key], variables) == "true"


def is_set_here(git: Repository, key: str) -> bool:
    """Return whether the configuration of this repository alone has a key."""
    own = ["--file", str(git.common_dir / "config")]
    return bool(_read([*own, "--get-all", key], git.variables))


def add_config(git: Repository, key: str, value: str) -> None:
    """Add a value to a key that may have several, once. Raises as set_config does."""
    if value not in git.config_values(key):
        _write(git, "--add", key, value)


def remove_config(git: Repository, key: str, value: str) -> None:
    """Remove exactly this value; others of the key stay. Raises as set_config does."""
    _write(git, "--fixed-value", "--unset-all", key, value)


def _drop_empty(git: Repository, section: str) -> None:
    """Remove an empty section, which git leaves behind a comment of the user."""
    header = f"[{section}]\n".encode()
    before, header_line, after = (
        (git.common_dir / "config").read_bytes().partition(header)
    )
    if header_line and not after and b"[" + section.encode() not in before:
        _write(git, "--remove-section", section)


def _write(git: Repository, *change: str) -> None:
    with _explained("the repository's configuration"):
        git.output("config", "--file", str(git.common_dir / "config"), *change)


def _read(arguments: list[str], variables: Mapping[str, str]) -> str:
    try:
        output = answer_in(Path("/"), ["config", *arguments], variables)
        return output.decode("utf-8", "replace").strip()
    except RefusedError:  # it is not set
        return ""


@contextmanager
def _explained(subject: str) -> Iterator[None]:
    """Explain what git refuses to write; an unset key is no error."""
    try:
        yield
    except RefusedError as error:
        reason = str(error)
        if "could not lock" in reason and "File exists" in reason:
            raise Busy(f"Another program is writing {subject}.") from None
        if reason:
            raise NoPermission(
                f"Git cannot write {subject}: {reason}",
                hint="Is the file read-only, or the disk full?",
            ) from None  # it says no more than that


def sources_of(refspecs: Iterable[str], ref: str) -> list[str]:
    """Return what is written to `ref` by these refspecs."""
    specs = list(refspecs)
    sources = _mapped(specs, ref)
    excluded = [spec[1:] for spec in specs if spec.startswith("^")]
    return [s for s in sources if all(_middle(no, s) is None for no in excluded)]


def are_excluded(refspecs: Iterable[str], ref: str) -> bool:
    """Return whether negative refspecs alone keep `ref` from being written."""
    specs = list(refspecs)
    return bool(_mapped(specs, ref)) and not sources_of(specs, ref)


def _mapped(specs: list[str], ref: str) -> list[str]:
    """Return what positive refspecs write to `ref`."""
    mapped = []
    for spec in specs:
        source, _, target = spec.lstrip("+").partition(":")
        middle = _middle(target, ref)
        if middle is not None and not spec.startswith("^"):
            mapped.append(source.replace("*", middle))
    return mapped


def _middle(pattern: str, ref: str) -> str | None:
    """Return what the `*` of a pattern stands for; None where nothing matches."""
    match = re.fullmatch(re.escape(pattern).replace(r"\*", "(.*)"), ref)
    return None if match is None else "".join(match.groups())
