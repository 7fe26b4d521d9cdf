"""What a client is told, and how seldom."""

import json
from pathlib import Path

from assistants.opencode.records import PROJECT, TOLD
from hook.calls import COPILOT, Call, Hear, claude, edit, kinds, log_of, recorded
from support.events import event, note
from support.harness import git
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import saved_session, workspace_at

from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.conversation import Caller
from gitmem.documents.event import Edit, Nudge, Start, Trigger
from gitmem.hook.answers import NUDGE_AFTER
from gitmem.store.journal.journal import journal_name

ONE = "11111111-2222-4333-8444-555555555555"
CHECKPOINT = "PreToolUse-mcp__opencodememory__ocm__checkpoint"


def edits(repository: Path, count: int, prefix: str = "file") -> None:
    root = str(repository)
    note(
        repository,
        event(Start, client=ONE, root=root),
        *(
            event(Edit, client=ONE, root=root, path=f"{prefix}{n}")
            for n in range(count)
        ),
    )


def stop(repository: Path, hear: Hear, *, is_answer: bool = False) -> str:
    return hear(claude("Stop", repository, ONE, stop_hook_active=is_answer))


def call(repository: Path, **arguments: object) -> Call:
    return claude(CHECKPOINT, repository, ONE, tool_input=arguments)


def test_a_conversation_that_begins_is_told_what_was_done_here(
    repository: Path, hear: Hear
) -> None:
    saved_session(workspace_at(repository), goal="make it fast", work_pending=["test"])
    out = hear(claude("SessionStart-startup", repository, ONE))
    told = json.loads(out)["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart"
    assert "make it fast" in told["additionalContext"]
    assert ONE in told["additionalContext"]


def test_who_declined_the_server_is_told_of_the_command(
    repository: Path, hear: Hear
) -> None:
    edits(repository, NUDGE_AFTER)
    for call in (
        claude("SessionStart-resume", repository, ONE),
        claude("Stop", repository, ONE, stop_hook_active=False),
    ):
        assert "without that tool" in (told := hear(call))
        assert "`ocm checkpoint`" in told


def test_the_brief_is_in_the_clients_form_if_wanted(
    repository: Path, hear: Hear
) -> None:
    out = hear(recorded(COPILOT, "SessionStart-new", repository))
    assert "additionalContext" in json.loads(out)
    git(repository, "config", "ocm.brief.budget", "0")
    assert hear(claude("SessionStart-startup", repository, ONE)) == ""


def test_failing_brief_does_not_reach_the_client(repository: Path, hear: Hear) -> None:
    (repository / ".git" / "refs" / "ocm").mkdir()
    (repository / ".git" / "refs" / "ocm" / "sessions").write_text("broken\n")
    assert hear(claude("SessionStart-startup", repository, ONE)) == ""
    assert kinds(repository, ONE)[0] == "Start"
    assert "ocm-hook: " in log_of(repository)


def test_a_call_is_given_its_conversation(repository: Path, hear: Hear) -> None:
    changed = {"goal": "g", "session_id": ONE}
    for named in ({}, {"session_id": ""}, {"session_id": None}):
        out = hear(call(repository, goal="g", **named))
        assert json.loads(out)["hookSpecificOutput"]["updatedInput"] == changed
    assert kinds(repository, ONE) == ["Start"]
    saved = saved_session(workspace_at(repository), Caller("claude-code"), **changed)
    assert str(saved.session_id).endswith("_claude-code_11111111")
    assert hear(call(repository, goal="g", session_id="another")) == ""
    payload = call(repository, goal="g").payload
    of_plugin = {"tool_name": "mcp__plugin_ocm_opencodememory__ocm__checkpoint"}
    out = hear(Call(payload | of_plugin, {}))
    assert json.loads(out)["hookSpecificOutput"]["updatedInput"] == changed


def test_many_edits_get_one_nudge(repository: Path, hear: Hear) -> None:
    edits(repository, NUDGE_AFTER - 1)
    assert stop(repository, hear) == ""
    edits(repository, 1)
    assert stop(repository, hear, is_answer=True) == ""
    told = json.loads(stop(repository, hear))["hookSpecificOutput"]
    assert told["hookEventName"] == "Stop"
    assert told["additionalContext"].startswith("gitmem: 20 edits were made")
    assert "ocm__checkpoint" in told["additionalContext"]
    edits(repository, NUDGE_AFTER, "more")
    assert stop(repository, hear) == ""


def test_edits_of_a_turn_that_only_the_transcript_has_count(
    repository: Path, hear: Hear
) -> None:
    hear(claude("UserPromptSubmit", repository, ONE))
    kept = kept_by_claude_code(Path.home(), repository)
    names = [f"{number}.py" for number in range(NUDGE_AFTER)]
    file = claude_code_file(kept, ONE, "Mend it.", cwd=repository, edits=names)
    told = hear(claude("Stop", repository, ONE, transcript_path=str(file)))
    assert "gitmem: 20 edits were made" in told
    assert kinds(repository, ONE) == ["Start", "Prompt", "Nudge"]


def test_no_edit_counts_twice(repository: Path, hear: Hear) -> None:
    """A hook that an earlier version installed still tells of it."""
    file = claude_code_file(kept_by_claude_code(Path.home(), repository), ONE, cwd="/x")
    hear(claude("UserPromptSubmit", repository, ONE))
    todos = claude("PostToolUse-TodoWrite", repository, ONE)
    for call in (edit(repository, f"{repository}/a.py", ONE), todos):
        call.payload["transcript_path"] = str(file)
        assert hear(call) == ""
    assert kinds(repository, ONE) == ["Start", "Prompt"]
    git(repository, "config", "ocm.conversations", "false")
    hear(todos)
    assert kinds(repository, ONE) == ["Start", "Prompt", "Todos"]


def test_a_checkpoint_makes_the_count_begin_again(repository: Path, hear: Hear) -> None:
    edits(repository, NUDGE_AFTER)
    assert stop(repository, hear)
    workspace = workspace_at(repository)
    saved_session(workspace, Caller("claude-code"), client_session_id=ONE, goal="g")
    assert len(workspace.store.journal.lines(journal_name(ONE))) == NUDGE_AFTER + 3
    edits(repository, NUDGE_AFTER - 1)
    assert stop(repository, hear) == ""
    edits(repository, 1)
    assert stop(repository, hear)
    assert kinds(repository, ONE).count(Nudge.__name__) == 2


def test_what_hooks_saw_is_no_answer_to_a_nudge(repository: Path, hear: Hear) -> None:
    edits(repository, NUDGE_AFTER)
    (repository / "0.txt").write_text("new")
    assert capture(workspace_at(repository), ONE, Trigger.OBSERVED)
    assert "20 edits" in stop(repository, hear)


def test_the_user_says_how_many_are_many(repository: Path, hear: Hear) -> None:
    edits(repository, 3)
    for setting in ("4", "0", "-1", "many", "3"):
        git(repository, "config", "ocm.nudge.edits", setting)
        assert bool(stop(repository, hear)) == (setting == "3")


def cursor(event: str, repository: Path) -> Call:
    """As Cursor runs the hooks of Claude Code's settings file."""
    told = {"conversation_id": ONE, "cursor_version": "2.0", "prompt": "p"}
    folders = {"workspace_roots": [str(repository)]}
    return Call({**told, **folders, "hook_event_name": event}, {})


def test_cursor_with_own_hooks_is_heard_once(repository: Path, hear: Hear) -> None:
    hear(cursor("UserPromptSubmit", repository))
    assert kinds(repository, ONE) == ["Start", "Prompt"]
    hooks = repository / ".cursor" / "hooks.json"
    hooks.parent.mkdir()
    hooks.write_text('{"version": 1, "hooks": {"stop": [{"command": "other"}]}}')
    hear(cursor("SessionStart", repository))
    noted = ["Start", "Prompt", "Start", "WorkTreeState"]
    assert kinds(repository, ONE) == noted
    ours = {"command": '"$d/ocm/run" hook cursor'}
    hooks.write_text(json.dumps({"hooks": {"stop": [ours]}}))
    hear(cursor("PreCompact", repository))
    hear(cursor("sessionStart", repository), "cursor")
    assert kinds(repository, ONE) == noted


def test_what_was_told_after_a_compaction_is_not_told_with_the_prompt(
    repository: Path, hear: Hear
) -> None:
    lines = TOLD.read_text().replace(PROJECT, str(repository)).splitlines()
    sent = [json.loads(line.split(" ", 2)[2]) for line in lines]
    start, again = (each for each in sent if "source" in each)
    [prompt] = (each for each in sent if "prompt" in each)
    [compaction] = (each for each in sent if each["type"].endswith("compacting"))
    told = [
        hear(Call(each, {}), "opencode")
        for each in (start, prompt, compaction, again, prompt | {"prompt": "Go on"})
    ]
    assert [bool(each) for each in told] == [True, False, False, True, False]
