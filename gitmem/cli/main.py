"""The command line: it puts the commands together, and nothing else.

The module of a command is imported when the command is named, and what that needs when
it is called: no command waits for the imports of another.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import takewhile
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from gitmem import __version__
from gitmem.cli.failure import guarded
from gitmem.cli.output import FAINT, note, prepare, say
from gitmem.waiting import tell_waits

NAME = "ocm"
"""Also where git runs us, as `git ocm`."""
_GROUPS = {
    "Begin": {"init": "care.init", "import": "care.import_", "demo": "demo"},
    "Every day": {
        "list": "reading.list",
        "search": "reading.search",
        "show": "reading.show",
        "files": "reading.show",
        "brief": "reading.brief",
        "resume": "resume",
        "handoff": "handoff",
        "why": "reading.why",
        "checkpoint": "checkpoint",
        "log": "reading.log",
        "export": "reading.export",
        "notes": "reading.notes",
        "status": "reading.status",
    },
    "Share": {
        "sync": "sharing.sync",
        "push": "sharing.sync",
        "pull": "sharing.sync",
        "share": "sharing.share",
    },
    "Care": {
        "doctor": "care.doctor",
        "scan": "care.scan",
        "forget": "sharing.forget",
        "restore": "sharing.restore",
        "rebuild-index": "care.rebuild_index",
        "uninstall": "care.uninstall",
    },
    "For programs": {"serve": "serve"},
}
"""The module of each command, in which a function, or a group, has its name."""
_MODULES = {
    name: module for group in _GROUPS.values() for name, module in group.items()
}


class _Commands(Mapping[str, Any]):
    """The commands by their names, each imported as it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return _command(name, _MODULES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


@cache
def _command(name: str, module: str) -> Any:
    function = f"{name}_" if name in ("import", "list") else name.replace("-", "_")
    found = getattr(import_module(f"gitmem.cli.{module}"), function)
    alone = typer.Typer(rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name)
    else:
        alone.command(name)(found)
    return get_group(alone).commands[name]


class _Grouped(TyperGroup):
    """Lists commands by what they are for, each on one line."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes | {"commands": _Commands()})

    def format_commands(self, _: Any, formatter: Any) -> None:
        width = max(map(len, _MODULES))
        for group, names in _GROUPS.items():
            with formatter.section(group):
                found = {name: self.commands[name] for name in names}
                formatter.write_dl(
                    (name.ljust(width), each.get_short_help_str(formatter.width))
                    for name, each in found.items()
                )


app = typer.Typer(
    cls=_Grouped,
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
        lambda: app(_for_typer(arguments), NAME, standalone_mode=False),
        as_json="--json" in options,
    )


def _for_typer(arguments: Sequence[str]) -> list[str]:
    """What `git log` gets is no option of ours, and may have a `--` of its own."""
    match [*arguments]:
        case []:
            return ["--help"]
        case ["log", *others] if others[:1] not in (["--help"], ["-h"]):
            return ["log", "--", *others]
        case others:
            return others


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
