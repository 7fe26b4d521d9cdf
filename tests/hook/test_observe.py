"""What each event leaves in the journal, and what leaves nothing."""

import os
import re
from pathlib import Path

import pytest
from hook.calls import (
    CLAUDE,
    CLAUDE_330,
    COPILOT,
    Call,
    Hear,
    claude,
    edit,
    events,
    kinds,
    recorded,
    run_command,
)
from support.events import event, note
from support.harness import git
from support.rounds import few

from gitmem.documents.event import (
    FORKED,
    PROMPT_LENGTH,
    Edit,
    End,
    Event,
    Fork,
    Heard,
    Prompt,
    Start,
    Todo,
    Todos,
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


def tell(launcher: Path, call: Call) -> None:
    """In a process of its own, because it starts another one."""
    assert (
        run_command(f"{launcher} hook claude-code", call, launcher.parent).returncode
        == 0
    )


def test_a_start_says_once_how_the_conversation_began(
    repository: Path, hear: Hear
) -> None:
    for _ in range(2):
        hear(claude("SessionStart-startup", repository, ONE))
    assert kinds(repository, ONE) == ["Start", "Found"]
    begun = events(repository, ONE)[0]
    assert isinstance(begun, Start)
    assert (begun.source, begun.tool) == ("startup", "claude-code")
    assert (begun.client_session_id, begun.root) == (ONE, str(repository))


@pytest.mark.parametrize("ended", [[], ["End"]])
def test_a_conversation_goes_on(repository: Path, hear: Hear, ended: list[str]) -> None:
    begin(repository)
    for _ in ended:
        note(repository, event(End, 1, client=ONE))
        hear(claude("SessionEnd-other", repository, ONE))  # told twice, it is one
    hear(claude("SessionStart-resume", repository, ONE))
    assert kinds(repository, ONE) == ["Start", *ended, "Start", "Found"]


def test_compacted_conversation_begins_once(repository: Path, hear: Hear) -> None:
    hear(claude("SessionStart-compact", repository, ONE))
    assert kinds(repository, ONE) == ["Start"]
    for _ in range(2):  # two files may both name us
        hear(claude("SessionStart-compact", repository, ONE))
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
    note(repository, event(Heard, 1, ONE, root=root, transcript="/t", offset=9))
    hear(prompt("no, measure first", repository))
    assert kinds(repository, ONE) == ["Start", "Prompt", "Heard"]


def test_what_clients_put_before_a_prompt_is_not_the_users(
    repository: Path, hear: Hear
) -> None:
    for number, (given, kept) in enumerate(
        (
            ("<hook_context>\nmany\nwords</hook_context>\n\nmake it", "make it"),
            ("<a-b>x</a-b><c_d e='f'>y</c_d> go", "go"),
            ("<b>bold</b> is broken", "<b>bold</b> is broken"),
            ("<a-b> is never closed", "<a-b> is never closed"),
            ("  spaced  ", "spaced"),
        )
    ):
        client = f"{number}{ONE[1:]}"
        hear(claude("UserPromptSubmit", repository, client, prompt=given))
        noted = events(repository, client)[-1]
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
    text = "x" * (PROMPT_LENGTH - 10) + " " + secret + " more" * 100_000
    hear(prompt(text, repository))
    noted = last(repository)
    assert isinstance(noted, Prompt)
    assert len(noted.text) == PROMPT_LENGTH
    assert noted.text.endswith(" [REDACTED")


def test_secret_at_the_cut_is_not_halved(repository: Path, hear: Hear) -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + ("A" * 64 + "\n") * 304
    body = key + "-----END PRIVATE KEY-----\nghp_" + "a1B2" * 60
    hear(prompt(body + " more" * 100, repository))
    noted = last(repository)
    assert isinstance(noted, Prompt)
    assert "ghp_" not in noted.text


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


@few(
    3,
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


@pytest.mark.endurance
@few(1, "is_told_before", [True, False])
def test_a_compaction_is_noted_once(
    repository: Path, launcher: Path, is_told_before: bool
) -> None:
    """Settings of an earlier version tell of it before, too."""
    begin(repository)
    if is_told_before:
        tell(launcher, claude("PreCompact-auto", repository, ONE))
    tell(launcher, claude("SessionStart-compact", repository, ONE))
    assert kinds(repository, ONE) == ["Start", "Compaction"]


def test_copilot_is_noted_under_its_own_name(repository: Path, hear: Hear) -> None:
    names = ("SessionStart-new", "UserPromptSubmit", "PostToolUse-Write")
    for name in (*names, "PostToolUse-Edit"):
        hear(recorded(COPILOT, name, repository))
    session = "8512b34b-9625-4c34-bb31-8b71a6d9f7e7"
    seen = events(repository, session)
    assert {each.tool for each in seen} == {"copilot"}
    assert kinds(repository, session) == ["Start", "Found", "Prompt", "Edit"]


def test_it_stays_in_its_project(repository: Path, tmp_path: Path, hear: Hear) -> None:
    call = prompt("hello", repository)
    hear(Call({**call.payload, "cwd": str(tmp_path)}, call.variables))
    assert kinds(repository, ONE) == ["Start", "Prompt"]


def test_in_a_linked_work_tree_the_shared_journal_is_written(
    repository: Path, tmp_path: Path, hear: Hear
) -> None:
    linked = tmp_path / "linked"
    git(repository, "worktree", "add", "--quiet", str(linked))
    (linked / "deep").mkdir()
    hear(prompt("hello", linked / "deep"))
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
    [path] = (repository / ".git" / "ocm" / "journal").iterdir()
    assert path.suffix == ".jsonl"
    assert git(repository, "status", "--porcelain") == ""


def test_journals_are_for_their_user_alone(repository: Path, hear: Hear) -> None:
    hear(prompt("hello", repository))
    folder = repository / ".git" / "ocm" / "journal"
    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert oct((folder / f"{ONE}.jsonl").stat().st_mode & 0o777) == "0o600"


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
        assert kinds(repository, fork) == ["Start", "Found"]

    def test_leaves_its_parent_ended(self, repository: Path, hear: Hear) -> None:
        hear(claude("SessionStart-startup", repository, ONE))
        hear(claude("SessionEnd-other", repository, ONE))
        hear(claude("SessionStart-resume", repository, ONE))
        hear(claude("UserPromptSubmit", repository, TWO))
        assert kinds(repository, ONE)[-3:] == ["Start", "Found", "End"]
        assert kinds(repository, TWO) == ["Start", "Found", "Fork", "Prompt"]
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
