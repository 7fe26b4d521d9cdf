"""What clients read of ours as it is packaged: commands, and Claude Code's plugin."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

import gitmem
from gitmem.assistants.assistant import SERVER, Hooks, Server
from gitmem.assistants.claude_code import CLAUDE_CODE
from gitmem.assistants.targets import SKILLS
from gitmem.resources import resource

TOP = Path(__file__).parents[2]
MANIFESTS = TOP / ".claude-plugin"


def manifest(name: str) -> Any:
    return json.loads((MANIFESTS / name).read_text())


def test_commands_are_skills_that_clients_accept() -> None:
    folders = resource("rules/skills")
    assert {path.name for path in folders.iterdir()} == set(SKILLS)
    for name in SKILLS:
        start, head, text = (folders / name / "SKILL.md").read_text().split("---\n")
        said = yaml.safe_load(head)
        assert start == ""
        assert said.pop("name") == name
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert said.pop("disable-model-invocation") is True
        assert said.pop("argument-hint")
        assert len(said.pop("description").split()) <= 8  # some show it to the model
        assert not said
        assert re.search(r"`ocm__\w+`.*`ocm \w+` in a shell", text.replace("\n", " "))
        assert len(text.split()) <= 100


def test_commands_leave_arguments_to_the_client() -> None:
    """Clients append what the user typed; a place for it stays empty in some."""
    for name in SKILLS:
        assert "$" not in resource(f"rules/skills/{name}/SKILL.md").read_text()


def test_the_plugin_has_what_its_manifest_names() -> None:
    plugin = manifest("plugin.json")
    assert plugin["version"] == gitmem.__version__
    assert (TOP / plugin["skills"]).resolve() == (TOP / "rules/skills").resolve()
    hooks = [x.content for x in CLAUDE_CODE.targets if isinstance(x.content, Hooks)]
    assert [str(Path(plugin["hooks"]))] == [each.template for each in hooks]
    assert "hooks" in json.loads((TOP / plugin["hooks"]).read_text())


def test_the_plugin_starts_the_server_as_a_work_tree_does() -> None:
    """Claude Code leaves out a plugin's server that is configured as well."""
    contents = (each.content for each in CLAUDE_CODE.targets)
    (server,) = [each for each in contents if isinstance(each, Server)]
    assert manifest("plugin.json")["mcpServers"] == {SERVER: server.entry}


def test_hooks_know_the_tools_of_the_plugin() -> None:
    name = manifest("plugin.json")["name"]
    hooks = json.loads(resource("hooks/claude-code/settings.json").read_text())["hooks"]
    matched = hooks["PreToolUse"][0]["matcher"].split("|")
    assert f"mcp__plugin_{name}_{SERVER}__ocm__checkpoint" in matched


def test_the_marketplace_lists_the_plugin() -> None:
    plugin, (listed,) = manifest("plugin.json"), manifest("marketplace.json")["plugins"]
    assert (listed["name"], listed["version"]) == (plugin["name"], plugin["version"])
    assert (TOP / listed["source"] / ".claude-plugin/plugin.json").is_file()
