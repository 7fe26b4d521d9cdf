"""What a label announces is stored nowhere, when it comes from a client of MCP."""

from pathlib import Path

import pytest
from redaction.labelled_texts import TELLTALES, everywhere
from support.mcp_client import MODES, ask, client_of, written
from support.user_rule import places_of

from gitmem.config import Environment

pytestmark = pytest.mark.anyio


async def test_a_checkpoint_of_all_labels_stores_no_value(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment, MODES[0]) as client:
        saved = await ask(
            client, "checkpoint", goal="Labels", work_completed=everywhere()
        )
    assert written(saved).count("[REDACTED:") > 100
    assert places_of(repository, *TELLTALES) == []
