"""`ocm rebuild-index`: the search index from scratch."""

from gitmem.cli.options import Json
from gitmem.cli.output import GOOD, say, say_json
from gitmem.cli.progress import indexing
from gitmem.text.counting import counted


def rebuild_index(as_json: Json = False) -> None:
    """Build the search index anew from the memory.

    It keeps itself up to date; this is for when you do not believe it.
    """
    from gitmem.actions.reading.catch_up import rebuild_index as rebuild
    from gitmem.workspace import current_workspace

    with indexing() as progress:
        sessions = rebuild(current_workspace(), progress)
    if as_json:
        say_json({"sessions": sessions})
    else:
        say(("rebuilt", GOOD), f" the index from {counted(sessions, 'session')}")
