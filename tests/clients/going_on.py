"""Scenarios of conversations that are saved, cleared, compacted, and that go on."""

from clients.play import GREETING, Play
from clients.remembering import resumed
from clients.scripted_model import SUMMARY, call, say

PROSE = "The marmalade lighthouse is lit."
"""What the assistant says, and nobody writes."""


def checkpoint(play: Play) -> None:
    """The assistant saves, writes, edits and commits."""
    hello = str(play.file("hello.txt"))
    play.tell(
        call("ocm__checkpoint", goal=GREETING, slug="hello", work_pending=["Say bye"]),
        play.write("hello.txt"),
        call("Edit", file_path=hello, old_string="hello", new_string="hello, you"),
        call("Bash", command="git add hello.txt && git commit --quiet -m 'Say hello'"),
        say(PROSE),
    )
    play.prompt("Please write me a greeting")
    play.expect_session(
        GREETING,
        slug="hello",
        source="written",
        status="closed",
        branch="main",
        files=["hello.txt"],
        commits=["Say hello"],
        pending=["Say bye"],
    )
    [session] = (each.id for each in play.sessions())
    play.expect("what was said is kept", lambda: play.who_said(PROSE), [session])
    search = ("ocm", "search", "marmalade lighthouse", "--json")
    play.expect("it is found", lambda: session in play.stage.run(*search), wanted=True)
    play.begin_next()
    play.expect_brief("hello (closed", "to do: Say bye", '"Continue" means hello')


def compact(play: Play) -> None:
    """In a terminal a prompt with an edit and a checkpoint, `/compact`, another one."""
    with play.opened() as terminal:
        play.tell(
            play.write("one.txt"),
            call("ocm__checkpoint", goal="Write a file.", slug="one-file"),
            say("First written."),
        )
        terminal.enter("Write the first file")
        terminal.wait_for_answer("First written.")
        terminal.enter("/compact")
        terminal.wait_for("Compacted")
        play.tell(say("Gone on."))
        terminal.enter("And go on")
        terminal.wait_for_answer("Gone on.")
    play.keep_brief()
    known = {"slug": "one-file", "files": ["one.txt"], "summary": SUMMARY}
    play.expect_session("Write a file.", status="closed", **known)
    play.expect_brief("This conversation so far", "goal: Write a file.", "one.txt")


def continued(play: Play) -> None:
    """`-c`: the last one goes on in a terminal, and saves before all else."""
    with play.opened() as terminal:
        play.tell(*play.greeting())
        terminal.enter("Please write me a greeting")
        terminal.wait_for_answer("Hello is written.")
    play.tell(
        call("ocm__checkpoint", goal=GREETING, work_completed=["Read it again"]),
        say("Continued."),
    )
    with play.opened("-c") as terminal:
        terminal.enter("Read it again")
        terminal.wait_for_answer("Continued.")
    play.keep_brief()
    again = {"completed": ["Read it again"], "pending": ["Say bye"], "status": "closed"}
    play.expect_session(GREETING, slug="hello", files=["hello.txt"], **again)
    play.expect("it is one session", lambda: len(play.sessions()), 1)


def resume(play: Play) -> None:
    """`--resume`: the conversation goes on in another process, and is told no news."""
    resumed(play)
    play.keep_brief()
    play.expect_brief("Nothing is new")


def fork(play: Play) -> None:
    """`--fork-session`: it goes on in a copy of itself."""
    name = play.greet()
    play.tell(play.write("forked.txt"), say("Another way."))
    goal = "Try it another way"
    play.prompt(goal, "--resume", name, "--fork-session")
    play.keep_brief()
    play.expect_session(goal, parent=name, files=["forked.txt"], status="closed")
    play.expect_session(GREETING, parent="", files=["hello.txt"], status="closed")
    [forked] = (each.id for each in play.sessions() if each.parent)
    play.expect("its prompt is kept", lambda: play.who_said(goal), [forked])
    play.expect("an import has no news", play.imported, ["already"] * 2)
    said = "Hello is written."
    play.expect("a fork says its own", lambda: len(play.who_said(said)), 1)
