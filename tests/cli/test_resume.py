"""`ocm resume`: the client's own command to go on with a conversation."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shlex import quote
from typing import Any

import pytest
from cli.running import Ocm, commit_by_hand
from support.events import event, note, now
from support.harness import CLIENT, git, python_script
from support.rounds import few
from support.strategies import session
from support.transcripts import claude_code_file, kept_by_claude_code

from gitmem.documents.event import Edit, Prompt, Start
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.rendering import render

SESSION = "2026-05-04_10-00_{tool}_of-somebody"


def held(
    repository: Path, client: str = CLIENT, root: Path | None = None, **values: str
) -> None:
    """A conversation that hooks saw, with work in it."""
    common: dict[str, Any] = {"at": now(), "root": str(root or repository), **values}
    note(
        repository,
        event(Start, client=client, **common, source="startup"),
        event(Prompt, client=client, **common, text="Mend the parser"),
        event(Edit, client=client, **common, path="a.py"),
    )


def written_by_hand(ocm: Ocm, repository: Path, **values: str) -> str:
    """A document as it may come from a remote; gives its id."""
    ocm("checkpoint", "--goal", "so that there is a memory")
    session_id = SESSION.format(tool=values["tool"])
    written = session(id=session_id, **values)
    commit_by_hand(repository, document_path(session_id), render(written))
    return session_id


def test_it_prints_the_briefs_command(ocm: Ocm, repository: Path) -> None:
    held(repository)
    ran = ocm("resume")
    assert (ran.status, ran.out) == (0, f"claude --resume {CLIENT}\n")
    assert ocm("resume", CLIENT).out == ran.out
    assert ocm("resume", "--json").json == {
        "session_id": ocm("list", "--json").json[0]["session_id"],
        "command": ["claude", "--resume", CLIENT],
        "folder": str(repository),
    }


def test_other_work_tree_is_named(ocm: Ocm, repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other tree"
    git(repository, "worktree", "add", "--quiet", "-b", "other", str(other))
    held(repository, root=other)
    assert ocm("resume").out == f"cd '{other}' && claude --resume {CLIENT}\n"
    git(repository, "worktree", "remove", str(other))
    assert ocm("resume").out == f"claude --resume {CLIENT}\n"


def test_a_transcript_tells_the_very_folder(
    ocm: Ocm, repository: Path, sealed_environment: Path
) -> None:
    folder = repository / "part"
    folder.mkdir()
    kept = kept_by_claude_code(sealed_environment, folder)
    claude_code_file(kept, CLIENT, "Mend it.", "Test it.", cwd=folder)
    ocm("import", "claude-code")
    assert ocm("resume").out == f"cd {quote(str(folder))} && claude --resume {CLIENT}\n"


def test_a_transcript_may_have_the_id_in_its_folders_name(
    ocm: Ocm, repository: Path
) -> None:
    """As Copilot CLI keeps them."""
    written_by_hand(ocm, repository, tool="copilot", client_session_id=CLIENT)
    start = {"sessionId": CLIENT, "startTime": "2026-05-04T10:00:00Z"}
    lines = [
        {"type": "session.start", "data": {**start, "context": {"cwd": "/gone"}}},
        {"type": "user.message", "data": {"content": "Mend the parser"}},
    ]
    file = Path.home() / ".copilot" / "session-state" / CLIENT / "events.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    assert ocm("resume", CLIENT).out == f"copilot --resume={CLIENT}\n"


@few(
    1,
    ("tool", "client", "command"),
    [
        ("codex", CLIENT, f"codex resume {CLIENT}"),
        ("opencode", "ses_1A2b", "opencode --session ses_1A2b"),
        ("gemini-cli", CLIENT, f"gemini --resume {CLIENT}"),
        ("copilot", CLIENT, f"copilot --resume={CLIENT}"),
        ("cursor", CLIENT, f"cursor-agent --resume {CLIENT}"),
    ],
)
def test_each_assistant_has_its_own_command(
    ocm: Ocm, repository: Path, tool: str, client: str, command: str
) -> None:
    held(repository, client, tool=tool)
    assert ocm("resume").out == f"{command}\n"


@few(
    3,
    ("tool", "client", "why"),
    [
        ("cli", CLIENT, "was saved by hand"),
        ("windsurf", CLIENT, "No command is known that resumes a session of windsurf"),
        ("claude-code", CLIENT, "was held on another machine"),
        ("claude-code", "", "no id by which claude-code knows it"),
        ("claude-code", "--dangerously-skip-permissions", "no id by which"),
        ("claude-code", f"{CLIENT}; touch x", "no id by which"),
        ("codex", f"{CLIENT}\n--yolo", "no id by which"),
        ("opencode", "$(touch x)", "no id by which"),
    ],
)
def test_nothing_to_resume_says_why_and_what_to_do(
    ocm: Ocm, repository: Path, tool: str, client: str, why: str
) -> None:
    name = written_by_hand(ocm, repository, tool=tool, client_session_id=client)
    error = ocm("resume", name, "--run", "--json").error
    assert error["code"] == "not-found"
    assert why in error["message"]
    assert f"`ocm handoff {name} --to ASSISTANT`" in error["hint"]


def test_without_a_session_that_has_work_it_says_so(ocm: Ocm) -> None:
    assert "No session has work" in ocm("resume").err


@pytest.fixture
def clients(tmp_path: Path) -> Path:
    """A folder with a program that is called as the client is, and tells how."""
    folder = tmp_path / "clients"
    folder.mkdir()
    tell = "import json, os, sys; print(json.dumps([os.getcwd(), sys.argv[1:]]))"
    python_script(folder / "claude", tell)
    return folder


@pytest.mark.endurance
@pytest.mark.usefixtures("clients")
def test_with_run_the_client_takes_over(repository: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(repository, "worktree", "add", "--quiet", str(other))
    held(repository, root=other)
    ran = subprocess.run(
        [sys.executable, "-m", "gitmem", "resume", "--run"],
        cwd=repository,
        env={**os.environ, "PATH": f"../clients:{os.environ['PATH']}"},
        capture_output=True,
        check=True,
    )
    assert json.loads(ran.stdout) == [str(other), ["--resume", CLIENT]]


def test_a_client_that_is_not_installed_is_not_run(
    ocm: Ocm, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held(repository)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    ran = ocm("resume", "--run")
    assert ran.status == 15
    assert "no `claude` on the PATH" in ran.err
    assert f"claude --resume {CLIENT}" in ran.err
