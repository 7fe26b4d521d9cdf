"""A server over HTTP of two repositories, `repository` and `second`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.harness import make_repository
from support.web import served

from gitmem.cli.main import json_commands
from gitmem.cli.over_http import commands_over_http
from gitmem.config import current_environment
from gitmem.web.application import application
from gitmem.web.guard import BearerToken, Guard
from gitmem.web.repositories import repositories_at

TOKEN = "a-token-for-these-tests-alone"
WITH_TOKEN = {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def serving(*folders: Path, is_writable: bool = False) -> Iterator[int]:
    """The port at which the repositories are served."""
    app = application(
        repositories_at(folders, current_environment()),
        [*commands_over_http(json_commands())],
        is_writable=is_writable,
        is_lean=False,
    )
    with served(Guard(app, BearerToken(TOKEN))) as port:
        yield port


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def second(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "second")


@pytest.fixture
def port(repository: Path) -> Iterator[int]:
    with serving(repository) as port:
        yield port


@pytest.fixture
def port_of_two(repository: Path, second: Path) -> Iterator[int]:
    with serving(repository, second, is_writable=True) as port:
        yield port
