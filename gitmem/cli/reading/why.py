"""`ocm why`: from code back to the session that wrote it."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, ID, STATUS, Row
from gitmem.cli.progress import indexing
from gitmem.cli.times import spoken
from gitmem.documents.authors import name_in
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.linking.why import Origin, Source

_INDENT, _DECIDED = "   ", "decided: "
_ABBREVIATED = 7
"""Digits of a commit's name that git shows, too."""

Asked = Annotated[
    str,
    typer.Argument(
        metavar="WHAT",
        help="A file, PATH:LINE, PATH:FIRST-LAST, or a commit as git names it.",
        show_default=False,
    ),
]


def why(asked: Asked, as_json: Json = False) -> None:
    """Say which sessions a file, a line or a commit comes from.

    For example: ocm why src/charge.py:120-135
    """
    from gitmem.actions import answers
    from gitmem.actions.linking import why as action
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    with indexing() as progress:
        origin = action.why(workspace, asked, Path(), progress)
    if so_far := answers.so_far(workspace.open_index().extent):
        output.note(so_far)
    if as_json:
        output.say_json(answers.of_why(origin))
        return
    for number, source in enumerate(origin.sources):
        if number:
            output.say()
        _say(source, origin, workspace.now())
    _say_rest(origin)


def _say(source: "Source", origin: "Origin", now: datetime) -> None:
    session = source.listed.session
    who = "" if source.listed.is_own else name_in(session.author)
    facts: Row = (
        (f"by {who}, " if who else "", FAINT),
        (f"{spoken(session.started_at, now)}, ", FAINT),
        (session.status, STATUS[session.status]),
    )
    output.say_titled([(session.id, ID)], facts, indent=_INDENT)
    if session.goal:
        output.say_cut(_INDENT, output.one_line(session.goal))
    output.say_cut((_INDENT + _share(source, origin), FAINT))
    for decision in source.decisions:
        _say_decision(output.one_line(decision))
    if source.shared_with:
        output.say((f"{_INDENT}Also listed by {', '.join(source.shared_with)}", FAINT))


def _share(source: "Source", origin: "Origin") -> str:
    """How much of what was asked about is this session's."""
    made = counted(len(source.commits), "commit")
    if len(source.commits) == 1:
        made = _named(source.commits[0].sha, source.commits[0].subject)
    if origin.path is None:
        return made
    return f"{source.lines:,} of {counted(origin.blame.lines, 'line')}: {made}"


def _say_decision(text: str) -> None:
    """The whole of it, on a terminal in lines that begin below each other."""
    if not output.is_terminal():
        output.say_whole(f"{_INDENT}{_DECIDED}{text}")
        return
    width = min(output.console().width, output.READABLE_COLUMNS)
    for line in wrap(
        text,
        width,
        initial_indent=_INDENT + _DECIDED,
        subsequent_indent=_INDENT,
        break_on_hyphens=False,
        break_long_words=False,
    ):
        output.say_whole(line)


def _say_rest(origin: "Origin") -> None:
    """What comes from no session."""
    sentences = list(_sentences(origin))
    if sentences and origin.sources:
        output.say()
    for sentence in sentences:
        output.say(sentence)


def _sentences(origin: "Origin") -> Iterator[str]:
    blame, unlinked = origin.blame, origin.unlinked
    if unlinked:
        yield _without_session(origin)
    if blame.uncommitted:
        yield f"{counted(blame.uncommitted, 'line')} not committed yet."
    if blame.beyond:
        yield f"{counted(blame.beyond, 'line')} older than this shallow clone."
    if origin.path and not blame.lines:
        yield "The file is empty."


def _without_session(origin: "Origin") -> str:
    if origin.commit:
        name = _named(origin.commit.sha, f"({origin.commit.subject})")
        return f"No session is known for commit {name}."
    lines = counted(sum(origin.unlinked.values()), "line")
    commits = counted(len(origin.unlinked), "commit")
    if origin.sources:
        return f"{lines} from {commits} without a session."
    return f"No session is known for {origin.path}: {lines} from {commits}."


def _named(sha: str, subject: str) -> str:
    return f"{sha[:_ABBREVIATED]} {output.one_line(subject)}".rstrip()
