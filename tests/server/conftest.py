"""The environment of a server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from mcp import Client
from support.mcp_client import client_of

from gitmem.config import Environment, read_environment


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def environment(repository: Path, sealed_environment: Path) -> Environment:
    home = sealed_environment
    variables = {"HOME": str(home), "OCM_HOME": str(home / "ocm")}
    return read_environment(variables, repository, sealed_environment)


@pytest.fixture
async def client(environment: Environment) -> AsyncIterator[Client]:
    """One that is connected to a server of its own."""
    async with client_of(environment) as client:
        yield client
