"""docs/scripting.md has every command and option; other documents none that is not."""

import re
from collections.abc import Callable
from pathlib import Path

import typer.main
from cli.running import Ocm
from support.rounds import every_row
from typer.core import TyperCommand

from gitmem import errors
from gitmem.assistants.known import ASSISTANTS
from gitmem.cli import failure
from gitmem.cli.main import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PAGE = (ROOT / "docs" / "scripting.md").read_text("utf-8")
CALL = re.compile(r"(?m)(?:^|`|[$] |[$][(])ocm ([a-z][a-z-]*)([^`\n#|)]*)")
"""A command in a document, in a span or a block of code."""
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined] # a group


@every_row("name", COMMANDS)
def test_every_command_has_help_and_is_described(ocm: Ocm, name: str) -> None:
    shown = ocm(name, "--help")
    assert shown.status == 0
    assert shown.out.startswith(f"Usage: ocm {name} [OPTIONS]")
    summary = COMMANDS[name].help.split("\n")[0]
    assert re.search(rf"(?m)^  {name} +{re.escape(summary)}$", ocm("--help").out)
    assert f"\n### `ocm {name}" in PAGE


@every_row("name", COMMANDS)
def test_every_option_has_help_and_is_described(name: str) -> None:
    for option in COMMANDS[name].params:
        assert option.help or option.name == "help"
        for spelling in option.opts if option.param_type_name == "option" else ():
            assert len(spelling) == 2 or f"`{spelling}" in PAGE


def test_every_command_that_is_described_is_there() -> None:
    described = re.findall(r"^### `ocm ([a-z-]+)", PAGE, re.MULTILINE)
    assert {each for each in described if not each.startswith("-")} == set(COMMANDS)


@every_row("path", DOCUMENTS)
def test_commands_and_options_in_a_document_are_there(path: Path) -> None:
    for name, arguments in CALL.findall(path.read_text("utf-8")):
        assert name in COMMANDS
        if name != "log":  # which takes what `git log` takes
            used = re.findall(r"(?<![\w-])--[a-z-]+", arguments)
            assert {*used} <= {"--help", *_options(COMMANDS[name])}


def test_help_is_shown_where_nothing_is_asked_for(ocm: Ocm) -> None:
    assert ocm().out == ocm("--help").out == ocm("-h").out
    assert ocm().status == 0
    assert all(f"\n  {name}  " in ocm().out for name in COMMANDS)


def test_help_and_version_have_the_usual_names(ocm: Ocm) -> None:
    assert ocm("help").out == ocm("--help").out
    assert ocm("help", "list").out == ocm("list", "--help").out
    assert ocm("help", "log").out == ocm("log", "--help").out
    assert ocm("version").out == ocm("-V").out == ocm("--version").out


def test_a_shell_completes_values() -> None:
    for command, name in (
        *(("list", "--tool"), ("list", "--kind"), ("search", "--tool")),
        *(("search", "--in"), ("search", "--scope"), ("checkpoint", "--status")),
        *(("remember", "--kind"), ("remember", "--as"), ("remember", "--scope")),
        *(("recall", "--kind"), ("recall", "--scope"), ("handoff", "--to")),
        *(("import", "--strategy"), ("import", "--from"), ("init", "--assistant")),
    ):
        options = (each for each in COMMANDS[command].params if name in each.opts)
        (option,) = options
        context = typer.Context(COMMANDS[command])
        assert [each.value for each in option.shell_complete(context, "")]


def test_the_help_of_all_commands_is_whole_in_80_columns(
    ocm: Ocm, terminal: Callable[[int], None]
) -> None:
    terminal(80)
    lines = ocm("--help").out.splitlines()
    for name, command in COMMANDS.items():
        first = (command.help or "").splitlines()[0]
        (line,) = (each for each in lines if each.startswith(f"  {name} "))
        assert line.endswith(first)
        assert len(line) <= 80
    headings = [line for line in lines if re.fullmatch(r"[A-Z][a-z ]+:", line)]
    assert headings == [
        *("Options:", "Begin:", "Every day:", "Share:", "Care:", "For programs:")
    ]


def test_exit_statuses_and_codes_are_those_of_the_errors() -> None:
    table = re.findall(r"^\| (\d+) \|([^|]*)\|", PAGE, re.MULTILINE)
    written = {
        (int(status), code)
        for status, codes in table
        for code in re.findall(r"`([a-z-]+)`", codes)
    }
    raised = {(each.exit_status, each.code) for each in _leaves(errors.GitmemError)}
    own = {(failure.USAGE, "usage"), (failure.DEFECT, "defect")}
    assert written == raised | own
    statuses = {int(status) for status, _ in table}
    assert {0, failure.INTERRUPTED, failure.BROKEN_PIPE} <= statuses


def test_variables_of_assistants_are_all_named() -> None:
    for assistant in ASSISTANTS:
        for variable in assistant.session_variables:
            assert f"`{variable}`" in PAGE


def _options(command: TyperCommand) -> set[str]:
    """Those of a command, or of all commands of a group."""
    commands = [command, *getattr(command, "commands", {}).values()]
    options = [option for each in commands for option in each.params]
    return {name for each in options for name in (*each.opts, *each.secondary_opts)}


def _leaves(kind: type[errors.GitmemError]) -> set[type[errors.GitmemError]]:
    below = kind.__subclasses__()
    return {leaf for each in below for leaf in _leaves(each)} if below else {kind}
