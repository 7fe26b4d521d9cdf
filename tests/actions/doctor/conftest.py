"""What `ocm doctor` looks at: a repository as it is, and one where all is well."""

from pathlib import Path

import pytest
from support.doctor import Place, made_healthy, quick_python


@pytest.fixture
def place(repository: Path, sealed_environment: Path) -> Place:
    return Place(repository, sealed_environment)


@pytest.fixture
def healthy(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made_healthy(place, quick_python(tmp_path), monkeypatch)
    return place
