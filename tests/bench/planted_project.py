"""A project with a memory, in which a conversation of Claude Code is played.

`ocm` runs as users run it, in forks of this process: Python and its modules are loaded
once. Hooks are the commands of the settings that `ocm init` wrote, run by a shell with
what Claude Code 2.1.332 gives to them.
"""

import contextlib
import json
import os
import re
import runpy
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import tantivy  # noqa: F401 - forks find it loaded, and what stands below
from hook.calls import recorded
from support.harness import git, record
from support.transcripts import kept_by_claude_code
from support.workspaces import workspace_at

import gitmem.cli.care.import_
import gitmem.cli.care.init
import gitmem.cli.checkpoint
import gitmem.cli.main
import gitmem.cli.memories
import gitmem.git.libgit2.repository  # noqa: F401 - as above
from gitmem.actions.saving.request import parse_request
from gitmem.redaction.redact import redact

redact("its rules are compiled")
CLAUDE_332 = "claude-code-2.1.332"
MARK = "PLANTED_IN"
"""The variable that all processes of a project have."""
Said = Sequence[tuple[str, str]]
"""Who said what: `user` or `assistant`, and the text."""


@dataclass(frozen=True, slots=True)
class Project:
    root: Path
    home: Path

    def ocm(self, *arguments: str) -> None:
        """Run a command; raise RuntimeError with what it printed where it fails."""
        self._fork(partial(_run_as_program, arguments))

    def save(self, sessions: Iterable[Mapping[str, Any]]) -> None:
        """Save a session of another assistant for each of these arguments."""
        self._fork(partial(_save, self.root, [*sessions]))

    def write(self, path: str, content: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
        return file

    def commit(self, message: str) -> None:
        git(self.root, "add", "--all")
        git(self.root, "commit", "--quiet", "--allow-empty", f"--message={message}")

    def keep_transcript(self, said: Said, began_at: datetime) -> None:
        """Write a conversation where Claude Code keeps those of this project."""
        folder = kept_by_claude_code(self.home, self.root)
        folder.mkdir(parents=True, exist_ok=True)
        lines = _transcript_lines(said, self.root, began_at)
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        (folder / f"{lines[0]['sessionId']}.jsonl").write_text(text, "utf-8")

    def settle(self) -> None:
        """Wait until no process works for the project in the background."""
        mark = f"{MARK}={self.root}".encode()
        for _ in range(1200):
            if not any(mark in each for each in _environments()):
                return
            time.sleep(0.05)
        raise TimeoutError("a process in the background does not end")

    def environment(self) -> dict[str, str]:
        return {
            MARK: str(self.root),
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "TZ": "UTC",
        }

    def _fork(self, work: Callable[[], None]) -> None:
        printed = self.root.with_name("printed")
        environment = self.environment()
        if (child := os.fork()) == 0:
            os._exit(_status_of(work, self.root, environment, printed))
        if status := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            raise RuntimeError(f"{work}: {status}\n{printed.read_text()}")


def project_at(folder: Path) -> Project:
    """A new repository of somebody who ran `ocm init` for Claude Code."""
    project = Project(folder / "project", folder / "home")
    project.root.mkdir(parents=True)
    (project.home / ".claude").mkdir(parents=True)
    git(project.root, "init", "--quiet", "--initial-branch=main")
    for name, value in (("name", "Ada"), ("email", "ada@example.com")):
        git(project.root, "config", f"user.{name}", value)
    project.write("README.md", "# A project\n")
    project.commit("Begin")
    project.ocm("init", "--yes", "--local", "--assistant", "claude-code")
    return project


@dataclass(frozen=True, slots=True)
class Conversation:
    """One of Claude Code, and what its hooks told the model."""

    project: Project
    id: str = field(default_factory=lambda: str(uuid4()))
    told: list[str] = field(default_factory=list)

    def start(self) -> str:
        return self._hear("SessionStart-startup", "startup")

    def prompt(self, text: str) -> str:
        return self._hear("UserPromptSubmit", "", prompt=text)

    def read(self, path: str) -> str:
        file = self.project.root / path
        content = file.read_text("utf-8") if file.exists() else ""
        lines = content.count("\n") + 1
        told = {"filePath": str(file), "content": content, "startLine": 1}
        response = {"type": "text", "file": told | {"numLines": lines}}
        asked = {"tool_input": {"file_path": str(file)}}
        before = self._hear("PreToolUse-Read", "Read", **asked)
        after = self._hear("PostToolUse-Read", "Read", **asked, tool_response=response)
        return before + after

    def edit(self, path: str) -> str:
        """Change a file; what is told of it comes too late for this change."""
        change = {"old_string": "a", "new_string": "b", "replace_all": False}
        asked = {"tool_input": {"file_path": str(self.project.root / path), **change}}
        before = self._hear("PreToolUse-Edit", "Edit", **asked)
        call = recorded(CLAUDE_332, "PostToolUse-Edit", self.project.root)
        response = call.payload["tool_response"]
        response |= {"filePath": str(self.project.root / path)}
        after = self._hear("PostToolUse-Edit", "Edit", **asked, tool_response=response)
        return before + after

    def _hear(self, name: str, subject: str, **values: Any) -> str:
        """Run all hooks of an event; return what they tell the model."""
        call = recorded(CLAUDE_332, name, self.project.root)
        payload = {**call.payload, **values, "session_id": self.id}
        folder = kept_by_claude_code(self.project.home, self.project.root)
        payload["transcript_path"] = str(folder / f"{self.id}.jsonl")
        variables = {**call.variables, "CLAUDE_CODE_SESSION_ID": self.id}
        event = payload["hook_event_name"]
        text = "".join(
            _context_of(event, self._run(command, payload, variables))
            for command in _commands(self.project.root, event, subject)
        )
        self.told.append(text)
        return text

    def _run(
        self, command: str, payload: Mapping[str, Any], variables: Mapping[str, str]
    ) -> str:
        line = json.dumps(payload, separators=(",", ":"), ensure_ascii=False)
        ran = subprocess.run(
            ["sh", "-c", command],
            input=f"{line}\n",
            cwd=self.project.root,
            env={**self.project.environment(), **variables},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return ran.stdout


def _status_of(
    work: Callable[[], None], root: Path, environment: Mapping[str, str], printed: Path
) -> int:
    try:
        os.chdir(root)
        os.environ.clear()
        os.environ.update(environment)
        with printed.open("w") as out:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        work()
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException:  # noqa: BLE001 - the fork must not go on in its parent's place
        traceback.print_exc()
        return 1
    return 0


def _run_as_program(arguments: Sequence[str]) -> None:
    sys.argv = ["ocm", *arguments]
    runpy.run_module("gitmem", run_name="__main__")


def _save(root: Path, sessions: Sequence[Mapping[str, Any]]) -> None:
    workspace = workspace_at(root)
    for arguments in sessions:
        checkpoint = parse_request(arguments).checkpoint(workspace.now())
        said = replace(checkpoint, branch="main")
        workspace.store.append(replace(record(str(uuid4())), checkpoint=said))
    workspace.store.replay()


def _commands(root: Path, event: str, subject: str) -> Iterator[str]:
    """What the settings of the project subscribe to an event with."""
    for name in ("settings.json", "settings.local.json"):
        file = root / ".claude" / name
        hooks = json.loads(file.read_text("utf-8"))["hooks"] if file.exists() else {}
        for entry in hooks.get(event, []):
            matcher = entry.get("matcher") or ".*"
            if matcher == "*" or re.fullmatch(matcher, subject):
                yield from (hook["command"] for hook in entry["hooks"])


def _context_of(event: str, printed: str) -> str:
    """What of a hook's output Claude Code gives to the model."""
    try:
        answer = json.loads(printed or "{}")
    except ValueError:
        return printed if event in ("SessionStart", "UserPromptSubmit") else ""
    told = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    reason = answer.get("reason", "") if answer.get("decision") == "block" else ""
    return f"{told}{reason}"


def _transcript_lines(
    said: Said, root: Path, began_at: datetime
) -> list[dict[str, Any]]:
    conversation, parent = str(uuid4()), None
    lines: list[dict[str, Any]] = []
    for minute, (who, text) in enumerate(said):
        is_user = who == "user"
        at = began_at + timedelta(minutes=minute)
        content: object = text if is_user else [{"type": "text", "text": text}]
        line = {
            "parentUuid": parent,
            "isSidechain": False,
            "type": who,
            "message": {"role": who, "content": content},
            "uuid": (parent := str(uuid4())),
            "timestamp": at.astimezone(UTC).isoformat()[:19] + ".000Z",
            "userType": "external",
            "entrypoint": "cli",
            "cwd": str(root),
            "sessionId": conversation,
            "version": "2.1.332",
            "gitBranch": "main",
        }
        lines.append(line)
    return lines


def _environments() -> Iterator[bytes]:
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if file.parent.name != str(os.getpid()):
                yield file.read_bytes()
