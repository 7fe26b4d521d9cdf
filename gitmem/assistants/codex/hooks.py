"""What hooks of Codex receive, and what it reads from them.

After records and the schemas of version 0.169.0: Claude Code's events with tools of
its own. An answer with a key that its schema does not name counts for nothing. The
calls of our tools have the conversation's id without a hook.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from gitmem.assistants.claude_code.hooks import (
    Edit,
    blocking,
    hooks_of_another,
    reading,
)
from gitmem.assistants.payload import inner, text
from gitmem.assistants.targets import user_path
from gitmem.git.values import Change
from gitmem.text.patterns import pattern

of_home = partial(user_path, ".codex", "CODEX_HOME")
HOME = of_home()
CONFIG = of_home("config.toml")
_FILE = pattern(r"^\*\*\* (?:(Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
CHANGES = {
    **dict.fromkeys(("add", "create"), Change.CREATED),
    **dict.fromkeys(("update", "edit"), Change.MODIFIED),
    **dict.fromkeys(("delete", "move"), Change.DELETED),
}
"""Names of Codex, Copilot CLI and OpenCode for the change of a file."""


def _edits(payload: Mapping[str, Any]) -> Iterable[Edit]:
    if payload.get("tool_name") != "apply_patch":
        return ()
    return edits_of(text(inner(payload, "tool_input"), "command"))


def edits_of(patch: str) -> Iterator[Edit]:
    """Yield the edits of a patch, which may change several files."""
    updated = ""
    for line in _FILE.finditer(patch):
        word, path = line[1], line[2].strip()
        if word:
            yield path, CHANGES[word.lower()]
            updated = path
        else:
            yield updated, Change.DELETED
            yield path, Change.CREATED


HOOKS = hooks_of_another(
    "codex",
    read=reading(_edits),
    nudge=blocking,
    call=lambda _: "",
    project_variable="",
)
