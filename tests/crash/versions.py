"""Earlier states of this package, from the history of its own repository."""

import os
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from crash.warm import Warm, warm

TESTS = Path(__file__).parents[1]


@contextmanager
def as_of(commit: str, place: Path) -> Iterator[Warm]:
    """Its commands, hooks and writers; skips where there is no history."""
    listing = ["git", "-C", str(TESTS.parent), "archive", commit]
    archive = subprocess.run(
        [*listing, "gitmem", "hooks", "rules"], check=False, capture_output=True
    )
    if archive.returncode:
        pytest.skip(f"{commit} is not here: no repository, or a shallow clone")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", None)  # from 3.11.4
        files.extractall(place)
    path = os.pathsep.join([str(TESTS), str(place)])
    with warm(PYTHONPATH=path) as started:
        yield started
