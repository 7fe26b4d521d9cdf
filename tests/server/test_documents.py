"""Documents for clients that cannot read a file: resources."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.shared.exceptions import MCPError
from server.reading import text_at
from support.mcp_client import MODES, ask, client_of, written
from support.rounds import few

from gitmem.config import Environment
from gitmem.text.markdown import fence_around

pytestmark = pytest.mark.anyio


async def document(client: Client, name: str) -> str:
    return await text_at(client, f"ocm://sessions/{quote(name, safe='')}")


async def test_resource_has_every_name_of_its_session(client: Client) -> None:
    saved = await ask(
        client, "checkpoint", goal="Stop the leak.", client_session_id="its/own id"
    )
    session_id = saved["session_id"]
    for name in (session_id, session_id[:-3], "last"):
        assert await document(client, name) == written(saved)


@few(1, "mode", MODES)
async def test_missing_resource_is_a_protocol_error(
    environment: Environment, mode: str
) -> None:
    async with client_of(environment, mode) as client:
        await ask(client, "checkpoint", goal="Stop the leak.")
        for name in ("gone", "a/b", "..", "../../x", "a\x00b", "/etc"):
            with pytest.raises(MCPError, match=r"session|resource") as caught:
                await document(client, name)
            assert "Traceback" not in caught.value.message


async def test_newest_sessions_are_listed_now(client: Client) -> None:
    assert (await client.list_resources()).resources == []
    saved = await ask(client, "checkpoint", goal="Stop\nthe leak.")
    listed = (await client.list_resources()).resources
    templates = (await client.list_resource_templates()).resource_templates
    (resource,) = listed
    assert resource.uri == f"ocm://sessions/{saved['session_id']}"
    assert resource.description == "Stop the leak."
    assert [each.uri_template for each in templates] == [
        "ocm://sessions/{session_id}",
        "ocm://conversations/{session_id}",
        "ocm://conversations/{session_id}/{page}",
        "ocm://memories/{memory_id}",
    ]


@given(st.text(alphabet="`~ \nab", max_size=80))
def test_no_text_holds_the_fence_around_it(text: str) -> None:
    fence = fence_around(text)
    assert len(fence) >= 3
    assert fence not in text
