"""What is meant, with a meaning made up here; and models, where the library is."""

import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from meanings import saved_model

from gitmem.errors import Unavailable
from gitmem.search.semantic import load, meant
from gitmem.search.semantic_strangers import STRANGERS

KIN = {"automobile": "car", "repaired": "mended", "fast": "quick"}


class Kin:
    """Texts are as near as the share of the text's words that the passage has."""

    def similarities(
        self, texts: Sequence[str], passages: Sequence[str]
    ) -> list[list[float]]:
        return [[_shared(text, passage) for passage in passages] for text in texts]


def _shared(text: str, passage: str) -> float:
    asked, held = _meant(text), _meant(passage)
    return len(asked & held) / len(asked)


def _meant(text: str) -> set[str]:
    return {KIN.get(word, word) for word in text.split()}


def test_what_is_said_in_other_words_is_meant() -> None:
    passages = ["a car was mended", "the quokka slept"]
    assert meant(Kin(), "automobile repaired", passages) == [True, False]


def test_what_strangers_come_as_near_to_is_not_meant() -> None:
    assert meant(Kin(), "car mended", [f"car {STRANGERS[3]}"]) == [False]


passages = st.lists(
    st.lists(st.sampled_from(sorted({*KIN, *KIN.values(), STRANGERS[5]})))
    .map(" ".join)
)  # fmt: skip


@given(passages)
def test_each_passage_is_judged_by_itself(passages: list[str]) -> None:
    together = meant(Kin(), "fast automobile", passages)
    assert together == [
        judged for one in passages for judged in meant(Kin(), "fast automobile", [one])
    ]


def test_strangers_are_many_and_each_says_something_else() -> None:
    assert len({*STRANGERS}) == len(STRANGERS) >= 50
    assert all(len(stranger.split()) > 2 for stranger in STRANGERS)


def test_nothing_is_loaded_before_somebody_asks() -> None:
    asked = "import sys, gitmem.search.semantic; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    heavy = {"numpy", "model2vec", "tokenizers", "huggingface_hub"}
    assert heavy.isdisjoint(result.stdout.split())


def test_without_the_library_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(Unavailable) as caught:
        load(str(tmp_path), tmp_path)
    assert "semantic]" in (caught.value.hint or "")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return saved_model(tmp_path / "home" / "model")


class TestModels:
    """Saved by the library itself, with a dozen words."""

    @pytest.fixture(autouse=True)
    def nothing_connects(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*asked: object) -> None:
            raise AssertionError(asked)

        monkeypatch.setattr(socket.socket, "connect", refuse)
        monkeypatch.setattr(socket, "getaddrinfo", refuse)

    def test_a_folder_is_read(self, saved: Path) -> None:
        meaning = load(str(saved), saved)
        [[near, far, empty]] = meaning.similarities(["car"], ["automobile", "cat", ""])
        assert near == pytest.approx(1.0, abs=0.01)
        assert far == empty == 0.0
        assert meaning.similarities(["car"], []) == [[]]

    def test_it_tells_what_is_meant(self, saved: Path) -> None:
        meaning = load("~/model", saved.parent)
        assert meant(meaning, "car", ["an automobile", "the cat"]) == [True, False]
        assert meant(meaning, "car", []) == []

    def test_a_name_is_read_from_the_cache(
        self, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hub = pytest.importorskip("huggingface_hub")
        monkeypatch.setattr(hub.constants, "HF_HUB_CACHE", str(tmp_path))
        kept = tmp_path / "models--somebody--small"
        shutil.copytree(saved, kept / "snapshots" / "abc")
        (kept / "refs").mkdir()
        (kept / "refs" / "main").write_text("abc")
        assert load("somebody/small", tmp_path).similarities(["car"], ["cat"])

    @pytest.mark.parametrize(
        "named", ["somebody/never-seen", "", "..", "a b", "/not/there", "~/not/there"]
    )
    def test_what_is_not_here_is_not_fetched(self, saved: Path, named: str) -> None:
        with pytest.raises(Unavailable, match="names no model"):
            load(named, saved.parent)

    @pytest.mark.parametrize(
        "damaged", ["model.safetensors", "tokenizer.json", "config.json"]
    )
    def test_a_damaged_model_is_told(
        self, saved: Path, tmp_path: Path, damaged: str
    ) -> None:
        shutil.copytree(saved, tmp_path / "model")
        (tmp_path / "model" / damaged).write_bytes(b"\x00{")
        with pytest.raises(Unavailable, match="names no model"):
            load(str(tmp_path / "model"), tmp_path)

    def test_a_model_of_another_shape_is_told(self, saved: Path) -> None:
        numpy = pytest.importorskip("safetensors.numpy")
        table = saved / "model.safetensors"
        held = numpy.load_file(table).items()
        numpy.save_file({name: each[:, 0].copy() for name, each in held}, table)
        with pytest.raises(Unavailable, match="names no model"):
            load(str(saved), saved)
