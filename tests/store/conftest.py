"""A store and histories in a repository of their own."""

from pathlib import Path

import pytest
from support.histories import Clones

from gitmem.git.libgit2.repository import open_repository
from gitmem.store.session_store import SessionStore


@pytest.fixture
def store(repository: Path) -> SessionStore:
    return SessionStore(open_repository(repository))


@pytest.fixture
def clones(repository: Path) -> Clones:
    return Clones(repository)
