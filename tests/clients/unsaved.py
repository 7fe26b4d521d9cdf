"""Scenarios in which the assistant saves nothing, or cannot."""

from dataclasses import replace

from clients.client import THEIRS, claude
from clients.play import GREETING, Play
from clients.scripted_model import call, say


def to_do_list(play: Play) -> None:
    """The assistant plans, edits, and commits in the shell; nothing saved."""
    shell = "echo 1 >by-shell.txt; git add *.txt; git commit --quiet -m 'Say farewell'"
    play.tell(
        call("TaskCreate", subject="Write a farewell", description="in a file"),
        call("TaskCreate", subject="Translate it", description="into Latin"),
        play.write("farewell.txt"),
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
    play.begin_next()
    play.expect_brief(f"asked: {goal}", "to do: Translate it", "by-shell.txt")


def twenty_files(play: Play) -> None:
    """Twenty files and nothing saved: the assistant is told, once, and saves."""
    goal = "Write twenty files."
    play.tell(
        play.write(*(f"many/{number}.txt" for number in range(20))),
        say("All written."),
        call("ocm__checkpoint", goal=goal, slug="twenty-files"),
        say("Saved."),
    )
    before = len(play.stage.model.requests)
    play.prompt("Write twenty files")
    asked = len(play.stage.model.requests) - before
    play.expect_session(goal, slug="twenty-files", status="closed")
    play.expect("the model was asked once more", lambda: asked, 4)
    play.begin_next()
    play.expect_brief("twenty-files (closed", f"goal: {goal}", "14 more")


def subagent(play: Play) -> None:
    """A subagent writes a file; nothing saved."""
    play.tell(
        call(
            "Agent",
            description="Write it",
            prompt="Write the file",
            subagent_type="general-purpose",
        ),
        play.write("by-subagent.txt"),
        say("The file is written."),
        say("The subagent wrote it."),
    )
    goal = "Let a subagent write a file"
    play.prompt(goal)
    play.expect_session(goal, files=["by-subagent.txt"], status="closed")
    play.expect("it is one session", lambda: len(play.sessions()), 1)
    play.begin_next()
    play.expect_brief(f"asked: {goal}", "by-subagent.txt")


def remembered(play: Play) -> None:
    """A file is remembered; who edits it later is told so before, and once."""
    rule = "README.md is written by hand"
    play.tell(
        call("ocm__remember", text=rule, kind="constraint", files=["README.md"]),
        say("I keep that."),
    )
    play.prompt("Remember that README.md is written by hand")
    named = play.texts()[-1].count("keeps this for later")
    play.compare("the tool was named", named, 1)
    play.tell(say("Hello."))
    play.prompt("Say hello")
    notes = play.stage.project / ".git" / "ocm" / "recall"
    play.expect("its notes are made", notes.exists, True)
    play.tell(
        call("Read", file_path=str(play.file("README.md"))),
        play.write("README.md"),
        play.write("README.md"),
        say("Written."),
    )
    play.prompt("Write the file")
    told = play.texts()[-1].count(f"- constraint: {rule}")  # the brief names it first
    play.compare("it was told once", told, 1)
    play.expect("the file is written", play.file("README.md").exists, True)


def no_permission(play: Play) -> None:
    """Our tools are refused; the next one runs after `ocm init --allow-tools`."""
    saves = call("ocm__checkpoint", goal=GREETING, slug="hello")
    goal = "Write a greeting"
    play.stage = replace(play.stage, client=claude(THEIRS))
    play.tell(saves, play.write("hello.txt"), say("It was refused."))
    play.prompt(goal)
    play.expect_session(goal, source="derived", files=["hello.txt"], status="closed")
    play.stage.run("ocm", "init", "--assistant", "claude-code", "--allow-tools")
    play.tell(saves, say("It is saved."))
    play.prompt("Save it now")
    play.keep_brief()
    play.expect_session(GREETING, source="written", slug="hello")
    play.expect_brief(f"asked: {goal}", "hello.txt")


def declined(play: Play) -> None:
    """The user declines the server; the assistant saves in the shell."""
    goal = "Write without the server"
    play.stage.do("ocm", "uninstall", "--team", "--yes")
    play.stage.run("git", "commit", "--quiet", "--all", "--message=Each for themselves")
    play.stage.do("ocm", "init", "--local", "--assistant", "claude-code")
    with play.opened(server="Continue without using this MCP server") as terminal:
        play.tell(play.write("one.txt"), say("First written."))
        terminal.enter(goal)
        terminal.wait_for_answer("First written.")
    play.expect_session(goal, files=["one.txt"], status="closed")
    play.tell(
        call("Bash", command=f"ocm checkpoint --goal '{GREETING}' --slug hello"),
        say("Saved in the shell."),
    )
    play.prompt("Save it")
    play.keep_brief()
    play.expect_session(GREETING, source="written", slug="hello")
    play.expect_brief(f"asked: {goal}", "`ocm search`")
