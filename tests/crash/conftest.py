"""One process that has all of gitmem loaded, for all tests that kill others."""

from collections.abc import Iterator

import pytest
from crash.warm import Warm, warm


@pytest.fixture(scope="session")
def processes() -> Iterator[Warm]:
    with warm() as started:
        yield started
