"""Which edits the launcher notes by itself, and which it leaves to Python."""

import json
import re
from pathlib import Path

import pytest
from hook.calls import Call, claude, edit, events, kinds
from hook.editing import ONE, SHELLS, Project, project_at
from support.events import event, note
from support.harness import git
from support.rounds import every_row, few

from gitmem.assistants.claude_code.hooks import seen as claude_seen
from gitmem.documents.event import Edit, Start
from gitmem.git.values import Change


@pytest.fixture
def project(repository: Path) -> Project:
    return project_at(repository)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_plain_edit_needs_no_python(project: Project, shell: str) -> None:
    for path, kind in (("src/a.py", "create"), ("README.md", "update")):
        project.edited(
            edit(project.root, f"{project.root}/{path}", ONE, type=kind), shell=shell
        )
    assert project.noted() == [
        ("src/a.py", Change.CREATED),
        ("README.md", Change.MODIFIED),
    ]
    assert project.handed() is None


@few(1, "shell", SHELLS)
@few(2, "name", ["Edit", "NotebookEdit", "Write-update", "Write.2"])
def test_recorded_edits_need_no_python(project: Project, name: str, shell: str) -> None:
    project.edited(claude(f"PostToolUse-{name}", project.root, ONE), shell=shell)
    assert len(project.noted()) == 1
    assert project.handed() is None


def test_a_line_of_the_shell_is_one_of_ours(project: Project) -> None:
    project.edited(edit(project.root, f"{project.root}/a.py", ONE))
    journal = project.root / ".git" / "ocm" / "journal" / f"{ONE}.jsonl"
    assert re.search(r"\n\n\{\"event\": \"edit\".*\}\n\Z", journal.read_text("utf-8"))
    assert oct(journal.stat().st_mode & 0o777) == "0o600"
    [noted] = [e for e in events(project.root, ONE) if isinstance(e, Edit)]
    assert noted.at.utcoffset() is not None


@pytest.mark.parametrize("shell", SHELLS)
def test_edits_are_counted_down_without_python(project: Project, shell: str) -> None:
    """The last one has Python look, for which nobody waits, and begins anew."""
    edits = project.root / ".git" / "ocm" / "journal" / f"{ONE}.edits"
    left = []
    for before in ("", "12", "10", "2", "1", "odd", "08"):
        if before:
            edits.write_text(f"{before:<3}\n")
        project.edited(edit(project.root, f"{project.root}/a.py", ONE), shell=shell)
        left.append(edits.read_text("utf-8").strip() if edits.exists() else "")
        assert before in ("1", "odd", "08") or project.handed() is None
    assert left == ["", "11", "9", "1", "20", "20", "20"]
    assert len(project.noted()) == 7


PLAIN = [
    *("a", "src/a.py", "app/(group)/[slug]/page+.tsx", "@types/x.d.ts", "a-b_c.D"),
    *("tests/store/test_sessions_of_a_repository.py", "src/CustomerSubscriptions.tsx"),
    *(".github/workflows/ci.yml", "src/.openCodeMemory", "docs/0001-one-ref.md"),
]
OTHERS = [
    *("with space.py", "ü.py", 'quote".py', "back\\slash.py", "$(id).py", "*", "a%sb"),
    *("../outside", "./a", "a//b", "a/", "", ".git/config", "sub/.git/x", "line\nend"),
    *(".openCodeMemory/x", "x" * 500, "sk_live_abcdefghij", "AKIAABCDEFGHIJKLMNOP"),
    *("hooks.slack.com/services/aaaa/bbbb/cccc", "eyJhbGciOiJ9.eyJzdWIiOiJ9.x"),
]


def test_paths_that_need_no_python(project: Project) -> None:
    for path in PLAIN:
        project.edited(edit(project.root, f"{project.root}/{path}", ONE))
        assert project.handed() is None, path
    assert project.noted() == [(path, Change.MODIFIED) for path in PLAIN]


@every_row("path", OTHERS)
def test_paths_that_python_decides_about(project: Project, path: str) -> None:
    call = edit(project.root, f"{project.root}/{path}", ONE)
    project.edited(call)
    assert project.noted() == []
    handed, meant = project.handed(), claude_seen(call.payload)
    assert handed is not None
    assert meant is not None
    assert (handed.kind, handed.path) == (meant.kind, meant.path)


def test_linked_work_tree_needs_no_python(project: Project, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(project.root, "worktree", "add", "--quiet", str(linked))
    note(project.root, event(Start, client="another", root=str(linked)))
    project.edited(edit(linked, f"{linked}/a.py", "another"))
    assert kinds(project.root, "another") == ["Start", "Edit"]
    assert project.handed() is None


def test_files_that_have_another_name_in_git_are_for_python(project: Project) -> None:
    (project.root / "real").mkdir()
    (project.root / "link").symlink_to("real")
    (project.root / "linked.txt").symlink_to("file.txt")
    git(project.root, "worktree", "add", "--quiet", str(project.root / "inner"))
    for path in ("link/a.py", "linked.txt", "inner/a.py"):
        project.edited(edit(project.root, f"{project.root}/{path}", ONE))
        assert project.handed() is not None, path
    assert project.noted() == []


def test_whatever_is_not_plain_is_handed_over_as_it_came(project: Project) -> None:
    root = project.root
    call = edit(root, f"{root}/a.py", ONE)
    payload, variables, folder = call.payload, call.variables, "CLAUDE_PROJECT_DIR"
    # Where a client does not put a path, so that looking for the key alone would err.
    wrong = {"file_path": f"{root}/wrong"}
    hidden = {"a": wrong, **payload["tool_input"]}
    inside = {"tool_name": "Write", "tool_input": wrong}
    for other in (
        Call(payload, {**variables, "CLAUDE_CODE_SESSION_ID": "other"}),
        Call(payload, {folder: variables[folder]}),  # nobody's
        edit(root, f"{root}/a.py", "unseen"),
        Call(payload, {**variables, folder: f"{root}/sub"}),
        Call({**payload, "tool_name": "Read"}, variables),
        Call({**payload, "tool_input": hidden}, variables),
        Call({"first": inside, **payload}, variables),
        Call({**payload, "tool_input": {"path": "a.py"}}, {"COPILOT_CLI": "1"}),
    ):
        project.edited(other)
        handed = json.loads(project.told.read_bytes())
        kept = {key: handed[key] for key in ("hook_event_name", "session_id")}
        assert kept.items() <= other.payload.items()
        assert handed["tool_input"].items() <= other.payload["tool_input"].items()
    assert project.noted() == []


def test_a_file_that_is_new_is_told_by_the_tool_alone(project: Project) -> None:
    """And not by what a client could have put among its arguments."""
    call = edit(project.root, f"{project.root}/a.py", ONE)
    fooled = {"type": "create", "filePath": "/x"}
    arguments = {**call.payload["tool_input"], "x": {"tool_response": fooled}}
    project.edited(Call({**call.payload, "tool_input": arguments}, call.variables))
    assert project.noted() == [("a.py", Change.MODIFIED)]


def test_an_edit_in_cursor_needs_no_python(project: Project) -> None:
    told = {
        "conversation_id": ONE,
        "generation_id": "g",
        "model": None,
        "file_path": f"{project.root}/a.py",
        "edits": [{"old_string": '"file_path":"/x"', "new_string": "y"}],
        "hook_event_name": "afterFileEdit",
        "workspace_roots": [str(project.root)],
    }
    project.edited(Call(told, {}), "cursor")
    assert project.noted("cursor") == [("a.py", Change.MODIFIED)]


def test_an_edit_in_opencode_needs_no_python(project: Project) -> None:
    """Unless it is that of a new file, which Python is told as it came."""
    told = {
        "type": "tool.execute.after",
        "sessionID": ONE,
        "tool": "edit",
        "change": "modified",
        "file_path": f"{project.root}/a.py",
        "subagent": "",
    }
    project.edited(Call(told, {}), "opencode")
    assert project.noted("opencode") == [("a.py", Change.MODIFIED)]
    project.edited(Call({**told, "change": "created"}, {}), "opencode")
    assert json.loads(project.told.read_bytes()) == {**told, "change": "created"}
    assert len(project.noted("opencode")) == 1
