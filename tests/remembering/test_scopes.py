"""Memories for this machine alone, and for one conversation alone."""

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from cli.running import Ocm, checkpoint
from remembering.saying import found, say, texts
from support.clones import make_clones, travel
from support.harness import git
from support.mcp_client import ask, client_of
from support.user_rule import HIDDEN, put_rule
from support.workspaces import workspace_at

from gitmem.actions.context.build import brief_on_resume
from gitmem.actions.context.rules import rules
from gitmem.actions.remembering.at_hand import note_files
from gitmem.actions.remembering.places import space_folder
from gitmem.config import Environment
from gitmem.documents.kinds import MEMORY
from gitmem.errors import InvalidInput
from gitmem.git.layout import private_dir
from gitmem.workspace import Workspace

SECRET_PLAN = "We leave the xylophone vendor in May."


def has_plan(repository: Path) -> bool:
    """Whether any object of a repository has the text."""
    listed = ["cat-file", "--batch-all-objects", "--batch"]
    found = subprocess.check_output(["git", "-C", str(repository), *listed])
    return b"xylophone" in found


def test_what_is_private_is_never_pushed(tmp_path: Path) -> None:
    ada, bob = make_clones(tmp_path, 2)
    say(ada.workspace(), SECRET_PLAN, scope="private", kind="constraint")
    say(ada.workspace(), "The tests need Postgres 16.")
    for clone in (ada, bob, ada):
        travel(clone.workspace())
    mirror = tmp_path / "mirror.git"
    git(tmp_path, "init", "--quiet", "--bare", str(mirror))
    git(ada.folder, "push", "--quiet", "--mirror", str(mirror))
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "--quiet", "--mirror", str(ada.folder), str(copy))
    assert texts(bob.workspace()) == ["The tests need Postgres 16."]
    remote = Path(git(ada.folder, "remote", "get-url", "origin"))
    places = (ada.folder, bob.folder, remote, mirror, copy)
    assert [has_plan(each) for each in places] == [False] * 5
    assert has_plan(private_dir(ada.workspace().repository.common_dir))


def test_what_is_private_is_told_here(
    ocm: Ocm, workspace: Workspace, repository: Path
) -> None:
    say(workspace, SECRET_PLAN, scope="private", kind="constraint")
    (told,) = found(workspace, "xylophone")
    assert (told.scope, told.is_own) == ("private", True)
    assert [each.memory.text for each in rules(workspace, 400)] == [SECRET_PLAN]
    listed = ocm("memories", "--scope", "private", "--json").json["memories"]
    assert [each["scope"] for each in listed] == ["private"]
    assert SECRET_PLAN in ocm("show", told.memory.id).out
    git(repository, "worktree", "add", "--quiet", str(repository.parent / "other"))
    assert texts(workspace_at(repository.parent / "other")) == [SECRET_PLAN]
    assert git(repository, "for-each-ref", "refs/ocm") == ""
    assert ocm("uninstall", "--yes").status == 0
    assert texts(workspace) == [SECRET_PLAN]
    assert ocm("uninstall", "--purge", "--yes").status == 0
    assert not private_dir(workspace.repository.common_dir).exists()


def test_a_branch_with_a_key_in_its_name_has_its_memories(
    workspace: Workspace, repository: Path
) -> None:
    git(repository, "switch", "--quiet", "-c", "fix/ghp_" + "a1B2c3D4e5F6" * 3)
    text = "Deploy this branch by hand."
    kept = say(workspace, text, scope="branch", kind="constraint")
    assert say(workspace, text, scope="branch").memory.id == kept.memory.id
    assert texts(workspace, scope="branch") == texts(workspace) == [text]
    assert [rule.memory.text for rule in rules(workspace, 400)] == [text]
    git(repository, "switch", "--quiet", "-c", "other")
    assert texts(workspace) == []


def test_looking_makes_no_private_repository(workspace: Workspace) -> None:
    assert texts(workspace) == []
    assert not private_dir(workspace.repository.common_dir).exists()
    for name in ("private", "session"):
        with pytest.raises(InvalidInput):
            space_folder(workspace.environment, name)


@pytest.mark.anyio
async def test_what_is_for_a_conversation_is_told_in_it_alone(
    environment: Environment, workspace: Workspace
) -> None:
    text = "Leave file.txt alone until the release."
    given = {"scope": "session", "kind": "constraint", "files": ["file.txt"]}
    async with client_of(environment) as client, client_of(environment) as other:
        await ask(client, "checkpoint", goal="Mend the tests.", slug="mend-tests")
        await ask(client, "remember", text=text, **given)
        (told,) = await ask(client, "recall", query="release")
        assert (told["text"], told["scope"]) == (text, "session")
        assert len(await ask(client, "recall", query="", scope="session")) == 1
        await ask(other, "checkpoint", goal="Write the docs.", slug="write-docs")
        assert await ask(other, "recall", query="release") == []
        assert await ask(other, "recall", query="", scope="session") == []
    assert texts(workspace, "release") == []
    assert rules(workspace, 400) == []
    note_files(workspace)
    assert "alone" not in "".join(
        each.read_text() for each in workspace.own_dir.rglob("*notes*")
    )
    assert text in brief_on_resume(workspace, "mend-tests").text
    assert text not in brief_on_resume(workspace, "write-docs").text
    (kept,) = workspace.store_of(MEMORY).memory().newest()
    assert kept.expires == kept.created_at + timedelta(days=30)


def test_the_shell_of_an_assistant_knows_its_conversation(
    ocm: Ocm, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("remember", "Use the second port.", "--scope", "session", "--json")
    assert "No session is known" in ocm(*asked).error["message"]
    monkeypatch.setenv("CODEX_THREAD_ID", "0a1b2c3d-4e5f-4000-8000-000000000000")
    checkpoint(ocm, goal="Mend the tests.")
    assert ocm(*asked).json["action"] == "created"
    assert len(ocm("recall", "port", "--json").json["result"]) == 1
    monkeypatch.setenv("CODEX_THREAD_ID", "0a1b2c3d-4e5f-4000-8000-000000000001")
    assert ocm("recall", "port", "--json").json["result"] == []


def test_a_conversation_is_known_whatever_the_rules_hide_of_its_id(
    ocm: Ocm, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_rule(repository)
    monkeypatch.setenv("CODEX_THREAD_ID", f"about-{HIDDEN}")
    checkpoint(ocm, goal="Mend the tests.")
    ocm("remember", "Use the second port.", "--scope", "session")
    assert len(ocm("recall", "port", "--json").json["result"]) == 1
