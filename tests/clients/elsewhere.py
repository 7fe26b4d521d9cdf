"""Scenarios outside of the folder that `ocm init` furnished, and another assistant."""

from pathlib import Path

from clients.play import GREETING, Play
from clients.scripted_model import call, say


def subfolder(play: Play) -> None:
    """Started in a subfolder: no hooks; the server is found, and saves."""
    folder = play.file("sub")
    folder.mkdir()
    play.tell(
        call("ocm__checkpoint", goal=GREETING, slug="hello"),
        play.write(f"{folder}/one.txt"),
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
    play.tell(play.write(f"{linked}/one.txt"), say("First written."))
    play.prompt("Write in the linked work tree", folder=linked)
    known = {"files": ["one.txt"], "branch": "side", "status": "closed"}
    play.expect_session("Write in the linked work tree", **known)
    play.tell(play.write(f"{folder}/two.txt"), say("Second written."))
    play.prompt("Write in the subfolder", folder=folder)
    play.keep_brief()
    known = {"files": ["sub/two.txt"], "branch": "main", "status": "closed"}
    play.expect_session("Write in the subfolder", **known)
    play.expect_brief("side, closed", "asked: Write in the linked work tree", "one.txt")


def _linked(play: Play) -> Path:
    """The root of a work tree of a commit from before `ocm init`."""
    linked = play.stage.folder / "linked"
    play.stage.run("git", "worktree", "add", "-b", "side", str(linked), "HEAD~1")
    return linked
