"""The command line: it puts the commands together, and nothing else.

Commands import what they need when they run: `ocm --help` opens no repository, and
does not load the libraries that would.
"""

import sys
from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated

import typer

from gitmem import __version__
from gitmem.cli.brief import brief
from gitmem.cli.checkpoint import checkpoint
from gitmem.cli.demo import demo
from gitmem.cli.doctor import doctor
from gitmem.cli.export import export
from gitmem.cli.failure import guarded
from gitmem.cli.files import files
from gitmem.cli.forget import forget
from gitmem.cli.import_ import import_
from gitmem.cli.init import init
from gitmem.cli.list import list_
from gitmem.cli.log import HandingOn, log
from gitmem.cli.notes import notes
from gitmem.cli.output import prepare, say
from gitmem.cli.rebuild_index import rebuild_index
from gitmem.cli.scan import scan
from gitmem.cli.search import search
from gitmem.cli.serve import serve
from gitmem.cli.share import share
from gitmem.cli.show import show
from gitmem.cli.status import status
from gitmem.cli.sync import pull, push, sync
from gitmem.cli.uninstall import uninstall
from gitmem.cli.why import why

NAME = "ocm"
"""Also where git runs us, as `git ocm`."""

app = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    prepare()
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; gives the exit status."""
    options = takewhile(lambda argument: argument != "--", arguments)
    return guarded(
        lambda: app(list(arguments) or ["--help"], NAME, standalone_mode=False),
        as_json="--json" in options,
    )


def _say_version(wanted: bool) -> None:
    if wanted:
        say(f"{NAME} {__version__}")
        raise typer.Exit


@app.callback()
def _ocm(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_say_version,
            is_eager=True,
            help="Print the version.",
        ),
    ] = False,
) -> None:
    """The memory of your coding sessions, kept in your own git repository."""


app.command()(init)
app.command()(uninstall)
app.command("import")(import_)
app.command("list")(list_)
app.command()(search)
app.command()(show)
app.command()(files)
app.command()(brief)
app.command()(why)
app.command()(notes)
app.command(cls=HandingOn)(log)
app.command()(export)
app.command()(scan)
app.command()(forget)
app.command()(checkpoint)
app.add_typer(share, name="share")
app.command()(sync)
app.command()(push)
app.command()(pull)
app.command()(status)
app.command()(doctor)
app.command()(rebuild_index)
app.command()(serve)
app.command()(demo)
