"""Vectors of documents in a file beside the index, which can be deleted at any time."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gitmem.git.files import replace_file
from gitmem.meaning.minilm import SIZE, Floats

_ROW = np.dtype([("steps", np.int8, SIZE), ("step", np.float32)])
"""A vector: its components in steps, of which the largest has 127."""
_BLOCK = 256
"""Rows that are multiplied at once, as many as stay in the cache of a processor."""


class Vectors(NamedTuple):
    """The meanings of documents, one byte for each component."""

    model: str
    state: str
    """The commit of the documents."""
    ids: tuple[str, ...]
    rows: NDArray[np.void]

    @classmethod
    def read(cls, path: Path, model: str) -> Self:
        """Read those of a model; none where they are missing or cannot be read."""
        with suppress(OSError, ValueError):
            names, _, data = path.read_bytes().partition(b"\0")
            file_model, state, *ids = names.decode().split("\n")
            rows = np.frombuffer(data, _ROW)
            if file_model == model and len(ids) == len(rows):
                return cls(model, state, tuple(ids), rows)
        return cls(model, "", (), np.empty(0, _ROW))

    def write(self, path: Path) -> None:
        """Replace the file. Raises OSError."""
        names = "\n".join((self.model, self.state, *self.ids)).encode()
        replace_file(path, b"\0".join((names, self.rows.tobytes())))

    def changed(self, state: str, vectors: Mapping[str, Floats | None]) -> Self:
        """Return them at another state; None drops a document."""
        places = [at for at, id_ in enumerate(self.ids) if id_ not in vectors]
        new = {id_: vector for id_, vector in vectors.items() if vector is not None}
        added = np.empty(len(new), _ROW)
        for row, vector in zip(added, new.values(), strict=True):
            row["step"] = step = np.abs(vector).max() / 127
            row["steps"] = np.round(vector / step)
        ids = (*(self.ids[at] for at in places), *new)
        rows = np.concatenate([self.rows[places], added])
        return type(self)(self.model, state, ids, rows)

    def cosines(self, vector: Floats) -> dict[str, float]:
        """Return how near each document is to a vector of length 1."""
        cosines: list[float] = []
        for at in range(0, len(self.rows), _BLOCK):
            rows = self.rows[at : at + _BLOCK]
            products = rows["steps"].astype(np.float32) @ vector
            cosines += (products * rows["step"]).tolist()
        return dict(zip(self.ids, cosines, strict=True))
