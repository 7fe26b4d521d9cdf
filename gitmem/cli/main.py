"""The command line: it puts the commands together, and nothing else.

The module of a command is imported when the command is named: `ocm --help` needs none,
and no command waits for what another one imports.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import takewhile
from typing import Any

import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_group

from gitmem import __version__
from gitmem.cli.failure import guarded, handle_signals, leave
from gitmem.cli.options import option
from gitmem.cli.output import FAINT, choose_json, meanwhile, say
from gitmem.cli.streams import prepare
from gitmem.waiting import tell_waits

NAME = "ocm"
"""The name in usage lines, also when git runs it as `git ocm`."""
_TABLE = """\
Begin
  init          care.init       Connect this repository and its assistants to gitmem.
  import        care.import_    Make sessions of what assistants keep on disk.
  demo          demo            Show in a throwaway repository how memory is shared.

Every day
  list          reading.list    List the newest sessions, or memories.
  search        reading.search  Find sessions by what they were about.
  show          reading.show    Show the document of a session or a memory.
  files         reading.show    List the files that a session touched.
  brief         resume          Show what a new conversation is told, and its cost.
  context       resume          Tell what a task needs, within a budget.
  resume        resume          Print the command that goes on with a session.
  handoff       resume          Print what another assistant needs to go on.
  why           reading.why     Say which sessions a file, commit or branch comes from.
  checkpoint    checkpoint      Save a checkpoint of a session.
  remember      memories        Remember a statement.
  recall        memories        Recall memories that answer a question.
  memories      memories        List and count memories; clean them up.
  edit          edit            Edit a session or a memory in your editor.
  log           reading.show    Show the history of the memory with `git log`.
  export        reading.show    Copy the path of a document to the clipboard.
  notes         reading.why     Keep a git note with its session on each commit, or not.
  status        reading.status  Say how the memory of this repository stands.
  view          view            Look at the memory in a browser.

Share
  sync          sharing.sync    Exchange the memory with the remote it is shared with.
  push          sharing.sync    Send what is new here to the remote.
  pull          sharing.sync    Take what is new at the remote; send nothing.
  share         sharing.share   Say where the memory goes, and choose it.
  space         sharing.space   Keep memories for all repositories, or for a team.

Care
  doctor        care.doctor     Check all that gitmem needs, and say how to mend it.
  scan          care.scan       Look for secrets in what is stored.
  backup        care.backup     Write a bundle of the memory; delete older ones.
  forget        sharing.forget  Forget sessions or memories, with all that repeats them.
  restore       sharing.restore Bring back what vanished from the memory.
  rebuild-index care.doctor     Build the search index anew from the memory.
  uninstall     care.uninstall  Take out of this repository what `ocm init` put there.

For programs
  serve         serve           Serve the memory to an assistant, over MCP.
"""
"""Groups, and of each command its name, its module, and the first line of its help.

The module has a function, or a group of commands, of that name.
"""
_GROUPS = {
    group: [tuple(row.split(maxsplit=2)) for row in rows]
    for group, *rows in map(str.splitlines, _TABLE.split("\n\n"))
}
_MODULES = {name: module for rows in _GROUPS.values() for name, module, _ in rows}
_WITHOUT_JSON = ("demo", "log", "serve", "view")
_JSON = TyperOption(
    param_decls=["--json"],
    is_flag=True,
    expose_value=False,  # what prints looks at the command line, not at a parameter
    help="Print JSON, for programs.",
)


class _Commands(Mapping[str, Any]):
    """The commands by their names, each imported as it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return _command(name, _MODULES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


def json_commands() -> dict[str, Any]:
    """The commands that print JSON, by their names."""
    return {
        name: command
        for name, command in _Commands().items()
        if name not in _WITHOUT_JSON
    }


@cache
def _command(name: str, module: str) -> Any:
    function = f"{name}_" if name in ("import", "list") else name.replace("-", "_")
    definition = getattr(import_module(f"gitmem.cli.{module}"), function)
    alone = typer.Typer(rich_markup_mode=None)
    if isinstance(definition, typer.Typer):
        alone.add_typer(definition, name=name)
    else:
        alone.command(name)(definition)
    command = get_group(alone).commands[name]
    if name not in _WITHOUT_JSON:
        for subcommand in (command, *getattr(command, "commands", {}).values()):
            subcommand.params.append(_JSON)
    return command


class _Grouped(TyperGroup):
    """Lists commands by what they are for, each on one line."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes | {"commands": _Commands()})

    def format_commands(self, _: Any, formatter: Any) -> None:
        width = max(map(len, _MODULES))
        for group, rows in _GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(
                    (name.ljust(width), description) for name, _, description in rows
                )


app = typer.Typer(
    cls=_Grouped,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    handle_signals()
    prepare()
    tell_waits(lambda text: meanwhile((text, FAINT)))
    leave(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; gives the exit status."""
    choose_json("--json" in takewhile(lambda argument: argument != "--", arguments))
    words = [NAME, *(word for word in arguments[:1] if word in _MODULES)]
    return guarded(
        lambda: app(_for_typer(arguments), NAME, standalone_mode=False), " ".join(words)
    )


def _for_typer(arguments: Sequence[str]) -> list[str]:
    """What `git log` gets is no option of ours, and may have a `--` of its own."""
    match [*arguments]:
        case []:
            return ["--help"]
        case ["log", *others] if others[:1] not in (["--help"], ["-h"]):
            return ["log", "--", *others]
        case ["help", *names]:
            return [*names, "--help"]
        case ["version"]:
            return ["--version"]
        case others:
            return others


def _say_version(is_asked: bool) -> None:
    if is_asked:
        say(f"{NAME} {__version__}")
        raise typer.Exit


@app.callback()
def _ocm(
    version: bool = option(
        "--version -V",
        "Print the version.",
        False,
        callback=_say_version,
        is_eager=True,
    ),
) -> None:
    """The memory of your coding sessions, kept in your own git repository.

    `ocm help COMMAND` says what a command takes.
    """
