"""What `compare.py` has an installation of gitmem do, through its programs alone.

The clock and random ids are fixed in every Python process, and all paths are the same
for every installation, so that two of them have to print and store the same.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tarfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
JANUARY = TESTS / "bench" / "january"
TRANSCRIPTS = TESTS / "assistants" / "transcripts" / "data"
NOON = int(datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp())
"""Later than all that is replayed. Files are always newer: nothing is old enough to be
archived meanwhile."""
REFS = ("refs/ocm/sessions", "refs/ocm/conversations")
STORED = 'git grep --text "" "$1"; git log --stat "$1"; git ls-tree -rt "$1"'
CLOCK = """\
import datetime, os, time, uuid
now = int(os.environ["COMPARE_NOW"])
class Fixed(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(now, tz)
datetime.datetime = Fixed
time.time = lambda: float(now)
uuid.uuid4 = lambda: uuid.UUID(int=now, version=4)
"""
HAPPENSTANCE = [
    (re.compile(r'("seconds": )[\d.]+'), r"\1N"),
    (re.compile(r"\b\d+(\.\d+)? m?s\b"), "N s"),
]
"""What differs between two runs of the same program."""

Block = tuple[str, dict[str, Any]]
"""Who speaks in a transcript, and a part of the message."""


class Place:
    """A folder in which one installation of gitmem works, and what it printed there."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home" / "dev"
        self.home.mkdir(parents=True)
        (self.home / ".gitconfig").write_text(
            "[user]\nname = Ada\nemail = ada@example.com\n"
            '[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n'
        )
        self.printed: dict[str, list[str]] = {}
        """The lines of each step, by the name of the step."""
        self.now = NOON
        self._checkout = _sealed(python, folder / "env")

    def ocm(self, at: Path, *arguments: str, stdin: str = "") -> str:
        return self.run(at, "ocm", *arguments, stdin=stdin)

    def run(self, at: Path, *command: str, stdin: str = "", **variables: str) -> str:
        """Note what the command prints; it and all that it starts have ended then."""
        self.now += 60
        done = subprocess.run(
            command,
            cwd=at,
            env=self.environment() | variables,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        self._wait_for_background()
        self.note(
            f"{at.relative_to(self.folder)}$ {shlex.join(command)}",
            f"{done.stdout}\n{done.stderr}\nexit status {done.returncode}",
        )
        return done.stdout

    def note(self, step: str, text: str) -> None:
        for pattern, instead in HAPPENSTANCE:
            text = pattern.sub(instead, text.replace(self._checkout, "CHECKOUT"))
        self.printed[f"{len(self.printed):04} {step}"] = text.splitlines()

    def environment(self) -> dict[str, str]:
        return {
            "COMPARE_IN": str(self.folder),
            "COMPARE_NOW": str(self.now),
            "GIT_AUTHOR_DATE": f"{self.now} +0000",
            "GIT_COMMITTER_DATE": f"{self.now} +0000",
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PATH": f"{self.folder / 'env' / 'bin'}:{os.environ['PATH']}",
            "TZ": "UTC",
        }

    def repository(self, name: str) -> Path:
        at = self.folder / name
        at.mkdir(parents=True)
        self.run(at, "git", "init", "--quiet")
        (at / "file.txt").write_text("one\ntwo\n")
        self.run(at, "git", "add", ".")
        self.run(at, "git", "commit", "--quiet", "--message=begin")
        return at

    def stored(self, at: Path) -> None:
        """Note the texts of all documents, then the names of all objects."""
        self.ocm(at, "list", "--json", "--all", "--limit=1000")
        for ref in REFS:
            self.run(at, "sh", "-c", STORED, "sh", ref)

    def copied(self, source: Path, target: Path) -> Path:
        """Text files as if the recorded home had been the one here."""
        target.mkdir(parents=True, exist_ok=True)
        for file in sorted(source.iterdir()):
            (target / file.name).write_text(self.moved(file.read_text("utf-8")))
        return target

    def moved(self, text: str) -> str:
        kept = re.sub(r"\W", "-", str(self.home))
        return text.replace("/home/dev", str(self.home)).replace("-home-dev", kept)

    def mcp(self, at: Path, calls: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Note what `ocm serve` answers to each call, one connection for all."""
        self.now += 60
        with subprocess.Popen(
            ["ocm", "serve"],
            executable=self.folder / "env" / "bin" / "ocm",
            cwd=at,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as server:
            assert server.stdin
            assert server.stdout
            for number, (method, given) in enumerate(chain(_HANDSHAKE, calls)):
                asked = {"jsonrpc": "2.0", "method": method, "params": given}
                is_call = not method.startswith("notifications/")
                numbered = asked | ({"id": number} if is_call else {})
                print(json.dumps(numbered), file=server.stdin, flush=True)
                while is_call:
                    answer = json.loads(server.stdout.readline())
                    if answer.get("id") == number:
                        text = json.dumps(answer, indent=1, ensure_ascii=False)
                        self.note(f"MCP {method} {json.dumps(given)}", text)
                        break
        self._wait_for_background()

    def _wait_for_background(self) -> None:
        for _ in range(1000):
            shown = subprocess.run(["ps", "axeww"], capture_output=True, check=True)
            if f"COMPARE_IN={self.folder}".encode() not in shown.stdout:
                return
            time.sleep(0.03)
        raise TimeoutError("a process in the background does not end")


_HANDSHAKE: list[tuple[str, dict[str, Any]]] = [
    (
        "initialize",
        {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "cursor", "version": "1"},
        },
    ),
    ("notifications/initialized", {}),
]


def _sealed(python: Path, env: Path) -> str:
    """An environment with the gitmem of `python` and a fixed clock; its checkout."""
    subprocess.run([python, "-m", "venv", "--without-pip", env], check=True)
    found = [
        subprocess.run([python, "-P", "-c", each], check=True, capture_output=True)
        for each in (_CHECKOUT, _PACKAGES)
    ]
    checkout, packages = (os.fsdecode(each.stdout).strip() for each in found)
    [own] = env.glob("lib/python*/site-packages")
    (own / "fixed_clock.py").write_text(CLOCK)
    (own / "gitmem.pth").write_text(
        f"import site; site.addsitedir({packages!r})\nimport fixed_clock\n"
    )
    for name in ("ocm", "ocm-hook", "git-ocm"):
        _, _, script = (python.parent / name).read_text().partition("\n")
        (env / "bin" / name).write_text(f"#!{env / 'bin' / 'python'}\n{script}")
        (env / "bin" / name).chmod(0o755)
    return checkout


_CHECKOUT = "import gitmem, pathlib; print(pathlib.Path(*gitmem.__path__).parent)"
_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"


def journals(place: Place) -> None:
    """Journals that were never replayed, as sessions."""
    at = place.repository("home/dev/project")
    place.copied(TESTS / "bench" / "journals", at / ".git" / "ocm" / "journal")
    place.stored(at)
    looked_at(place, at)


def imports(place: Place) -> None:
    """Transcripts of four assistants, read twice."""
    at = place.repository("imports")
    for name in ("claude_code", "codex", "specstory", "aider"):
        folder = place.copied(TRANSCRIPTS / name, place.folder / "transcripts" / name)
        moved = f"--moved-from={place.home / 'project'}"
        for form in ("--dry-run", "--json", "--json"):
            given = ("import", name.replace("_", "-"), str(folder), moved, form)
            place.ocm(at, *given)
    place.stored(at)


def hooks(place: Place) -> None:
    """Events as three clients sent them, and the transcripts they point to."""
    at = place.repository("home/dev/project")
    kept = re.sub(r"\W", "-", str(at))
    place.copied(TRANSCRIPTS / "claude_code", place.home / ".claude/projects" / kept)
    place.ocm(at, "init", "--yes", "--json", "--assistant=claude-code")
    for client in ("claude-code-2.1.197", "claude-code-2.1.330", "copilot-cli-1.0.102"):
        files = (TESTS / "fixtures" / client).glob("*.json")
        texts = [place.moved(file.read_text("utf-8")) for file in sorted(files)]
        for event in sorted(map(json.loads, texts), key=_order):
            heard = ("ocm-hook", re.sub(r"-\d.*", "", client))
            place.run(at, *heard, stdin=json.dumps(event["stdin"]), **event["env"])
            if _order(event)[1] == 1:
                (at / "hello.txt").write_text(event["stdin"]["session_id"])
                place.run(at, "git", "add", "hello.txt")
                place.run(at, "git", "commit", "--quiet", "--message=greet")
    place.stored(at)


def _order(event: dict[str, Any]) -> tuple[str, int]:
    """One conversation after the other: it begins, is prompted, works, and ends."""
    told = event["stdin"]
    steps = ["SessionStart", "UserPromptSubmit", "", "Stop", "SessionEnd"]
    name = told.get("hook_event_name", "")
    at = steps.index(name if name in steps else "")
    return told.get("session_id", ""), at


def sharing(place: Place) -> None:
    """Two clones that diverge, merge, forget and bring back over a bare repository."""
    begun = place.repository("shared/begun")
    remote, one, two = (begun.with_name(name) for name in ("remote.git", "one", "two"))
    place.run(begun, "git", "clone", "--quiet", "--bare", ".", str(remote))
    for clone in (one, two):
        place.run(begun, "git", "clone", "--quiet", str(remote), str(clone))
    place.run(two, "git", "config", "user.email", "ben@example.com")
    moved = f"--moved-from={place.home / 'project'}"
    kept = place.copied(TRANSCRIPTS / "claude_code", place.folder / "transcripts")
    place.ocm(one, "import", "claude-code", str(kept), moved)
    saved(place, one, "both", goal="Settle the queue", work_completed=["The lock"])
    place.ocm(one, "share", "on", "--yes", "--conversations", "--json")
    place.ocm(two, "share", "on", "--yes", "--conversations", "--json")
    for clone in (one, two):
        name = clone.name
        saved(place, clone, "both", work_completed=[f"By {name}"], work_pending=[name])
        saved(place, clone, name, goal=f"Only of {name}", decisions=[f"**{name}:** so"])
    for clone in (one, two, one):
        place.ocm(clone, "sync")
    for at in (one, two, remote):
        place.stored(at)
    forgetting(place, one, two)
    for at in (one, two, remote):
        place.stored(at)


def forgetting(place: Place, one: Path, two: Path) -> None:
    place.ocm(one, "forget", "two", "--dry-run", "--json")
    place.ocm(two, "forget", "both", "--item=The lock", "--yes", "--json")
    place.ocm(two, "forget", "two", "--yes", "--json")
    place.ocm(two, "sync", "--json")
    place.ocm(one, "sync", "--dry-run", "--json")
    place.ocm(one, "pull", "--json")
    place.ocm(one, "sync", "--review", "--json")
    place.ocm(one, "sync", "--accept=all", "--json")
    place.ocm(two, "restore", "--json")
    place.ocm(two, "restore", "two", "--yes", "--json")
    place.ocm(two, "push", "--json")
    place.ocm(one, "sync", "--json")
    place.ocm(one, "forget", "one", "--history", "--yes", "--json")


def saved(place: Place, at: Path, client: str, **values: Any) -> None:
    given = {"client_session_id": client, "tool": "cursor", **values}
    place.ocm(at, "checkpoint", "--json", "--input=-", stdin=json.dumps(given))


def broken(place: Place) -> None:
    """The broken repositories, examined and mended."""
    for packed in sorted((TESTS / "fixtures" / "broken").glob("*.tar.gz")):
        folder = place.folder / "broken" / packed.name.partition(".")[0]
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        at = folder / "repository"
        place.ocm(at, "doctor", "--fix", "--json")
        place.stored(at)


def searches(place: Place) -> None:
    """A week of real sessions, and all that it is asked in the benchmarks."""
    at = january(place)
    place.stored(at)
    files = ("queries", "own-words", "unrelated-typed")
    rows = chain.from_iterable(rows_of(JANUARY / f"{name}.jsonl") for name in files)
    asked = [row.get("query") or row["subject"] for row in rows]
    place.mcp(at, (_tool("search_sessions", query=each) for each in asked if each))
    for query in asked[::60]:
        place.ocm(at, "search", "--json", query)
        place.ocm(at, "search", "--explain", query)


def january(place: Place) -> Path:
    """The week as Claude Code would have kept it, imported."""
    at = place.repository("january")
    kept = place.folder / "kept"
    kept.mkdir()
    for row in rows_of(JANUARY / "sessions.jsonl"):
        lines = map(json.dumps, _transcript(row, at))
        (kept / f"{row['id']}.jsonl").write_text("\n".join(lines) + "\n")
    place.ocm(at, "import", "claude-code", str(kept), "--json")
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


def served(place: Place) -> None:
    """What an assistant does over MCP, with texts that are redacted."""
    at = place.repository("served")
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
    place.mcp(at, calls)
    place.stored(at)


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


def looked_at(place: Place, at: Path) -> None:
    """Every command that only reads, for people and for programs."""
    for command in READING:
        place.ocm(at, *command)
        place.ocm(at, *command, "--json")
    place.ocm(at, "show", "last", "--raw")
    place.ocm(at, "log", "--stat")
    place.ocm(at, "notes")


def helped(place: Place) -> None:
    """What the commands say of themselves, and of mistakes."""
    for command in ("", *COMMANDS):
        place.ocm(place.folder, *filter(None, [command]), "--help")
    for mistake in (["list"], ["list", "--json"], ["lst"], ["search"], ["--version"]):
        place.ocm(place.folder, *mistake)


SCENARIOS: dict[str, Callable[[Place], None]] = {
    each.__name__: each
    for each in (journals, imports, hooks, sharing, broken, searches, served, helped)
}


def replayed(python: Path, folder: Path, scenario: str) -> dict[str, list[str]]:
    """The lines of every step of a scenario; the folder is gone afterwards."""
    place = Place(python, folder)
    SCENARIOS[scenario](place)
    shutil.rmtree(folder)
    return place.printed
