"""Where assistants keep what is the user's own, whatever folder they are started in."""

from collections.abc import Mapping
from pathlib import Path


def claude_code_settings(user_home: Path, variables: Mapping[str, str]) -> Path:
    return _claude_code_folder(user_home, variables) / "settings.json"


def claude_code_memory(user_home: Path, variables: Mapping[str, str]) -> Path:
    """The file in which Claude Code remembers projects, and has the user's servers."""
    older = _claude_code_folder(user_home, variables) / ".config.json"
    if older.exists():
        return older
    return Path(variables.get("CLAUDE_CONFIG_DIR") or user_home) / ".claude.json"


def cursor_hooks(user_home: Path, _: Mapping[str, str]) -> Path:
    return user_home / ".cursor" / "hooks.json"


def _claude_code_folder(user_home: Path, variables: Mapping[str, str]) -> Path:
    return Path(variables.get("CLAUDE_CONFIG_DIR") or user_home / ".claude")
