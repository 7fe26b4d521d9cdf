"""Findings: what `ocm doctor` reports."""

from enum import StrEnum
from functools import partial
from typing import Self

from gitmem.frozen import frozen

INIT = "Run `ocm init`."
"""The remedy for what `ocm init` installs."""
FIX = "Run `ocm doctor --fix`."
"""The remedy for what needs no decision."""


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
    """The thing checked: scripts rely on it (docs/troubleshooting.md)."""

    group: Group

    def __new__(cls, value: str, group: Group) -> Self:
        code = str.__new__(cls, value)
        code._value_ = value
        code.group = group
        return code

    VERSIONS = "versions", Group.INSTALLATION
    PATH = "path", Group.INSTALLATION
    LAUNCHER = "launcher", Group.INSTALLATION
    LAUNCHER_PYTHON = "launcher-python", Group.INSTALLATION

    REPOSITORY = "repository", Group.MEMORY
    OWNER = "owner", Group.MEMORY
    MEMORY = "memory", Group.MEMORY
    CONVERSATIONS = "conversations", Group.MEMORY
    OBJECTS = "objects", Group.MEMORY
    PLACE = "place", Group.MEMORY
    LOCK = "lock", Group.MEMORY
    PERMISSIONS = "permissions", Group.MEMORY
    OWN_FILE = "own-file", Group.MEMORY
    VANISHED = "vanished", Group.MEMORY
    JOURNAL = "journal", Group.MEMORY
    INDEX = "index", Group.MEMORY
    REGISTRY = "registry", Group.MEMORY
    COPIES = "copies", Group.MEMORY
    SETTING = "setting", Group.MEMORY

    SHARING = "sharing", Group.SHARING
    FETCH = "fetch", Group.SHARING
    PUSH = "push", Group.SHARING
    SYNC = "sync", Group.SHARING
    UNSENT = "unsent", Group.SHARING
    STRANGER = "stranger", Group.SHARING
    HELD_BACK = "held-back", Group.SHARING

    REACH = "reach", Group.ASSISTANTS
    ASSISTANT = "assistant", Group.ASSISTANTS
    MCP_ENTRY = "mcp-entry", Group.ASSISTANTS
    HOOK_ENTRIES = "hook-entries", Group.ASSISTANTS
    RULES = "rules", Group.ASSISTANTS
    MCP_APPROVAL = "mcp-approval", Group.ASSISTANTS
    HEARD = "heard", Group.ASSISTANTS
    VANISHING = "vanishing", Group.ASSISTANTS
    PASSED_OVER = "passed-over", Group.ASSISTANTS

    GIT_HOOK = "git-hook", Group.GIT_HOOKS
    LOG = "log", Group.LOG


@frozen
class Finding:
    grade: Grade
    code: Code
    message: str
    """One line; parts of it may be hostile text."""
    remedy: str = ""
    """The remedy; lines after the first are there to be copied."""
    about: str = ""
    """The assistant, hook or setting."""
    location: str = ""
    is_repairable: bool = False


ok = partial(Finding, Grade.OK)
note = partial(Finding, Grade.NOTE)
warning = partial(Finding, Grade.WARNING)
problem = partial(Finding, Grade.PROBLEM)
