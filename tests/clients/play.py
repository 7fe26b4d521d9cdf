"""What a scenario needs: to say what the model answers, and to expect what comes."""

import json
import re
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from clients.client import Client
from clients.scripted_model import Answer, call, say
from clients.stage import Stage, stage
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
    r"(?:This conversation's session id is [^\n]*\n|No server of this [^\n]*\n)?"
    r"(?:[^\n]*: records to check [^\n]*\n\n(````?)text\n.*?\n\1\n.*?"
    r"|Nothing is (?:new|saved) [^\n]*)"
    r"(?:\n\n|\Z)",
    re.DOTALL,
)
"""A brief, with its fence if it has one."""
_IDS = ("session_id", "thread_id", "sessionID", "sessionId")
"""What clients call the name of a conversation."""


@dataclass(slots=True)
class Play:
    stage: Stage
    missed: list[str] = field(default_factory=list)
    brief: str = ""
    """The one that was given after what the scenario is about."""
    bystanders: set[str] = field(default_factory=set)
    """Conversations that only looked what they are told."""
    noted: str = ""
    """What it cost, in a word or two."""
    _told_at: int = 0

    def file(self, name: str) -> Path:
        return self.stage.project / name

    def write(self, *names: str) -> Answer:
        """The client's own tool writes new files, all in one answer."""
        write, named = self.stage.client.write, [str(self.file(each)) for each in names]
        blocks = [write(path, f"{Path(path).name}\n").blocks for path in named]
        return Answer(tuple(chain(*blocks)))

    def install(self) -> None:
        assistant = self.stage.client.assistant
        self.stage.do("ocm", "init", "--team", "--assistant", assistant)
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
        self.compare("no hook failed", bad, [])
        return next(str(line[key]) for line in lines for key in _IDS if key in line)

    def greeting(self) -> tuple[Answer, ...]:
        """The assistant saves, writes, and leaves something to do."""
        goal = {"goal": GREETING, "slug": "hello", "work_pending": ["Say bye"]}
        saves = call("ocm__checkpoint", **goal)
        return saves, self.write("hello.txt"), say("Hello is written.")

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
        briefs = [found[0] for found in _BRIEF.finditer(self.texts()[0])]
        self.brief = briefs[-1] if briefs else ""

    def texts(self) -> list[str]:
        """What each request since `tell` says, but for tools and where it has none."""
        return ["\n\n".join(each) for each in self._said()]

    def news(self) -> str:
        """What the last request says that the one before did not."""
        *_, before, last = self._said()
        return "\n\n".join(text for text in last if text not in before)

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
        self.compare(what, now, wanted)

    def compare(self, what: str, now: object, wanted: object) -> None:
        if now != wanted:
            self.missed.append(f"{what}\n    is     {now}\n    not    {wanted}")

    def expect_clean(self) -> None:
        """That nothing went wrong unseen, and nothing of ours shows."""
        log = self.file(".git/ocm/log")
        self.expect("log", lambda: log.read_text() if log.exists() else "", "")
        self.expect("fsck", lambda: self.stage.run("git", "fsck", "--strict"), "")
        status = self.stage.run("git", "status", "--porcelain").splitlines()
        ours = [each for each in status if "ocm" in each.lower()]
        self.compare("git status", ours, [])

    @contextmanager
    def noting_errors(self) -> Iterator[None]:
        """An error is one more thing that is not as it should be."""
        try:
            yield
        except Exception:  # noqa: BLE001 - other scenarios are played all the same
            self.missed.append(traceback.format_exc(limit=-1))

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
        printed = self.stage.run("ocm", "import", self.stage.client.assistant, "--json")
        report = printed[printed.index("{") :]  # how much it reads comes first
        return [each["outcome"] for each in json.loads(report)["sessions"]]

    def _said(self) -> list[list[str]]:
        requests = self.stage.model.requests[self._told_at :]
        asked = (each for each in requests if each.get("tools"))
        return [list(strings(each | {"tools": []})) for each in asked]

    def _known(self, goal: str, wanted: dict[str, object]) -> list[dict[str, object]]:
        found = [facts_of(each) for each in self.sessions() if each.goal == goal]
        return [{name: each[name] for name in wanted} for each in found]


class Played(NamedTuple):
    """What came of a scenario."""

    version: str
    """Of the client."""
    missed: list[str]
    noted: str = ""

    def __str__(self) -> str:
        return "\n  WRONG: ".join(["", *self.missed]) or " as it should be"


Scenario = Callable[[Play], None]


def played(
    scenario: Scenario, client: Client, program: Path, *, installed: bool = True
) -> Played:
    """Play it in a new home and a new project, where `ocm init` ran as a rule."""
    with stage(client, program) as made:
        play = Play(made)
        with play.noting_errors():
            if installed:
                play.install()
            scenario(play)
            play.expect_clean()
        return Played(made.version(), play.missed, play.noted)


def facts_of(session: Session) -> dict[str, object]:
    return {
        "goal": session.goal,
        "tool": session.tool,
        "client": session.client_session_id,
        "slug": session.id.rpartition("_")[2],
        "source": session.goal_source.value,
        "status": session.status.value,
        "branch": session.branch,
        "prompts": list(session.prompts),
        "files": [file.path for file in session.files],
        "changes": {file.path: file.change.value for file in session.files},
        "meanwhile": list(session.changed_meanwhile),
        "commits": [commit.subject for commit in session.commits],
        "completed": list(session.work_completed),
        "pending": list(session.work_pending),
        "summary": session.client_summary,
        "parent": session.parent,
        "others": session.other_repositories,
    }


def strings(value: object) -> Iterator[str]:
    """All texts in a value of JSON, in their order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)
