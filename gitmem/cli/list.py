"""`ocm list`: the newest sessions."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, Tool
from gitmem.cli.output import FAINT, ID, STATUS, Part, Row
from gitmem.cli.times import spoken
from gitmem.model.markdown import one_line
from gitmem.model.whose import name_in

if TYPE_CHECKING:
    from gitmem.actions.reading.documents import Listed
    from gitmem.model.session import Session

_NONE = """\
No sessions yet. Assistants that `ocm init` has connected save them by themselves;
`ocm checkpoint` saves one by hand."""
_HEADINGS = [
    (heading, FAINT)
    for heading in ("Session", "Started", "Assistant", "Status", "Goal")
]
_ROOM_FOR_GOAL = 30
"""Columns below which a table is not worth its name."""
_GOAL_OF_OTHERS = 300
"""Characters; a goal of the user is never cut for a program."""

Limit = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")
]


def list_(limit: Limit = 10, tool: Tool = None, as_json: Json = False) -> None:
    """List the newest sessions."""
    from gitmem.actions import answers
    from gitmem.actions.reading.documents import list_sessions
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    listed = list_sessions(workspace, limit=limit, tool=tool)
    if as_json:
        output.say_json(answers.of_list(listed))
    elif listed:
        _say(listed, workspace.now())
    else:
        output.note(_NONE)


def _say(sessions: list["Listed"], now: datetime) -> None:
    rows = [_row(each, now) for each in sessions]
    if not output.is_terminal():
        output.say_rows(map(_plain_row, sessions))
    elif _fit(rows):
        output.say_rows([_HEADINGS, *rows])
    else:
        for each in sessions:
            _say_stacked(each, now)


def _plain_row(listed: "Listed") -> Row:
    session = listed.session
    return (
        session.id,
        f"{session.started_at:%Y-%m-%d %H:%M}",
        output.one_line(session.tool),
        session.status,
        _goal(listed),
    )


def _row(listed: "Listed", now: datetime) -> Row:
    session = listed.session
    return (
        (session.id, ID),
        spoken(session.started_at, now),
        output.one_line(session.tool),
        _status(session),
        _goal(listed),
    )


def _fit(rows: list[Row]) -> bool:
    needed = output.columns_of(row[:-1] for row in rows)
    return needed + _ROOM_FOR_GOAL <= output.console().width


def _say_stacked(listed: "Listed", now: datetime) -> None:
    session = listed.session
    left = len(session.work_pending)
    facts: Row = (
        (f"{spoken(session.started_at, now)}, ", FAINT),
        _status(session),
        (f", {left} to do" if left else "", FAINT),
    )
    output.say_titled([(session.id, ID)], facts, indent="  ")
    if goal := _goal(listed):
        output.say_cut("  ", goal)


def _goal(listed: "Listed") -> str:
    """With the name of whoever set it, if that is somebody else."""
    session = listed.session
    if listed.is_own:
        return output.one_line(session.goal)
    who, goal = name_in(session.author), one_line(session.goal, _GOAL_OF_OTHERS)
    return f"by {who}: {goal}" if who else goal


def _status(session: "Session") -> Part:
    return session.status, STATUS[session.status]
