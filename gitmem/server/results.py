"""What the tools give back, and how a client sees it.

A client is sent a result twice: as `structuredContent`, an object as the protocol wants
it, so that a list stands under the key `result`; and as one text. Some clients show
their model the one, some the other, and some both where the two differ. So the text is
the same JSON, without white space.

No schema of a result is announced: it would be sent with every connection, and
`docs/mcp.md` says what there is.
"""

import json
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from mcp_types import CallToolResult, TextContent

if TYPE_CHECKING:
    from gitmem.actions.answers import Answer


def of(answer: "Answer") -> CallToolResult:
    """The result that is one object."""
    return _result(_json(answer), answer)


def of_search(
    found: "list[Answer] | str", understood: "Answer", notice: str
) -> CallToolResult:
    """The hits without what is empty, since a model pays for each word.

    What was understood is told only where it is more than the words of the query. What
    to do with weak hits comes before them, in the text as well.
    """
    from gitmem.actions import answers

    told = {} if answers.is_plain(understood) else {"understood": understood}
    first = {"notice": notice} if notice else {}
    if isinstance(found, str):
        read = f"Understood: {_json(understood)}" if told else ""
        text = "\n".join(filter(None, (notice, found, read)))
        return _result(text, {**first, "result": found, **told})
    return of({**first, "result": [*map(_with_something, found)], **told})


def of_sessions(listed: list["Answer"], notice: str) -> CallToolResult:
    """The sessions of a listing, of which each has work."""
    told = map(_without_own_author, listed)
    return of_listing(
        [{k: v for k, v in s.items() if k not in _FOR_PROGRAMS} for s in told], notice
    )


def of_files(files: list["Answer"], notice: str) -> CallToolResult:
    """The first files of a session; who needs more of so many reads the document."""
    lengths = accumulate(len(str(file["path"])) for file in files)
    fitting = bisect_right([*lengths], _MOST_CHARACTERS)
    return of_listing(files[: min(fitting, _MOST_FILES)], notice)


def of_listing(answer: list["Answer"], notice: str) -> CallToolResult:
    """The result that is a list."""
    return of({**({"notice": notice} if notice else {}), "result": answer})


def _result(text: str, answer: "Answer") -> CallToolResult:
    """What `text` says to clients that show nothing else."""
    return CallToolResult(content=[TextContent(text=text)], structured_content=answer)


def _with_something(hit: "Answer") -> "Answer":
    told = _without_own_author(hit)
    return {k: v for k, v in told.items() if k not in _MAY_BE_EMPTY or v}


def _without_own_author(session: "Answer") -> "Answer":
    """Whose a session is goes without saying where it is the user's."""
    if not session["own"]:
        return session
    return {k: v for k, v in session.items() if k not in {"author", "own"}}


_FOR_PROGRAMS = {"work", "client_session_id", "parent"}
"""What a model does not need of a session in a listing."""
_MOST_FILES, _MOST_CHARACTERS = 2000, 100_000
"""Of paths in one result: more would fill any conversation."""
_MAY_BE_EMPTY = {
    *("matched", "snippet", "changed_since"),
    *("answers", "misses", "remote"),
}


def _json(answer: "Answer") -> str:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
