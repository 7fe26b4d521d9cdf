"""What the tools give back, and how a client sees it.

A client is sent a result twice: as `structuredContent`, an object as the protocol wants
it, so that a list stands under the key `result`; and as one text. Some clients show
their model the one, some the other, and some both where the two differ. So the text is
the same JSON, without white space.

No schema of a result is announced: it would be sent with every connection, and
`docs/mcp.md` says what there is.
"""

from typing import TYPE_CHECKING

from mcp_types import CallToolResult, TextContent

from gitmem.text.counting import as_json, cost, fullest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers import Answer

    Rows = Sequence[Sequence[Answer]]
    """Each in its forms, from short to long."""


def single(answer: "Answer", text: str = "") -> CallToolResult:
    """The result with one object; `text` for clients that show nothing else."""
    content = TextContent(text=text or as_json(answer))
    return CallToolResult(content=[content], structured_content=answer)


def of_search(
    hits: "list[Answer] | str", understood: "Answer", notice: str, budget: int
) -> CallToolResult:
    """The hits without what is empty, since a model pays for each word.

    What was understood is told only where it is more than the words of the query. What
    to do with weak hits comes before them, in the text as well.
    """
    from gitmem.actions.reading.session_answers import is_plain_query

    understood_row = {} if is_plain_query(understood) else {"understood": understood}
    notice_row = {"notice": notice} if notice else {}
    if isinstance(hits, str):
        understood_text = f"Understood: {as_json(understood)}" if understood_row else ""
        text = "\n".join(filter(None, (notice, hits, understood_text)))
        return single({**notice_row, "result": hits, **understood_row}, text)
    rest = {**notice_row, "left_out": len(hits), **understood_row}
    fitting_hits = fullest(
        [[_with_something(hit)] for hit in hits], budget - cost(rest)
    )
    left_out = len(hits) - len(fitting_hits)
    cut = {"left_out": left_out} if left_out else {}
    return single({**notice_row, "result": fitting_hits, **cut, **understood_row})


def session_row(session: "Answer") -> "Answer":
    """Return what a model needs of a session in a listing."""
    row = _with_something(session)
    return {name: value for name, value in row.items() if name not in _FOR_PROGRAMS}


def of_page(
    rows: "Rows", notice: str, offset: int, budget: int, *, has_more: bool = False
) -> CallToolResult:
    """The first rows that have room in the budget, and where the next page begins.

    `has_more` where there are others behind these rows.
    """
    notice_row = {"notice": notice} if notice else {}
    rest = {**notice_row, "result": [], "next": offset + len(rows)}
    fitting_rows = fullest(rows, budget - cost(rest))
    is_cut = has_more or len(fitting_rows) < len(rows)
    next_page = {"next": offset + len(fitting_rows)} if is_cut else {}
    return single({**notice_row, "result": fitting_rows, **next_page})


def _with_something(hit: "Answer") -> "Answer":
    row = _without_own_author(hit)
    return {k: v for k, v in row.items() if k not in _MAY_BE_EMPTY or v}


def _without_own_author(session: "Answer") -> "Answer":
    """Whose a session is goes without saying where it is the user's."""
    if not session["own"]:
        return session
    return {k: v for k, v in session.items() if k not in {"author", "own"}}


_FOR_PROGRAMS = {"work", "client_session_id", "parent"}
"""Fields of a listed session that a model does not need."""
_MAY_BE_EMPTY = {
    *("matched", "snippet", "changed_since", "not_in_code", "answers", "misses"),
    *("remote", "until"),
}
