"""The openCodeMemory of ocm-session-memory 0.2.0, as its `ocm init` sets it up."""

import json
from pathlib import Path

import pytest
from support.installing import installed, outcomes, put, result_for
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.installing.earlier import removal, without_earlier
from gitmem.actions.installing.plan import StepOutcome, carry_out

RULES = (
    "<!-- BEGIN openCodeMemory -->\n<!-- BEGIN openCodeMemory -->\n## openCodeMemory\n"
    "Call it.\n<!-- END openCodeMemory -->\n<!-- END openCodeMemory -->\n"
)
ECHO = (
    'SESSION_ID="${CLAUDE_SESSION_ID:-}"; echo "{\\"additionalContext\\":'
    ' \\"openCodeMemory session_id: ${SESSION_ID}.\\"}"'
)
COMMANDS = {
    "SessionStart": "ocm-hook session-start --tool claude-code",
    "UserPromptSubmit": ECHO,
    "PreToolUse": "ocm-hook pre-tool-use --threshold 5",
    "PostToolUse": "ocm-hook post-tool-use --tool claude-code --threshold 5",
    "Stop": "ocm-hook session-end --tool claude-code",
}
MINE = {"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}
URL = {"type": "http", "url": "http://127.0.0.1:37575/mcp"}


def hooks(*more: object) -> dict[str, object]:
    return {
        event: [
            {"matcher": "", "hooks": [{"type": "command", "command": command}]},
            *more,
        ]
        for event, command in COMMANDS.items()
    }


@pytest.fixture
def set_up(repository: Path) -> Path:
    home = Path.home()
    for folder, rules in ((repository, "CLAUDE.md"), (home, ".claude/CLAUDE.md")):
        settings = {"hooks": hooks(MINE), "model": "x"}
        put(folder / ".claude/settings.json", json.dumps(settings).encode())
        put(folder / rules, f"# Mine\n\n{RULES}".encode())
        servers = {"mcpServers": {"opencodememory": URL, "other": URL}}
        put(folder / ".cursor/mcp.json", json.dumps(servers).encode())
    put(repository / ".mcp.json", b'{"mcpServers": {"opencodememory": {"url": "x"}}}')
    put(repository / ".cursorrules", RULES.encode())
    rule = b"---\nalwaysApply: true\nocm-version: 0.1.0\n---\n\n## openCodeMemory\n"
    put(repository / ".cursor/rules/ocm-checkpoint.mdc", rule)
    return repository


def test_its_parts_are_named_and_go(set_up: Path) -> None:
    workspace = workspace_at(set_up)
    steps = removal(workspace)
    assert [step.state for step in steps] == [
        *("server in .mcp.json", "hooks in .claude/settings.json"),
        *("server in .cursor/mcp.json", "rules in CLAUDE.md", "rules in .cursorrules"),
        "rules in .cursor/rules/ocm-checkpoint.mdc",
        *("hooks in ~/.claude/settings.json", "rules in ~/.claude/CLAUDE.md"),
        "server in ~/.cursor/mcp.json",
    ]
    assert outcomes(list(carry_out(steps))) == {StepOutcome.DONE}
    assert removal(workspace) == []
    for folder, rules in ((set_up, "CLAUDE.md"), (Path.home(), ".claude/CLAUDE.md")):
        settings = json.loads((folder / ".claude/settings.json").read_text())
        assert settings == {"hooks": {name: [MINE] for name in COMMANDS}, "model": "x"}
        servers = json.loads((folder / ".cursor/mcp.json").read_text())
        assert servers == {"mcpServers": {"other": URL}}
        assert (folder / rules).read_text() == "# Mine\n\n"
    for path in (".mcp.json", ".cursorrules", ".cursor/rules/ocm-checkpoint.mdc"):
        assert not (set_up / path).exists()


def test_its_server_stands_in_the_way_until_it_is_gone(set_up: Path) -> None:
    workspace, words = workspace_at(set_up), ".mcp.json says"
    assert (
        result_for(
            installed(workspace), f"Claude Code starts the MCP server as {words}"
        ).outcome
        is StepOutcome.SKIPPED
    )
    list(carry_out(removal(workspace)))
    assert outcomes(installed(workspace)) <= {StepOutcome.DONE, StepOutcome.ALREADY}


@every_row(
    ("name", "text"),
    [
        ("CLAUDE.md", "<!-- BEGIN openCodeMemory -->\nnever ends\n"),
        ("CLAUDE.md", "<!-- END openCodeMemory -->\n"),
        ("CLAUDE.md", "<!-- ocm:begin -->\nours\n<!-- ocm:end -->\n"),
        (".mcp.json", '{"mcpServers": {"opencodememory": {"command": "ocm"}}}'),
        (".mcp.json", '{"mcpServers": {"other": {"url": "x"}}}'),
        (".mcp.json", '{"mcpServers": '),
        ("settings.json", '{"hooks": {"Stop": [{"hooks": []}]}}'),
        ("settings.json", '{"hooks": {"Stop": "ocm-hook session-end"}}'),
        (".claude.json", '{"mcpServers": {"a": {"opencodememory": {"url": "x"}}}}'),
        ("x.mdc", "---\nalwaysApply: true\n---\nocm-version: no\n"),
    ],
)
def test_what_is_not_its_own_stays(name: str, text: str) -> None:
    assert without_earlier(name, text) == text
