"""Plays conversations with the real Claude Code, and checks what was remembered.

    python tests/clients/real_claude.py CLAUDE [--copilot COPILOT]

CLAUDE is the program, COPILOT that of GitHub's Copilot CLI, which runs the hooks of
Claude Code's settings as well. The model is a script on 127.0.0.1; home and project are
new folders; `ocm` is the one beside the Python that runs this. tmux is needed. It takes
a minute, prints a transcript, and fails where the memory is not as it should be.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from clients.scripted_model import Answer, call, late, say
from clients.stage import Stage, stage
from clients.terminal import Terminal

from gitmem.model.session import Session

PATIENCE = 20.0
"""Seconds that a detached process may take to save what it saw."""
PROSE = "The marmalade lighthouse is lit."
"""What the assistant says, and nobody writes."""
KILLED = "Write a file and be killed"
READY = ("for shortcuts", "shift+tab to cycle")
"""What shows below the prompt; which of them, depends on version and mode."""


@dataclass(slots=True)
class Play:
    stage: Stage
    copilot: Path | None
    missed: int = 0
    first: str = ""
    """Claude Code's name of the first conversation."""

    def tell(self, *answers: Answer) -> None:
        self.stage.model.will(*answers)

    def file(self, name: str) -> str:
        return str(self.stage.project / name)

    def prompt(self, text: str, *options: str) -> str:
        """One prompt without a terminal; gives the name of the conversation."""
        lines = self.stage.prompt(text, *options)
        bad = [line for line in lines if line.get("outcome", "success") != "success"]
        self.expect("no hook failed", lambda: bad, [])
        return str(lines[0]["session_id"])

    def expect_session(self, goal: str, **wanted: object) -> None:
        """That one session has this goal, and is so."""
        self.expect(goal, lambda: self._known(goal, wanted), [wanted])

    def expect(self, what: str, known: Callable[[], object], wanted: object) -> None:
        """That it becomes so soon."""
        until = time.monotonic() + PATIENCE
        while (now := known()) != wanted and time.monotonic() < until:
            time.sleep(0.2)
        if now == wanted:
            print(f"  as it should be: {what}")
            return
        print(f"  WRONG: {what}\n    is     {now}\n    not    {wanted}")
        self.missed += 1

    def expect_clean(self) -> None:
        """That nothing went wrong unseen, and nothing of ours shows."""
        project, log = self.stage.project, self.stage.project / ".git/ocm/log"
        self.expect("log", lambda: log.read_text() if log.exists() else "", "")
        self.expect("fsck", lambda: self.stage.run("git", "fsck", "--strict"), "")
        ours = [each for each in self._status() if "ocm" in each.lower()]
        self.expect(f"git status of {project.name}", lambda: ours, [])

    def briefs(self) -> list[str]:
        """What the model was told as conversations began, in the order of requests."""
        texts = chain.from_iterable(map(_texts, self.stage.model.requests))
        return [text for text in texts if "SessionStart hook additional" in text]

    def _known(self, goal: str, wanted: dict[str, object]) -> list[dict[str, object]]:
        found = [_facts(each) for each in self.stage.sessions() if each.goal == goal]
        return [{name: each[name] for name in wanted} for each in found]

    def _status(self) -> list[str]:
        return self.stage.run("git", "status", "--porcelain").splitlines()


def saves(play: Play) -> None:
    """The assistant saves, writes, edits and commits."""
    hello = play.file("hello.txt")
    goal = "Say hello from a file."
    play.tell(
        call("ocm__checkpoint", goal=goal, slug="hello-file", work_pending=["Say bye"]),
        call("Write", file_path=hello, content="hello\n"),
        call("Edit", file_path=hello, old_string="hello", new_string="hello, you"),
        call("Bash", command="git add hello.txt && git commit --quiet -m 'Say hello'"),
        say(PROSE),
    )
    play.first = play.prompt("Please write me a greeting")
    play.expect_session(
        goal,
        slug="hello-file",
        source="written",
        status="closed",
        branch="main",
        files=["hello.txt"],
        commits=["Say hello"],
        pending=["Say bye"],
    )


def is_remembered(play: Play) -> None:
    """What it said is kept apart, and found by words that it alone has said."""
    [session] = (each.id for each in play.stage.sessions())
    play.expect("what was said is kept", lambda: _who_said(play, PROSE), [session])
    search = ("ocm", "search", "marmalade lighthouse", "--json")
    found = [each["session_id"] for each in json.loads(play.stage.run(*search))]
    play.expect("what was said is found", lambda: found, [session])


def clears_and_compacts(play: Play) -> None:
    """Two conversations in one process, the second one shortened."""
    with _opened(play) as terminal:
        play.tell(_writes(play, "one.txt"), say("First written."))
        terminal.enter("Write the first file")
        terminal.wait_for("First written.")
        terminal.enter("/clear")
        terminal.wait_for("❯ /clear")
        goal = "Write the second file."
        play.tell(
            _writes(play, "two.txt"),
            call("ocm__checkpoint", goal=goal, slug="second-file"),
            say("Second written."),
        )
        terminal.enter("Write the second file")
        terminal.wait_for("Second written.")
        terminal.enter("/compact")
        terminal.wait_for("Compacted")
        play.tell(say("Third said."))
        terminal.enter("And go on")
        terminal.wait_for("Third said.")
    one = {"source": "derived", "status": "closed", "branch": "main"}
    play.expect_session("Write the first file", files=["one.txt"], **one)
    play.expect_session(goal, slug="second-file", files=["two.txt"], status="closed")
    briefs = play.briefs()
    play.expect("the brief after compaction", lambda: goal in briefs[-1], wanted=True)


def continues(play: Play) -> None:
    """The second one goes on as the last one; the assistant saves at once."""
    goal = "Write the second file."
    play.tell(
        call("ocm__checkpoint", goal=goal, work_completed=["Read it again"]),
        say("Continued."),
    )
    with _opened(play, "--continue") as terminal:
        terminal.enter("Read it again")
        terminal.wait_for("Continued.")
    again = {"completed": ["Read it again"], "status": "closed"}
    play.expect_session(goal, slug="second-file", files=["two.txt"], **again)


def resumes(play: Play) -> None:
    """The first conversation goes on in another process."""
    play.tell(_writes(play, "again.txt"), say("Resumed."))
    name = play.prompt("And one more", "--resume", play.first)
    play.expect("the conversation is the same", lambda: name, play.first)
    files = ["again.txt", "hello.txt"]
    play.expect_session("Say hello from a file.", files=files, status="closed")


def is_killed(play: Play) -> None:
    """The process is killed in the middle of a turn; whoever begins next finds out."""
    play.tell(_writes(play, "killed.txt"), late(60))
    with play.stage.prompted(KILLED):
        killed = play.stage.project / "killed.txt"
        play.expect("it has written", killed.exists, wanted=True)
        time.sleep(1)
    known = {"files": ["killed.txt"], "branch": "main"}
    play.expect_session(KILLED, status="open", **known)
    with _opened(play):
        pass
    play.expect_session(KILLED, status="interrupted", **known)
    time.sleep(1)


def forks(play: Play) -> None:
    """The first conversation goes on in a copy of itself."""
    play.tell(_writes(play, "forked.txt"), say("Another way."))
    goal = "Try it another way"
    play.prompt(goal, "--resume", play.first, "--fork-session")
    files = ["forked.txt"]
    play.expect_session(goal, parent=play.first, files=files, status="closed")
    [fork] = (each.id for each in play.stage.sessions() if each.parent)
    play.expect("its prompt is kept", lambda: _who_said(play, goal), [fork])


def says_nothing(play: Play) -> None:
    """Opened and closed; and `mcp add`, which tells of the end of a conversation."""
    before = play.stage.run("git", "rev-parse", "refs/ocm/sessions")
    with _opened(play):
        pass
    play.stage.run(play.stage.claude, "mcp", "add", "other", "--", "true")
    time.sleep(1)
    play.stage.sessions()  # whoever reads makes commits of what hooks saw
    tip = play.stage.run("git", "rev-parse", "refs/ocm/sessions")
    play.expect("no trace of a conversation without content", lambda: tip, before)


def calls_no_tool(play: Play) -> None:
    """The assistant never saves; it plans, edits, and works in the shell."""
    shell = "echo 1 >by-shell.txt; git add *.txt; git commit --quiet -m 'Say farewell'"
    play.stage.run("git", "add", "--all")
    play.stage.run("git", "commit", "--quiet", "--message=What was left over")
    play.tell(
        call("TaskCreate", subject="Write a farewell", description="in a file"),
        call("TaskCreate", subject="Translate it", description="into Latin"),
        _writes(play, "farewell.txt"),
        call("Bash", command=shell),
        call("TaskUpdate", taskId="1", status="completed"),
        say("Done, and nobody told."),
    )
    goal = "Write a farewell, and plan the translation"
    play.prompt(goal)
    play.expect_session(
        goal,
        source="derived",
        status="closed",
        files=["by-shell.txt", "farewell.txt"],
        commits=["Say farewell"],
        completed=["Write a farewell"],
        pending=["Translate it"],
    )


def is_reminded(play: Play) -> None:
    """Twenty files and nothing saved: the assistant is told, once."""
    before = len(play.stage.model.requests)
    writes = [_writes(play, f"many/{number}.txt") for number in range(20)]
    goal = "Write twenty files."
    play.tell(
        Answer(tuple(block for each in writes for block in each.blocks)),
        say("All written."),
        call("ocm__checkpoint", goal=goal, slug="twenty-files"),
        say("Saved."),
    )
    play.prompt("Write twenty files")
    play.expect_session(goal, slug="twenty-files", status="closed")
    asked = len(play.stage.model.requests) - before
    play.expect("the model was asked once more", lambda: asked, 4)


def is_imported(play: Play) -> None:
    """An import afterwards: all is there already."""
    tip = play.stage.run("git", "rev-parse", "refs/ocm/sessions")
    outcomes = _imported(play)
    news = [goal for goal, outcome in outcomes if outcome != "already"]
    play.expect("no conversation is news", lambda: news, [])
    play.expect("all were read", lambda: len(outcomes), 7)
    now = play.stage.run("git", "rev-parse", "refs/ocm/sessions")
    play.expect("no session is", lambda: now, tip)
    again = {outcome for _, outcome in _imported(play)}
    play.expect("nothing is, the second time", lambda: again, {"already"})
    play.expect("a fork says its own", lambda: len(_who_said(play, PROSE)), 1)


def is_another(play: Play) -> None:
    """Another assistant runs the hooks of Claude Code's settings."""
    if not play.copilot:
        print("  left out")
        return
    goal = "Let another one greet."
    shell = "git add other.txt; git commit --quiet -m 'Greet from elsewhere'"
    play.tell(
        call("ocm__checkpoint", goal=goal, slug="other-greets"),
        call("create", path=play.file("other.txt"), file_text="hello\n"),
        call("bash", command=shell, description="commit"),
        say("Done."),
    )
    allowed = ("--trust-folder", "--allow-all-tools", "--allow-all-paths")
    play.stage.run(play.copilot, "-p", "Greet from elsewhere", *allowed)
    play.expect_session(
        goal,
        tool="copilot",
        slug="other-greets",
        status="closed",
        files=["other.txt"],
        commits=["Greet from elsewhere"],
    )


ACTS: tuple[Callable[[Play], None], ...] = (
    saves,
    is_remembered,
    clears_and_compacts,
    continues,
    resumes,
    is_killed,
    forks,
    says_nothing,
    calls_no_tool,
    is_reminded,
    is_imported,
    is_another,
)


def show(play: Play) -> None:
    """The memory as its user sees it."""
    told_nothing = next(
        each.id for each in play.stage.sessions() if each.work_completed
    )
    for command in (
        "ocm list",
        f"ocm show {told_nothing}",
        "git log --format=%s refs/ocm/sessions",
        "ocm doctor",
    ):
        print(f"\n$ {command}")
        print(play.stage.run(*command.split()).rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("claude", type=Path, help="the program")
    parser.add_argument("--copilot", type=Path, help="the program")
    chosen = parser.parse_args()
    claude, tools = chosen.claude.absolute(), Path(sys.executable).parent
    with (
        tempfile.TemporaryDirectory() as folder,
        stage(Path(folder), claude, tools) as made,
    ):
        play = Play(made, chosen.copilot)
        perform(play)
        show(play)
    sys.exit(1 if play.missed else 0)


def perform(play: Play) -> None:
    """All acts, one after the other, in one project."""
    print("$ ocm init --assistant claude-code")
    print(play.stage.run("ocm", "init", "--assistant", "claude-code").rstrip())
    play.stage.run("git", "add", "--all")
    play.stage.run("git", "commit", "--quiet", "--message=Remember sessions")
    for act in ACTS:
        print(f"\n{act.__doc__}")
        act(play)
    play.expect_clean()


@contextmanager
def _opened(play: Play, *options: str) -> Iterator[Terminal]:
    """Claude Code in a terminal, its questions answered; it is left with `/exit`."""
    with play.stage.terminal(*options) as terminal:
        for option in ("Yes, I trust this folder", "Use this MCP server"):
            if terminal.wait_for(option, *READY) == option:
                terminal.choose(option)
        terminal.wait_for(*READY)
        yield terminal
        terminal.enter("/exit")
        terminal.wait_for_end()


def _who_said(play: Play, words: str) -> list[str]:
    """The sessions in whose conversations these words are."""
    ref = "refs/ocm/conversations"
    grep = ("git", "grep", "--name-only", "--fixed-strings", words, ref)
    return [Path(name).stem for name in play.stage.run(*grep).splitlines()]


def _writes(play: Play, name: str) -> Answer:
    return call("Write", file_path=play.file(name), content=f"{name}\n")


def _imported(play: Play) -> list[tuple[str, str]]:
    """What an import says of each conversation: its goal, and what came of it."""
    printed = play.stage.run("ocm", "import", "claude-code", "--json")
    report = json.loads(printed[printed.index("{") :])  # how much it reads comes first
    return [(each["goal"], each["outcome"]) for each in report["sessions"]]


def _facts(session: Session) -> dict[str, object]:
    return {
        "tool": session.tool,
        "slug": session.id.rpartition("_")[2],
        "source": session.goal_source.value,
        "status": session.status.value,
        "branch": session.branch,
        "files": [file.path for file in session.files],
        "commits": [commit.subject for commit in session.commits],
        "completed": list(session.work_completed),
        "pending": list(session.work_pending),
        "parent": session.parent,
    }


def _texts(request: dict[str, Any]) -> Iterator[str]:
    for message in request["messages"]:
        content = message["content"]
        blocks = content if isinstance(content, list) else [{"text": content}]
        yield from (str(block.get("text", "")) for block in blocks)


if __name__ == "__main__":
    main()
