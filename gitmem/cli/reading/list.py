"""`ocm list`: the newest sessions."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, Tool
from gitmem.cli.output import FAINT, ID, STATUS, Part, Row
from gitmem.cli.reading.tree import tree
from gitmem.cli.sharing.sync import say_notices
from gitmem.cli.times import spoken
from gitmem.documents.authors import name_in
from gitmem.text.counting import counted
from gitmem.text.markdown import one_line

if TYPE_CHECKING:
    from gitmem.actions.reading.documents import Listed

_NONE = """\
No sessions yet. Assistants that `ocm init` has connected save them by themselves;
`ocm checkpoint` saves one by hand."""
_NO_WORK = "No session has work yet; `ocm list --all` shows the others."
_HEADINGS = [
    (heading, FAINT)
    for heading in ("Session", "Started", "State", "Branch", "Files", "Goal")
]
_ROOM_FOR_GOAL = 30
"""Columns below which a table is not worth its name."""
_BRANCH = 30
"""Characters of a branch in a table."""
_GOAL_OF_OTHERS = 300
"""Characters; a goal of the user is never cut for a program."""

Limit = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")
]
All = Annotated[
    bool, typer.Option("--all", help="Also those without work, such as small talk.")
]
Tree = Annotated[
    bool, typer.Option("--tree", help="Show forks and handoffs below their origin.")
]


def list_(
    limit: Limit = 10,
    tool: Tool = None,
    is_all: All = False,
    is_tree: Tree = False,
    as_json: Json = False,
) -> None:
    """List the newest sessions.

    Left out are those in which nothing was done: no checkpoint, no file, commit or
    to-do, and a single question at most. A search finds them all the same.
    """
    from gitmem.actions import answers
    from gitmem.actions.reading.documents import list_sessions
    from gitmem.workspace import current_workspace

    workspace, with_all = current_workspace(), is_all or as_json
    listed = list_sessions(workspace, limit=limit, tool=tool, with_small_talk=with_all)
    if as_json:
        output.say_json(answers.of_list(listed))
    elif listed:
        (_say_tree if is_tree else _say)(listed, workspace.now())
    else:
        is_empty = next(workspace.store.memory().ids(), None) is None
        output.note(_NONE if is_empty else _NO_WORK)
    if not as_json:
        say_notices(workspace)


def _say(sessions: list["Listed"], now: datetime) -> None:
    rows = [_row(each, now) for each in sessions]
    if not output.is_terminal():
        for each in sessions:
            output.say_fields(_fields(each))
    elif _fit(rows):
        output.say_rows([_HEADINGS, *rows])
    else:
        for each in sessions:
            _say_stacked(each, now)


def _say_tree(sessions: list["Listed"], now: datetime) -> None:
    for node in tree([each.session for each in sessions]):
        _say_stacked(sessions[node.index], now, node.lead, node.indent)


def _fields(listed: "Listed") -> list[str]:
    session = listed.session
    return [
        session.id,
        f"{session.started_at:%Y-%m-%d %H:%M}",
        session.tool,
        listed.state,
        session.branch or "",
        str(len(session.files)),
        _goal(listed),
    ]


def _row(listed: "Listed", now: datetime) -> Row:
    session = listed.session
    return (
        (session.id, ID),
        spoken(session.started_at, now),
        _state(listed),
        one_line(session.branch or "", _BRANCH),
        f"{len(session.files):>5}",
        _goal(listed),
    )


def _fit(rows: list[Row]) -> bool:
    needed = output.columns_of(row[:-1] for row in [_HEADINGS, *rows])
    return needed + _ROOM_FOR_GOAL <= output.console().width


def _say_stacked(
    listed: "Listed", now: datetime, lead: str = "", indent: str = "  "
) -> None:
    session = listed.session
    files, left = len(session.files), len(session.work_pending)
    facts = [
        f", {one_line(session.branch, _BRANCH)}" if session.branch else "",
        f", {counted(files, 'file')}" if files else "",
        f", {left} to do" if left else "",
    ]
    output.say_whole((lead, FAINT), (session.id, ID))
    if goal := _goal(listed):
        output.say_cut((indent, FAINT), goal)
    started = (f"{spoken(session.started_at, now)}, ", FAINT)
    output.say_cut((indent, FAINT), started, _state(listed), ("".join(facts), FAINT))


def _goal(listed: "Listed") -> str:
    """With the name of whoever set it, if that is somebody else."""
    session = listed.session
    if listed.is_own:
        return output.one_line(session.goal)
    who, goal = name_in(session.author), one_line(session.goal, _GOAL_OF_OTHERS)
    return f"by {who}: {goal}" if who else goal


def _state(listed: "Listed") -> Part:
    return listed.state, STATUS[listed.state]
