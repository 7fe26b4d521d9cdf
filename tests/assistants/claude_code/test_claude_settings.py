"""Whether the user of Claude Code declined our server, as version 2.1.197 notes it."""

import json
from pathlib import Path
from typing import Any

from support.installing import put
from support.rounds import every_row

from gitmem.assistants.assistant import SERVER
from gitmem.assistants.claude_code.settings import is_declined


@every_row(
    ("project", "shared", "expected"),
    [
        ({}, {}, False),
        ({}, {"disabledMcpjsonServers": [SERVER]}, True),
        ({"disabledMcpServers": [SERVER]}, {}, True),
        ({"mcpServers": {SERVER: {}}}, {}, False),
    ],
)
def test_a_server_that_the_user_declined_is_known(
    tmp_path: Path, project: Any, shared: Any, *, expected: bool
) -> None:
    root = tmp_path / "project"
    memory = {"projects": {str(root): project}}
    put(tmp_path / ".claude.json", json.dumps(memory).encode())
    put(root / ".claude" / "settings.json", json.dumps(shared).encode())
    assert is_declined(root, root / ".git", tmp_path, {}) is expected
