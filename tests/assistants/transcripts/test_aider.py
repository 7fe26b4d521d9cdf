"""Aider's chat history: a file in the format that version 0.86 writes."""

from datetime import datetime
from pathlib import Path

import pytest
from assistants.transcripts.hostile import read_sound
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.assistants.aider import AIDER, HISTORY
from gitmem.assistants.assistant import EventKind
from gitmem.assistants.transcripts import Transcript, Unread
from gitmem.documents.conversation.conversation import Speaker, prompts
from gitmem.git.values import Change

REAL = Path(__file__).parent / "data" / "aider" / HISTORY
START = "\n# aider chat started at 2025-06-02 10:00:00\n\n"


def transcripts(file: Path) -> list[Transcript]:
    return [each for each in AIDER.read(file) if isinstance(each, Transcript)]


def written(folder: Path, text: str) -> Path:
    file = folder / HISTORY
    file.write_text(text)
    return file


def asked(folder: Path, text: str) -> list[str]:
    return [
        prompt
        for each in transcripts(written(folder, START + text))
        for prompt in prompts(each.turns)
    ]


def test_each_start_with_prompts_is_a_conversation() -> None:
    first, second = transcripts(REAL)
    assert first.began_at == first.ended_at == datetime(2025, 6, 2, 11, 49, 34)
    assert first.folder == second.folder == str(REAL.parent)
    assert first.client_session_id != second.client_session_id
    assert list(prompts(second.turns)) == ["rename the module to fetching"]


def test_what_a_person_said_is_told_from_commands_and_headings() -> None:
    assert list(prompts(transcripts(REAL)[0].turns)) == [
        (
            "the page is fetched twice when a redirect comes back\n\n"
            "please cache it by its final address"
        ),
        "why is the second test slower?",
    ]


def test_answer_is_read_without_edits_and_thoughts() -> None:
    answers = [
        turn.text
        for turn in transcripts(REAL)[0].turns
        if turn.speaker is Speaker.ASSISTANT
    ]
    assert answers == [
        (
            "I will keep pages by the address they came from in the end.\n\n"
            "#### Where it goes\n\n> A redirect is followed once.\n\n"
            "scraper.py\n\ncache.py\n\nThat is all."
        ),
        "Because it waits for the clock.",
    ]


def test_edits_are_those_that_were_applied() -> None:
    first, _ = transcripts(REAL)
    assert {each.kind for each in first.events} == {EventKind.EDIT}
    assert [(each.folder, each.path, each.change) for each in first.events] == [
        (first.folder, "scraper.py", Change.MODIFIED),
        (first.folder, "cache.py", Change.CREATED),
    ]


def test_commits_are_those_that_were_not_undone() -> None:
    (made,) = transcripts(REAL)[0].commits
    assert (made.sha, made.subject) == (
        "1f2e3d4",
        "feat: cache pages by their final address",
    )


@every_row("command", ["ask", "code", "architect", "context"])
def test_asking_command_is_read_without_its_name(tmp_path: Path, command: str) -> None:
    assert asked(tmp_path, f"#### /{command} where is it?  \n") == ["where is it?"]


@every_row("command", ["/add x.py", "/ask", "!ls", "/run make", "<blank>"])
def test_other_commands_are_no_prompts(tmp_path: Path, command: str) -> None:
    assert asked(tmp_path, f"#### {command}  \n\n#### go on  \n") == ["go on"]


def test_the_same_conversation_keeps_its_id_as_the_file_grows(tmp_path: Path) -> None:
    file = written(tmp_path, START + "#### one  \n")
    (before,) = transcripts(file)
    written(tmp_path, START + "#### one  \n\ntwo\n" + START + "#### three  \n")
    first, second = transcripts(file)
    assert first.client_session_id == before.client_session_id
    assert first.client_session_id != second.client_session_id


def test_a_damaged_beginning_costs_only_its_own_conversation(tmp_path: Path) -> None:
    damaged = "# aider chat started at 2025-13-45 99:00:00\n\n#### lost  \n"
    file = written(tmp_path, "torn\n\n" + damaged + START + "#### kept  \n")
    torn, undated, transcript = AIDER.read(file)
    assert torn == Unread("no beginning of a conversation", 1)
    assert undated == Unread("a beginning without a date", 3)
    assert isinstance(transcript, Transcript)
    assert list(prompts(transcript.turns)) == ["kept"]


def test_answer_cut_off_in_an_edit_hides_nothing(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        START + "#### a  \n\n<<<<<<< SEARCH\nx\n\n> Tokens: 1k sent.  \n"
        "> Applied edit to x.py  \n\n#### b  \n",
    )
    (transcript,) = transcripts(file)
    assert [each.path for each in transcript.events] == ["x.py"]
    assert list(prompts(transcript.turns)) == ["a", "b"]


def test_histories_are_looked_for_in_the_work_trees() -> None:
    root = Path("/project")
    assert list(AIDER.places(Path("/home"), {}, [root])) == [root / HISTORY]
    named = {"AIDER_CHAT_HISTORY_FILE": "notes/chat.md"}
    assert list(AIDER.places(Path("/home"), named, [root])) == [root / "notes/chat.md"]


PIECES = st.sampled_from(
    [
        "# aider chat started at 2025-06-02 10:00:00",
        *("# aider chat started at 9999-12-31 23:59:59+14:00", "#### prompt  "),
        *("####  ", "> Applied edit to a.py  ", "> Commit 1234567 "),
        "> Create new file? (Y)es/(N)o [Yes]: y  ",
        *("> Allow creation of new file ???? y  ", "<<<<<<< SEARCH", ">>>>>>> REPLACE"),
        *("```", "\x00", "\r", ""),
    ]
).map(str.encode)


@given(
    st.lists(PIECES | st.binary(max_size=20), max_size=12),
    st.sampled_from([b"\n", b""]),
)
def test_any_file_is_read_without_an_error(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], end: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / HISTORY
    file.write_bytes(end.join(pieces))
    read_sound(AIDER, file)


def test_lines_that_were_made_to_be_slow_are_not(tmp_path: Path) -> None:
    line = "> Allow creation of new file " + "?" * 200_000 + "  \n"
    fences = "```" * 50_000 + "\n"
    assert asked(tmp_path, line + fences + "\n#### still here  \n") == ["still here"]
