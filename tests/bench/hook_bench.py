"""Measures hooks: how long an assistant waits for them.

    python tests/bench/hook_bench.py [--rounds 60]

Each event goes through the very command that is put into the settings of Claude Code.
The events of the other clients go to the launcher as their settings start it. In turn
with them, in the same run, the floors: a shell that does nothing, and an interpreter
that does nothing, once the one that runs this and once the one that its virtual
environment was made from.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import made
from bench.measures import in_turn, median_and_tenth
from hook.calls import (
    COPILOT,
    FIXTURES,
    PROJECT,
    Call,
    claude,
    commands_for,
    install,
    recorded,
    stdin_of,
)
from support.events import event, note
from support.harness import git, make_repository
from support.installing import python_with_gitmem
from support.workspaces import saved_session, workspace_at

from gitmem.config import EVERYWHERE_SETTING, RECALL_SETTING
from gitmem.documents.event import Edit, Start
from gitmem.documents.memory.kind import MEMORY, Stated
from gitmem.documents.memory.memory import Memory, ids_of
from gitmem.indexing import build_index
from gitmem.store.file_notes import FileNotes

ONE = "11111111-2222-4333-8444-555555555555"
OPENCODE = "opencode"
EVENTS = ("start, with a brief", "prompt", "turn end")
OTHERS = {
    "codex": (
        *("codex-0.169.0", "SessionStart-startup", "UserPromptSubmit"),
        "Stop",
    ),
    "copilot": (
        *(COPILOT, "SessionStart-new", "UserPromptSubmit"),
        "Stop",
    ),
    "gemini-cli": (
        *("gemini-cli-0.61.0", "SessionStart-startup", "BeforeAgent"),
        "AfterAgent",
    ),
}
"""Clients: where their records are, and those of EVENTS."""
OF_PLUGIN = ("system.transform", '"prompt"', "session.idle")
MEMORIES = 600
UNRELATED = "Draw a red circle on the canvas of the garden"
ROOM = 50
"""Events in the journal, as after an hour's work."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        folder = Path(scratch)
        timed = {**floors(), **hooks(folder), **recalling(folder), **of_others(folder)}
        times = in_turn(timed, rounds)
    floor, _ = median_and_tenth(times[INTERPRETER])
    for name, taken in times.items():
        median, tenth = median_and_tenth(taken)
        print(f"{name:44} {median:7.1f} ms {tenth:7.1f} {median / floor:6.2f}")
    print("median, 90th percentile, and the median in times of the interpreter's")


INTERPRETER = "python3 -I -c pass"


def floors() -> dict[str, Callable[[], None]]:
    made_from = os.path.realpath(sys.executable)
    return {
        "sh -c :": started(["sh", "-c", ":"]),
        INTERPRETER: started([sys.executable, "-I", "-c", "pass"]),
        f"{INTERPRETER}, not of a venv": started([made_from, "-I", "-c", "pass"]),
    }


def hooks(folder: Path) -> dict[str, Callable[[], None]]:
    repository = make_repository(folder / "repository")
    install(repository, python_with_gitmem(folder))
    for number in range(20):
        saved_session(
            workspace_at(repository), goal=f"goal {number}", slug=f"s-{number}"
        )
    root = str(repository)
    note(repository, event(Start, client=ONE, root=root))
    for number in range(ROOM):
        path = f"src/file{number % 9}.py"
        note(repository, event(Edit, client=ONE, root=root, path=path))
    names = {
        "prompt (not the first)": claude("UserPromptSubmit", repository, ONE),
        "turn end": claude("Stop", repository, ONE),
        "start, with a brief": claude("SessionStart-resume", repository, ONE),
    }
    called(names["prompt (not the first)"], repository)()
    of_project = {name: called(call, repository) for name, call in names.items()}
    return {**of_project, **of_user(repository, make_repository(folder / "other"))}


def of_user(repository: Path, other: Path) -> dict[str, Callable[[], None]]:
    """A prompt told by the user's own settings, where that is wanted and where not."""
    git(repository, "config", EVERYWHERE_SETTING, "true")
    run = shutil.copy(repository / ".git" / "ocm" / "run", repository.with_name("run"))
    timed = {}
    for name, root in (("wanted", repository), ("not wanted", other)):
        call = claude("UserPromptSubmit", root, ONE)
        command = ["sh", "-c", f"{run} user hook claude-code"]
        ran = started(command, stdin_of(call), root, call.variables)
        timed[f"prompt, by the user's settings, {name}"] = ran
    return timed


def recalling(folder: Path) -> dict[str, Callable[[], None]]:
    """Before an edit with and without notes; a prompt with and without recall."""
    timed = {}
    for notes, paths in (("no notes", ()), ("10,000 notes", range(10_000))):
        root = recalling_repository(folder / notes)
        known = {f"src/part{n % 97}/file_{n}.py": ["decision: so (m-1)"] for n in paths}
        FileNotes(root / ".git" / "ocm").write("x", known)
        for name in ("src/unknown.py", *list(known)[:1]):
            what = "known" if name in known else "not known"
            timed[f"before an edit, {notes}, {what}"] = called(
                before_edit(root, name), root
            )
            timed[f"a read, {notes}, {what}"] = called(a_read(root, name), root)
    for setting in ("files", "both"):
        root = recalling_repository(folder / setting)
        git(root, "config", RECALL_SETTING, setting)
        texts = remembered(root)
        for what, text in (("none", UNRELATED), ("one", texts[0])):
            call = claude("UserPromptSubmit", root, ONE, prompt=text)
            timed[f"prompt, recalling {setting}, {what} answers"] = called(call, root)
    return timed


def recalling_repository(folder: Path) -> Path:
    root = make_repository(folder)
    install(root, python_with_gitmem(folder.parent))
    note(root, event(Start, client=ONE, root=str(root)))
    return root


def before_edit(root: Path, path: str) -> Call:
    call = claude("PostToolUse-Write", root, ONE)
    told = {"file_path": str(root / path), "content": "x = 1\n" * 100}
    payload = {**call.payload, "hook_event_name": "PreToolUse", "tool_input": told}
    del payload["tool_response"]
    return Call(payload, call.variables)


def a_read(root: Path, path: str) -> Call:
    call, arguments = before_edit(root, path), {"file_path": str(root / path)}
    return Call(
        {**call.payload, "tool_name": "Read", "tool_input": arguments}, call.variables
    )


def remembered(root: Path) -> list[str]:
    """Have the repository remember MEMORIES, found by the index; return their texts."""
    workspace = workspace_at(root)
    store, now = workspace.store_of(MEMORY), workspace.now()
    texts = [each.decisions[0] for each in made.sessions(MEMORIES)]
    for text in texts:
        name = next(ids_of(text, ""))
        memory = Memory(id=name, text=text, created_at=now, updated_at=now)
        store.append(Stated(now, memory))
    store.replay()
    build_index(workspace)
    return texts


def of_others(folder: Path) -> dict[str, Callable[[], None]]:
    """The same events of other clients, as they were recorded, in a conversation."""
    timed = {}
    for client in (*OTHERS, OPENCODE):
        root = make_repository(folder / client)
        run = str(install(root, python_with_gitmem(folder)))
        told = told_by_plugin(root) if client == OPENCODE else told_by(client, root)
        for what, (stdin, variables) in zip(EVENTS, told, strict=True):
            ran = started([run, "hook", client], stdin, root, variables)
            ran()
            timed[f"{client}: {what}"] = ran
    return timed


def told_by(client: str, root: Path) -> list[tuple[bytes, dict[str, str]]]:
    fixtures, *names = OTHERS[client]
    calls = [recorded(fixtures, name, root) for name in names]
    return [(stdin_of(call), call.variables) for call in calls]


def told_by_plugin(root: Path) -> list[tuple[bytes, dict[str, str]]]:
    """What the plugin of OpenCode made of its records: the first event of each."""
    lines = (FIXTURES / "opencode-1.18.33" / "told.txt").read_text().splitlines()
    parts = (line.replace(PROJECT, str(root)).split(" ", 2) for line in lines)
    payloads = [payload for kind, _, payload in parts if kind != "recall"]
    firsts = (next(each for each in payloads if words in each) for words in OF_PLUGIN)
    return [(f"{each}\n".encode(), {}) for each in firsts]


def called(call: Call, repository: Path) -> Callable[[], None]:
    [command] = commands_for(call)
    return started(["sh", "-c", command], stdin_of(call), repository, call.variables)


def started(
    command: list[str],
    stdin: bytes = b"",
    folder: Path | None = None,
    variables: dict[str, str] | None = None,
) -> Callable[[], None]:
    environment = {**os.environ, **(variables or {})}

    def start() -> None:
        subprocess.run(
            command,
            input=stdin,
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    return start


if __name__ == "__main__":
    main()
