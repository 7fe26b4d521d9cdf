"""`ocm search`: find sessions by what they were about."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, Tool
from gitmem.cli.output import FAINT, GOOD, ID, PATH
from gitmem.cli.progress import indexing
from gitmem.cli.times import spoken

if TYPE_CHECKING:
    from gitmem.actions.find import Found

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
    from gitmem.actions import answers, find
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
        return
    for each in found:
        _say(each, workspace.now())
    if not found:
        output.say(find.NO_HITS)


def _say(found: "Found", now: datetime) -> None:
    hit = found.hit
    output.say(
        f"{found.rank}  ",
        (hit.session_id, ID),
        (f"  {hit.score:.2f}", GOOD),
    )
    if hit.goal:
        output.say_cut("   ", output.one_line(hit.goal))
    facts = [spoken(hit.started_at, now), hit.project, *hit.top_files]
    output.say_cut(("   " + ", ".join(map(output.one_line, facts)), FAINT))
    if found.markdown_path:
        output.say("   ", (str(found.markdown_path), PATH))
