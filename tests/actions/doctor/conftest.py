"""What `ocm doctor` examines: repositories healthy, plain, and broken."""

import shutil
import tarfile
from pathlib import Path

import pytest
from support.broken import Broken, Thaw
from support.doctor import Place, made_healthy, quick_python

FIXTURES = Path(__file__).parents[2] / "fixtures" / "broken"


@pytest.fixture
def place(repository: Path, sealed_environment: Path) -> Place:
    return Place(repository, sealed_environment)


@pytest.fixture
def healthy(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made_healthy(place, quick_python(tmp_path), monkeypatch)
    return place


@pytest.fixture
def thaw(tmp_path: Path, sealed_environment: Path) -> Thaw:
    def thawed(name: str) -> Broken:
        folder = tmp_path / name
        with tarfile.open(FIXTURES / f"{name}.tar.gz") as tar:
            tar.extraction_filter = getattr(tarfile, "tar_filter", None)  # from 3.11.4
            tar.extractall(folder)
        if (ours := folder / "home" / "ocm").exists():
            shutil.copytree(ours, sealed_environment / "ocm")
        return Broken(folder, sealed_environment)

    return thawed
