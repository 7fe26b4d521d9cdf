"""A static model of a few words, saved by the library that reads it."""

from pathlib import Path

import pytest

SAME = ("car", "automobile", "vehicle")
"""Words that mean the same to it; "cat" is another, and all the others mean nothing."""


def saved_model(folder: Path) -> Path:
    """Skips the test where the library is missing."""
    library, numpy, tokenizers = (
        pytest.importorskip(name) for name in ("model2vec", "numpy", "tokenizers")
    )
    words = ["[UNK]", *SAME, "cat"]
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel(
            {word: at for at, word in enumerate(words)}, unk_token="[UNK]"
        )
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    vectors = [[0, 0], *([1, 0] for _ in SAME), [0, 1]]
    model = library.StaticModel(numpy.array(vectors, numpy.float32), tokenizer)
    model.save_pretrained(folder)
    return folder
