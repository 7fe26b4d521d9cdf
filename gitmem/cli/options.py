"""Arguments, options and the question that several commands share."""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from textwrap import shorten
from typing import Annotated

import typer

from gitmem.errors import GitmemError, InvalidInput
from gitmem.text.control_characters import harmless

_MOST_COMPLETED = 20


def complete_session(incomplete: str) -> Iterator[tuple[str, str]]:
    """The newest sessions whose ids begin so, with their goals.

    It only looks: pressing a key must not write, nor wait for whoever does.
    """
    from gitmem.workspace import current_workspace

    with suppress(GitmemError, OSError):
        memory = current_workspace().store.memory()
        fitting = (each for each in memory.ids() if each.startswith(incomplete))
        for session_id in islice(fitting, _MOST_COMPLETED):
            session = memory.document(session_id)
            yield session_id, _explanation(session.goal if session else "")
    yield "last", "the newest session"


def require_yes(question: str, what: str, command: str, *, is_possible: bool) -> None:
    """Go on for a yes alone, before anything goes for good.

    `what` asks, as messages say it, and `command` has it. Raises typer.Abort for a no,
    and InvalidInput where nobody could say anything.
    """
    if not (is_possible and sys.stdin.isatty()):
        raise InvalidInput(
            f"{what} asks first, and there is no terminal to ask on.",
            hint=f"`ocm {command} --help` says how to answer beforehand.",
        )
    typer.confirm(harmless(question), abort=True, err=True)


def _explanation(goal: str) -> str:
    """A goal that is safe to show while completing.

    Typer's completion for zsh is evaluated by the shell, and a goal may come from
    anywhere: only letters, digits and harmless marks are left of it.
    """
    return shorten(re.sub(r"[^\w .,+-]", " ", goal), 60, placeholder=" ...")


SessionName = Annotated[
    str,
    typer.Argument(
        metavar="SESSION",
        help="Its id, a unique beginning, its slug, the assistant's own id, or `last`.",
        autocompletion=complete_session,
        show_default=False,
    ),
]
MaybeSession = Annotated[
    str | None,
    typer.Argument(
        metavar="SESSION",
        help="As for `ocm show`; without one it is what the brief goes on with.",
        autocompletion=complete_session,
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Tool = Annotated[
    str | None,
    typer.Option(
        metavar="ASSISTANT",
        help="Only sessions of this assistant, such as claude-code or cursor.",
        show_default=False,
    ),
]
