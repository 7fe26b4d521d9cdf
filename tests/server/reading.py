"""Resources, as a client reads them."""

from mcp import Client
from mcp_types import TextResourceContents


async def text_at(client: Client, uri: str) -> str:
    (contents,) = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    assert contents.mime_type == "text/markdown"
    return contents.text
