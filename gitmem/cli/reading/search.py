"""`ocm search`: find sessions by what they were about."""

from collections.abc import Iterator
from datetime import datetime

from gitmem.actions import any_kind
from gitmem.actions.reading import find
from gitmem.actions.reading.find import Location, Results, SearchResult
from gitmem.actions.reading.session_answers import (
    NO_HITS,
    hit_answers,
    understood_query,
)
from gitmem.answers import Answer, indexed_so_far
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import TOOL, argument, flag, option
from gitmem.cli.output import ASKED, FAINT, PATH, QUOTED, Part
from gitmem.cli.progress import indexing
from gitmem.cli.reading.list import say_hits
from gitmem.cli.sharing.notices import say_notices
from gitmem.documents.authors import name_in
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.errors import InvalidInput
from gitmem.meaning.model import is_installed
from gitmem.search.documents import Hit
from gitmem.search.queries.query import none_found_with
from gitmem.search.reasons import Snippet
from gitmem.text.calendar import spoken_span
from gitmem.text.counting import counted, shortlist

_INDENT = "   "
_HANG = len(_INDENT)
_MOST_NAMES = 5


def search(  # noqa: PLR0913 - each is an option of the command line
    query: list[str] = argument(
        "QUERY",
        "What you remember: words, files, an assistant, a day or a month.",
        default=...,
    ),
    *,
    limit: int = option("--limit -n N", "How many at most, up to 5.", default=5),
    scope: str = option(
        "--scope SCOPE",
        "project: this repository; global: all known.",
        "project",
        ("project", "global"),
    ),
    tool: str | None = TOOL,
    kind: str = option(
        "--in KIND", "sessions or memories.", SESSION.root, (SESSION.root, MEMORY.root)
    ),
    also: list[str] | None = option(
        "--also WORDING", "The same in other words, which count less; up to 5."
    ),
    meaning: bool = flag(
        "--meaning", "By meaning, too, where no words match clearly; needs the extra."
    ),
    explain: bool = flag("--explain", "Say how the query was read, too."),
) -> None:
    """Find sessions by what they were about.

    For example: ocm search tei migration last week in cursor

    A word to leave out goes behind --, like this: ocm search -- retry -upload
    """
    workspace = current_workspace()
    if meaning and not is_installed():
        raise InvalidInput(
            "No model of meanings is installed.",
            hint="Install it with the extra: pipx install '.[meaning]'.",
        )
    if kind not in (SESSION.name, SESSION.root):
        searched_kind = any_kind.kind_named(kind)
        documents = any_kind.documents(workspace, searched_kind, " ".join(query), limit)
        say_hits(workspace, documents)
        return
    with indexing() as progress:
        results = find.search(
            workspace,
            " ".join(query),
            limit=limit,
            scope=scope,
            tool=tool,
            also=also or (),
            by_meaning=meaning,
            progress=progress,
        )
    if so_far := indexed_so_far(results.extent):
        output.meanwhile(so_far)
    result, understood = hit_answers(results), understood_query(results)
    whole = {"result": result, "understood": understood}
    output.say_json(whole if explain else result)
    if explain:
        _say_understood(understood)
    say_results(results, workspace.now(), explain=explain)
    say_notices(workspace)
    if results.are_weak:
        output.hint("Search again in other words, or add some: --also.")


def _say_understood(understood: Answer) -> None:
    if understood:
        output.say("Understood:")
        for name, value in understood.items():
            words = output.one_line(_in_words(name, value))
            output.say_cut((f"  {name:<11}  ", FAINT), words)
        output.say()


def _in_words(name: str, value: object) -> str:
    if name in {"after", "before"}:
        return f"{datetime.fromisoformat(str(value)):%Y-%m-%d %H:%M}"
    if value is True:
        return "yes"
    if isinstance(value, dict):
        return ", ".join(f"{typed} as {meant}" for typed, meant in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


def say_results(results: Results, now: datetime, *, explain: bool) -> None:
    if results.dropped:
        output.say(output.one_line(none_found_with(results.query, results.dropped)))
        output.say()
    if not results.results:
        output.say(NO_HITS)
    if results.are_weak:
        output.say("No session clearly matches; the nearest are:\n")
    for result in results.results:
        if result.rank > 1:
            output.say()
        _say(result, now, explain=explain)
        if result.location:
            _say_location(result.location)
        if result.markdown_path:
            output.say_whole(_INDENT, (str(result.markdown_path), PATH))


def _say(result: SearchResult, now: datetime, *, explain: bool) -> None:
    hit, reasons = result.hit, result.reasons
    facts = (_facts(result, now, explain=explain), FAINT)
    output.say_session(hit.public_id, [facts], hit.title, f"{result.rank}  ", _INDENT)
    if answered := _answered(hit):
        output.say(_INDENT, (answered, FAINT), hang=_HANG)
    if reasons.snippet:
        output.say(_INDENT, *_emphasised(reasons.snippet), hang=_HANG)
    if result.missing:
        names = shortlist([*map(output.one_line, result.missing)], _MOST_NAMES)
        output.say_cut(_INDENT, (f"not in the code: {names}", FAINT))
    places = ", ".join(map(output.one_line, (hit.project, *hit.paths)))
    output.say(_INDENT, (places, FAINT), hang=_HANG)
    if explain and reasons.matched:
        output.say_cut(_INDENT, (f"found in {', '.join(reasons.matched)}", FAINT))


def _say_location(location: Location) -> None:
    remote = f", {output.one_line(location.remote)}" if location.remote else ""
    output.say_whole(_INDENT, "in ", (str(location.root), PATH), (remote, FAINT))


def _facts(result: SearchResult, now: datetime, *, explain: bool) -> str:
    hit, stale = result.hit, result.staleness
    who = "" if result.is_own else name_in(hit.author)
    facts = [f"by {who}"] if who else []
    facts += [spoken_span(hit.at, hit.until, now), f"{hit.match} match"]
    if explain:
        facts.append(f"score {hit.score:.2f}")
        facts += [f"by meaning, {hit.cosine:.2f}"] if hit.cosine else []
    if stale is not None:
        of_files = f"of {counted(stale.files, 'file')} changed since"
        facts.append(f"{len(stale.changed) or 'none'} {of_files}")
    return ", ".join(facts)


def _answered(hit: Hit) -> str:
    """The words of the query that a weak match has, and those that it does not."""
    grounds = (("has", hit.answers), ("not", hit.misses))
    return "; ".join(f"{verb} {', '.join(words)}" for verb, words in grounds if words)


def _emphasised(snippet: Snippet) -> Iterator[Part]:
    """With the words of the query in another style than the rest."""
    for text, is_marked in snippet.parts:
        yield text, ASKED if is_marked else QUOTED
