"""The manifest: it is read back as it was written, and believed only so far."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.store.install_manifest import (
    InstalledFile,
    Span,
    installed_files,
    manifest_content,
    manifest_path,
    spans_of,
    without_spans,
)
from gitmem.text.insertion import Insertion, inserted
from gitmem.text.shape import value_of

NAMES = st.text("abc./ \u00e9", min_size=1).filter(lambda name: ".." not in name)
FILES = st.builds(
    InstalledFile,
    root=st.text(),
    path=NAMES.map(lambda name: f"x{name}"),
    created=st.booleans(),
    folders=st.lists(st.just("folder")).map(tuple),
    spans=st.lists(st.builds(Span, st.integers(), st.integers())).map(tuple),
    sha256=st.text("0123456789abcdef"),
    local=st.booleans(),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
VALUES = asdict(InstalledFile(root="/r", path="p", created=True))


@pytest.fixture(scope="module")
def common_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("git")
    manifest_path(folder).parent.mkdir()
    return folder


@given(files=st.lists(FILES, max_size=3))
def test_what_is_noted_is_read_back(
    common_dir: Path, files: list[InstalledFile]
) -> None:
    manifest_path(common_dir).write_bytes(manifest_content(files))
    assert installed_files(common_dir) == files


@given(key=st.sampled_from(sorted(VALUES)), value=JSON)
@example(key="path", value="../x")
@example(key="path", value="/etc/passwd")
@example(key="folders", value=["a/../../x"])
@example(key="spans", value=[{"offset": True, "length": "1"}])
def test_nothing_is_believed_that_is_no_file_below_its_root(
    common_dir: Path, key: str, value: object
) -> None:
    files = [VALUES, VALUES | {key: value}]
    data = json.dumps({"format": 1, "files": files})
    manifest_path(common_dir).write_text(data)
    for file in installed_files(common_dir):
        assert value_of(InstalledFile, json.loads(json.dumps(asdict(file)))) == file
        for path in (file.path, *file.folders):
            assert ".." not in path.split("/")
            assert not path.startswith("/")


@given(content=JSON.map(json.dumps) | st.text())
@example(content='{"format": 1, "files": [0]}')
@example(content='{"format": 2, "files": []}')
@example(content="[" * 100_000)
def test_a_manifest_that_is_none_notes_nothing(common_dir: Path, content: str) -> None:
    manifest_path(common_dir).write_text(content, errors="replace")
    assert installed_files(common_dir) == []


@given(text=st.text(), pieces=st.lists(st.tuples(st.integers(0), st.text())))
def test_added_can_be_cut_out(text: str, pieces: list[tuple[int, str]]) -> None:
    after, insertions = text, list[Insertion]()
    for offset, piece in pieces:
        insertions.append(Insertion(offset % (len(after) + 1), piece))
        after = inserted(after, insertions[-1:])
    assert without_spans(after, spans_of(insertions)) == text
