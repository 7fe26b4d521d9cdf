"""The table of assistants, and which of them a client, a user or a hook means."""

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from gitmem.assistants.antigravity import ANTIGRAVITY
from gitmem.assistants.assistant import (
    SERVER,
    Assistant,
    HookClient,
    Hooks,
    Server,
    Target,
    load,
)
from gitmem.assistants.claude_code import CLAUDE_CODE
from gitmem.assistants.claude_code.hooks import hooks_of_another
from gitmem.assistants.codex import CODEX
from gitmem.assistants.copilot import COPILOT
from gitmem.assistants.cursor import CURSOR
from gitmem.assistants.gemini import GEMINI
from gitmem.assistants.opencode import OPENCODE
from gitmem.assistants.payload import text
from gitmem.assistants.targets import skills_in
from gitmem.assistants.vscode import VSCODE
from gitmem.assistants.windsurf import WINDSURF
from gitmem.documents.names import clean_client_id, clean_tool
from gitmem.errors import InvalidInput

if TYPE_CHECKING:
    from gitmem.assistants.transcripts import TranscriptReader

UNKNOWN = "assistant"
"""The tool for a client without a name."""
PERSON = "cli"
"""The tool of a person without an assistant."""


# Command lines are those of `--help` of Codex 0.169.0, OpenCode 1.18.33, Gemini CLI
# 0.61.0.
ASSISTANTS: tuple[Assistant, ...] = (
    CLAUDE_CODE,
    CURSOR,
    CODEX,
    OPENCODE,
    GEMINI,
    COPILOT,
    WINDSURF,
    ANTIGRAVITY,
    Assistant("aider", r"\baider\b", ("aider",), reader="aider:AIDER"),
    Assistant("cline", r"\bcline\b", ("cline",)),
    Assistant("roo-code", r"\broo\b", ("roo code", "roo-code", "roo")),
    Assistant("kilo-code", r"\bkilo\b", ("kilo code", "kilo-code", "kilocode")),
    Assistant("continue", r"^continue\b", ("continue.dev", "continue")),
    Assistant("zed", r"^zed\b", ("zed",)),
    Assistant("amp", r"^amp\b", ("amp", "ampcode")),
    Assistant("kiro", r"\bkiro\b", ("kiro",)),
    Assistant("junie", r"junie|jetbrains", ("junie", "jetbrains junie", "jetbrains")),
    Assistant("devin", r"\bdevin\b", ("devin",)),
    Assistant("goose", r"\bgoose\b", ("goose",)),
    Assistant("qwen-code", r"\bqwen\b", ("qwen code", "qwen-code")),
    Assistant("augment", r"^augment\b", ("augment code", "augment")),
    Assistant("cody", r"\bcody\b", ("cody", "sourcegraph cody")),
    Assistant("trae", r"\btrae\b", ("trae",)),
    Assistant("warp", r"^warp\b", ("warp",)),
    Assistant("droid", r"\bdroid\b", ("factory droid", "droid")),
    Assistant("crush", r"^crush\b", ("crush",)),
    Assistant("amazon-q", r"amazon.?q\b", ("amazon q", "amazon-q", "q developer")),
    VSCODE,
)

CONFIGURED = tuple(assistant for assistant in ASSISTANTS if assistant.targets)
NICKNAMES: Mapping[str, str] = {
    word: assistant.name for assistant in ASSISTANTS for word in assistant.nicknames
}
_BY_NAME = {assistant.name: assistant for assistant in ASSISTANTS}
_ANY = Assistant(UNKNOWN, "", ())
_CLAUDE_CODE = "CLAUDECODE"
"""The variable that says that Claude Code runs a command."""
_SERVER_NAME = re.compile(rf"[\W_]*{SERVER}", re.IGNORECASE)


def targets_of(assistants: Iterable[Assistant]) -> list[Target]:
    """Return the files that configure them; one that they share is there once."""
    targets = chain(*((*x.targets, *skills_in(x.skills)) for x in assistants))
    return list({target.path: target for target in targets}.values())


SETTINGS = frozenset(
    {
        path
        for target in targets_of(CONFIGURED)
        if isinstance(target.content, Hooks | Server)
        for path in (target.path, target.local)
    }
    | {"opencode.jsonc"}
)
"""Settings in a work tree, which the assistants themselves write as well."""


def hook_files_of(name: str) -> list[Target]:
    """Return the files in which an assistant has hooks of its own."""
    targets = _BY_NAME.get(name, _ANY).targets
    return [target for target in targets if isinstance(target.content, Hooks)]


def assistant_named(name: str) -> Assistant | None:
    return _BY_NAME.get(name)


def reader_of(tool: str) -> "TranscriptReader | None":
    """Return what reads the transcripts of an assistant."""
    reader = _BY_NAME.get(tool, _ANY).reader
    return load(reader) if reader else None


def tool_of_client(client_name: str) -> str:
    """Return the tool for the name an MCP client gave at `initialize`.

    Some clients append the name of the server. Of several assistants that a name holds,
    the first one is meant.
    """
    name = _SERVER_NAME.sub("", client_name)
    positions = {
        assistant.name: match.start()
        for assistant in ASSISTANTS
        if (match := re.search(assistant.client_pattern, name, re.IGNORECASE))
    }
    if positions:
        return min(positions, key=positions.__getitem__)
    try:
        return clean_tool(name)
    except InvalidInput:
        return UNKNOWN


def tool_named(text: str) -> str:
    """Return the tool for a name or nickname. Raises InvalidInput for no name."""
    return NICKNAMES.get(text.strip().lower()) or clean_tool(text)


def conversation_in_environment(tool: str, variables: Mapping[str, str]) -> str | None:
    """Return the id of the conversation from the assistant's variables, if set."""
    variable_names = _BY_NAME.get(tool, _ANY).session_variables
    values = (variables.get(name) for name in variable_names)
    return next(map(clean_client_id, filter(None, values)), None)


def without_conversations(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables without those that name a conversation."""
    names = {name for assistant in ASSISTANTS for name in assistant.session_variables}
    names.add(_CLAUDE_CODE)
    return {name: value for name, value in variables.items() if name not in names}


def reads_ignored(tool: str) -> bool:
    """Tell whether this assistant reads files that git ignores."""
    return _BY_NAME.get(tool, _ANY).reads_ignored


def conversation_in_meta(meta: Mapping[str, Any]) -> str | None:
    """Return the id of the conversation from the `_meta` of a tool call, if there."""
    values = chain(*(assistant.ids_in_meta(meta) for assistant in ASSISTANTS))
    ids = (value for value in values if isinstance(value, str) and value)
    return next(map(clean_client_id, ids), None)


def calling_client(
    file_owner: str, payload: Mapping[str, Any], variables: Mapping[str, str]
) -> HookClient:
    """Return the assistant that ran a hook of the settings file of `named`.

    Some run the hooks of another's file, and assistants inside of one another inherit
    variables. So the payload counts first; for Claude Code's file then a variable with
    the id of this conversation, then one that is merely set. Raises InvalidInput for
    the name of an assistant whose hooks are not read.
    """
    owner = _BY_NAME.get(file_owner, _ANY)
    if owner.hooks is None:
        raise InvalidInput(f"{file_owner!r} is no assistant whose hooks are read.")
    # Variables lie: a terminal inside of one assistant may run another.
    caller = _by_payload(payload)
    if caller is None and owner is CLAUDE_CODE:
        caller = _by_variables(payload, variables)
    if caller is None:
        return owner.hooks
    return caller.hooks or hooks_of_another(caller.name)


def _by_payload(payload: Mapping[str, Any]) -> Assistant | None:
    transcript = str(payload.get("transcript_path"))
    for assistant in ASSISTANTS:
        if hooks := assistant.hooks:
            is_its_file = hooks.transcripts and hooks.transcripts in transcript
            if is_its_file or not payload.keys().isdisjoint(hooks.marks):
                return assistant
    return None


def _by_variables(
    payload: Mapping[str, Any], variables: Mapping[str, str]
) -> Assistant | None:
    conversation = text(payload, "session_id", "")
    for assistant in ASSISTANTS:
        values = {variables.get(name, "") for name in assistant.session_variables}
        if conversation in values - {""}:
            return assistant
    for assistant in ASSISTANTS[::-1]:  # a terminal of Cursor may run Copilot
        if assistant.hooks and variables.get(assistant.hooks.variable):
            return assistant
    return None


def running_tool(variables: Mapping[str, str]) -> str:
    """The assistant that runs us, as far as the environment tells."""
    running = (
        assistant.name
        for assistant in ASSISTANTS
        if conversation_in_environment(assistant.name, variables)
    )
    return next(running, "claude-code" if variables.get(_CLAUDE_CODE) else PERSON)
