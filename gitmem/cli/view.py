"""`ocm view`: the memory in a browser."""

from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import flag, option
from gitmem.cli.output import PATH


def view(
    port: int = option("--port N", "The port; any free one unless given.", 0),
    no_open: bool = flag("--no-open", "Open no browser; print the link."),
    write: bool = flag("--write", "Let the pages change memories and sessions."),
) -> None:
    """Look at the memory in a browser.

    It serves this machine alone, at a link that works once, until Ctrl-C.
    """
    import webbrowser

    from gitmem.view.app import application
    from gitmem.web.guard import Guard, LoginLink
    from gitmem.web.serving import LOOPBACK, address, listen, run

    workspace = current_workspace()
    access = LoginLink("`ocm view` gives a new one.")
    with listen(LOOPBACK, port) as listener:
        link = access.link(address(listener))
        output.say_whole((link, PATH))
        output.note("Ctrl-C ends it.")
        if not no_open:
            webbrowser.open(link)
        run(Guard(application(workspace, is_writable=write), access), listener)
