"""What the tools give back, and how a client sees it.

A client is sent a result twice: as `structuredContent`, an object as the protocol wants
it, and as one text. Some show their model the one, some the other, so both are short:
the text is JSON without white space, and a list stands under the key `result`.
"""

import json
from typing import Any, Literal

from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

from gitmem.actions.checkpoint import Saved
from gitmem.actions.find import NO_HITS, Found
from gitmem.actions.reading import Listed
from gitmem.model.session import Change, FileChange

GOAL_LENGTH = 300
"""Characters of a goal that a listing shows; the document has all of it."""
_PATH_LENGTH = 300


class CheckpointResult(BaseModel):
    session_id: str | None
    markdown_path: str | None
    status: Literal["open", "frozen", "closed"]


class HitResult(BaseModel):
    rank: int
    score: float
    session_id: str
    goal: str
    date: str
    tool: str
    top_files: list[str]
    markdown_path: str | None


class ListedResult(BaseModel):
    session_id: str
    goal: str
    date: str
    tool: str
    status: Literal["open", "frozen", "closed"]
    markdown_path: str | None


class FileResult(BaseModel):
    path: str
    change_type: Change


class SearchResults(BaseModel):
    result: list[HitResult] | str


class ListedResults(BaseModel):
    result: list[ListedResult]


class FileResults(BaseModel):
    result: list[FileResult]


def of_saved(saved: Saved) -> CallToolResult:
    result = CheckpointResult(
        session_id=saved.session_id,
        markdown_path=_path(saved.markdown_path),
        status=saved.status.value,
    )
    return _result(result, result.model_dump(mode="json"))


def of_hits(found: list[Found]) -> CallToolResult:
    return _listing(SearchResults(result=[_hit(each) for each in found] or NO_HITS))


def of_listed(listed: list[Listed]) -> CallToolResult:
    return _listing(ListedResults(result=[_listed(each) for each in listed]))


def of_files(files: tuple[FileChange, ...]) -> CallToolResult:
    results = [FileResult(path=f.path, change_type=f.change) for f in files]
    return _listing(FileResults(result=results))


def one_line(text: str, length: int = GOAL_LENGTH) -> str:
    """Text of a document on one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def _hit(found: Found) -> HitResult:
    hit = found.hit
    return HitResult(
        rank=found.rank,
        score=round(hit.score, 3),
        session_id=hit.session_id,
        goal=one_line(hit.goal),
        date=hit.started_at.date().isoformat(),
        tool=hit.tool,
        top_files=[one_line(path, _PATH_LENGTH) for path in hit.top_files],
        markdown_path=_path(found.markdown_path),
    )


def _listed(listed: Listed) -> ListedResult:
    session = listed.session
    return ListedResult(
        session_id=session.id,
        goal=one_line(session.goal),
        date=session.started_at.date().isoformat(),
        tool=session.tool,
        status=session.status.value,
        markdown_path=_path(listed.markdown_path),
    )


def _path(path: object) -> str | None:
    return None if path is None else str(path)


def _listing(
    results: SearchResults | ListedResults | FileResults,
) -> CallToolResult:
    return _result(results, results.model_dump(mode="json")["result"])


def _result(structured: BaseModel, shown: Any) -> CallToolResult:
    """`shown` as text: as it is, or as JSON on one line."""
    text = shown
    if not isinstance(shown, str):
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(
        content=[TextContent(text=text)],
        structured_content=structured.model_dump(mode="json"),
    )
