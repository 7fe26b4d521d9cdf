"""Findings: what `ocm doctor` has to say, one thing each."""

from dataclasses import dataclass
from enum import StrEnum

INIT = "Run `ocm init`."
"""The way to mend what `ocm init` puts there."""
FIX = "Run `ocm doctor --fix`."
"""The way to mend what needs nobody to decide anything."""


class Grade(StrEnum):
    OK = "ok"
    NOTE = "note"  # good to know; nothing has to be done
    WARNING = "warning"  # works in part, not yet, or not as one would think
    PROBLEM = "problem"  # does not work


class Group(StrEnum):
    INSTALLATION = "Installation"
    MEMORY = "Memory"
    SHARING = "Sharing"
    ASSISTANTS = "Assistants"
    GIT_HOOKS = "Git hooks"
    LOG = "Log"


class Code(StrEnum):
    """What was checked: a promise to scripts (docs/troubleshooting.md)."""

    VERSIONS = "versions"
    PATH = "path"
    ENVIRONMENT = "environment"
    LAUNCHER = "launcher"
    LAUNCHER_PYTHON = "launcher-python"

    REPOSITORY = "repository"
    OWNER = "owner"
    MEMORY = "memory"
    CONVERSATIONS = "conversations"
    OBJECTS = "objects"
    OVERSIZED = "oversized"
    PLACE = "place"
    LOCK = "lock"
    PERMISSIONS = "permissions"
    OWN_FILE = "own-file"
    VANISHED = "vanished"
    JOURNAL = "journal"
    INDEX = "index"
    REGISTRY = "registry"
    COPIES = "copies"
    STALE_COPY = "stale-copy"
    SETTING = "setting"

    SHARING = "sharing"
    FETCH = "fetch"
    PUSH = "push"
    SYNC = "sync"
    UNSENT = "unsent"
    STRANGER = "stranger"
    HELD_BACK = "held-back"

    REACH = "reach"
    ASSISTANT = "assistant"
    MCP_ENTRY = "mcp-entry"
    HOOK_ENTRIES = "hook-entries"
    RULES = "rules"
    SETTINGS_FILE = "settings-file"
    HOOKS_ALLOWED = "hooks-allowed"
    FOLDER_TRUST = "folder-trust"
    MCP_APPROVAL = "mcp-approval"
    TOOLS_ALLOWED = "tools-allowed"
    HEARD = "heard"

    GIT_HOOK = "git-hook"
    LOG = "log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    code: Code
    what: str
    """What is seen, on one line; parts of it may come from anywhere."""
    grade: Grade = Grade.OK
    about: str = ""
    """Which of several: the name of an assistant, a hook, or a setting."""
    where: str = ""
    """A path, where that says more."""
    mend: str = ""
    """What the user can do about it; the lines of it may be there to be copied."""
    is_mendable: bool = False
    """Whether `ocm doctor --fix` mends it."""
