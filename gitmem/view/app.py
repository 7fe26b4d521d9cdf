"""The pages over HTTP, one at a time: a workspace is for one thread."""

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from gitmem.answers import without_folders
from gitmem.errors import Ambiguous, GitmemError, InvalidInput, NotFound
from gitmem.view.pages import PAGES, Form, FormAction, Values, ViewPage, served_link
from gitmem.view.rendering import STATIC, Renderer
from gitmem.workspace import Workspace

_STATUSES: dict[type[GitmemError], int] = {
    NotFound: 404,
    InvalidInput: 400,
    Ambiguous: 409,
}
Endpoint = Callable[[Request], Awaitable[Response]]


def application(workspace: Workspace, *, is_writable: bool = False) -> ASGIApp:
    """Return the pages of a repository; nothing is changed unless `is_writable`."""
    view = _View(workspace, is_writable)
    routes: list[BaseRoute] = [Mount("/static", StaticFiles(directory=STATIC))]
    for name, page in PAGES.items():
        if is_writable or not page.is_form:
            routes.append(Route(page.path, view.page_endpoint(name, page)))
    if is_writable:
        from gitmem.view.writing import FORM_ACTIONS  # other pages need none

        for path, action in FORM_ACTIONS.items():
            endpoint = view.form_endpoint(action)
            routes.append(Route(path, endpoint, methods=["POST"]))
    errors = HTTPException, GitmemError, OSError, Exception
    handlers = dict.fromkeys(errors, view.refusal)
    return Starlette(routes=routes, exception_handlers=handlers)


class _View:
    def __init__(self, workspace: Workspace, is_writable: bool) -> None:
        self._workspace = workspace
        self._project = workspace.project
        self._renderer = Renderer(workspace.environment.pages)
        self._is_writable = is_writable
        self._one_at_a_time = CapacityLimiter(1)
        self._for_slow_ones = CapacityLimiter(1)

    def page_endpoint(self, name: str, page: ViewPage) -> Endpoint:
        limiter = self._for_slow_ones if page.is_slow else self._one_at_a_time

        def respond(request: Request) -> Response:
            parameters = {**request.query_params, **request.path_params}
            return self._response(name, page.values(self._workspace, parameters))

        async def respond_in_thread(request: Request) -> Response:
            return await to_thread.run_sync(respond, request, limiter=limiter)

        return respond_in_thread

    def form_endpoint(self, action: FormAction) -> Endpoint:
        def respond(name: str, form: Form) -> Response:
            outcome = action(self._workspace, name, form)
            if isinstance(outcome, str):
                return RedirectResponse(outcome, 303)
            return self._response("edit", outcome, 400)

        async def respond_in_thread(request: Request) -> Response:
            body = (await request.body()).decode("utf-8", "replace")
            form = dict(parse_qsl(body, keep_blank_values=True))
            name = request.path_params.get("name", "")
            limiter = self._one_at_a_time
            return await to_thread.run_sync(respond, name, form, limiter=limiter)

        return respond_in_thread

    async def refusal(self, _: Request, error: Exception) -> Response:
        message, hint, status = "This failed.", "`ocm doctor` may know why.", 500
        if isinstance(error, GitmemError):
            status = _STATUSES.get(type(error), 500)
            message, hint = error.message, error.hint or ""
        elif isinstance(error, HTTPException):
            status = error.status_code
            message, hint = "There is no such page.", ""
        values = {"message": message, "hint": hint}
        inside = {name: self._without_folders(text) for name, text in values.items()}
        return self._response("refusal", inside, status)

    def _without_folders(self, text: str) -> str:
        """Return a message without paths that lead outside of the repository."""
        inside = text.replace(f"{self._workspace.root}/", "")
        return without_folders(inside)

    def _response(self, name: str, values: Values, status: int = 200) -> Response:
        common = {
            "page": name,
            "link": served_link,
            "pages": PAGES,
            "project": self._project,
            "is_writable": self._is_writable,
            "query": "",
        }
        now = self._workspace.now()
        return HTMLResponse(self._renderer.html(name, common | values, now), status)
