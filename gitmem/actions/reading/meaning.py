"""What meaning confirms of a search that words alone leave without an answer."""

from itertools import compress

from gitmem.errors import Unavailable
from gitmem.search.index import Hit, Index
from gitmem.search.queries.query import Query
from gitmem.search.semantic import MOST, SETTING, WEAK, load, meant
from gitmem.workspace import Workspace


def confirmed(
    workspace: Workspace, index: Index, query: Query, limit: int
) -> list[Hit]:
    """The best sessions that the query means, of those for which too little speaks.

    None where the user has set no model, and where it cannot be read: that is for
    `ocm doctor` to say. Raises Damaged as the index does.
    """
    if not (named := workspace.repository.config(SETTING)):
        return []
    try:
        meaning = load(named, workspace.environment.user_home)
    except Unavailable:
        return []
    weak = index.nearest(query, limit=MOST, share=WEAK)
    near = [hit for hit in weak if hit.passage]
    judged = meant(meaning, query.text, [hit.passage for hit in near])
    return [*compress(near, judged)][:limit]
