"""What `compare.py` has each installation of gitmem do."""

import json
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from bench.sandbox import Sandbox

TESTS = Path(__file__).parents[1]
JANUARY = TESTS / "bench" / "january"
TRANSCRIPTS = TESTS / "assistants" / "transcripts" / "data"

Block = tuple[str, dict[str, Any]]
"""Who speaks in a transcript, and a part of the message."""


def journals(sandbox: Sandbox) -> None:
    """Journals that were never replayed."""
    at = sandbox.repository("home/dev/project")
    sandbox.copy_texts(TESTS / "bench" / "journals", at / ".git" / "ocm" / "journal")
    sandbox.note_store(at)
    run_reading_commands(sandbox, at)


def imports(sandbox: Sandbox) -> None:
    """Transcripts of four assistants, read twice."""
    at = sandbox.repository("imports")
    for name in ("claude_code", "codex", "specstory", "aider"):
        folder = sandbox.copy_texts(
            TRANSCRIPTS / name, sandbox.folder / "transcripts" / name
        )
        moved = f"--moved-from={sandbox.home / 'project'}"
        for form in ("--dry-run", "--json", "--json"):
            given = ("import", name.replace("_", "-"), str(folder), moved, form)
            sandbox.ocm(at, *given)
    sandbox.note_store(at)


def hooks(sandbox: Sandbox) -> None:
    """Events as three clients sent them, and the transcripts they point to."""
    at = sandbox.repository("home/dev/project")
    kept = re.sub(r"\W", "-", str(at))
    sandbox.copy_texts(
        TRANSCRIPTS / "claude_code", sandbox.home / ".claude/projects" / kept
    )
    sandbox.ocm(at, "init", "--yes", "--json", "--assistant=claude-code")
    for client in ("claude-code-2.1.197", "claude-code-2.1.330", "copilot-cli-1.0.102"):
        files = (TESTS / "fixtures" / client).glob("*.json")
        texts = [sandbox.relocate(file.read_text("utf-8")) for file in sorted(files)]
        for event in sorted(map(json.loads, texts), key=_order):
            heard = ("ocm-hook", re.sub(r"-\d.*", "", client))
            sandbox.run(at, *heard, stdin=json.dumps(event["stdin"]), **event["env"])
            if _order(event)[1] == 1:
                (at / "hello.txt").write_text(event["stdin"]["session_id"])
                sandbox.run(at, "git", "add", "hello.txt")
                sandbox.run(at, "git", "commit", "--quiet", "--message=greet")
    sandbox.note_store(at)


def _order(event: dict[str, Any]) -> tuple[str, int]:
    """Sort by conversation, then from its start to its end."""
    told = event["stdin"]
    steps = ["SessionStart", "UserPromptSubmit", "", "Stop", "SessionEnd"]
    name = told.get("hook_event_name", "")
    at = steps.index(name if name in steps else "")
    return told.get("session_id", ""), at


def sharing(sandbox: Sandbox) -> None:
    """Two clones that diverge, merge, forget and restore over a bare repository."""
    begun = sandbox.repository("shared/begun")
    remote, one, two = (begun.with_name(name) for name in ("remote.git", "one", "two"))
    sandbox.run(begun, "git", "clone", "--quiet", "--bare", ".", str(remote))
    for clone in (one, two):
        sandbox.run(begun, "git", "clone", "--quiet", str(remote), str(clone))
    sandbox.run(two, "git", "config", "user.email", "ben@example.com")
    moved = f"--moved-from={sandbox.home / 'project'}"
    kept = sandbox.copy_texts(
        TRANSCRIPTS / "claude_code", sandbox.folder / "transcripts"
    )
    sandbox.ocm(one, "import", "claude-code", str(kept), moved)
    save(sandbox, one, "both", goal="Settle the queue", work_completed=["The lock"])
    sandbox.ocm(one, "share", "on", "--yes", "--conversations", "--json")
    sandbox.ocm(two, "share", "on", "--yes", "--conversations", "--json")
    for clone in (one, two):
        name = clone.name
        save(sandbox, clone, "both", work_completed=[f"By {name}"], work_pending=[name])
        save(
            sandbox, clone, name, goal=f"Only of {name}", decisions=[f"**{name}:** so"]
        )
    for clone in (one, two, one):
        sandbox.ocm(clone, "sync")
    for at in (one, two, remote):
        sandbox.note_store(at)
    forgetting(sandbox, one, two)
    for at in (one, two, remote):
        sandbox.note_store(at)


def forgetting(sandbox: Sandbox, one: Path, two: Path) -> None:
    sandbox.ocm(one, "forget", "two", "--dry-run", "--json")
    sandbox.ocm(two, "forget", "both", "--item=The lock", "--yes", "--json")
    sandbox.ocm(two, "forget", "two", "--yes", "--json")
    sandbox.ocm(two, "sync", "--json")
    sandbox.ocm(one, "sync", "--dry-run", "--json")
    sandbox.ocm(one, "pull", "--json")
    sandbox.ocm(one, "sync", "--review", "--json")
    sandbox.ocm(one, "sync", "--accept=all", "--json")
    sandbox.ocm(two, "restore", "--json")
    sandbox.ocm(two, "restore", "two", "--yes", "--json")
    sandbox.ocm(two, "push", "--json")
    sandbox.ocm(one, "sync", "--json")
    sandbox.ocm(one, "forget", "one", "--history", "--yes", "--json")


def save(sandbox: Sandbox, at: Path, client: str, **values: Any) -> None:
    given = {"client_session_id": client, "tool": "cursor", **values}
    sandbox.ocm(at, "checkpoint", "--json", "--input=-", stdin=json.dumps(given))


def broken(sandbox: Sandbox) -> None:
    """The broken repositories, examined and mended."""
    for packed in sorted((TESTS / "fixtures" / "broken").glob("*.tar.gz")):
        folder = sandbox.folder / "broken" / packed.name.partition(".")[0]
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        at = folder / "repository"
        sandbox.ocm(at, "doctor", "--fix", "--json")
        sandbox.note_store(at)


def searches(sandbox: Sandbox) -> None:
    """A week of real sessions, and all that it is asked in the benchmarks."""
    at = import_january(sandbox)
    sandbox.note_store(at)
    files = ("queries", "own-words", "unrelated-typed")
    rows = chain.from_iterable(rows_of(JANUARY / f"{name}.jsonl") for name in files)
    asked = [row.get("query") or row["subject"] for row in rows]
    sandbox.mcp(at, (_tool("search_sessions", query=each) for each in asked if each))
    for query in asked[::60]:
        sandbox.ocm(at, "search", "--json", query)
        sandbox.ocm(at, "search", "--explain", query)


def import_january(sandbox: Sandbox) -> Path:
    """Import the week from transcripts such as Claude Code writes."""
    at = sandbox.repository("january")
    kept = sandbox.folder / "kept"
    kept.mkdir()
    for row in rows_of(JANUARY / "sessions.jsonl"):
        lines = map(json.dumps, _transcript(row, at))
        (kept / f"{row['id']}.jsonl").write_text("\n".join(lines) + "\n")
    sandbox.ocm(at, "import", "claude-code", str(kept), "--json")
    return at


def _transcript(row: dict[str, Any], at: Path) -> Iterator[dict[str, Any]]:
    first, last = (datetime.fromisoformat(row[each]) for each in ("first", "last"))
    blocks = [*_said(row), *_edits(row, at)]
    for number, (role, block) in enumerate(blocks):
        moment = first + (last - first) * number / len(blocks)
        yield {
            "type": role,
            "sessionId": row["id"][-36:],
            "cwd": str(at),
            "gitBranch": row["branch"],
            "timestamp": moment.isoformat(timespec="milliseconds"),
            "message": {"role": role, "content": [block]},
        }


def _said(row: dict[str, Any]) -> Iterator[Block]:
    for prompt, answer in zip_longest(row["prompts"], row["assistant"]):
        for role, text in (("user", prompt), ("assistant", answer)):
            if text:
                yield role, {"type": "text", "text": text}


def _edits(row: dict[str, Any], at: Path) -> Iterator[Block]:
    for path in row["files"]:
        given = {"file_path": str(at / path)}
        call = {"type": "tool_use", "id": path, "name": "Edit", "input": given}
        yield "assistant", call
        yield "user", {"type": "tool_result", "tool_use_id": path, "content": "done"}


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text("utf-8").splitlines())


def server(sandbox: Sandbox) -> None:
    """What an assistant does over MCP, with texts that are redacted."""
    at = sandbox.repository("server")
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    checkpoint = _tool(
        "checkpoint",
        goal=f"Call the host with {token}",
        slug="call-host",
        work_completed=[f"password = {'hunter2Xy' * 2}", "<script>\u202eevil</script>"],
        work_pending=["The rest"],
        decisions=["**Retry:** three times."],
        references=[{"url": f"https://u:{token}@example.com/", "title": "Docs"}],
        plan_files=[{"path": "plan.md", "header": "Plan"}],
    )
    calls = [
        *((f"{kind}/list", {}) for kind in ("tools", "prompts", "resources")),
        ("resources/templates/list", {}),
        checkpoint,
        _tool("checkpoint", work_pending=[], status="frozen"),
        _tool("checkpoint", nonsense=1),
        _tool("search_sessions", query="retry host"),
        _tool("list_sessions", limit=5),
        _tool("get_session_files", session_id="last"),
        ("resources/read", {"uri": "ocm://sessions/last"}),
        ("resources/read", {"uri": "ocm://conversations/last"}),
        ("prompts/get", {"name": "resume", "arguments": {"session": "call-host"}}),
    ]
    sandbox.mcp(at, calls)
    sandbox.note_store(at)


def _tool(name: str, **given: Any) -> tuple[str, dict[str, Any]]:
    return "tools/call", {"name": f"ocm__{name}", "arguments": given}


READING = (
    ("list",), ("list", "--all", "--tree"), ("list", "--tool=cursor"),
    ("search", "session", "lock", "test"), ("search", "nothing-like-it"),
    ("show", "last"), ("show", "last", "--conversation"), ("show", "absent"),
    ("files", "last"), ("brief",), ("brief", "--session=last"), ("resume",),
    ("handoff", "--to=codex"), ("why", "hello.txt"), ("why", "HEAD"),
    ("export", "last"), ("status",), ("share", "status"), ("doctor",), ("scan",),
    ("restore",), ("rebuild-index",), ("import", "--dry-run"), ("init", "--dry-run"),
)  # fmt: skip
COMMANDS = (
    "init", "import", "demo", "list", "search", "show", "files", "brief", "resume",
    "handoff", "why", "checkpoint", "log", "export", "notes", "status", "sync", "push",
    "pull", "share", "doctor", "scan", "forget", "restore", "rebuild-index",
    "uninstall", "serve",
)  # fmt: skip


def run_reading_commands(sandbox: Sandbox, at: Path) -> None:
    """Run every command that only reads, for people and for programs."""
    for command in READING:
        sandbox.ocm(at, *command)
        sandbox.ocm(at, *command, "--json")
    sandbox.ocm(at, "show", "last", "--raw")
    sandbox.ocm(at, "log", "--stat")
    sandbox.ocm(at, "notes")


def usage(sandbox: Sandbox) -> None:
    """What the commands say of themselves, and of mistakes."""
    for command in ("", *COMMANDS):
        sandbox.ocm(sandbox.folder, *filter(None, [command]), "--help")
    for mistake in (["list"], ["list", "--json"], ["lst"], ["search"], ["--version"]):
        sandbox.ocm(sandbox.folder, *mistake)


SCENARIOS: dict[str, Callable[[Sandbox], None]] = {
    each.__name__: each
    for each in (journals, imports, hooks, sharing, broken, searches, server, usage)
}


def replay(python: Path, folder: Path, scenario: str) -> dict[str, list[str]]:
    """Return the lines of every step of a scenario; delete the folder."""
    sandbox = Sandbox(python, folder)
    SCENARIOS[scenario](sandbox)
    shutil.rmtree(folder)
    return sandbox.printed
