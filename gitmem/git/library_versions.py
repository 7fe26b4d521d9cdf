"""Versions of what the store stands on: git itself, and the library."""

import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import version

import pygit2

OLDEST_GIT = "2.31"
"""That reaches remotes: it takes settings from variables, which nobody else sees. All
else was seen to work with 2.30 as well."""
OLDEST_FOR_PARTIAL_CLONES = "2.36"
"""That brings once more what a plain fetch left out."""
_PATIENCE = 10.0
"""Seconds."""


def library_versions() -> str:
    return f"pygit2 {version('pygit2')} (libgit2 {pygit2.LIBGIT2_VERSION})"


def git_version(variables: Mapping[str, str]) -> str | None:
    """That of the git command on the PATH; None where it does not run."""
    try:
        done = subprocess.run(
            ["git", "--version"],
            capture_output=True,
            env=variables,
            check=True,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"\d[\w.-]*", done.stdout.decode("utf-8", "replace"))
    return found[0] if found else None


def is_too_old(version: str) -> bool:
    """Whether a git of this version is older than OLDEST_GIT."""
    return _numbers(version) < _numbers(OLDEST_GIT)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:2]]
