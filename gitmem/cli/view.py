"""`ocm view`: the memory in a browser, or in a file for one."""

from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import DRY_RUN, YES, confirmed, flag, option
from gitmem.cli.output import PATH
from gitmem.git.files import refusals_at, replace_file, require_place
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.view.single_file import SingleFile
    from gitmem.web.guard import Guard, LoginLink


def view(  # noqa: PLR0913 - each is an option of the command line
    *,
    port: int = option("--port N", "The port; any free one unless given.", 0),
    no_open: bool = flag("--no-open", "Open no browser; print the link."),
    write: bool = flag("--write", "Let the pages change memories and sessions."),
    out: Path | None = option("--out FILE", "Write all of it into one HTML file."),
    conversations: bool = flag("--conversations", "With --out: what was said, too."),
    private: bool = flag(
        "--private", "With --out: memories from outside this repository, too."
    ),
    local: bool = flag("--local", "With --out: what only this machine knows, too."),
    yes: bool = YES,
    dry_run: bool = DRY_RUN,
) -> None:
    """Look at the memory in a browser.

    It serves this machine alone, at a link that works once, until Ctrl-C. With --out it
    writes a file instead, to send or to keep, after it said what goes in.
    """
    workspace = current_workspace()
    if out is None:
        _serve(workspace, port, is_opened=not no_open, is_writable=write)
        return
    out = Path(realpath(out))  # /dev/stdout is a link
    require_place(out)
    from gitmem.view.single_file import FileContents, SingleFile

    file = SingleFile(workspace, FileContents(conversations, private, local))
    _say_plan(file, out)
    if confirmed(f"Write {out}?", "view --out", yes=yes, dry_run=dry_run):
        with refusals_at(out):
            replace_file(out, file.html().encode("utf-8", "replace"))
        output.note(f"Wrote {out}.")


def guarded_pages(
    workspace: Workspace, *, is_writable: bool
) -> tuple["Guard", "LoginLink"]:
    """Return the pages behind their guard, and the link that leads to them."""
    from gitmem.view.app import application
    from gitmem.web.guard import Guard, LoginLink

    access = LoginLink("`ocm view` gives a new one.")
    return Guard(application(workspace, is_writable=is_writable), access), access


def _serve(
    workspace: Workspace, port: int, *, is_opened: bool, is_writable: bool
) -> None:
    import webbrowser

    from gitmem.web.serving import LOOPBACK, address, listen, parse_address, run

    pages, access = guarded_pages(workspace, is_writable=is_writable)
    with listen(*parse_address(f"{LOOPBACK}:{port}")) as listener:
        link = access.link(address(listener))
        output.say_whole((link, PATH))
        output.note("Ctrl-C ends it.")
        if is_opened:
            webbrowser.open(link)
        run(pages, listener)


def _say_plan(file: "SingleFile", path: Path) -> None:
    contents = file.contents
    flags = (
        ("--conversations", "conversations", contents.with_conversations),
        ("--private", "memories from outside this repository", contents.with_private),
        ("--local", "what only this machine knows", contents.with_local),
    )
    sessions, memories = len(file.sessions), len(file.memories)
    output.say(f"{path}: {counted(sessions, 'session')}, {counted(memories, 'memory')}")
    for name, text, is_in in flags:
        output.say(f"  with {text}" if is_in else f"  without {text}; {name} adds them")
