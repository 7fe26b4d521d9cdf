"""What is read of a file with JSON lines, whatever the file holds."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.assistants.transcripts import Unread, transcript_files
from gitmem.assistants.transcripts.transcript_files import JsonLine, json_lines


def read(folder: Path, content: bytes) -> list[JsonLine | Unread]:
    file = folder / "lines.jsonl"
    file.write_bytes(content)
    return list(json_lines(file))


def test_every_object_is_read_with_the_number_of_its_line(tmp_path: Path) -> None:
    content = b'{"a": 1}\n\n  \r\n{"b": "\xc3\xa4"}\r\n'
    assert read(tmp_path, content) == [JsonLine(1, {"a": 1}), JsonLine(4, {"b": "ä"})]


@every_row(
    "damaged",
    [
        b'{"a": ',
        b'{"a": 1}{"b": 2}',
        b"\x00\x00\x00\x00",
        b'{"a": "\xff"}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a":' * 100_000,
    ],
)
def test_a_damaged_line_costs_only_itself(tmp_path: Path, damaged: bytes) -> None:
    content = b'{"a": 1}\n' + damaged + b'\n{"b": 2}\n'
    assert read(tmp_path, content) == [
        JsonLine(1, {"a": 1}),
        Unread("no JSON", 2),
        JsonLine(3, {"b": 2}),
    ]


def test_json_that_is_no_object_is_reported(tmp_path: Path) -> None:
    assert read(tmp_path, b"[1]\n7\n") == [
        Unread("no object", 1),
        Unread("no object", 2),
    ]


def test_only_a_whole_last_line_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, b'{"a": 1}\n{"b": "unfini') == [JsonLine(1, {"a": 1})]
    assert read(tmp_path, b'{"a": 1}') == [JsonLine(1, {"a": 1})]


def test_a_line_that_is_too_long_is_not_held_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits = b'{"b": 2}\n'
    monkeypatch.setattr(transcript_files, "LONGEST", len(fits))
    content = b'{"a": "' + b"x" * 100 + b'"}\n' + fits + b'{"c": "' + b"y" * 50
    assert read(tmp_path, content) == [
        Unread("too long", 1),
        JsonLine(2, {"b": 2}),
        Unread("too long", 3),
    ]


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(json_lines(tmp_path / "gone.jsonl"))


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    found = read(tmp_path_factory.getbasetemp(), content)
    assert len(found) <= content.count(b"\n") + 1
