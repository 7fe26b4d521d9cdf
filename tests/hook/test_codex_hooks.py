"""Codex, as version 0.169.0 was seen to call its hooks."""

import json
from pathlib import Path
from typing import Any

from hook.calls import CODEX, Call, Hear, events, recorded, records
from hook.calls import run_command as run
from hook.launched import project_at
from support.harness import git
from support.rounds import every_row

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.codex.hooks import HOOKS
from gitmem.documents.event import Edit
from gitmem.git.values import Change
from gitmem.resources import resource
from gitmem.store.file_notes import FileNotes

SESSION = "01a1ffc1-6b42-7681-b5a8-f158db8c8fcb"
READ: dict[str, tuple[EventKind, dict[str, Any]] | None] = {
    "SessionStart-startup": (EventKind.START, {"source": "startup"}),
    "SessionStart-resume": (EventKind.START, {"source": "resume"}),
    "SessionStart-compact": (EventKind.START, {"source": "compact"}),
    "UserPromptSubmit": (EventKind.PROMPT, {"prompt": "do it"}),
    "PreToolUse-apply_patch": (
        EventKind.BEFORE_EDIT,
        {"path": "hello.txt", "more_edits": (("sub/two.txt", Change.CREATED),)},
    ),
    "PostToolUse-apply_patch": (
        EventKind.EDIT,
        {
            "edits": (("hello.txt", Change.CREATED), ("sub/two.txt", Change.CREATED)),
            "folder": "/home/dev/project",
        },
    ),
    "Stop": (EventKind.TURN_END, {"last_answer": "hello.txt says hello now."}),
    "PreCompact-manual": (EventKind.COMPACTION, {}),
    "SessionEnd-other": (EventKind.END, {}),
    "PostCompact-manual": None,
    "PreToolUse-Bash": (EventKind.READ, {}),
    "PostToolUse-Bash": None,
    "PreToolUse-mcp__opencodememory__ocm__checkpoint": None,
    "PostToolUse-mcp__opencodememory__ocm__checkpoint": None,
}
PATCH = """*** Begin Patch
*** Update File: old.py
*** Move to: pkg/new.py
@@
-*** Delete File: no
+*** Add File: no
*** Delete File: gone.py
*** Add File: ../outside.py
+x
*** End Patch
"""
REGISTERED = json.loads(resource("hooks/codex/hooks.json").read_text("utf-8"))["hooks"]


def patch(root: Path, text: str, event: str = "PostToolUse") -> Call:
    call = recorded(CODEX, f"{event}-apply_patch", root)
    return Call({**call.payload, "tool_input": {"command": text}}, call.variables)


@every_row("name", records(CODEX))
def test_records_are_read(name: str) -> None:
    seen, expected = (
        HOOKS.read(recorded(CODEX, name, Path("/home/dev/project")).payload),
        READ[name],
    )
    if expected is None:
        assert seen is None
        return
    assert seen
    what, values = expected
    assert seen.kind is what
    assert {key: getattr(seen, key) for key in values} == values


def test_every_file_of_a_patch_is_noted(repository: Path, hear: Hear) -> None:
    assert hear(patch(repository, PATCH), "codex") == ""
    edits = [each for each in events(repository, SESSION) if isinstance(each, Edit)]
    assert [(each.path, each.change) for each in edits] == [
        ("old.py", Change.MODIFIED),
        ("old.py", Change.DELETED),
        ("pkg/new.py", Change.CREATED),
        ("gone.py", Change.DELETED),
    ]


def test_a_patch_outside_of_the_work_tree_begins_nothing(
    repository: Path, hear: Hear
) -> None:
    outside = "*** Begin Patch\n*** Delete File: ../x\n*** End Patch\n"
    hear(patch(repository, outside), "codex")
    hear(patch(repository, "no patch"), "codex")
    assert events(repository, SESSION) == []


def test_what_is_known_of_all_its_files_is_told_before_a_patch(
    repository: Path, hear: Hear
) -> None:
    hear(patch(repository, PATCH), "codex")
    notes = {"old.py": ["fact: no locks"], "gone.py": ["fact: no cache"]}
    notes["a.py"] = ["fact: not this"]
    FileNotes(repository / ".git" / "ocm").write("x", notes)
    out = json.loads(hear(patch(repository, PATCH, "PreToolUse"), "codex"))
    told = out["hookSpecificOutput"].pop("additionalContext")
    assert out == {"hookSpecificOutput": {"hookEventName": "PreToolUse"}}
    assert [x for x in ("no locks", "no cache", "not this") if x in told] == [
        "no locks",
        "no cache",
    ]
    assert hear(patch(repository, PATCH, "PreToolUse"), "codex") == ""


def test_the_brief_and_the_nudge_have_no_key_beyond_the_schema(
    repository: Path, hear: Hear
) -> None:
    git(repository, "config", "ocm.nudge.edits", "2")
    config = repository / ".codex" / "config.toml"
    config.parent.mkdir()
    config.write_text("[mcp_servers.opencodememory]\n")
    start = recorded(CODEX, "SessionStart-startup", repository)
    of = {"session_id": SESSION}
    out = json.loads(hear(Call({**start.payload, **of}, start.variables), "codex"))
    assert SESSION in out["hookSpecificOutput"].pop("additionalContext")
    assert out == {"hookSpecificOutput": {"hookEventName": "SessionStart"}}
    hear(patch(repository, PATCH), "codex")
    stop = recorded(CODEX, "Stop", repository)
    out = json.loads(hear(Call({**stop.payload, **of}, stop.variables), "codex"))
    assert out.keys() == {"decision", "reason"}
    assert out["decision"] == "block"
    assert "ocm__checkpoint" in out["reason"]


def test_packaged_commands_hand_over_what_is_known(repository: Path) -> None:
    project, notes = project_at(repository), FileNotes(repository / ".git" / "ocm")
    for event, known, is_told in (
        ("PreToolUse", "new.py", False),  # another one than pkg/new.py
        ("PreToolUse", "gone.py", True),
    ):
        notes.write("x", {"pkg/other.py": ["known"], known: ["known"]})
        project.told.unlink(missing_ok=True)
        call = patch(repository, PATCH, event)
        entry = next(e for e in REGISTERED[event] if e.get("matcher") == call.tool)
        done = run(entry["hooks"][0]["command"], call, repository)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert project.told.exists() == is_told


def test_packaged_hooks_have_the_shape_that_codex_reads() -> None:
    entries = [(event, each) for event, some in REGISTERED.items() for each in some]
    for event, entry in entries:
        assert set(entry) <= {"matcher", "hooks"}
        [hook] = entry["hooks"]
        assert set(hook) == {"type", "command", "timeout"}
        assert hook["command"].startswith("sh -c '")  # the user's shell may be fish
        assert event != "SessionEnd" or hook["timeout"] <= 3  # else Codex warns
