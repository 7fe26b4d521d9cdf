"""What `ocm doctor` examines: repositories healthy, plain, and broken."""

import os
import shutil
import sys
import tarfile
from pathlib import Path

import pytest
from support.broken import Broken, Thaw
from support.doctor import Place, made_healthy, quick_python
from support.harness import make_repository

FIXTURES = Path(__file__).parents[2] / "fixtures" / "broken"


@pytest.fixture
def place(repository: Path, sealed_environment: Path) -> Place:
    return Place(repository, sealed_environment)


@pytest.fixture(scope="session")
def healthy_once(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """One in which all is well, to be copied."""
    folder = tmp_path_factory.mktemp("healthy")
    place = Place(make_repository(folder / "repository"), folder / "home")
    with pytest.MonkeyPatch.context() as monkeypatch:
        made_healthy(place, quick_python(folder), monkeypatch)
    return place


@pytest.fixture
def healthy(
    healthy_once: Place, tmp_path: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> Place:
    """Its files name its folders: the copy's name their own."""
    monkeypatch.setattr(sys, "executable", str(quick_python(tmp_path)))
    shutil.rmtree(place.repository)
    for old, new in (
        (healthy_once.repository, place.repository),
        (healthy_once.home, place.home),
    ):
        shutil.copytree(old, new, dirs_exist_ok=True)
    moved = os.fsencode(healthy_once.repository.parent), os.fsencode(tmp_path)
    named = [*(place.common_dir / "ocm").rglob("*"), *place.home.rglob("*")]
    for file in (path for path in named if path.is_file()):
        if moved[0] in (content := file.read_bytes()):
            file.write_bytes(content.replace(*moved))
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
