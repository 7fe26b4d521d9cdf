"""Search, with the grades and reasons of `ocm search`."""

from collections.abc import Mapping
from typing import Any

from gitmem.actions.reading.find import search
from gitmem.actions.reading.session_answers import understood_query
from gitmem.answers import indexed_so_far
from gitmem.search.queries.query import none_found_with
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
    }
