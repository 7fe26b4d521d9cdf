"""Arguments and options that several commands share, with what a shell completes."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from textwrap import shorten
from typing import Annotated

import typer

from gitmem.errors import GitmemError

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
            session = memory.session(session_id)
            yield session_id, _explanation(session.goal if session else "")
    yield "last", "the newest session"


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
