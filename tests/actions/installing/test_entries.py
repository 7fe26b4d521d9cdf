"""Entries in the forms of files that assistants have."""

import json

import pytest

from gitmem.actions.installing.entries import cleaned, entries_of, has_ours
from gitmem.assistants.assistant import SERVER, Rules, Server, Target
from gitmem.errors import InvalidInput, NoPermission
from gitmem.text.insertion import inserted

KEYS = ("mcp_servers", SERVER)
TABLE = Target(
    path=".codex/config.toml",
    state="{path}",
    content=Server({"command": "sh", "args": ["-c", "ocm/run serve"]}, KEYS),
)
MINE = 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n'


def added(target: Target, text: str) -> str:
    return inserted(text, entries_of(target).added_to(text))


def test_a_server_is_a_table_at_the_end_of_a_toml_file() -> None:
    text = added(TABLE, MINE)
    assert text.startswith(MINE)
    assert '\n[mcp_servers.opencodememory]\ncommand = "sh"\n' in text
    assert entries_of(TABLE).are_in(text)
    assert has_ours(TABLE.path, text)
    assert cleaned(TABLE.path, text) == MINE


def test_a_server_is_known_after_its_program_rewrote_the_file() -> None:
    """Codex puts what the user agrees to before the last comment of the file."""
    text = added(TABLE, MINE + "# the end\n")
    grown = text + '[mcp_servers.opencodememory.tools.x]\napproval_mode = "approve"\n'
    grown += '\n[projects."/p"]\ntrust_level = "trusted"\n'
    assert entries_of(TABLE).are_in(grown)
    assert not entries_of(TABLE).are_in(grown.replace("serve", "serves"))
    left = '\n[projects."/p"]\ntrust_level = "trusted"\n'
    assert cleaned(TABLE.path, grown) == MINE + "# the end\n" + left
    lines = 'args = [\n  "-c",\n  "ocm/run serve",\n]\n'
    spread = text.replace('args = ["-c", "ocm/run serve"]\n', lines)
    assert entries_of(TABLE).are_in(spread)
    assert cleaned(TABLE.path, spread) == MINE + "# the end\n"


def test_a_server_of_the_user_stays() -> None:
    with pytest.raises(NoPermission, match="has a server opencodememory already"):
        added(TABLE, '[mcp_servers.opencodememory]\ncommand = "mine"\n')


@pytest.mark.parametrize("text", ["[", "mcp_servers = 1\n"])
def test_toml_that_cannot_have_a_table_stays(text: str) -> None:
    with pytest.raises(InvalidInput, match="this is no TOML"):
        added(TABLE, text)


def test_a_server_whose_command_is_a_list_is_ours() -> None:
    entry = {"type": "local", "command": ["sh", "-c", "exec .git/ocm/run serve"]}
    text = json.dumps({"mcp": {"x": {"command": ["x"]}, SERVER: entry}})
    assert json.loads(cleaned("opencode.json", text)) == {
        "mcp": {"x": {"command": ["x"]}}
    }


def test_a_hook_is_ours_wherever_its_list_stands() -> None:
    own = {"matcher": "*", "hooks": [{"type": "command", "command": "ocm/run hook x"}]}
    text = json.dumps({"ocm": {"Stop": [own]}, "lint": {"Stop": [{"command": "y"}]}})
    left = json.loads(cleaned("hooks.json", text))
    assert left == {"lint": {"Stop": [{"command": "y"}]}}


def test_a_text_in_a_program_is_between_comments_of_its_own() -> None:
    target = Target(path=".opencode/plugins/ocm.js", state="{path}", content=Rules())
    text = added(target, "")
    assert text.startswith("// ocm:begin")
    assert text.endswith("// ocm:end\n")
    assert cleaned(target.path, text) == ""
