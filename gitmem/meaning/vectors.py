"""Vectors of documents in a file beside the index, which can be deleted at any time."""

from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from gitmem.git.files import replace_file
from gitmem.meaning.minilm import SIZE, Floats

_STEPS = 127
"""The largest component of a vector in one byte; its length does not matter."""


class Vectors:
    """The meanings of documents, one byte for each component."""

    def __init__(
        self, model: str, state: str, ids: tuple[str, ...], rows: NDArray[np.int8]
    ) -> None:
        self.model = model
        self.state = state
        """The commit of the documents."""
        self._ids = ids
        self._rows = rows

    @classmethod
    def read(cls, path: Path, model: str) -> Self:
        """Read those of a model; none where they are missing or cannot be read."""
        with suppress(OSError, ValueError, KeyError, EOFError, BadZipFile):
            content = BytesIO(path.read_bytes())
            with np.load(content, allow_pickle=False) as file:
                known_model, state, *ids = str(bytes(file["names"]), "utf-8").split(
                    "\n"
                )
                rows = file["rows"]
            if known_model == model and (rows.dtype, rows.shape) == (
                np.int8,
                (len(ids), SIZE),
            ):
                return cls(model, state, tuple(ids), rows)
        return cls(model, "", (), np.empty((0, SIZE), np.int8))

    def write(self, path: Path) -> None:
        """Replace the file. Raises OSError."""
        content = BytesIO()
        names = "\n".join((self.model, self.state, *self._ids)).encode()
        np.savez(content, names=np.frombuffer(names, np.uint8), rows=self._rows)
        replace_file(path, content.getvalue())

    def changed(self, state: str, vectors: Mapping[str, Floats | None]) -> Self:
        """Return them at another state; None drops a document."""
        places = [at for at, id_ in enumerate(self._ids) if id_ not in vectors]
        new = {id_: vector for id_, vector in vectors.items() if vector is not None}
        rows = [np.round(row / np.abs(row).max() * _STEPS) for row in new.values()]
        added = np.array(rows, np.int8).reshape(-1, SIZE)
        ids = (*(self._ids[at] for at in places), *new)
        return type(self)(
            self.model, state, ids, np.vstack([self._rows[places], added])
        )

    def cosines(self, vector: Floats) -> dict[str, float]:
        """Return how near each document is to a vector of length 1."""
        rows = self._rows.astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        return dict(zip(self._ids, (rows @ vector / lengths).tolist(), strict=True))
