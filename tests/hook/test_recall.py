"""What a client is told at the point of action: before an edit, and at a prompt."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from hook.calls import (
    Call,
    Hear,
    claude,
    commands_for,
    events,
    install,
    run_command,
    stdin_of,
)
from hook.launched import SHELLS, Project, project_at
from support.events import event, note
from support.harness import git
from support.rounds import every_row, few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.remembering.at_hand import note_files
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.event import Compaction, Recalled, Start
from gitmem.store.file_notes import FileNotes

ONE = "11111111-2222-4333-8444-555555555555"
FACTS = (
    *("writes atomically", "has no global state", "logs every miss in debug builds"),
    *("is imported by workers alone", "was generated from a schema", "caches trees"),
)
AWKS = [each for each in ("mawk", "gawk", "original-awk") if which(each)]
AWKS += ["busybox awk"] if which("busybox") else []
ODD = ["a b.py", "Ünï.py", "..", "$(touch x).py", "`id`;x", "%s\\n.py", "x" * 250]
"""Last parts of paths."""


def before_edit(root: Path, path: str, **values: object) -> Call:
    call = claude("PostToolUse-Write", root, ONE)
    changed = {
        "hook_event_name": "PreToolUse",
        "tool_input": {"file_path": str(root / path), "content": "x"},
    }
    return Call({**call.payload, **changed, **values}, call.variables)


def told(out: str) -> str:
    return (
        str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""
    )


def read(root: Path, path: str, **values: object) -> Call:
    arguments = {"file_path": str(root / path), "limit": 40}
    return before_edit(root, path, tool_name="Read", tool_input=arguments, **values)


def shell_command(root: Path, command: str, **values: object) -> Call:
    call = claude("PreToolUse-Bash", root, ONE)
    arguments = {"command": command, "description": "Look"}
    return Call({**call.payload, "tool_input": arguments, **values}, call.variables)


def prompt(root: Path, text: str) -> Call:
    return claude("UserPromptSubmit", root, ONE, prompt=text)


@pytest.fixture
def begun(repository: Path) -> Path:
    note(repository, event(Start, client=ONE, root=str(repository)))
    return repository


def keep(
    repository: Path, text: str, source: str = "person:A <a@b>", **values: object
) -> str:
    workspace = workspace_at(repository)
    said = parse_statement({"text": text, **values}, workspace.now())
    return remember(workspace, said, source).memory.id


def committed(repository: Path, *paths: str) -> None:
    for path in paths:
        (repository / path).write_text("x\n")
    git(repository, "add", *paths)
    git(repository, "commit", "--quiet", "--message", "files")


def test_an_edit_is_told_once_what_is_known_of_the_file(
    begun: Path, hear: Hear
) -> None:
    committed(begun, "store.py", "other.py")
    saved_session(
        workspace_at(begun), goal="Cache", decisions=["Cache trees in store.py"]
    )
    kept = keep(begun, "store.py: no locks here", kind="constraint", files=["store.py"])
    note_files(workspace_at(begun))
    out = told(hear(before_edit(begun, "store.py")))
    assert f"constraint: store.py: no locks here ({kept})" in out
    assert "no instruction" in out
    assert hear(before_edit(begun, "store.py")) == ""
    assert told(hear(before_edit(begun, "store.py", agent_id="a1"))) == out
    assert hear(before_edit(begun, "other.py")) == ""
    assert hear(before_edit(begun, "../store.py")) == ""
    note(begun, event(Compaction, client=ONE, root=str(begun)))
    assert told(hear(before_edit(begun, "store.py"))) == out


def test_what_is_known_comes_with_the_reading_of_a_file(
    begun: Path, hear: Hear
) -> None:
    committed(begun, "store.py", "web.py")
    for fact in FACTS:
        keep(begun, f"store.py {fact}", kind="decision")
    note_files(workspace_at(begun))
    lines = told(hear(read(begun, "store.py"))).split("\n- ")[1:]
    assert len(lines) == 3  # of six
    for again in (read(begun, "store.py"), before_edit(begun, "store.py")):
        assert hear(again) == ""
    assert hear(read(begun, "web.py")) == ""
    assert told(hear(read(begun, "store.py", agent_id="a1"))).count("\n- ") == 3
    recalled = event(Recalled, client=ONE, root=str(begun), tokens=10_000)
    note(begun, replace(recalled, subagent="a2"))
    assert hear(read(begun, "store.py", agent_id="a2")) == ""
    renewed = keep(begun, "The locks of store.py are fair", key="lock")
    keep(begun, "Locks of store.py are reentrant", key="lock")
    note_files(workspace_at(begun))
    assert renewed in told(hear(before_edit(begun, "store.py")))


@every_row(
    "command",
    [
        *("cat store.py", "sed -n '1,200p' ./web/store.py | head", "nl web/store.py"),
        *("cd web && cat store.py", "rg lock web/store.py 2>/dev/null"),
        'head -n 5 "web/store.py"',
    ],
)
def test_a_shell_command_that_names_a_file_reads_it(
    begun: Path, hear: Hear, command: str
) -> None:
    notes = FileNotes(begun / ".git" / "ocm")
    paths = ["web/store.py"] if "web" in command else ["store.py"]
    notes.write("x", {path: [f"fact: {command} ({path})"] for path in paths})
    call = shell_command(begun, command)
    project = project_at(begun)
    assert looked_up(project, call, "sh")
    assert paths[0] in told(hear(call))


def test_no_note_has_a_path_with_a_secret(begun: Path) -> None:
    notes = FileNotes(begun / ".git" / "ocm")
    path = "conf/ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8.txt"
    notes.write("x", {path: ["fact: it is old"], "a.py": ["fact: it is new"]})
    assert (notes.of(path), notes.of("a.py")) == ([], ["fact: it is new"])
    folder = begun / ".git" / "ocm" / "recall"
    assert [file.name for file in folder.iterdir()] == ["a.py.json"]


def test_decisions_and_failures_of_sessions_are_told(repository: Path) -> None:
    committed(repository, "a.py", "b.py")
    for each in ("a.py", "b.py"):
        (repository / each).write_text("y\n")
    tried: dict[str, Any] = {
        "tried": ["A pool of threads in b.py"],
        "work_completed": ["Done"],
    }
    decided: dict[str, Any] = {"goal": "Speed", "decisions": ["Read trees lazily"]}
    saved_session(workspace_at(repository), **decided, **tried)
    note_files(workspace_at(repository))
    notes = FileNotes(workspace_at(repository).own_dir)
    assert sorted(line.partition(" (")[0] for line in notes.of("b.py")) == [
        "decision: Read trees lazily",
        "failed: A pool of threads in b.py",
    ]
    assert notes.of("c.py") == []


def test_nothing_is_noted_where_the_user_turned_it_off(repository: Path) -> None:
    committed(repository, "a.py")
    keep(repository, "a.py is generated", files=["a.py"])
    for setting in ("off", "prompt"):
        git(repository, "config", "ocm.recall", setting)
        note_files(workspace_at(repository))
        assert FileNotes(workspace_at(repository).own_dir).of("a.py") == []


def test_the_launcher_starts_python_for_a_known_path_alone(repository: Path) -> None:
    project = project_at(repository)
    FileNotes(repository / ".git" / "ocm").write("x", {"known.py": ["generated"]})
    known = before_edit(repository, "known.py")
    quiet = Call(known.payload, {**known.variables, "OCM_QUIET": "1"})
    for call in (before_edit(repository, "unknown.py"), quiet, known):
        (command,) = commands_for(call)
        done = run_command(command, call, repository)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert project.told.exists() == (call is known)


@few(1, "shell", SHELLS)
@pytest.mark.parametrize("awk", AWKS)
def test_every_shell_and_awk_knows_the_same_paths(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    awk: str,
    shell: str,
) -> None:
    program = tmp_path / "bin" / "awk"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {awk} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    project = project_at(repository)
    paths = [f"src/{name}" for name in ODD if "\\" not in name]
    FileNotes(repository / ".git" / "ocm").write("x", dict.fromkeys(paths, ("known",)))
    for path in paths:
        call = before_edit(repository, path)
        assert looked_up(project, call, shell), path
        assert json.loads(project.told.read_bytes()) == call.payload
        assert not looked_up(project, before_edit(repository, f"{path}.c"), shell)
        assert not looked_up(project, before_edit(repository, f"other/{path}"), shell)
    for command, is_known in (
        (f'sed -n "1,20p" "{paths[1]}" && make', True),
        (f"echo '\"quoted\"'\ncat ./{paths[1]}\n", True),
        (f"cat {paths[1]}.c; echo " + '"x y" ' * 200_000, False),
        ("x" * 1_000_000, False),
    ):
        assert looked_up(project, shell_command(repository, command), shell) == is_known
    large = {"content": 'a "word" of many\n' * 9000, "file_path": f"/else/{paths[0]}"}
    call = before_edit(repository, "", tool_input=large)
    assert looked_up(project, call, shell)
    assert json.loads(project.told.read_bytes()) == call.payload
    large["file_path"] = str(repository / "unknown.py")
    assert not looked_up(project, before_edit(repository, "", tool_input=large), shell)


def looked_up(project: Project, call: Call, shell: str) -> bool:
    """Whether Python was told of what the launcher was."""
    project.told.unlink(missing_ok=True)
    done = subprocess.run(
        [*shell.split(), str(project.run), "recall", "claude-code"],
        input=stdin_of(call),
        cwd=project.root,
        env={**os.environ, **call.variables},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    return project.told.exists()


@pytest.mark.endurance
def test_a_change_is_told_at_the_next_event(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever process made it: with the launcher as a client runs it."""
    committed(begun, "store.py", "web.py")
    install(begun, sys.executable)

    def printed(call: Call) -> str:
        (command,) = commands_for(call)
        done = run_command(command, call, begun)
        assert (done.returncode, done.stderr) == (0, b"")
        return told(done.stdout.decode())

    assert printed(read(begun, "store.py")) == ""
    kept = keep(begun, "store.py holds no lock")
    assert kept in printed(read(begun, "store.py"))
    assert printed(read(begun, "store.py")) == ""
    saved_session(workspace_at(begun), goal="x", decisions=["Cache pages in web.py"])
    assert "Cache pages" in printed(shell_command(begun, "cat web.py"))
    git(begun, "pack-refs", "--all", "--prune")
    assert printed(read(begun, "web.py")) == ""
    again = keep(begun, "web.py renders nothing twice")
    monkeypatch.setenv("OCM_QUIET", "1")
    assert printed(before_edit(begun, "web.py")) == ""
    monkeypatch.delenv("OCM_QUIET")
    clone = tmp_path / "linked"
    git(begun, "worktree", "add", "--quiet", str(clone))
    assert again in printed(before_edit(begun, "web.py"))
    in_clone = keep(clone, "store.py is generated")
    assert in_clone in printed(read(begun, "store.py"))


def test_notes_of_any_path_stay_in_their_folder(repository: Path) -> None:
    own = repository / ".git" / "ocm"
    notes, hostile = FileNotes(own), [*ODD, "../../x", "/etc/x", "a/", ""]
    before = {*repository.rglob("*")}
    notes.write("1", {path: [f"of {path}"] for path in hostile})
    for path in hostile:
        assert notes.of(path) == [f"of {path}"]
    made = (
        {*repository.rglob("*")} - before - {own, own / "recall", own / "recall-state"}
    )
    assert {each.parent for each in made} == {own / "recall"}
    notes.write("2", {"b.py": ["new"]})
    assert (notes.state, notes.of("b.py"), notes.of(ODD[0])) == ("2", ["new"], [])
    assert len([*(own / "recall").iterdir()]) == 1
    notes.write("3", {})
    assert not (own / "recall").exists()


def test_nothing_is_looked_up_behind_a_link_or_without_awk(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project, own = project_at(repository), repository / ".git" / "ocm"
    FileNotes(own).write("x", {"a.py": ["known"]})
    call, shell = before_edit(repository, "a.py"), which("sh")
    assert shell
    assert looked_up(project, call, shell)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        assert not looked_up(project, call, shell)
    (own / "recall").rename(repository / "notes")
    (own / "recall").symlink_to(repository / "notes")
    assert not looked_up(project, call, shell)
    with pytest.raises(OSError, match="recall"):
        FileNotes(own).write("y", {"b.py": ["known"]})


@every_row(
    "text",
    [
        *("remember that we use tabs", "Please remember: no force pushes"),
        *("Merk dir, dass wir Tabs nehmen", "记住我们用 tabs"),
        "Don't forget to run the linter",
    ],
)
def test_a_wish_to_remember_names_the_tool(
    begun: Path, hear: Hear, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(hear(prompt(begun, text))).count("ocm__remember") == 1
    with monkeypatch.context() as patch:
        patch.setenv("OCM_QUIET", "1")
        assert hear(prompt(begun, text)) == ""


@every_row(
    "text",
    [
        *("Do you remember how the tests ran?", "fix the memory leak"),
        "remember it with ocm__remember",
    ],
)
def test_other_prompts_are_told_nothing(begun: Path, hear: Hear, text: str) -> None:
    assert hear(prompt(begun, text)) == ""


def test_a_prompt_is_told_what_clearly_answers_it_unless_the_user_says_no(
    begun: Path, hear: Hear
) -> None:
    kept = keep(begun, "The integration tests need Postgres 16", kind="constraint")
    asked = "How do I run the integration tests with Postgres?"
    assert hear(prompt(begun, "Draw a red circle on the canvas")) == ""
    for setting in ("off", "files"):
        git(begun, "config", "ocm.recall", setting)
        assert hear(prompt(begun, asked)) == ""
    git(begun, "config", "--unset", "ocm.recall")
    assert kept in told(hear(prompt(begun, asked)))
    assert hear(prompt(begun, f"{asked} Now?")) == ""  # it has been told
    note(begun, event(Compaction, client=ONE, root=str(begun)))
    assert kept in told(hear(prompt(begun, f"{asked} Say.")))  # the index has it now
    assert hear(prompt(begun, "?!")) == ""  # it has no words


def test_a_prompt_is_told_what_holds_on_its_branch_and_what_the_user_keeps(
    begun: Path, hear: Hear
) -> None:
    git(begun, "config", "ocm.recall", "both")
    of_branch = keep(begun, "Frobnicate the gearbox with oil", scope="branch")
    of_user = keep(begun, "Zebra crossings need yellow paint", scope="user")
    gearbox, zebra = "frobnicate the gearbox how?", "zebra crossings: which paint?"
    for again in ("", " And now?"):
        assert of_branch in told(hear(prompt(begun, gearbox + again)))
        assert of_user in told(hear(prompt(begun, zebra + again)))
        note(begun, event(Compaction, client=ONE, root=str(begun)))
    git(begun, "checkout", "--quiet", "-b", "elsewhere")
    assert hear(prompt(begun, f"{gearbox} Here?")) == ""
    git(begun, "checkout", "--quiet", "--detach")
    assert of_user in told(hear(prompt(begun, f"{zebra} Detached?")))
    note(begun, event(Compaction, client=ONE, root=str(begun)))
    git(begun, "checkout", "--quiet", "--orphan", "unborn")
    assert of_user in told(hear(prompt(begun, f"{zebra} Unborn?")))


@pytest.mark.endurance
def test_a_prompt_opens_no_workspace_where_the_index_knows_all(
    tmp_path: Path, hear: Hear
) -> None:
    begun = tmp_path / "linked"
    main = tmp_path / "main"
    git(tmp_path, "init", "--quiet", "--object-format=sha256", str(main))
    git(main, "commit", "--quiet", "--allow-empty", "--message", "begin")
    git(main, "worktree", "add", "--quiet", str(begun))
    note(main, event(Start, client=ONE, root=str(begun)))
    git(begun, "config", "ocm.recall", "both")
    committed(begun, "conf.py")
    said = "The integration tests need Postgres 16"
    kept = keep(begun, said, files=["conf.py"], scope="branch")
    asked = "Do the integration tests need Postgres?"
    assert kept in hear(prompt(begun, asked))
    note(main, event(Compaction, client=ONE, root=str(begun)))
    script = "import sys;from gitmem.hook.main import main;main();"
    script += "print('pygit2' in sys.modules, file=sys.stderr)"
    command = shlex.join([sys.executable, "-c", script])
    again = prompt(begun, f"{asked} Say.")
    done = run_command(f"{command} claude-code", again, begun)
    assert kept in done.stdout.decode()
    assert done.stderr == b"False\n"


def test_what_changed_is_told_again(begun: Path, hear: Hear) -> None:
    notes = FileNotes(begun / ".git" / "ocm")
    for text in ("no locks", "no locks", "one lock"):
        notes.write(text, {"a.py": [f"constraint: {text} (m-0123456789ab)"]})
        out = told(hear(before_edit(begun, "a.py")))
        assert (text in out) == bool(out)
    given = [each for each in events(begun, ONE) if isinstance(each, Recalled)]
    assert [(each.where, each.path) for each in given] == [("edit", "a.py")] * 2
    assert all(each.tokens > 10 and len(each.ids) == 1 for each in given)
