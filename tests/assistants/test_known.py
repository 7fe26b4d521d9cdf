"""Which assistant an MCP client is, by the name that it gives."""

from support.rounds import every_row

from gitmem.assistants.known import UNKNOWN, tool_of_client


@every_row(
    ("client_name", "tool"),
    [
        ("qwen-cli-mcp-client-opencodememory", "qwen-code"),
        ("gemini-cli-mcp-client-opencodememory", "gemini-cli"),
        ("opencode", "opencode"),
        ("opencode-opencodememory", "opencode"),
        ("OpenCode (OpenCodeMemory)", "opencode"),
        ("cursor-vscode", "cursor"),
        ("claude-code for vscode", "claude-code"),
        ("Cline for Claude", "cline"),
        ("codex-mcp-client", "codex"),
        ("some-agent-opencodememory", "some-agent"),
        ("some_agent/opencodememory", "some-agent"),
        ("opencodememory", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_a_client_is_what_its_name_begins_with(client_name: str, tool: str) -> None:
    assert tool_of_client(client_name) == tool
