"""The file of vectors."""

from pathlib import Path

import numpy as np
import pytest

from gitmem.meaning.minilm import SIZE
from gitmem.meaning.vectors import Vectors

EAST, NORTH = np.eye(2, SIZE, dtype=np.float32)


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "meanings"
    empty = Vectors.read(path, "model 1")
    assert (empty.state, empty.cosines(EAST)) == ("", {})
    empty.changed("a" * 40, {"east": EAST, "north": NORTH}).write(path)
    vectors = Vectors.read(path, "model 1")
    assert vectors.state == "a" * 40
    assert vectors.cosines(EAST) == {"east": 1.0, "north": 0.0}
    assert Vectors.read(path, "model 2").cosines(EAST) == {}


def test_a_change_replaces_and_drops() -> None:
    vectors = Vectors.read(Path("nowhere"), "m").changed("a", {"1": EAST, "2": EAST})
    changed = vectors.changed("b", {"1": NORTH, "2": None, "3": EAST})
    assert changed.cosines(NORTH) == {"1": 1.0, "3": 0.0}


def test_a_byte_for_each_component_is_enough() -> None:
    chance = np.random.default_rng(5)
    rows = chance.normal(size=(20, SIZE)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = Vectors.read(Path("nowhere"), "m")
    learned = vectors.changed("a", {str(n): row for n, row in enumerate(rows)})
    assert [*learned.cosines(rows[0]).values()] == pytest.approx(
        [*(rows @ rows[0])], abs=0.01
    )


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY", b"x" * 1000])
def test_a_damaged_file_counts_as_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "meanings"
    path.write_bytes(content)
    assert Vectors.read(path, "m").cosines(EAST) == {}
