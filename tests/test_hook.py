"""`ocm-hook`: notes where conversations begin and end, and never disturbs its host.

The payloads are records of what Claude Code 2.1.197 really sent.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from harness import git

from gitmem.model.event import from_json, open_conversation
from gitmem.resources import resource
from gitmem.store.journal import Journal

RECORDS = Path(__file__).parent / "fixtures" / "claude-code-2.1.197"


def payload(name: str, cwd: Path, **values: str) -> dict[str, Any]:
    recorded: dict[str, Any] = json.loads((RECORDS / f"{name}.json").read_text())
    return {**recorded, "cwd": str(cwd), **values}


def run_hook(stdin: bytes, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", "from gitmem.hook import main; main()", "claude-code"],
        input=stdin,
        cwd=cwd,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )


def fire(name: str, cwd: Path, **values: str) -> None:
    done = run_hook(json.dumps(payload(name, cwd, **values)).encode(), cwd)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def journal(repository: Path) -> Journal:
    return Journal(repository / ".git" / "ocm" / "journal")


def test_a_conversation_is_open_from_its_start_to_its_end(repository: Path) -> None:
    fire("SessionStart-startup", repository, session_id="one")
    begun = open_conversation(journal(repository).lines("one"))
    assert begun is not None
    assert (begun.tool, begun.root) == ("claude-code", str(repository))
    fire("SessionEnd-other", repository, session_id="one")
    assert open_conversation(journal(repository).lines("one")) is None
    fire("SessionStart-resume", repository, session_id="one")
    assert open_conversation(journal(repository).lines("one")) is not None


def test_what_is_known_already_is_not_noted_again(repository: Path) -> None:
    for name in ("SessionStart-startup", "SessionStart-resume", "UserPromptSubmit"):
        fire(name, repository, session_id="one")
    assert len(journal(repository).lines("one")) == 1


def test_the_end_of_what_never_began_leaves_no_trace(repository: Path) -> None:
    fire("SessionEnd-other", repository)
    assert not (repository / ".git" / "ocm").exists()


@pytest.mark.parametrize("name", ["PostToolUse-Write", "Stop"])
def test_other_events_leave_no_trace(repository: Path, name: str) -> None:
    fire(name, repository)
    assert not (repository / ".git" / "ocm").exists()


def test_in_a_linked_work_tree_the_shared_journal_is_written(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    (tmp_path / "linked" / "deep").mkdir()
    fire("SessionStart-startup", tmp_path / "linked" / "deep", session_id="one")
    [line] = journal(repository).lines("one")
    event = from_json(line)
    assert event is not None
    assert event.root == str(tmp_path / "linked")


@pytest.mark.parametrize(
    "stdin",
    [b"", b"[]", b"null", b"{}", b"\xff\xfe", b'{"hook_event_name": 1}', b"[" * 99_999],
)
def test_nonsense_breaks_nothing(repository: Path, stdin: bytes) -> None:
    done = run_hook(stdin, repository)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    log = repository / ".git" / "ocm" / "log"
    assert "ocm-hook: " in log.read_text()
    assert oct(log.stat().st_mode & 0o777) == "0o600"
    assert git(repository, "status", "--porcelain") == ""


def test_outside_of_a_repository_nothing_happens(tmp_path: Path) -> None:
    fire("SessionStart-startup", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_points_elsewhere_makes_no_one_write_there(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    fire("SessionStart-startup", tmp_path / "clone")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_id_that_is_no_file_name_stays_inside_the_journal(repository: Path) -> None:
    fire("SessionStart-startup", repository, session_id="../../../evil\n\x00")
    [path] = (repository / ".git" / "ocm" / "journal").iterdir()
    assert path.suffix == ".jsonl"
    assert git(repository, "status", "--porcelain") == ""


def test_the_hook_imports_neither_git_nor_search_nor_server() -> None:
    script = "import sys, gitmem.hook; print(*sys.modules)"
    loaded = subprocess.check_output(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        text=True,
    )
    heavy = {"pygit2", "tantivy", "mcp", "typer", "rich", "yaml", "dateutil"}
    assert heavy & set(loaded.split()) == set()


def test_the_packaged_hooks_have_the_shape_that_the_assistants_read() -> None:
    claude = json.loads(resource("hooks/claude-code/settings.json").read_text())
    for entries in claude["hooks"].values():
        for entry in entries:
            assert [hook["command"] for hook in entry["hooks"]] == [
                "ocm-hook claude-code"
            ]
    cursor = json.loads(resource("hooks/cursor/hooks.json").read_text())
    assert cursor["version"] == 1
    assert {entry["command"] for e in cursor["hooks"].values() for entry in e} == {
        "ocm-hook cursor"
    }
