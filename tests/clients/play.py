"""What a scenario needs: to say what the model answers, and to expect what comes."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clients.scripted_model import Answer, call, say, writes
from clients.stage import Stage
from clients.terminal import Terminal

from gitmem.documents.session.session import Session

PATIENCE = 60.0
"""Seconds that a detached process may take to save what it saw."""
GREETING = "Say hello from a file."
NEXT = "hi"
"""What somebody says who begins a conversation to see what it is told."""
READY = ("for shortcuts", "shift+tab to cycle")
"""What shows below the prompt; which of them, depends on version and mode."""
_BRIEF = re.compile(
    r".*SessionStart hook additional context: "
    r"(.*?\n\n````?text\n.*?\n````?\n.*?|.*?)(?:\n\n|\Z)",
    re.DOTALL,
)
"""The newest brief of a text, with its fence if it has one."""


@dataclass(slots=True)
class Play:
    stage: Stage
    missed: list[str] = field(default_factory=list)
    brief: str = ""
    """The one that was given after what the scenario is about."""
    bystanders: set[str] = field(default_factory=set)
    """Conversations that only looked what they are told."""
    _told_at: int = 0

    def file(self, name: str) -> Path:
        return self.stage.project / name

    def install(self) -> None:
        self.stage.run("ocm", "init", "--assistant", "claude-code")
        self.stage.run("git", "add", "--all")
        self.stage.run("git", "commit", "--quiet", "--message=Remember sessions")

    def tell(self, *answers: Answer) -> None:
        """What the model answers from now on."""
        self._told_at = len(self.stage.model.requests)
        self.stage.model.will(*answers)

    def prompt(self, text: str, *options: str, **where: Any) -> str:
        """One prompt without a terminal; gives the name of the conversation."""
        lines = self.stage.prompt(text, *options, **where)
        bad = [line for line in lines if line.get("outcome", "success") != "success"]
        self.expect("no hook failed", lambda: bad, [])
        return str(lines[0]["session_id"])

    def said(self, text: str) -> int:
        """How often the last request to the model has a text."""
        return json.dumps(self.stage.model.requests[-1]).count(text)

    def greeting(self) -> tuple[Answer, ...]:
        """The assistant saves, writes, and leaves something to do."""
        goal = {"goal": GREETING, "slug": "hello", "work_pending": ["Say bye"]}
        saves = call("ocm__checkpoint", **goal)
        return saves, writes(self.file("hello.txt")), say("Hello is written.")

    def greet(self) -> str:
        """One prompt that is answered so; gives the name of the conversation."""
        self.tell(*self.greeting())
        return self.prompt("Please write me a greeting")

    @contextmanager
    def opened(
        self, *options: str, server: str = "Use this MCP server"
    ) -> Iterator[Terminal]:
        """Claude Code in a terminal, its questions answered; left with `/exit`."""
        with self.stage.terminal(*options) as terminal:
            for option in ("Yes, I trust this folder", server):
                if terminal.wait_for(option, *READY) == option:
                    terminal.choose(option)
            terminal.wait_for(*READY)
            yield terminal
            terminal.enter("/exit")
            terminal.wait_for_end()

    def keep_brief(self) -> None:
        """The newest brief in the first request since `tell` is the one to be shown."""
        requests = self.stage.model.requests[self._told_at :]
        first = next(each for each in requests if each.get("tools"))
        briefs = [found[1] for text in _texts(first) if (found := _BRIEF.match(text))]
        self.brief = briefs[-1] if briefs else ""

    def begin_next(self) -> None:
        """Another conversation begins, and what it is told is kept."""
        self.tell(say("Hello."))
        self.bystanders.add(self.prompt(NEXT))
        self.keep_brief()

    def expect_brief(self, *parts: str) -> None:
        """That the brief has all of these, one behind the other."""
        rest = self.brief
        for part in parts:
            if part not in rest:
                self.missed.append(f"the brief does not say {part}:\n{self.brief}")
                return
            rest = rest.partition(part)[2]

    def expect_session(self, goal: str, **wanted: object) -> None:
        """That one session has this goal, and is so."""
        self.expect(goal, lambda: self._known(goal, wanted), [wanted])

    def expect(self, what: str, known: Callable[[], object], wanted: object) -> None:
        """That it becomes so soon."""
        until = time.monotonic() + PATIENCE
        while (now := known()) != wanted and time.monotonic() < until:
            time.sleep(1)
        if now != wanted:
            self.missed.append(f"{what}\n    is     {now}\n    not    {wanted}")

    def expect_clean(self) -> None:
        """That nothing went wrong unseen, and nothing of ours shows."""
        project, log = self.stage.project, self.stage.project / ".git/ocm/log"
        self.expect("log", lambda: log.read_text() if log.exists() else "", "")
        self.expect("fsck", lambda: self.stage.run("git", "fsck", "--strict"), "")
        ours = [each for each in self._status() if "ocm" in each.lower()]
        self.expect(f"git status of {project.name}", lambda: ours, [])

    def sessions(self) -> list[Session]:
        """What the memory holds, but for bystanders; the newest first."""
        sessions = self.stage.sessions()
        return [
            each for each in sessions if each.client_session_id not in self.bystanders
        ]

    def who_said(self, words: str) -> list[str]:
        """The sessions in whose conversations these words are."""
        ref = "refs/ocm/conversations"
        grep = ("git", "grep", "--name-only", "--fixed-strings", words, ref)
        return [Path(name).stem for name in self.stage.run(*grep).splitlines()]

    def imported(self) -> list[str]:
        """What came of each conversation in an import."""
        printed = self.stage.run("ocm", "import", "claude-code", "--json")
        report = json.loads(
            printed[printed.index("{") :]
        )  # how much it reads comes first
        return [each["outcome"] for each in report["sessions"]]

    def _status(self) -> list[str]:
        return self.stage.run("git", "status", "--porcelain").splitlines()

    def _known(self, goal: str, wanted: dict[str, object]) -> list[dict[str, object]]:
        found = [facts_of(each) for each in self.sessions() if each.goal == goal]
        return [{name: each[name] for name in wanted} for each in found]


def facts_of(session: Session) -> dict[str, object]:
    return {
        "tool": session.tool,
        "slug": session.id.rpartition("_")[2],
        "source": session.goal_source.value,
        "status": session.status.value,
        "branch": session.branch,
        "prompts": len(session.prompts),
        "files": [file.path for file in session.files],
        "meanwhile": list(session.changed_meanwhile),
        "commits": [commit.subject for commit in session.commits],
        "completed": list(session.work_completed),
        "pending": list(session.work_pending),
        "answer": session.last_answer,
        "summary": session.client_summary,
        "parent": session.parent,
    }


def _texts(request: dict[str, Any]) -> Iterator[str]:
    for message in request["messages"]:
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"text": content}]
        yield from (str(block.get("text", "")) for block in blocks)
