"""What the model says of texts."""

import math
import subprocess
import sys
from itertools import pairwise

import pytest

from gitmem.meaning.model import MODULE, SentenceModel, sentence_model
from gitmem.meaning.word_pieces import word_pieces

PIECES = {
    "Seats are held for twelve minutes.": [4272, 2024, 2218, 2005, 4376, 2781, 1012],
    "Café Ünïcode": [7668, 27260],
    "tokenization": [19204, 3989],
    "浇水": [100, 1893],
    "": [],
}
"""As BERT's own tokenizer cuts them."""
FIRST = [0.0079, 0.0563, 0.0099, -0.0586]


@pytest.mark.parametrize("text", PIECES)
def test_texts_are_cut_as_by_bert(text: str) -> None:
    assert word_pieces(text) == PIECES[text]


def test_a_vector_is_that_of_an_onnx_runtime(model: SentenceModel) -> None:
    vector = model.vector("Seats are held for twelve minutes while a customer pays.")
    assert [round(float(value), 4) for value in vector[:4]] == FIRST
    assert math.isclose(float(vector @ vector), 1.0, rel_tol=1e-5)


def test_what_means_the_same_is_near(model: SentenceModel) -> None:
    texts = (
        "how long do we keep a place reserved before someone has paid",
        "Seats are held for twelve minutes while a customer pays.",
        "The pump kept running after a brownout.",
    )
    near, far = (float(a @ b) for a, b in pairwise(map(model.vector, texts)))
    assert near > 0.4
    assert far < 0.2


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("which database do the tests need", True),
        ("wann darf ich den Server neu starten", False),
        ("什么时候给植物浇水", False),
        ("クラリネットの譜面", False),
        ("", False),
    ],
)
def test_other_languages_are_told_apart(
    model: SentenceModel, text: str, is_read: bool
) -> None:
    assert model.reads(text) is is_read


def test_any_text_has_a_vector(model: SentenceModel) -> None:
    for text in ("", "\0\ud800", "x" * 100_000, "word " * 10_000, "🙂🙃"):
        assert math.isfinite(float(model.vector(text).sum()))


def test_without_the_extra_there_is_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, MODULE, None)
    sentence_model.cache_clear()
    assert sentence_model() is None
    sentence_model.cache_clear()


def test_commands_that_do_not_recall_load_no_model() -> None:
    program = (
        "import sys; import gitmem.cli.main, gitmem.server.main;"
        "import gitmem.actions.remembering.session_statements;"
        "print({'numpy', 'gitmem.meaning.minilm'} & {*sys.modules})"
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
