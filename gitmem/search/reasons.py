"""Why a document was found: which parts of its document hold words of the query."""

from collections.abc import Iterator

from gitmem.documents.index_entry import Field, IndexEntry, Role
from gitmem.frozen import frozen
from gitmem.search import ranking
from gitmem.search.documents import Hit
from gitmem.search.matching import Asked
from gitmem.search.queries.query import Query
from gitmem.search.snippets import Snippet, snippet
from gitmem.search.words import within

_READ = 100_000
"""Characters of a field that are looked at: more, which few have, would take long."""


@frozen
class Reasons:
    matched: tuple[str, ...]
    """Names of fields of the document, and `conversation`, most telling first."""
    snippet: Snippet | None
    """What of it answers the query; None where that is only what is shown anyway."""


NOTHING = Reasons((), None)
"""Where the document cannot be read."""


def reasons(entry: IndexEntry, hit: Hit, query: Query, asked: Asked) -> Reasons:
    """Why a document is the hit of a query, whose words `asked` has.

    Of the conversation only the hit's passage is known.
    """
    return Reasons(
        matched=tuple(matched_fields(entry, hit, query, asked)),
        snippet=snippet(entry, hit, asked),
    )


def matched_fields(
    entry: IndexEntry, hit: Hit, query: Query, asked: Asked
) -> list[str]:
    """The fields that hold words of the query, or something else that it names.

    What tells most comes first: many words of it, in a field of importance.
    """
    answered: dict[str, int] = {}
    importance: dict[str, float] = {}
    said = Field("conversation", Role.TEXT, (hit.said,))
    for field in (*entry.fields, said):
        importance.setdefault(field.name, ranking.IMPORTANCE[field.role])
        bits = asked.in_texts(within(field.texts, _READ))
        answered[field.name] = answered.get(field.name, 0) | bits
    named = {*_filtered(entry, query)}
    worth = {
        name: importance[name] * bits.bit_count() for name, bits in answered.items()
    }
    found = [name for name in worth if name and (worth[name] or name in named)]
    return sorted(found, key=lambda name: -worth[name])


def _filtered(entry: IndexEntry, query: Query) -> Iterator[str]:
    """The fields that fulfil a part of the query that is no word."""
    if query.branch:
        yield "branch"
    paths = (path.lower() for path in entry.paths)
    if query.paths and any(part in path for path in paths for part in query.paths):
        yield "files"
    if query.commits and any(c.startswith(query.commits) for c in entry.commits):
        yield "commits"
