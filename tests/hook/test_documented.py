"""Clients that nobody ran: what they send as their documents have it."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hook.calls import (
    Call,
    Hear,
    events,
    install,
    kinds,
    log_of,
    recorded,
    records,
)
from hook.calls import run_command as run
from support.harness import git
from support.installing import installed, outcomes, put, result_for, tree, uninstalled
from support.workspaces import workspace_at

from gitmem.actions.importing.live import save_conversation
from gitmem.actions.installing.plan import StepOutcome
from gitmem.actions.installing.user_settings import Scope
from gitmem.actions.saving.hook_events import read_on
from gitmem.assistants.assistant import TURN, EventKind, HookEvent
from gitmem.assistants.known import ASSISTANTS
from gitmem.documents.event import Trigger, WorkTreeState
from gitmem.git.values import Change, FileChange
from gitmem.resources import resource

PROMPT = "Retry a payment that timed out"
FILE = "/home/dev/project/retry.py"
IDS = {
    "windsurf": "5c2f8a3e-6d14-4a77-9b5e-0d6b1f2c3a48",
    "antigravity": "ec33ebf9-0cba-4100-8142-c61503f6c587",
    "cursor": "8f0c2d51-3b7a-4e0b-9a6d-2f4f6f1f7c10",
}
HOOKS = {each.name: each.hooks for each in ASSISTANTS if each.hooks}
READ: dict[str, dict[str, tuple[EventKind, dict[str, Any]] | None]] = {
    "windsurf": {
        "pre_user_prompt": (EventKind.PROMPT, {"prompt": PROMPT, "source": TURN}),
        "post_write_code": (EventKind.EDIT, {"path": FILE}),
        "post_cascade_response": (EventKind.TURN_END, {}),
        "post_run_command": None,
        "pre_mcp_tool_use": None,
    },
    "antigravity": {
        "PreInvocation-first": (EventKind.START, {"source": TURN}),
        "PreInvocation-later": None,
        "PostToolUse-write": (EventKind.EDIT, {"path": FILE}),
        "PostToolUse-replace-encoded": (EventKind.EDIT, {"path": FILE}),
        "PostToolUse-failed": None,
        "PostToolUse-command": None,
        "PostToolUse-null": None,
        "Stop": (EventKind.TURN_END, {}),
        "Stop-busy": None,
    },
    "cursor": {
        "sessionStart": (EventKind.START, {"source": "startup"}),
        "beforeSubmitPrompt": (EventKind.PROMPT, {"prompt": PROMPT}),
        "afterFileEdit": (EventKind.EDIT, {"path": FILE}),
        "postToolUse-Write": (EventKind.EDIT, {"path": FILE}),
        "postToolUse-Shell": (EventKind.READ, {"reads": ("npm", "test")}),
        "preToolUse-checkpoint": (EventKind.CALL, {"arguments": {"goal": "g"}}),
        "preCompact": (EventKind.COMPACTION, {}),
        "stop": (EventKind.TURN_END, {}),
        "stop-aborted": None,
        "sessionEnd": (EventKind.END, {}),
    },
}


def sent(client: str, name: str, root: Path, **values: Any) -> Call:
    call = recorded(f"{client}-documents", name, root)
    return Call({**call.payload, **values}, call.variables)


@pytest.mark.parametrize("client", READ)
def test_each_event_is_read(client: str) -> None:
    assert set(records(f"{client}-documents")) == set(READ[client])
    for name, expected in READ[client].items():
        payload = sent(client, name, Path("/home/dev/project")).payload
        told = HOOKS[client].read(payload)
        assert (told is None) == (expected is None), name
        if told and expected:
            what, values = expected
            assert (told.kind, told.client_session_id) == (what, IDS[client])
            assert {key: getattr(told, key) for key in values} == values, name


ODD: tuple[object, ...] = (None, 7, True, "", "x", [], [7], ["x"], {}, {"name": 7})


@pytest.mark.parametrize("client", READ)
def test_anything_in_any_place_is_an_event_or_refused(client: str) -> None:
    for name in READ[client]:
        payload = sent(client, name, Path("/home/dev/project")).payload
        for place in (
            payload,
            *(each for each in payload.values() if type(each) is dict),
        ):
            for key, value in [*place.items()]:
                for odd in ODD:
                    place[key] = odd
                    with suppress(KeyError, TypeError, ValueError):
                        told = HOOKS[client].read(payload)
                        assert told is None or is_sound(told)
                place[key] = value


def is_sound(told: HookEvent) -> bool:
    texts = (told.client_session_id, told.folder, told.path, told.prompt)
    return bool(told.client_session_id) and all(type(each) is str for each in texts)


def test_windsurf_begins_a_conversation_with_its_first_prompt(
    repository: Path, hear: Hear
) -> None:
    client = IDS["windsurf"]
    (repository / "before.txt").write_text("mine\n")
    for name in READ["windsurf"]:
        assert hear(sent("windsurf", name, repository), "windsurf") == ""
    again = {"tool_info": {"user_prompt": "And log each retry"}}
    hear(sent("windsurf", "pre_user_prompt", repository, **again), "windsurf")
    seen = [each for each in kinds(repository, client) if each != "TranscriptRead"]
    assert seen == ["Start", "Prompt", "WorkTreeState", "Edit", "Prompt"]
    [found] = (e for e in events(repository, client) if isinstance(e, WorkTreeState))
    assert found.dirty == ("before.txt",)
    assert log_of(repository) == ""


def test_antigravity_is_told_once_as_its_first_turn_begins(
    repository: Path, hear: Hear
) -> None:
    def hear_of(name: str) -> str:
        return hear(sent("antigravity", name, repository), "antigravity")

    [step] = json.loads(hear_of("PreInvocation-first"))["injectSteps"]
    assert IDS["antigravity"] in step["ephemeralMessage"]
    for name in ("PreInvocation-later", "PostToolUse-write", "Stop"):
        assert hear_of(name) == ""
    assert hear_of("PreInvocation-first") == ""  # of another turn
    assert kinds(repository, IDS["antigravity"]) == ["Start", "WorkTreeState", "Edit"]
    assert log_of(repository) == ""


def test_what_antigravity_was_asked_comes_from_its_transcript(
    repository: Path, hear: Hear
) -> None:
    brain = Path.home() / ".gemini" / "antigravity-cli" / "brain"
    file = brain / IDS["antigravity"] / "logs" / "x" / "transcript_full.jsonl"
    at = {"created_at": "2026-11-24T01:00:05Z", "source": "MODEL", "status": "DONE"}
    arguments = {"CommandLine": "make", "Cwd": str(repository)}
    call = {"name": "run_command", "args": arguments}
    steps = [
        {"type": "USER_INPUT", **at, "content": PROMPT},
        {"type": "PLANNER_RESPONSE", **at, "tool_calls": [call]},
        {"type": "RUN_COMMAND", **at, "content": ""},
        {"type": "PLANNER_RESPONSE", **at, "content": "Payments are retried."},
    ]
    put(file, "".join(f"{json.dumps(each)}\n" for each in steps).encode(), 0o600)
    told = {"transcriptPath": str(file)}
    first = sent("antigravity", "PreInvocation-first", repository, **told)
    hear(first, "antigravity")
    workspace = workspace_at(repository)
    read_on(workspace, IDS["antigravity"])
    save_conversation(
        workspace, "antigravity", IDS["antigravity"], str(file), Trigger.OBSERVED
    )
    [session] = workspace.store.memory().newest()
    assert session.goal == PROMPT
    assert session.last_answer == "Payments are retried."


def test_antigravity_reads_an_object_whatever_happens(repository: Path) -> None:
    """An empty answer to some events counts as a refusal there."""
    hooks = json.loads(resource("hooks/antigravity/hooks.json").read_text())["ocm"]
    assert set(hooks) == {"PreInvocation", "PostToolUse", "Stop"}
    said = b"-EP -m gitmem.hook antigravity\n"
    for python, name, answer in (
        (None, "PreInvocation-first", b"{}\n"),  # there is no launcher
        ("true", "PreInvocation-first", b"{}\n"),
        ("echo", "PreInvocation-first", said),
        ("echo", "PreInvocation-later", b"{}\n"),
        ("echo", "PostToolUse-write", said),
        ("echo", "Stop", said),
    ):
        if python:
            install(repository, python)
        event = hooks[name.partition("-")[0]][0]
        hook = event["hooks"][0] if "hooks" in event else event
        done = run(hook["command"], sent("antigravity", name, repository), repository)
        assert (done.returncode, done.stdout, done.stderr) == (0, answer, b"")


def test_all_prompts_of_a_client_without_transcripts_can_be_found(
    repository: Path, hear: Hear
) -> None:
    client, asked = IDS["cursor"], [f"Try case {n}" for n in range(25)]
    hear(sent("cursor", "sessionStart", repository), "cursor")
    for prompt in (*asked, "ok, go on", asked[0]):
        hear(sent("cursor", "beforeSubmitPrompt", repository, prompt=prompt), "cursor")
    workspace = workspace_at(repository)
    save_conversation(workspace, "cursor", client, "", Trigger.SESSION_END)
    [session] = workspace.store.memory().newest()
    said = workspace.conversations.text_like(session.id) or ""
    assert [line for line in said.splitlines() if line[:1] not in ("", "#")] == [
        *(*asked, "ok, go on")
    ]


def test_a_file_that_cursor_creates_is_listed_as_created(
    repository: Path, hear: Hear
) -> None:
    for name in ("old.py", "retry.py"):
        if name == "old.py":
            (repository / name).write_text("old\n")
            git(repository, "add", name)
            git(repository, "commit", "--quiet", "-m", "Add a file")
            hear(sent("cursor", "sessionStart", repository), "cursor")
        (repository / name).write_text("new\n")
        path = str(repository / name)
        hear(sent("cursor", "afterFileEdit", repository, file_path=path), "cursor")
    workspace = workspace_at(repository)
    save_conversation(workspace, "cursor", IDS["cursor"], "", Trigger.SESSION_END)
    [session] = workspace.store.memory().newest()
    assert set(session.files) == {
        FileChange("old.py", Change.MODIFIED),
        FileChange("retry.py", Change.CREATED),
    }


def test_windsurf_has_its_server_in_the_users_own_settings(repository: Path) -> None:
    results = installed(workspace_at(repository), "windsurf")
    assert not [each for each in results if "MCP server" in each.step.state]
    results = installed(workspace_at(repository), "windsurf", scope=Scope.REPOSITORY)
    assert result_for(results, "starts the MCP server").outcome is StepOutcome.DONE
    file = Path.home() / ".codeium" / "windsurf" / "mcp_config.json"
    entry = json.loads(file.read_text())["mcpServers"]["opencodememory"]
    assert entry["args"] == ["user", "serve"]


@pytest.mark.parametrize("client", READ)
def test_uninstalling_leaves_its_files_as_they_were(
    repository: Path, client: str
) -> None:
    mine = {
        ".windsurf/hooks.json": b'{"hooks": {"pre_user_prompt": [{"command": "x"}]}}',
        ".agents/hooks.json": b'{"lint": {"Stop": [{"command": "x"}]}}\n',
        ".agents/mcp_config.json": b'{"mcpServers": {}}',
        ".cursor/hooks.json": b'{"version": 1}',
        "AGENTS.md": b"# Mine",
    }
    for path, content in mine.items():
        put(repository / path, content, 0o644)
    before = tree(repository)
    workspace = workspace_at(repository)
    assert outcomes(installed(workspace, client)) == {StepOutcome.DONE}
    again = installed(workspace, client)
    assert outcomes(again) == {StepOutcome.ALREADY}
    uninstalled(workspace)
    assert {k: v for k, v in tree(repository).items() if ".git" not in k.parts} == {
        k: v for k, v in before.items() if ".git" not in k.parts
    }
