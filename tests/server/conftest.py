"""The environment of a server, and both protocols."""

from pathlib import Path

import pytest
from talking import MODES

from gitmem.config import Environment, read_environment


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def environment(repository: Path, sealed_environment: Path) -> Environment:
    home = sealed_environment
    variables = {"HOME": str(home), "OCM_HOME": str(home / "ocm")}
    return read_environment(variables, repository, sealed_environment)
