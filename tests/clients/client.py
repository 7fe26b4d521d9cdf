"""The clients that are played: how each is furnished, started, and made to work."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from clients.scripted_model import Answer, call

from gitmem.assistants.assistant import SERVER, TOOLS

KEY = "dummy-key-000000000000"
THEIRS = "Agent Bash Edit Write TaskCreate TaskUpdate"
"""Tools of Claude Code that run without a question; none of them is ours."""
ALLOWED = " ".join((THEIRS, *(f"mcp__{SERVER}__{tool}" for tool in TOOLS)))


class Client(NamedTuple):
    name: str
    """Of its program, and of its folder among the clients."""
    assistant: str
    """Its name in `ocm init --assistant`."""
    prompted: tuple[str, ...]
    """Arguments for one `{prompt}` without a terminal; lines of JSON are printed."""
    resumed: tuple[str, ...]
    """The same in the conversation `{id}`."""
    settings: Callable[[str, Path], Mapping[str, str]]
    """Files of a home where all questions are answered, by the model's address and
    the project."""
    variables: Callable[[str], Mapping[str, str]]
    """By the model's address."""
    read: Callable[[str], Answer]
    """By path."""
    write: Callable[[str, str], Answer]
    """A new file, by path and text."""
    edit: Callable[[str, str, str], tuple[Answer, ...]]
    """By path, a text in the file, and the one in its place."""
    shell: Callable[[str], Answer]


def claude(allowed: str = ALLOWED) -> Client:
    """Claude Code, with the tools that it runs without a question."""
    streamed = ("--output-format", "stream-json", "--verbose", "--include-hook-events")
    prompted = ("-p", "{prompt}", "--allowedTools", allowed, *streamed)
    answered = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
    }
    return Client(
        "claude",
        "claude-code",
        prompted=prompted,
        resumed=(*prompted, "--resume", "{id}"),
        settings=lambda *_: {".claude.json": json.dumps(answered)},
        variables=lambda address: {
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": address,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "MCP_TIMEOUT": "120000",  # 30 s are too few for a start under load
            "IS_SANDBOX": "1",  # root may allow tools only in one
        },
        read=lambda path: call("Read", file_path=path),
        write=lambda path, text: call("Write", file_path=path, content=text),
        edit=lambda path, old, new: (
            call("Read", file_path=path),
            call("Edit", file_path=path, old_string=old, new_string=new),
        ),
        shell=lambda command: call("Bash", command=command),
    )


_CODEX = ("--json", "--dangerously-bypass-hook-trust")
_CODEX_SETTINGS = """model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[analytics]
enabled = false
[projects."{project}"]
trust_level = "trusted"
"""


def _patch(*lines: str) -> Answer:
    patch = "\n".join(("*** Begin Patch", *lines, "*** End Patch"))
    return call("apply_patch", patch=f"{patch}\n")


CODEX = Client(
    "codex",
    "codex",
    prompted=("exec", *_CODEX, "{prompt}"),
    resumed=("exec", "resume", *_CODEX, "{id}", "{prompt}"),
    settings=lambda address, project: {
        ".codex/config.toml": _CODEX_SETTINGS.format(address=address, project=project)
    },
    variables=lambda _: {"SCRIPTED_KEY": KEY},
    read=lambda path: call("exec_command", cmd=f"sed -n 1,200p {path}"),
    write=lambda path, text: _patch(f"*** Add File: {path}", f"+{text.rstrip()}"),
    edit=lambda path, old, new: (
        _patch(f"*** Update File: {path}", "@@", f"-{old}", f"+{new}"),
    ),
    shell=lambda command: call("exec_command", cmd=command),
)


def _opencode_settings(address: str, _: Path) -> Mapping[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{address}/v1", "apiKey": KEY},
        "models": {"scripted": {"limit": {"context": 200_000, "output": 8_000}}},
    }
    model = {"model": "scripted/scripted", "provider": {"scripted": provider}}
    settings = model | {"autoupdate": False, "share": "disabled"}
    return {".config/opencode/opencode.json": json.dumps(settings)}


_OPENCODE = ("run", "--format", "json")
OPENCODE = Client(
    "opencode",
    "opencode",
    prompted=(*_OPENCODE, "{prompt}"),
    resumed=(*_OPENCODE, "--session", "{id}", "{prompt}"),
    settings=_opencode_settings,
    variables=lambda _: {"OPENCODE_DISABLE_MODELS_FETCH": "1"},
    read=lambda path: call("read", filePath=path),
    write=lambda path, text: call("write", filePath=path, content=text),
    edit=lambda path, old, new: (
        call("read", filePath=path),
        call("edit", filePath=path, oldString=old, newString=new),
    ),
    shell=lambda command: call("bash", command=command),
)

_GEMINI = ("--approval-mode", "yolo", "-o", "stream-json", "-p", "{prompt}")
_GEMINI_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "privacy": {"usageStatisticsEnabled": False},
}
GEMINI = Client(
    "gemini",
    "gemini-cli",
    prompted=("-m", "gemini-2.5-pro", *_GEMINI),
    resumed=("-m", "gemini-2.5-pro", *_GEMINI, "--resume", "{id}"),
    settings=lambda _, project: {
        ".gemini/settings.json": json.dumps(_GEMINI_SETTINGS),
        ".gemini/trustedFolders.json": json.dumps({str(project): "TRUST_FOLDER"}),
    },
    variables=lambda address: {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": address,
        "GEMINI_CLI_NO_RELAUNCH": "true",
    },
    read=lambda path: call("read_file", file_path=path),
    write=lambda path, text: call("write_file", file_path=path, content=text),
    edit=lambda path, old, new: (
        call("replace", file_path=path, instruction="", old_string=old, new_string=new),
    ),
    shell=lambda command: call("run_shell_command", command=command),
)

_COPILOT = ("-p", "{prompt}", "--output-format", "json", "--allow-all-tools")
COPILOT = Client(
    "copilot",
    "copilot",
    prompted=_COPILOT,
    resumed=(*_COPILOT, "--resume={id}"),
    settings=lambda _, project: {
        ".copilot/config.json": json.dumps({"trustedFolders": [str(project)]})
    },
    variables=lambda address: {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{address}/v1",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": "scripted",
    },
    read=lambda path: call("view", path=path),
    write=lambda path, text: call("create", path=path, file_text=text),
    edit=lambda path, old, new: (call("edit", path=path, old_str=old, new_str=new),),
    shell=lambda command: call("bash", command=command, description="in the shell"),
)

CLIENTS = (claude(), CODEX, OPENCODE, GEMINI, COPILOT)
