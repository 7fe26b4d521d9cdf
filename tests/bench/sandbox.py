"""An installation of gitmem at work in a folder, and all that it prints there.

It is run through its programs alone. Clock and random ids are fixed in all its
processes, and all installations work at the same path: two of them that do the same
print and store the same.
"""

import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

_NOON = int(datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp())
"""Later than all that is replayed, and earlier than all files: none is old enough to be
archived."""
REFS = ("refs/ocm/sessions", "refs/ocm/conversations")
_STORE = 'git grep --text "" "$1"; git log --stat "$1"; git ls-tree -rt "$1"'
_CLOCK = """\
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
_DURATIONS = [
    (re.compile(r'("seconds": )[\d.]+'), r"\1N"),
    (re.compile(r"\b\d+(\.\d+)? m?s\b"), "N s"),
]
"""What differs between two runs of the same program, and what stands for it."""


class Sandbox:
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
        self.now = _NOON
        self._checkout = _install(python, folder / "env")

    def ocm(self, at: Path, *arguments: str, stdin: str = "") -> str:
        return self.run(at, "ocm", *arguments, stdin=stdin)

    def run(self, at: Path, *command: str, stdin: str = "", **variables: str) -> str:
        """Note what a command prints; wait for all that it starts in the background."""
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
        """Add lines, without durations and the place of the installed code."""
        for pattern, instead in _DURATIONS:
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

    def note_store(self, at: Path) -> None:
        """Note the texts of all documents, then the names of all objects."""
        self.ocm(at, "list", "--json", "--all", "--limit=1000")
        for ref in REFS:
            self.run(at, "sh", "-c", _STORE, "sh", ref)

    def copy_texts(self, source: Path, target: Path) -> Path:
        """Copy text files, with the recorded home replaced by the one here."""
        target.mkdir(parents=True, exist_ok=True)
        for file in sorted(source.iterdir()):
            (target / file.name).write_text(self.relocate(file.read_text("utf-8")))
        return target

    def relocate(self, text: str) -> str:
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


def _install(python: Path, env: Path) -> str:
    """Make an environment with the gitmem of `python` and a fixed clock.

    Return the folder that has the code.
    """
    subprocess.run([python, "-m", "venv", "--without-pip", env], check=True)
    found = [
        subprocess.run([python, "-P", "-c", each], check=True, capture_output=True)
        for each in (_CHECKOUT, _PACKAGES)
    ]
    checkout, packages = (os.fsdecode(each.stdout).strip() for each in found)
    [own] = env.glob("lib/python*/site-packages")
    (own / "fixed_clock.py").write_text(_CLOCK)
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
