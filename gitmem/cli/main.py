"""The command line: it puts the commands together, and nothing else.

Commands import what they need when they run: `ocm --help` opens no repository, and
does not load the libraries that would.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from gitmem import __version__
from gitmem.cli.care.doctor import doctor
from gitmem.cli.care.import_ import import_
from gitmem.cli.care.init import init
from gitmem.cli.care.rebuild_index import rebuild_index
from gitmem.cli.care.scan import scan
from gitmem.cli.care.uninstall import uninstall
from gitmem.cli.checkpoint import checkpoint
from gitmem.cli.demo import demo
from gitmem.cli.failure import guarded
from gitmem.cli.handoff import handoff
from gitmem.cli.output import FAINT, note, prepare, say
from gitmem.cli.reading.brief import brief
from gitmem.cli.reading.export import export
from gitmem.cli.reading.list import list_
from gitmem.cli.reading.log import HandingOn, log
from gitmem.cli.reading.notes import notes
from gitmem.cli.reading.search import search
from gitmem.cli.reading.show import files, show
from gitmem.cli.reading.status import status
from gitmem.cli.reading.why import why
from gitmem.cli.resume import resume
from gitmem.cli.serve import serve
from gitmem.cli.sharing.forget import forget
from gitmem.cli.sharing.restore import restore
from gitmem.cli.sharing.share import share
from gitmem.cli.sharing.sync import pull, push, sync
from gitmem.waiting import tell_waits

NAME = "ocm"
"""Also where git runs us, as `git ocm`."""


class Grouped(TyperGroup):
    """Lists commands by what they are for, each on one line."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str | None, list[tuple[str, str]]] = {}
        width = max(map(len, self.commands))
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if isinstance(command, TyperCommand | TyperGroup):
                row = name.ljust(width), command.get_short_help_str(formatter.width)
                groups.setdefault(command.rich_help_panel, []).append(row)
        for group, rows in groups.items():
            with formatter.section(group):
                formatter.write_dl(rows)


app = typer.Typer(
    cls=Grouped,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    prepare()
    tell_waits(lambda text: note((text, FAINT)))
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


_COMMANDS: Mapping[str, Mapping[str, Callable[..., None]]] = {
    "Begin": {"init": init, "import": import_, "demo": demo},
    "Every day": {
        "list": list_,
        "search": search,
        "show": show,
        "files": files,
        "brief": brief,
        "resume": resume,
        "handoff": handoff,
        "why": why,
        "checkpoint": checkpoint,
        "log": log,
        "export": export,
        "notes": notes,
        "status": status,
    },
    "Share": {"sync": sync, "push": push, "pull": pull},
    "Care": {
        "doctor": doctor,
        "scan": scan,
        "forget": forget,
        "restore": restore,
        "rebuild-index": rebuild_index,
        "uninstall": uninstall,
    },
    "For programs": {"serve": serve},
}


def _add_commands() -> None:
    for group, commands in _COMMANDS.items():
        for name, command in commands.items():
            kind = HandingOn if command is log else TyperCommand
            app.command(name, cls=kind, rich_help_panel=group)(command)
    app.add_typer(share, name="share", rich_help_panel="Share")


_add_commands()
