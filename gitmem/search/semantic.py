"""A second witness: sessions that words found too weakly, confirmed by their meaning.

Off unless the user names a model. Nothing is stored: a session that shares no word with
the query is not found by meaning either, so few passages have to be looked at, and they
are embedded when somebody asks. docs/semantic.md has what that is worth, as measured.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from gitmem.errors import Unavailable
from gitmem.search.semantic_strangers import STRANGERS

SETTING: Final = "ocm.semantic"
"""The folder of a model, or its name in the cache of the library."""
WEAK: Final = 0.7
"""With less than this share of what an answer needs, meaning is not asked."""
MOST: Final = 20
"""Sessions to ask about; more cost time and brought nothing."""

_EXTRA = "pip install 'ocm-session-memory[semantic]'"


class Meaning(Protocol):
    """Tells how near texts are in meaning."""

    def similarities(
        self, texts: Sequence[str], passages: Sequence[str]
    ) -> list[list[float]]:
        """For each text its cosine with each passage, from -1 to 1."""


def meant(meaning: Meaning, text: str, passages: Sequence[str]) -> list[bool]:
    """For each passage (about 150 words) whether `text` means it.

    It does when it comes nearer to the passage than any of STRANGERS: so the bar fits
    every model, and every passage.
    """
    own, *others = meaning.similarities([text, *STRANGERS], passages)
    best = (max(strangers) for strangers in zip(*others, strict=True))
    return [near > bar for near, bar in zip(own, best, strict=True)]


def load(named: str, home: Path) -> Meaning:
    """The model that the setting names; read once in a process, never downloaded.

    `home` is what `~` stands for. Raises Unavailable, with what to do, where the
    library is missing or the model cannot be read.
    """
    return _load(_absolute(named.strip(), home))


def _absolute(named: str, home: Path) -> str:
    return str(home / named[2:]) if named.startswith("~/") else named


@cache
def _load(named: str) -> Meaning:
    hub, library = _library("huggingface_hub"), _library("model2vec")
    try:
        folder = Path(named)
        if not folder.is_absolute():
            folder = Path(hub.snapshot_download(named, local_files_only=True))
        found = _Static(library.StaticModel.from_pretrained(folder))
        found.similarities(STRANGERS, STRANGERS)  # what else is wrong shows here
    except Exception as error:  # the readers below have no common error
        raise Unavailable(
            f"{SETTING} names no model that can be read: {named}",
            hint="Name the absolute path of a folder that model2vec has saved.",
        ) from error
    return found


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise Unavailable(
            f"{SETTING} is set, and the library that reads models is not here.",
            hint=f"{_EXTRA}, or remove the setting.",
        ) from error


class _Static:
    """One vector a token; a text is the mean of its own."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def similarities(
        self, texts: Sequence[str], passages: Sequence[str]
    ) -> list[list[float]]:
        if not passages:
            return [[] for _ in texts]
        found: list[list[float]] = (
            self._vectors(texts) @ self._vectors(passages).T
        ).tolist()
        return found

    def _vectors(self, texts: Sequence[str]) -> Any:
        found = self._model.encode([*texts], normalize=True, use_multiprocessing=False)
        return found.astype("float32")  # half floats are multiplied ten times slower
