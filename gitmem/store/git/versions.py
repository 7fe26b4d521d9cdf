"""Versions of what the store stands on: git itself, and the library."""

import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import version

import pygit2

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
