"""A second witness: sessions that words found too weakly, confirmed by their meaning.

Off unless the user names a model. Nothing is stored: a session that shares no word with
the query is not found by meaning either, so few passages have to be looked at, and they
are embedded when somebody asks. docs/semantic.md has what that is worth, as measured.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from gitmem.errors import Unavailable
from gitmem.search.semantic_strangers import STRANGERS

SETTING: Final = "ocm.semantic"
"""The folder of a model, or its name in the cache of the library."""
WEAK: Final = 0.7
"""A session that scored less than this share of the threshold is not asked about."""
MOST: Final = 20
"""Sessions to ask about; more cost time and brought nothing."""

_EXTRA = "pip install 'ocm-session-memory[semantic]'"


class Meaning(Protocol):
    """Tells how near texts are in meaning."""

    def similarities(
        self, texts: Sequence[str], passages: Sequence[str]
    ) -> list[list[float]]:
        """For each text its cosine with each passage, from -1 to 1."""


def rescued(
    meaning: Meaning, text: str, weak: Mapping[str, Sequence[str]]
) -> list[tuple[str, float]]:
    """The sessions of `weak` that `text` means, nearest first, with their similarity.

    `weak` has the passages (about 150 words each) of sessions that words found, but
    below the threshold. A session is meant when `text` comes nearer to one of its
    passages than any of STRANGERS to any of them: so the bar fits every model, and
    every length of a session.
    """
    found = []
    for session_id, nearest in _nearest(meaning, [text, *STRANGERS], weak):
        own, *others = nearest
        if own > max(others):
            found.append((session_id, own))
    return sorted(found, key=lambda one: (-one[1], one[0]))


def load(named: str, home: Path) -> Meaning:
    """The model that the setting names; read once in a process, never downloaded.

    `home` is what `~` stands for. Raises Unavailable, with what to do, where the
    library is missing or the model cannot be read.
    """
    return _load(_absolute(named.strip(), home))


def _nearest(
    meaning: Meaning, texts: Sequence[str], weak: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, list[float]]]:
    """For each session the similarity of each text with the nearest of its passages."""
    rows = meaning.similarities(texts, [one for held in weak.values() for one in held])
    start = 0
    for session_id, held in weak.items():
        end = start + len(held)
        if held:
            yield session_id, [max(row[start:end]) for row in rows]
        start = end


def _absolute(named: str, home: Path) -> str:
    return str(home / named[2:]) if named.startswith("~/") else named


@cache
def _load(named: str) -> Meaning:
    hub, library = _library("huggingface_hub"), _library("model2vec")
    try:
        folder = Path(named)
        if not folder.is_absolute():
            folder = Path(hub.snapshot_download(named, local_files_only=True))
        return _Static(library.StaticModel.from_pretrained(folder))
    except Exception as error:  # the readers below have no common error
        raise Unavailable(
            f"{SETTING} names no model that can be read: {named}",
            hint="Name the absolute path of a folder that model2vec has saved.",
        ) from error


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
