"""A folder may be in any state; the index has an answer or begins again."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import tantivy
from search.builders import found, hits, indexed, learn, session
from support.rounds import few

from gitmem.errors import Damaged
from gitmem.search import documents, folder
from gitmem.search.index import Index

ONE = session("one", goal="quokka")
SUFFIXES = ["fast", "idx", "pos", "store", "term", "fieldnorm"]


def reopened(path: Path) -> Index:
    return Index.open(path / "index", path / "lock")


def assert_begins_again(path: Path) -> None:
    index = reopened(path)
    assert index.tip is None
    assert found(index, "quokka") == []
    learn(index, "t2", [ONE])
    assert found(reopened(path), "quokka") == ["one"]


def truncated(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def overwritten(file: Path) -> None:
    file.write_bytes(b"\0" * file.stat().st_size)


@pytest.mark.parametrize("damage", [Path.unlink, truncated, overwritten])
@few(1, "suffix", [s for s in SUFFIXES if s != "fieldnorm"])
def test_a_damaged_segment_is_a_fresh_start(
    tmp_path: Path, suffix: str, damage: Callable[[Path], None]
) -> None:
    indexed(tmp_path, [ONE])
    for file in (tmp_path / "index").glob(f"*.{suffix}"):
        damage(file)
    assert_begins_again(tmp_path)


@pytest.mark.parametrize("name", ["meta.json", ".managed.json"])
@few(1, "content", [b"", b"{}", b"garbage", b"\xff\xfe\0"])
def test_bad_metadata_starts_anew(tmp_path: Path, name: str, content: bytes) -> None:
    indexed(tmp_path, [ONE])
    (tmp_path / "index" / name).write_bytes(content)
    learn(reopened(tmp_path), "t2", [ONE])
    assert found(reopened(tmp_path), "quokka") == ["one"]


def without_metadata(index: Path) -> None:
    indexed(index.parent, [ONE])
    (index / "meta.json").unlink()


def of_another_schema(index: Path) -> None:
    index.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("something")
    tantivy.Index(builder.build(), str(index))


def a_file(index: Path) -> None:
    index.write_text("not a folder")


def a_dangling_link(index: Path) -> None:
    index.symlink_to("nowhere")


@pytest.mark.parametrize(
    "state", [without_metadata, of_another_schema, a_file, a_dangling_link]
)
def test_what_is_no_index_is_a_fresh_start(
    tmp_path: Path, state: Callable[[Path], None]
) -> None:
    state(tmp_path / "index")
    assert_begins_again(tmp_path)


def test_an_index_of_another_version_learns_everything_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed(tmp_path, [ONE, session("two", goal="quokka")])
    monkeypatch.setattr(documents, "VERSION", documents.VERSION + 1)
    index = reopened(tmp_path)
    assert index.tip is None
    learn(index, "t2", [ONE])
    assert found(index, "quokka") == ["one"]
    assert reopened(tmp_path).tip == "t2"


def test_damage_that_shows_in_a_search_is_told_and_mended(tmp_path: Path) -> None:
    indexed(tmp_path, [session(f"s{n}", goal=f"quokka {n}") for n in range(300)])
    (file,) = (tmp_path / "index").glob("*.store")
    damaged = bytearray(file.read_bytes())
    for place in range(0, len(damaged) // 2, 3):
        damaged[place] ^= 0x5A
    file.write_bytes(damaged)
    index = reopened(tmp_path)
    assert index.tip == "tip"
    with pytest.raises(Damaged):
        hits(index, "quokka", 300)
    assert index.tip is None
    assert_begins_again(tmp_path)


def test_a_folder_that_goes_away_is_made_again(tmp_path: Path) -> None:
    index = indexed(tmp_path, [ONE])
    shutil.rmtree(tmp_path / "index")
    assert found(index, "quokka") == ["one"], "what is open can still be read"
    learn(index, "t2", [ONE])
    assert found(reopened(tmp_path), "quokka") == ["one"]


def test_what_a_killed_writer_left_is_deleted(tmp_path: Path) -> None:
    index = indexed(tmp_path, [ONE])
    left = tmp_path / "index" / ".tmpA1b2C3"
    left.write_bytes(b"half of something")
    learn(index, "t2", [session("two", goal="quokka")])
    assert not left.exists()
    assert found(reopened(tmp_path), "quokka") == ["one", "two"]


def test_one_that_stays_open_has_what_others_wrote(tmp_path: Path) -> None:
    indexed(tmp_path, [ONE])
    assert folder.open_index(tmp_path / "index") is folder.open_index(
        tmp_path / "index"
    )
    (tmp_path / "others").symlink_to(tmp_path)
    learn(reopened(tmp_path / "others"), "t2", [session("two", goal="quokka")])
    assert found(reopened(tmp_path), "quokka") == ["one", "two"]


@pytest.mark.parametrize("unwritable", ["index", "lock"])
def test_unwritable_index_is_in_memory(tmp_path: Path, unwritable: str) -> None:
    (tmp_path / "file").write_text("no folder can be in here")
    places = {"index": tmp_path / "index", "lock": tmp_path / "lock"}
    places[unwritable] = tmp_path / "file" / unwritable
    index = Index.open(places["index"], places["lock"])
    learn(index, "t1", [ONE])
    assert (index.tip, found(index, "quokka")) == ("t1", ["one"])
    learn(index, "t2", [session("two", goal="quokka")])
    assert found(index, "quokka") == ["one", "two"]
    assert (tmp_path / "file").read_text() == "no folder can be in here"


def test_unwritable_index_goes_on_in_memory(tmp_path: Path) -> None:
    index = indexed(tmp_path, [ONE])
    (tmp_path / "lock").unlink(missing_ok=True)
    (tmp_path / "lock").mkdir()
    learn_everything = [ONE, session("two", goal="quokka")]
    learn(index, "t2", learn_everything)
    assert (index.tip, found(index, "quokka")) == ("t2", ["one", "two"])


def test_while_another_one_writes_it_answers_with_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "LOCK_WAIT", 0.05)
    index = indexed(tmp_path, [ONE], tip="t1")
    with folder.locked(tmp_path / "lock"):
        learn(index, "t2", [session("two", goal="quokka")])
    assert (index.tip, found(index, "quokka")) == ("t1", ["one"])
    learn(index, "t2", [session("two", goal="quokka")])
    assert index.tip == "t2"
