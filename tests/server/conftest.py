"""The environment of a server."""

from pathlib import Path

import pytest

from gitmem.config import Environment, read_environment


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def environment(repository: Path, sealed_environment: Path) -> Environment:
    home = sealed_environment
    variables = {"HOME": str(home), "OCM_HOME": str(home / "ocm")}
    return read_environment(variables, repository, sealed_environment)
