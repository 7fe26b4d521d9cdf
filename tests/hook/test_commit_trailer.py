"""Trailers on commits that an assistant makes: where the user wants them, no more.

Git, its hook and the launcher are real.
"""

import json
import re
import shlex
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from hook import calls
from support.events import event, note, now
from support.harness import CLIENT, git, make_repository, script
from support.installing import python_with_gitmem
from support.workspaces import workspace_at

from gitmem.actions.installing.git_hooks import optional_steps
from gitmem.actions.installing.plan import carry_out
from gitmem.assistants.known import ASSISTANTS
from gitmem.documents.event import Client, Edit, End, Start
from gitmem.documents.session.identity import conversation_subject, subject_digest
from gitmem.resources import resource

HOOK = "prepare-commit-msg"
DIGEST = subject_digest(conversation_subject("claude-code", CLIENT))


def commit(root: Path, *arguments: str, message: str = "work") -> str:
    """The message of a commit that is made with these arguments."""
    command = ["commit", "--quiet", "--allow-empty", *arguments]
    git(root, *command, *([f"--message={message}"] if message else []))
    return git(root, "log", "-1", "--format=%B")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A work tree in which Claude Code is at work, in its shell, with `session`."""
    root = make_repository(tmp_path / "repository")
    git(root, "config", "ocm.trailer", "session")
    calls.install(root, str(python_with_gitmem(tmp_path)))
    assert list(carry_out(optional_steps(workspace_at(root), HOOK)))
    note(root, event(Start, at=now(), root=str(root)))
    note(root, event(Edit, at=now(), root=str(root), path="a.py"))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", CLIENT)
    return root


def test_commit_of_a_session_names_it_by_its_identity(root: Path) -> None:
    assert commit(root) == f"work\n\nOcm-Session: {DIGEST}"
    message = "work\n\nWhy.\n\nSigned-off-by: Ada <a@b.c>"
    assert commit(root, message=message) == f"{message}\nOcm-Session: {DIGEST}"
    amended = commit(root, "--amend", "--no-edit", message="")
    assert amended == f"{message}\nOcm-Session: {DIGEST}"


def test_trailer_that_is_there_stays_alone(root: Path) -> None:
    message = f"work\n\nOcm-Session: {'0' * 16}"
    assert commit(root, message=message) == message


def test_person_commits_as_ever(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = script(root.parent / "editor", 'cp "$1" "$0.seen"; echo typed >"$1"')
    monkeypatch.setenv("GIT_EDITOR", shlex.quote(str(editor)))
    assert commit(root, message="") == "typed"
    assert "Ocm" not in Path(f"{editor}.seen").read_text()
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "of-another-repository")
    assert commit(root) == "work"
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    assert commit(root) == "work"


def test_launcher_has_the_variables_of_all_assistants() -> None:
    launcher = resource("hooks/run").read_text()
    for assistant in ASSISTANTS:
        for variable in assistant.session_variables:
            assert f"${{{variable}-}}" in launcher


def test_ended_session_makes_no_commit(root: Path) -> None:
    note(root, event(End, at=now() - timedelta(hours=1), root=str(root)))
    assert commit(root) == "work"


@pytest.mark.parametrize("setting", ["off", "yes", ""])
def test_it_is_off_unless_asked_for(root: Path, setting: str) -> None:
    git(root, "config", "ocm.trailer", setting)
    assert commit(root) == "work"
    [step] = optional_steps(workspace_at(root), HOOK)
    assert [*carry_out([step])]
    assert not (root / ".git" / "hooks" / HOOK).exists()
    assert optional_steps(workspace_at(root), HOOK) == []


def test_commits_of_others_that_are_copied_stay_theirs(root: Path) -> None:
    base = git(root, "rev-parse", "HEAD")
    git(root, "-c", "core.hooksPath=/none", "commit", "-q", "--allow-empty", "-mhers")
    hers = git(root, "rev-parse", "HEAD")
    git(root, "checkout", "--quiet", "-b", "copy", base)
    commit(root, message="own")
    git(root, "cherry-pick", "--allow-empty", hers)
    assert git(root, "log", "-1", "--format=%B") == "hers"
    git(root, "checkout", "--quiet", "main")
    git(root, "rebase", "--quiet", "--empty=keep", "--force-rebase", "copy")
    assert git(root, "log", "-1", "--format=%B") == "hers"


def test_assistant_and_model_are_named_where_that_is_asked_for(
    root: Path, sealed_environment: Path
) -> None:
    git(root, "config", "ocm.trailer", "assisted-by")
    assert commit(root) == "work\n\nAssisted-by: claude-code"
    folder = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    transcript = (
        sealed_environment / ".claude" / "projects" / folder / f"{CLIENT}.jsonl"
    )
    transcript.parent.mkdir(parents=True)
    records: list[object] = [
        {"message": {"model": "claude-old"}},
        {"message": {"model": "claude-opus-4-8"}},
        {"message": {"model": "<synthetic>", "content": [{"model": "x"}]}},
        [],
    ]
    lines = "\n".join(map(json.dumps, records))
    transcript.write_text(f"{lines}\n{{torn")
    client = event(
        Client, root=str(root), at=now(), pid=0, started="", transcript=str(transcript)
    )
    note(root, client)
    assert commit(root) == "work\n\nAssisted-by: claude-code:claude-opus-4-8"


def test_hook_that_was_there_still_decides(root: Path) -> None:
    hook = root / ".git" / "hooks" / HOOK
    before = script(hook.with_name(f"{HOOK}.before-ocm"), 'echo "(seen)" >>"$1"')
    assert commit(root).startswith("work\n(seen)")
    before.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(subprocess.CalledProcessError):
        commit(root)
