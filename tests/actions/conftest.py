"""What tests of actions act on."""

from pathlib import Path

import pytest
from support.workspaces import workspace_at

from gitmem.workspace import Workspace


@pytest.fixture
def workspace(repository: Path) -> Workspace:
    return workspace_at(repository)
