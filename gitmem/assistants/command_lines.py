"""How each assistant is started to go on with a conversation, or with a prompt.

As the `--help` of Claude Code 2.1.197 and 2.1.330, Codex 0.169.0, OpenCode 1.18.33,
Gemini CLI 0.61.0 and Copilot CLI 1.0.102 says, and Cursor's documents.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gitmem.text.patterns import pattern

_UUID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A program and its arguments; no shell takes part in it."""

    resume: tuple[str, ...]
    """With `{id}` in the place of the conversation's id."""
    prompt: tuple[str, ...]
    """What stands in front of the prompt of a new conversation."""
    client_id: re.Pattern[str] = _UUID
    """What its ids look like: never an option, nor anything that a shell acts upon."""

    def resuming(self, client_session_id: str) -> tuple[str, ...] | None:
        """The command that goes on; None for what is no id of this assistant."""
        if not self.client_id.fullmatch(client_session_id):
            return None
        return tuple(part.replace("{id}", client_session_id) for part in self.resume)


COMMAND_LINES: Mapping[str, CommandLine] = {
    "claude-code": CommandLine(("claude", "--resume", "{id}"), ("claude",)),
    "codex": CommandLine(("codex", "resume", "{id}"), ("codex",)),
    "opencode": CommandLine(
        ("opencode", "--session", "{id}"),
        ("opencode", "--prompt"),
        re.compile(r"ses_[0-9A-Za-z]{1,100}"),
    ),
    "gemini-cli": CommandLine(
        ("gemini", "--resume", "{id}"), ("gemini", "--prompt-interactive")
    ),
    "copilot": CommandLine(("copilot", "--resume={id}"), ("copilot", "--interactive")),
    "cursor": CommandLine(("cursor-agent", "--resume", "{id}"), ("cursor-agent",)),
}
"""By the names in `known.ASSISTANTS`; others have no command line that we know."""
