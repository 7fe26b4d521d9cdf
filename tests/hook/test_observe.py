"""What each event leaves in the journal, and what leaves nothing."""

import os
import re
from pathlib import Path

import pytest
from hook.calls import (
    CLAUDE,
    CLAUDE_330,
    Call,
    Hear,
    claude,
    edit,
    events,
    kinds,
    recorded,
)
from support.events import event, note
from support.harness import git
from support.rounds import every_row

from gitmem.documents.event import (
    FORKED,
    PROMPT_LENGTH,
    Edit,
    Event,
    Fork,
    Prompt,
    Start,
    Todo,
    Todos,
    TranscriptRead,
)
from gitmem.git.values import Change

ONE = "11111111-2222-4333-8444-555555555555"
TWO = "22222222-2222-4333-8444-555555555555"


def begin(repository: Path, session: str = ONE) -> None:
    """A conversation that was seen to begin, without what a start says."""
    note(repository, event(Start, client=session, root=str(repository)))


def last(repository: Path) -> Event:
    return events(repository, ONE)[-1]


def task(name: str, repository: Path) -> Call:
    return claude(f"PostToolUse-{name}", repository, ONE)


def prompt(text: str, repository: Path) -> Call:
    return claude("UserPromptSubmit", repository, ONE, prompt=text)


def test_a_closed_terminal_interrupts_a_conversation(
    repository: Path, hear: Hear
) -> None:
    for reason, entry, noted in (
        *(("other", "cli", "Interrupted"), ("other", "sdk-cli", "End")),
        ("prompt_input_exit", "cli", "End"),
    ):
        begin(repository)
        end = claude("SessionEnd-other", repository, ONE, reason=reason)
        variables = {**end.variables, "CLAUDE_CODE_ENTRYPOINT": entry}
        hear(Call(end.payload, variables))
        assert type(last(repository)).__name__ == noted


def test_a_start_says_once_how_the_conversation_began(
    repository: Path, hear: Hear
) -> None:
    for _ in range(2):
        hear(claude("SessionStart-startup", repository, ONE))
    assert kinds(repository, ONE) == ["Start", "WorkTreeState"]
    begun = events(repository, ONE)[0]
    assert isinstance(begun, Start)
    assert (begun.source, begun.tool) == ("startup", "claude-code")
    assert (begun.client_session_id, begun.root) == (ONE, str(repository))


def test_a_conversation_goes_on(repository: Path, hear: Hear) -> None:
    resumed = claude("SessionStart-resume", repository, ONE)
    begin(repository)
    hear(resumed)
    assert kinds(repository, ONE) == ["Start", "Start", "WorkTreeState"]
    for _ in range(2):  # told twice, it is one
        hear(claude("SessionEnd-other", repository, ONE))
    hear(resumed)
    assert kinds(repository, ONE)[3:] == ["End", "Start", "WorkTreeState"]


def test_compacted_conversation_begins_once(repository: Path, hear: Hear) -> None:
    """Two files may both name us; settings of an earlier version tell before, too."""
    compact = claude("SessionStart-compact", repository, ONE)
    hear(compact)
    assert kinds(repository, ONE) == ["Start"]
    for call in (claude("PreCompact-auto", repository, ONE), compact, compact):
        hear(call)
    assert kinds(repository, ONE) == ["Start", "Compaction"]


def test_each_prompt_is_kept_once(repository: Path, hear: Hear) -> None:
    for text in ("hi", "go on", "make it fast", "make it fast", "no, measure first"):
        hear(prompt(text, repository))
    assert kinds(repository, ONE) == ["Start", *4 * ["Prompt"]]
    seen = [each for each in events(repository, ONE) if isinstance(each, Prompt)]
    noted = ["hi", "go on", "make it fast", "no, measure first"]
    assert [each.text for each in seen] == noted


def test_prompts_in_the_transcript_are_not_noted(repository: Path, hear: Hear) -> None:
    begin(repository)
    hear(prompt("make it fast", repository))
    root = str(repository)
    note(
        repository, event(TranscriptRead, 1, ONE, root=root, transcript="/t", offset=9)
    )
    hear(prompt("no, measure first", repository))
    assert kinds(repository, ONE) == ["Start", "Prompt", "TranscriptRead"]


@every_row(
    ("given", "kept"),
    [
        ("<hook_context>\nmany\nwords</hook_context>\n\nmake it", "make it"),
        ("<ide_selection>x</ide_selection><env_info e='f'>y</env_info> go", "go"),
        ("<a-b>x</a-b> is empty", "<a-b>x</a-b> is empty"),
        ("<b>bold</b> is broken", "<b>bold</b> is broken"),
        ("<a-b> is never closed", "<a-b> is never closed"),
        ("  spaced  ", "spaced"),
    ],
)
def test_what_clients_put_before_a_prompt_is_not_the_users(
    repository: Path, hear: Hear, given: str, kept: str
) -> None:
    hear(prompt(given, repository))
    noted = last(repository)
    assert isinstance(noted, Prompt)
    assert noted.text == kept


def test_foreign_prompt_is_none(repository: Path, hear: Hear) -> None:
    for text in (
        "",
        " \n",
        "<command-name>/compact</command-name>",
        "gitmem: 20 files were edited since this session was last saved.",
        "<private>the customer's name</private>",
    ):
        hear(prompt(text, repository))
        assert kinds(repository, ONE) == ["Start"]


def test_long_prompt_is_cut_after_redaction(repository: Path, hear: Hear) -> None:
    secret = "ghp_" + "a1B2" * 10
    key = "-----BEGIN PRIVATE KEY-----\n" + ("A" * 64 + "\n") * 304
    for text in (
        "x" * (PROMPT_LENGTH - 10) + f" {secret}" + " more" * 100_000,
        f"{key}-----END PRIVATE KEY-----\n{secret * 6}" + " more" * 100,
    ):
        hear(prompt(text, repository))
        noted = last(repository)
        assert isinstance(noted, Prompt)
        assert "ghp_" not in noted.text
        assert text.startswith(key) or noted.text.endswith("x [REDACTED")
        assert len(noted.text) <= PROMPT_LENGTH


def test_edit_names_the_file_and_its_change(repository: Path, hear: Hear) -> None:
    begin(repository)
    for name in ("Write", "Write-update", "NotebookEdit"):
        hear(task(name, repository))
    edits = [each for each in events(repository, ONE) if isinstance(each, Edit)]
    assert [(each.path, each.change) for each in edits] == [
        ("hello.txt", Change.CREATED),
        ("relative.txt", Change.MODIFIED),
        ("n.ipynb", Change.MODIFIED),
    ]
    hear(recorded(CLAUDE, "PostToolUse-Write.2", repository))  # by a subagent
    assert kinds(repository, ONE) == ["Start", *["Edit"] * 4]


def test_what_is_nothing_to_us_leaves_no_trace(repository: Path, hear: Hear) -> None:
    hear(edit(repository, "/elsewhere/file"))
    hear(task("TaskUpdate-refused", repository))
    of_subagent = task("TodoWrite", repository)
    hear(Call({**of_subagent.payload, "agent_id": "a1"}, of_subagent.variables))
    for name in (
        *("PreToolUse-Bash", "SubagentStop", "StopFailure"),
        *("SessionEnd-other", "Stop"),  # of what was not seen to begin
    ):
        hear(recorded(CLAUDE, name, repository))
    assert not (repository / ".git" / "ocm").exists()


def test_a_to_do_list_is_noted_whole(repository: Path, hear: Hear) -> None:
    hear(task("TodoWrite", repository))
    noted = last(repository)
    assert isinstance(noted, Todos)
    assert noted.is_whole
    assert noted.items == (
        Todo("First", "First", done=True),
        Todo("Second", "Second", done=False),
        Todo("Third", "Third", done=False),
    )


@every_row(
    ("name", "todo"),
    [
        ("TaskCreate", Todo("1", "Write the parser", done=False)),
        ("TaskUpdate-in_progress", Todo("1", "", done=False)),
        ("TaskUpdate-completed", Todo("1", "", done=True)),
        ("TaskUpdate-renamed", Todo("2", "Second task renamed", done=None)),
        ("TaskUpdate-deleted", Todo("2", "", done=False, is_dropped=True)),
    ],
)
def test_a_task_is_noted_by_its_number(
    repository: Path, hear: Hear, name: str, todo: Todo
) -> None:
    hear(task(name, repository))
    noted = last(repository)
    assert isinstance(noted, Todos)
    assert (noted.items, noted.is_whole) == ((todo,), False)


def test_in_a_linked_work_tree_the_shared_journal_is_written(
    repository: Path, tmp_path: Path, hear: Hear
) -> None:
    linked = tmp_path / "linked"
    git(repository, "worktree", "add", "--quiet", str(linked))
    (linked / "deep").mkdir()
    call = prompt("hello", linked / "deep")
    hear(Call({**call.payload, "cwd": str(tmp_path)}, call.variables))  # after a `cd`
    assert {each.root for each in events(repository, ONE)} == {str(linked)}


def test_outside_a_repository_is_idle(
    tmp_path: Path, repository: Path, hear: Hear
) -> None:
    (tmp_path / "plain").mkdir()
    hear(prompt("hello", tmp_path / "plain"))
    assert list((tmp_path / "plain").iterdir()) == []
    assert not (repository / ".git" / "ocm").exists()


def test_foreign_repository_is_left_alone(repository: Path, hear: Hear) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(repository / ".git", 1, 1)
    hear(prompt("hello", repository))
    assert not (repository / ".git" / "ocm").exists()


def test_odd_id_stays_in_the_journal(repository: Path, hear: Hear) -> None:
    hear(Call(claude("UserPromptSubmit", repository, "../../evil\n\x00").payload, {}))
    folder = repository / ".git" / "ocm" / "journal"
    [path] = folder.iterdir()
    assert path.suffix == ".jsonl"
    assert git(repository, "status", "--porcelain") == ""
    assert oct(folder.stat().st_mode & 0o777) == "0o700"  # for its user alone
    assert oct(path.stat().st_mode & 0o777) == "0o600"


@pytest.mark.endurance
def test_lists_and_texts_are_bounded(repository: Path, hear: Hear) -> None:
    call = task("TodoWrite", repository)
    todos = [{"content": "x" * 5000, "status": "pending"}] * 5000
    hear(Call({**call.payload, "tool_input": {"todos": todos}}, call.variables))
    hear(claude("SessionStart-startup", repository, ONE, source="s" * 100_000))
    journal = repository / ".git" / "ocm" / "journal" / f"{ONE}.jsonl"
    assert journal.stat().st_size < 200_000


class TestAFork:
    def test_is_another_conversation(self, repository: Path, hear: Hear) -> None:
        call = recorded(CLAUDE_330, "SessionStart-fork", repository)
        assert "additionalContext" in hear(call) or hear(call) == ""
        fork = call.payload["session_id"]
        assert kinds(repository, fork) == ["Start", "WorkTreeState"]

    def test_leaves_its_parent_ended(self, repository: Path, hear: Hear) -> None:
        hear(claude("SessionStart-startup", repository, ONE))
        hear(claude("SessionEnd-other", repository, ONE))
        hear(claude("SessionStart-resume", repository, ONE))
        hear(claude("UserPromptSubmit", repository, TWO))
        assert kinds(repository, ONE)[-3:] == ["Start", "WorkTreeState", "End"]
        assert kinds(repository, TWO) == ["Start", "WorkTreeState", "Fork", "Prompt"]
        begun, *_, fork, _ = events(repository, TWO)
        assert isinstance(begun, Start)
        assert begun.source == FORKED
        assert isinstance(fork, Fork)
        assert fork.parent == ONE

    def test_began_before_its_first_prompt(self, repository: Path, hear: Hear) -> None:
        hear(claude("SessionStart-resume", repository, ONE))
        journal = repository / ".git" / "ocm" / "journal" / f"{ONE}.jsonl"
        earlier = re.sub(r'(?<="at": ")\d{4}', "2020", journal.read_text())
        journal.write_text(earlier)
        hear(claude("UserPromptSubmit", repository, TWO))
        begun, *_, asked = events(repository, TWO)
        assert begun.at.year == 2020 < asked.at.year

    def test_is_none_once_its_parent_goes_on(
        self, repository: Path, hear: Hear
    ) -> None:
        hear(claude("SessionStart-resume", repository, ONE))
        hear(claude("UserPromptSubmit", repository, ONE))
        hear(claude("UserPromptSubmit", repository, TWO))
        assert kinds(repository, TWO) == ["Start", "Prompt"]
