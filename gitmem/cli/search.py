"""`ocm search`: find sessions by what they were about."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, Tool
from gitmem.cli.output import FAINT, ID, PATH
from gitmem.cli.progress import indexing
from gitmem.cli.times import spoken

if TYPE_CHECKING:
    from gitmem.actions.reading.find import Found

_INDENT = "   "

Query = Annotated[
    list[str],
    typer.Argument(
        metavar="QUERY",
        help="What you remember: words, files, an assistant, a day or a month.",
        show_default=False,
    ),
]
Limit = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", help="How many at most, up to 5.")
]
Scope = Annotated[
    str,
    typer.Option(metavar="SCOPE", help="project: this repository; global: all known."),
]


def search(
    query: Query,
    limit: Limit = 5,
    scope: Scope = "project",
    tool: Tool = None,
    as_json: Json = False,
) -> None:
    """Find sessions by what they were about.

    For example: ocm search tei migration last week in cursor
    """
    from gitmem.actions import answers
    from gitmem.actions.reading import find
    from gitmem.workspace import current_environment, open_workspace

    workspace = open_workspace(current_environment())
    with indexing() as progress:
        found = find.search(
            workspace,
            " ".join(query),
            limit=limit,
            scope=scope,
            tool=tool,
            progress=progress,
        )
    if as_json:
        output.say_json(answers.of_search(found))
    elif found:
        _say_all(found, workspace.now())
    else:
        output.say(find.NO_HITS)


def _say_all(found: list["Found"], now: datetime) -> None:
    for each in found:
        if each.rank > 1:
            output.say()
        _say(each, now)


def _say(found: "Found", now: datetime) -> None:
    hit = found.hit
    facts = f"{spoken(hit.started_at, now)}, score {hit.score:.2f}"
    output.say_titled(
        [f"{found.rank}  ", (hit.session_id, ID)], [(facts, FAINT)], indent=_INDENT
    )
    if hit.goal:
        output.say_cut(_INDENT, output.one_line(hit.goal))
    places = ", ".join(map(output.one_line, (hit.project, *hit.top_files)))
    output.say_cut(_INDENT, (places, FAINT))
    if found.markdown_path:
        output.say_whole(_INDENT, (str(found.markdown_path), PATH))
