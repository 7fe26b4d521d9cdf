"""Scenarios outside of the folder that `ocm init` furnished, and another assistant."""

from pathlib import Path

from clients.play import GREETING, Play
from clients.scripted_model import call, say, writes


def linked_work_tree(play: Play) -> None:
    """A linked work tree whose branch lacks the files of `ocm init`."""
    linked = _linked(play)
    play.tell(writes(linked / "one.txt"), say("First written."))
    play.prompt("Write in the linked work tree", folder=linked)
    play.expect("nothing is kept", play.sessions, [])
    play.begin_next()
    play.expect_brief("Nothing is saved yet")


def subfolder(play: Play) -> None:
    """Started in a subfolder: no hooks; the server is found, and saves."""
    folder = play.file("sub")
    folder.mkdir()
    play.tell(
        call("ocm__checkpoint", goal=GREETING, slug="hello"),
        writes(folder / "one.txt"),
        say("First written."),
    )
    play.prompt("Write in the subfolder", folder=folder)
    play.expect_session(GREETING, source="written", slug="hello")
    play.begin_next()
    play.expect_brief("hello (", f"goal: {GREETING}")


def user_form(play: Play) -> None:
    """After `ocm init --user`, the linked work tree, then the subfolder."""
    play.stage.run("ocm", "init", "--user", "--assistant", "claude-code")
    linked, folder = _linked(play), play.file("sub")
    folder.mkdir()
    play.tell(writes(linked / "one.txt"), say("First written."))
    play.prompt("Write in the linked work tree", folder=linked)
    known = {"files": ["one.txt"], "branch": "side", "status": "closed"}
    play.expect_session("Write in the linked work tree", **known)
    play.tell(writes(folder / "two.txt"), say("Second written."))
    play.prompt("Write in the subfolder", folder=folder)
    play.keep_brief()
    known = {"files": ["sub/two.txt"], "branch": "main", "status": "closed"}
    play.expect_session("Write in the subfolder", **known)
    play.expect_brief("side, closed", "asked: Write in the linked work tree", "one.txt")


def copilot(play: Play) -> None:
    """Copilot CLI runs the hooks of Claude Code's settings."""
    goal = "Let another one greet."
    shell = "git add other.txt; git commit --quiet -m 'Greet from elsewhere'"
    play.tell(
        call("ocm__checkpoint", goal=goal, slug="other-greets"),
        call("create", path=str(play.file("other.txt")), file_text="hello\n"),
        call("bash", command=shell, description="commit"),
        say("Done."),
    )
    allowed = ("--trust-folder", "--allow-all-tools", "--allow-all-paths")
    play.stage.run(str(play.copilot), "-p", "Greet from elsewhere", *allowed)
    play.expect_session(
        goal,
        tool="copilot",
        slug="other-greets",
        status="closed",
        files=["other.txt"],
        commits=["Greet from elsewhere"],
    )
    play.begin_next()
    play.expect_brief("other-greets (closed", f"goal: {goal}")


def _linked(play: Play) -> Path:
    """The root of a work tree of a commit from before `ocm init`."""
    linked = play.stage.folder / "linked"
    play.stage.run("git", "worktree", "add", "-b", "side", str(linked), "HEAD~1")
    return linked
