"""Arguments, options and the question that several commands share."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gitmem.cli.output import is_json
from gitmem.errors import GitmemError, InvalidInput
from gitmem.text.control_characters import harmless

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

STDIN = "-"
INPUT_LIMIT = 20_000_000
"""Bytes of a text that is read; far more than a document may have."""
_MOST_COMPLETED = 20


def option(
    usage: str,
    text: str,
    default: Any = None,
    values: Iterable[str] = (),
    **settings: Any,
) -> Any:
    """An option as its help shows it: `--limit -n N`, or `--tree` for a flag.

    A shell completes the `values` that it may have.
    """
    if choices := [*values]:
        settings["autocompletion"] = lambda: choices
    words = usage.split()
    names = [word for word in words if word.startswith("-")]
    metavar = " ".join(words[len(names) :]) or None
    return typer.Option(default, *names, metavar=metavar, help=text, **settings)


def flag(usage: str, text: str) -> Any:
    return option(usage, text, default=False)


def argument(usage: str, text: str, default: Any = None, **settings: Any) -> Any:
    """An argument, which `default=...` makes a required one."""
    return typer.Argument(
        default, metavar=usage, help=text, show_default=False, **settings
    )


def complete_session(incomplete: str) -> Iterator[str]:
    """The newest sessions whose ids begin so; their ends say what they were about.

    It only looks: pressing a key must not write, nor wait for whoever does. Text of a
    session is left out, for Typer's completion for zsh is evaluated by the shell.
    """
    from gitmem.workspace import current_workspace

    with suppress(GitmemError, OSError):
        newest = islice(current_workspace().store.memory().newest(), _MOST_COMPLETED)
        session_ids = (session.session_id for session in newest)
        yield from (name for name in session_ids if name.startswith(incomplete))
    yield "last"


def complete_tool() -> list[str]:
    from gitmem.assistants.known import ASSISTANTS

    return [assistant.name for assistant in ASSISTANTS]


SESSION = argument(
    "SESSION",
    "Its id, a unique beginning, its slug, the assistant's own id, or `last`.",
    default=...,
    autocompletion=complete_session,
)
MAYBE_SESSION = argument(
    "SESSION",
    "As for `ocm show`; without one it is what the brief goes on with.",
    autocompletion=complete_session,
)
_DOCUMENT = "A session, as in `ocm files`; or the id or key of a memory."
DOCUMENT = argument("NAME", _DOCUMENT, default=..., autocompletion=complete_session)
MAYBE_DOCUMENT = argument("NAME", _DOCUMENT, autocompletion=complete_session)
TOOL = option(
    "--tool ASSISTANT",
    "Only sessions of this assistant, such as claude-code or cursor.",
    autocompletion=complete_tool,
)
DRY_RUN = flag("--dry-run", "Show what would be done; change nothing.")
YES = flag("--yes -y", "Do not ask.")
VERBOSE = flag("--verbose", "Show each step; with --dry-run, what files would have.")


def session_option(text: str) -> Any:
    return option("--session SESSION", text, autocompletion=complete_session)


def moment(workspace: "Workspace", text: str) -> datetime:
    """The time that a person means: the beginning of a day, week or month, or a time.

    Raises InvalidInput.
    """
    from gitmem.search.queries.dates import beginning

    with suppress(ValueError, OverflowError):
        return workspace.local(datetime.fromisoformat(text))
    if begins := beginning(text, workspace.now()):
        return begins
    raise InvalidInput(
        f"{text!r} is not a date.",
        hint='For example: 2026-01-31, yesterday or "last month".',
    )


def confirmed(question: str, command: str, *, yes: bool, dry_run: bool) -> bool:
    """Return False for a dry run; else go on for a yes alone, given or answered.

    Raises typer.Abort for a no, and InvalidInput where nobody can be asked.
    """
    require_answer(command, yes=yes, dry_run=dry_run)
    if not (yes or dry_run):
        typer.confirm(harmless(question), abort=True, err=True)
    return not dry_run


def require_answer(command: str, *, yes: bool, dry_run: bool) -> None:
    """Raise InvalidInput if there is a question to ask, and nobody to answer it."""
    if not (yes or dry_run or can_ask()):
        raise InvalidInput(
            f"`ocm {command}` asks first, and there is no terminal to ask on.",
            hint="`--dry-run` shows what it would do; `--help` says how to answer.",
        )


def can_ask() -> bool:
    return sys.stdin.isatty() and not is_json()


def path_in(workspace: "Workspace", text: str) -> str:
    """Return a path as git names it, from the folder where the command runs."""
    path = (workspace.environment.start / text).absolute()
    root = workspace.root
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else text


def text_in(file: str) -> str:
    """Return the text of a file, or of standard input for `-`.

    Raises OSError, InvalidInput, and UnicodeDecodeError for what is no UTF-8.
    """
    with sys.stdin.buffer if file == STDIN else Path(file).open("rb") as stream:
        data = stream.read(INPUT_LIMIT + 1)
    if len(data) > INPUT_LIMIT:
        raise InvalidInput(f"The input has more than {INPUT_LIMIT:,} bytes.")
    return data.decode("utf-8-sig")
