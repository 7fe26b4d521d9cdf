"""`ocm list`: the newest sessions."""

from collections.abc import Sequence
from datetime import datetime

from gitmem.actions import any_kind
from gitmem.actions.reading.documents import MOST_LISTED, Listed, list_sessions
from gitmem.actions.reading.lineage import family_tree
from gitmem.actions.reading.session_answers import listing_answers
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import TOOL, flag, option
from gitmem.cli.output import FAINT, STATUS, Part
from gitmem.cli.sharing.notices import say_notices
from gitmem.documents.authors import name_in
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.search.documents import Hit
from gitmem.text.calendar import spoken, spoken_span
from gitmem.text.counting import counted
from gitmem.text.markdown import one_line
from gitmem.workspace import Workspace

_NONE = """\
No sessions yet. Assistants that `ocm init` has connected save them by themselves;
`ocm checkpoint` saves one by hand."""
_NO_WORK = "No session has work yet; `ocm list --all` shows the others."
_BRANCH = 30
"""Characters of a branch."""
_GOAL_OF_OTHERS = 300
"""Characters; a goal of the user is never cut for a program."""


def list_(
    limit: int | None = option("--limit -n N", "How many at most; 10 without --all."),
    tool: str | None = TOOL,
    kind: str = option(
        "--kind KIND", "session or memory.", SESSION.name, (SESSION.name, MEMORY.name)
    ),
    is_all: bool = flag("--all", "All of them, also without work, as small talk."),
    is_tree: bool = flag("--tree", "Show forks and handoffs below their origin."),
) -> None:
    """List the newest sessions, or memories.

    Left out are those in which nothing was done: no checkpoint, no file, commit or
    to-do, and a single question at most. A search finds them all the same.
    """
    workspace, with_all = current_workspace(), is_all or output.is_json()
    if limit is None:
        limit = MOST_LISTED if is_all else 10
    if kind not in (SESSION.name, SESSION.root):
        hits = any_kind.documents(workspace, any_kind.kind_named(kind), "", limit + 1)
        say_hits(workspace, hits[:limit])
        _hint_at_more(is_cut=len(hits) > limit)
        return
    listing = list_sessions(workspace, limit=limit, tool=tool, with_small_talk=with_all)
    rows = listing.sessions
    output.say_json(listing_answers(rows))
    if rows:
        (_say_tree if is_tree else _say)(rows, workspace.now())
        _hint_at_more(is_cut=listing.has_more)
    else:
        is_empty = next(workspace.store.memory().ids(), None) is None
        output.note(_NONE if is_empty else _NO_WORK)
    say_notices(workspace)


def _hint_at_more(*, is_cut: bool) -> None:
    if is_cut:
        output.hint("There are more: --all lists them, --limit as many as you want.")


def say_hits(workspace: Workspace, hits: Sequence[Hit]) -> None:
    """Documents of another kind."""
    answers = any_kind.of_hits(workspace, hits)
    output.say_json(answers)
    for hit, answer in zip(hits, answers, strict=True):
        who = "" if answer["own"] else f"by {name_in(hit.author)}"
        facts = (spoken(hit.at, workspace.now()), hit.status, who)
        facts_line = ", ".join(filter(None, facts))
        output.say_session(hit.public_id, [(facts_line, FAINT)], str(answer["title"]))
    if not hits:
        output.note("There are none here; `ocm memories` has those of spaces, too.")


def _say(sessions: Sequence[Listed], now: datetime) -> None:
    for row in sessions:
        if output.is_terminal():
            _say_stacked(row, now)
        else:
            output.say_fields(_fields(row))


def _fields(row: Listed) -> list[str]:
    session = row.session
    return [
        session.session_id,
        f"{session.started_at:%Y-%m-%d %H:%M}",
        session.tool,
        row.state,
        session.branch or "",
        str(len(session.files)),
        _goal(row),
    ]


def _say_stacked(
    row: Listed, now: datetime, lead: str = "", indent: str = "  "
) -> None:
    session = row.session
    files, to_do = len(session.files), len(session.work_pending)
    details = [
        f", {one_line(session.branch, _BRANCH)}" if session.branch else "",
        f", {counted(files, 'file')}" if files else "",
        f", {to_do} to do" if to_do else "",
    ]
    days = spoken_span(session.started_at, session.updated_at, now)
    facts = ((f"{days}, ", FAINT), _state(row), ("".join(details), FAINT))
    output.say_session(session.session_id, facts, _goal(row), lead, indent)


def _goal(row: Listed) -> str:
    """With the name of whoever set it, if that is somebody else."""
    session = row.session
    if row.is_own:
        return output.one_line(session.goal)
    who, goal = name_in(session.author), one_line(session.goal, _GOAL_OF_OTHERS)
    return f"by {who}: {goal}" if who else goal


def _state(row: Listed) -> Part:
    return row.state, STATUS[row.state]


def _say_tree(rows: Sequence[Listed], now: datetime) -> None:
    for index, lead, indent in family_tree([row.session for row in rows]):
        _say_stacked(rows[index], now, lead, indent)
