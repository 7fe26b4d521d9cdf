"""Search, with the grades and reasons of `ocm search`."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitmem.actions.reading.find import search
from gitmem.actions.reading.session_answers import understood_query
from gitmem.answers import indexed_so_far
from gitmem.search.queries.query import none_found_with
from gitmem.search.reasons import Snippet
from gitmem.workspace import Workspace


def values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    query = parameters.get("q", "").strip()
    if not query:
        return {"query": "", "results": None}
    results = search(workspace, query)
    return {
        "query": query,
        "results": results,
        "understood": understood_query(results),
        "dropped": results.dropped and none_found_with(results.query, results.dropped),
        "so_far": indexed_so_far(results.extent),
        "parts": _parts,
    }


def _parts(snippet: Snippet) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a snippet, each with whether it is a word of the query."""
    end = 0
    for mark_start, mark_end in snippet.marks:
        yield snippet.text[end:mark_start], False
        yield snippet.text[mark_start:mark_end], True
        end = mark_end
    yield snippet.text[end:], False
