"""Codex's threads: rewound, forked, packed and archived ones.

`data/codex_threads` is of version 0.171.0, offline, with a scripted model.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from assistants.transcripts.hostile import read_sound
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.importing.histories import importable_histories
from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport
from gitmem.assistants.codex.conversations import CODEX
from gitmem.assistants.transcripts import (
    Transcript,
    Unread,
    transcript_files,
    unpacked,
)
from gitmem.assistants.transcripts.transcript_files import (
    find_transcript,
    transcripts_in,
)
from gitmem.documents.conversation.conversation import prompts

DATA = Path(__file__).parent / "data" / "codex_threads"
THREAD = "019a0000-0000-7000-8000-00000000000a"
SEGMENTS = [f"019a0000-000{n}-7000-8000-00000000000b" for n in range(1, 5)]

Line = dict[str, Any]


def read(home: Path) -> list[Transcript | Unread]:
    places = [home / "sessions", home / "archived_sessions"]
    files = transcripts_in(places, CODEX)
    return [each for file in files for each in read_sound(CODEX, file.path)]


def conversations(home: Path) -> list[Transcript]:
    return [each for each in read(home) if isinstance(each, Transcript)]


def asked(transcript: Transcript) -> list[str]:
    return list(prompts(transcript.turns))


def line(ordinal: int, kind: str, **payload: Any) -> Line:
    at = f"2026-03-02T10:{ordinal:02d}:00Z"
    return {"timestamp": at, "ordinal": ordinal, "type": kind, "payload": payload}


def meta(ordinal: int, base: tuple[str, int] | None = None, **more: Any) -> Line:
    if base:
        more["history_base"] = {"thread_id": base[0], "end_ordinal_exclusive": base[1]}
    at = f"2026-03-02T10:{ordinal:02d}:00Z"
    about = {"id": THREAD, "timestamp": at, "cwd": "/project"} | more
    return line(ordinal, "session_meta", **about)


def turn(ordinal: int, words: str) -> list[Line]:
    """A prompt, and a file of its name."""
    patch = f"*** Begin Patch\n*** Add File: {words}.py\n+x\n*** End Patch"
    output = f"Success. Updated the following files:\nA {words}.py\n"
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": words}
    done = {"type": "custom_tool_call_output", "call_id": words, "output": output}
    return [
        line(ordinal, "event_msg", type="user_message", message=words),
        line(ordinal + 1, "response_item", **call, input=patch),
        line(ordinal + 2, "response_item", **done),
    ]


def rolled_back(ordinal: int, count: int) -> Line:
    return line(ordinal, "event_msg", type="thread_rolled_back", num_turns=count)


def write(home: Path, lines: list[Line], segment: str = "", day: str = "02") -> Path:
    name = f"{THREAD}_{segment}" if segment else THREAD
    folder = home / "sessions" / "2026" / "03" / day
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"rollout-2026-03-{day}T10-00-00-{name}.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    return file


def pack(file: Path) -> Path:
    packed = file.with_name(f"{file.name}.zst")
    packed.write_bytes(unpacked.zstd.compress(file.read_bytes()))
    file.unlink()
    return packed


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    shutil.copytree(DATA / "rewound-and-forked-in-terminal", tmp_path / "home")
    return tmp_path / "home"


def test_a_rewound_thread_is_one_without_what_was_taken_back(recorded: Path) -> None:
    (rewound,) = read(recorded)  # nothing was said in the fork
    assert isinstance(rewound, Transcript)
    assert asked(rewound) == ["prompt two", "prompt three edited"]
    assert rewound.client_session_id == "01a21cf7-703d-75e3-9ab4-07b2e624c80d"
    assert f"{rewound.began_at:%H:%M:%S}" == "12:25:07"


def test_an_archived_thread_and_its_fork_are_two() -> None:
    archived, fork = conversations(DATA / "archived-and-fork")
    assert asked(archived) == ["Make two files", "Second prompt"]
    assert [Path(edit.path).name for edit in archived.events] == ["b.txt"]
    assert asked(fork) == ["Fork prompt"]
    assert fork.parent == archived.client_session_id


def test_a_migrated_rollout_has_every_word_once() -> None:
    (migrated,) = read(DATA / "legacy-migrated")
    assert isinstance(migrated, Transcript)
    assert [each.text for each in migrated.turns] == ["Old prompt", "Old answer"]


def test_pieces_of_a_thread_are_found_in_all_folders_and_packed(recorded: Path) -> None:
    base, newest = sorted(recorded.rglob("*703d*.jsonl"))
    archived = recorded / "archived_sessions"
    archived.mkdir()
    pack(newest.rename(archived / newest.name))
    pack(base)
    (rewound,) = read(recorded)
    assert isinstance(rewound, Transcript)
    assert asked(rewound) == ["prompt two", "prompt three edited"]


def test_a_thread_is_rewound_twice_and_into_what_a_rewind_left(tmp_path: Path) -> None:
    first, second, third, fourth = SEGMENTS
    write(tmp_path, [meta(0), *turn(1, "a"), *turn(4, "b"), *turn(7, "c")])
    write(tmp_path, [meta(7, (THREAD, 7)), *turn(8, "d"), *turn(11, "e")], first, "03")
    write(tmp_path, [meta(11, (first, 11)), *turn(12, "f")], second, "04")
    assert asked(*conversations(tmp_path)) == ["a", "b", "d", "f"]
    write(tmp_path, [meta(4, (second, 4)), *turn(5, "g")], third, "05")
    assert asked(*conversations(tmp_path)) == ["a", "g"]
    write(tmp_path, [meta(1, (THREAD, 1)), *turn(2, "h")], fourth, "06")
    (last,) = conversations(tmp_path)
    assert asked(last) == ["h"]
    assert [edit.path for edit in last.events] == ["h.py"]


def test_a_missing_piece_is_told_and_the_rest_read(tmp_path: Path) -> None:
    write(tmp_path, [meta(7, (THREAD, 7)), *turn(8, "d")], SEGMENTS[0])
    unread, rest = read(tmp_path)
    assert unread == Unread("the file that it goes on from is missing")
    assert isinstance(rest, Transcript)
    assert asked(rest) == ["d"]


@pytest.mark.parametrize("base", [SEGMENTS[0], SEGMENTS[1], "*", "../../x", ""])
def test_pieces_that_name_each_other_end(tmp_path: Path, base: str) -> None:
    one, other = SEGMENTS[:2]
    write(tmp_path, [meta(7, (other, 7)), *turn(8, "d")], one)
    write(tmp_path, [meta(8, (base, 20)), *turn(9, "e")], other)
    (last,) = conversations(tmp_path)
    assert asked(last)[-1:] == ["e"]


def test_a_rewound_fork_has_no_turn_of_its_parent(tmp_path: Path) -> None:
    parent = THREAD.replace("a", "c")
    base = (parent, 4)
    write(tmp_path, [meta(4, base, forked_from_id=parent), *turn(5, "x")])
    write(tmp_path, [meta(5, (THREAD, 5)), *turn(6, "y")], SEGMENTS[0])
    (fork,) = read(tmp_path)
    assert isinstance(fork, Transcript)
    assert (asked(fork), fork.parent) == (["y"], parent)
    original = write(tmp_path, [meta(0), *turn(1, "of the parent"), *turn(4, "later")])
    original.rename(original.with_name(original.name.replace(THREAD, parent)))
    base = (parent, 1)
    write(tmp_path, [meta(1, base, forked_from_id=parent), *turn(2, "z")], SEGMENTS[1])
    _, fork = read(tmp_path)
    assert isinstance(fork, Transcript)
    assert (asked(fork), fork.parent) == (["z"], parent)


@pytest.mark.parametrize(
    ("counts", "left"),
    [
        ([1], ["a", "b", "d"]),
        ([2], ["a", "d"]),
        ([1, 1], ["a", "d"]),
        ([9], ["d"]),
        ([0, -1], ["a", "b", "c", "d"]),
    ],
)
def test_turns_that_were_rolled_back_are_left_out(
    tmp_path: Path, counts: list[int], left: list[str]
) -> None:
    back = [rolled_back(10, count) for count in counts]
    lines = [*turn(1, "a"), *turn(4, "b"), *turn(7, "c"), *back, *turn(11, "d")]
    write(tmp_path, [meta(0), *lines])
    (thread,) = conversations(tmp_path)
    assert asked(thread) == left
    assert [edit.path for edit in thread.events] == [f"{word}.py" for word in left]


def test_prompts_that_stand_twice_are_rolled_back_once(tmp_path: Path) -> None:
    def item(at: int, role: str, words: str) -> Line:
        block = {"type": "input_text", "text": words}
        return line(at, "response_item", type="message", role=role, content=[block])

    def both(at: int, words: str) -> list[Line]:
        said = line(at + 4, "event_msg", type="agent_message", message=f"did {words}")
        answer = item(at + 3, "assistant", f"did {words}")
        return [item(at, "user", words), *turn(at, words), answer, said]

    write(tmp_path, [meta(0), *both(1, "a"), *both(8, "b"), rolled_back(15, 1)])
    (thread,) = conversations(tmp_path)
    assert [each.text for each in thread.turns] == ["a", "did a"]


def test_a_picture_alone_is_a_turn(tmp_path: Path) -> None:
    picture = line(4, "event_msg", type="user_message", message="", images=["x"])
    write(tmp_path, [meta(0), *turn(1, "a"), picture, rolled_back(5, 1)])
    assert asked(*conversations(tmp_path)) == ["a"]


def test_what_the_person_ran_and_planned_is_in(tmp_path: Path) -> None:
    ran = {
        "type": "CommandExecution",
        "id": "c",
        "command": ["bash", "-lc", "git commit -m x"],
        "cwd": "file:///project/sub",
        "aggregated_output": "[main abc1234] x\n",
    }
    plan = {"type": "Plan", "id": "p", "text": "First this, then that."}
    about = {"type": "item_completed", "thread_id": THREAD}
    done = [line(4, "event_msg", **about, item=item) for item in (ran, plan)]
    write(tmp_path, [meta(0), *turn(1, "a"), *done])
    (thread,) = conversations(tmp_path)
    assert thread.runs[-1].folder == "/project/sub"
    assert thread.commits[0].sha == "abc1234"
    assert thread.turns[-1].text == "First this, then that."


def test_packed_rollouts_are_read_and_a_plain_one_beside_counts(tmp_path: Path) -> None:
    packed = pack(write(tmp_path, [meta(0), *turn(1, "a")]))
    assert asked(*conversations(tmp_path)) == ["a"]
    write(tmp_path, [meta(0), *turn(1, "a"), *turn(4, "b")])
    assert packed.exists()
    assert asked(*conversations(tmp_path)) == ["a", "b"]


def test_a_file_is_found_by_a_hook_that_was_told_its_other_name(tmp_path: Path) -> None:
    plain = write(tmp_path, [meta(0), *turn(1, "a")])
    places = [tmp_path / "sessions"]
    named = str(plain)
    assert find_transcript(f"{named}.zst", places, CODEX.pattern) == plain
    packed = pack(plain)
    assert find_transcript(named, places, CODEX.pattern) == packed
    assert CODEX.parent_in
    assert CODEX.parent_in(packed, THREAD) == ""


def test_packed_and_rewound_threads_are_offered_and_imported(repository: Path) -> None:
    home = Path.home() / ".codex"
    folder = str(repository.resolve())
    write(home, [meta(0, cwd=folder), *turn(1, "a"), *turn(4, "b")])
    pack(write(home, [meta(4, (THREAD, 4), cwd=folder), *turn(5, "c")], SEGMENTS[0]))
    workspace, report = workspace_at(repository), ImportReport()
    (history,) = importable_histories(workspace)
    assert [file.path.suffix for file in history.files] == [".zst"]
    wanted = ImportRequest(reader=CODEX)
    files = wanted_files(workspace, wanted)
    bring_in(workspace, wanted, files, report, lambda *_: None)
    assert [(each.outcome, each.prompts) for each in report.sessions] == [("new", 2)]
    assert not report.unread
    assert [*importable_histories(workspace_at(repository))] == []


def test_a_truncated_file_gives_what_is_whole(tmp_path: Path) -> None:
    lines = [meta(0), *turn(1, "a"), *(turn(4, f"{n:09}")[0] for n in range(9000))]
    file = pack(write(tmp_path, lines))
    file.write_bytes(file.read_bytes()[:-9])
    unread, thread = read(tmp_path)
    assert unread == Unread("what it is packed in is damaged or cut off")
    assert isinstance(thread, Transcript)
    assert asked(thread)[0] == "a"
    file.write_bytes(b"no archive\n")
    assert [type(each) for each in read(tmp_path)] == [Unread]


@every_row(
    ("limit", "value", "rest", "reason"),
    [
        ("UNASKED_LIMIT", 9000, bytes(9_000_000), "unpacks to more than 9,000 bytes"),
        ("MOST_LINES", 90, b"\n" * 99, "has more than 90 lines"),
    ],
)
def test_a_file_that_unpacks_without_end_is_left(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    value: int,
    rest: bytes,
    reason: str,
) -> None:
    file = write(tmp_path, [meta(0), *turn(1, "a")])
    with file.open("ab") as opened:
        opened.write(rest)
    pack(file)
    monkeypatch.setattr(f"{transcript_files.__name__}.{limit}", value)
    unread, thread = read(tmp_path)
    assert unread == Unread(f"it {reason}")
    assert isinstance(thread, Transcript)
