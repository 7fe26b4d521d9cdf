"""The pages over HTTP, one at a time: a workspace is for one thread."""

from collections.abc import Awaitable, Callable
from functools import partial

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from gitmem.errors import Ambiguous, GitmemError, InvalidInput, NotFound
from gitmem.text.patterns import pattern
from gitmem.view.pages import PAGES, Values, served_link
from gitmem.view.rendering import STATIC, html
from gitmem.workspace import Workspace

_STATUSES: dict[type[GitmemError], int] = {
    NotFound: 404,
    InvalidInput: 400,
    Ambiguous: 409,
}
_ABSOLUTE = pattern(r"(?<![\w:/])/(?:[^\s/'\"`]+/)+")
"""The folders of an absolute path."""
Endpoint = Callable[[Request], Awaitable[Response]]


def application(workspace: Workspace, *, is_writable: bool = False) -> ASGIApp:
    """Return the pages of a repository; nothing is changed unless `is_writable`."""
    view = _View(workspace, is_writable)
    return Starlette(
        routes=[
            *(
                Route(page.path, view.endpoint(partial(view.page, name)))
                for name, page in PAGES.items()
            ),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={
            HTTPException: view.refusal,
            GitmemError: view.refusal,
            OSError: view.refusal,
        },
    )


class _View:
    def __init__(self, workspace: Workspace, is_writable: bool) -> None:
        self._workspace = workspace
        self._is_writable = is_writable
        self._one_at_a_time = CapacityLimiter(1)

    def endpoint(self, respond: Callable[[Request], Response]) -> Endpoint:
        async def respond_in_thread(request: Request) -> Response:
            return await to_thread.run_sync(
                respond, request, limiter=self._one_at_a_time
            )

        return respond_in_thread

    def page(self, name: str, request: Request) -> Response:
        parameters = {**request.query_params, **request.path_params}
        return self._response(name, PAGES[name].values(self._workspace, parameters))

    async def refusal(self, _: Request, error: Exception) -> Response:
        values = {"message": "This failed.", "hint": "`ocm doctor` may know why."}
        status = 500
        if isinstance(error, GitmemError):
            status = _STATUSES.get(type(error), 500)
            values = {"message": error.message, "hint": error.hint or ""}
        elif isinstance(error, HTTPException):
            status = error.status_code
            values = {"message": "There is no such page.", "hint": ""}
        inside = {name: self._without_folders(text) for name, text in values.items()}
        return self._response("refusal", inside, status)

    def _without_folders(self, text: str) -> str:
        """Return a message without paths that lead outside of the repository."""
        inside = text.replace(f"{self._workspace.root}/", "")
        return _ABSOLUTE.sub("…/", inside)

    def _response(self, name: str, values: Values, status: int = 200) -> Response:
        common = {
            "page": name,
            "pages": PAGES,
            "project": self._workspace.project,
            "is_writable": self._is_writable,
            "query": "",
        }
        now = self._workspace.now()
        content = html(f"{name}.html", served_link, now, common | values)
        return HTMLResponse(content, status)
