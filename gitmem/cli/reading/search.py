"""`ocm search`: find sessions by what they were about."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, Tool
from gitmem.cli.output import ASKED, FAINT, HINT, ID, PATH, QUOTED, Part, Row
from gitmem.cli.progress import indexing
from gitmem.cli.sharing.sync import say_notices
from gitmem.cli.times import spoken
from gitmem.documents.authors import name_in
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.answers import Answer
    from gitmem.actions.reading.find import Results
    from gitmem.actions.reading.found import Found, Location
    from gitmem.search.documents import Hit
    from gitmem.search.snippets import Snippet

_INDENT = "   "
_NEAREST = "No session clearly matches; the nearest are:"

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

Also = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WORDING", help="The same in other words, which count less; up to 5."
    ),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Say how the query was read, too.")
]


def search(  # noqa: PLR0913 - each is an option of the command line
    query: Query,
    *,
    limit: Limit = 5,
    scope: Scope = "project",
    tool: Tool = None,
    also: Also = None,
    explain: Explain = False,
    as_json: Json = False,
) -> None:
    """Find sessions by what they were about.

    For example: ocm search tei migration last week in cursor

    A word to leave out goes behind --, like this: ocm search -- retry -upload
    """
    from gitmem.actions import answers
    from gitmem.actions.reading import find
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    with indexing() as progress:
        results = find.search(
            workspace,
            " ".join(query),
            limit=limit,
            scope=scope,
            tool=tool,
            also=also or (),
            progress=progress,
        )
    if so_far := answers.so_far(results.extent):
        output.note(so_far)
    result, understood = answers.of_search(results), answers.understood(results)
    if as_json:
        whole = {"result": result, "understood": understood}
        output.say_json(whole if explain else result)
    else:
        if explain:
            _say_understood(understood)
        say_results(results, workspace.now(), explain=explain)
        say_notices(workspace)
    if results.are_weak:
        output.note(
            ("hint:", HINT), " Search again in other words, or add some: --also."
        )


def _say_understood(understood: "Answer") -> None:
    rows: list[Row] = [
        ((name, FAINT), output.one_line(_as_said(name, value)))
        for name, value in understood.items()
    ]
    if rows:
        output.say("Understood:")
        output.say_rows([("", *row) for row in rows])
        output.say()


def _as_said(name: str, value: object) -> str:
    if name in {"after", "before"}:
        return f"{datetime.fromisoformat(str(value)):%Y-%m-%d %H:%M}"
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return ", ".join(f"{typed} as {meant}" for typed, meant in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


def say_results(results: "Results", now: datetime, *, explain: bool) -> None:
    from gitmem.actions.answers import NO_HITS
    from gitmem.search.queries.relaxing import none_found_with

    if results.dropped:
        output.say(output.one_line(none_found_with(results.query, results.dropped)))
        output.say()
    if not results.found:
        output.say(NO_HITS)
    if results.are_weak:
        output.say(f"{_NEAREST}\n")
    for each in results.found:
        if each.rank > 1:
            output.say()
        _say(each, now, explain=explain)
        if results.is_global:
            _say_location(each.location)
        if each.markdown_path:
            output.say_whole(_INDENT, (str(each.markdown_path), PATH))


def _say(found: "Found", now: datetime, *, explain: bool) -> None:
    hit = found.hit
    output.say_titled(
        [f"{found.rank}  ", (hit.id, ID)],
        [(_facts(found, now, explain=explain), FAINT)],
        indent=_INDENT,
    )
    if hit.title:
        output.say_cut(_INDENT, output.one_line(hit.title))
    if answered := _answered(hit):
        output.say_indented(_INDENT, (answered, FAINT))
    if found.reasons.snippet:
        output.say_indented(_INDENT, *_emphasised(found.reasons.snippet))
    places = [*map(output.one_line, (hit.project, *hit.paths))]
    output.say_listed(_INDENT, places, FAINT)
    if explain and found.reasons.matched:
        output.say_cut(_INDENT, (f"found in {', '.join(found.reasons.matched)}", FAINT))


def _say_location(location: "Location") -> None:
    remote = f", {output.one_line(location.remote)}" if location.remote else ""
    output.say_whole(_INDENT, "in ", (str(location.root), PATH), (remote, FAINT))


def _facts(found: "Found", now: datetime, *, explain: bool) -> str:
    hit, stale = found.hit, found.staleness
    who = "" if found.is_own else name_in(hit.author)
    facts = [f"by {who}"] if who else []
    facts += [spoken(hit.at, now), f"{hit.match} match"]
    if explain:
        facts.append(f"score {hit.score:.2f}")
    if stale is not None:
        of_files = f"of {counted(stale.files, 'file')} changed since"
        facts.append(f"{stale.changed or 'none'} {of_files}")
    return ", ".join(facts)


def _answered(hit: "Hit") -> str:
    """The words of the query that a weak match has, and those that it does not."""
    said = (("has", hit.answers), ("not", hit.misses))
    return "; ".join(f"{verb} {', '.join(words)}" for verb, words in said if words)


def _emphasised(snippet: "Snippet") -> Iterator[Part]:
    """With the words of the query in another style than the rest."""
    at = 0
    for start, end in snippet.marks:
        yield snippet.text[at:start], QUOTED
        yield snippet.text[start:end], ASKED
        at = end
    yield snippet.text[at:], QUOTED
