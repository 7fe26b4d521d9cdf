"""What hooks of Codex receive, and what it reads from them.

After records and the schemas of version 0.169.0: Claude Code's events with tools of
its own. An answer with a key that its schema does not name counts for nothing. The
calls of our tools have the conversation's id without a hook.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gitmem.assistants.assistant import HookEvent, What, load
from gitmem.assistants.claude_code.hooks import (
    Edit,
    blocking,
    hooks_of_another,
    reading,
)
from gitmem.assistants.payload import inner, text
from gitmem.assistants.targets import names_server, of_user

of_home = partial(of_user, ".codex", "CODEX_HOME")
HOME = of_home()
CONFIG = of_home("config.toml")


def _edits(payload: Mapping[str, Any]) -> Iterable[Edit]:
    if payload.get("tool_name") != "apply_patch":
        return ()
    return patched(text(inner(payload, "tool_input"), "command"))


def patched(patch: str) -> list[Edit]:
    """Return the edits of a patch, which may change several files."""
    return [*load("codex.rollouts:edits_of")(patch)]


_seen = reading(_edits)


def _read(payload: Mapping[str, Any]) -> HookEvent | None:
    event = _seen(payload)
    return replace(event, is_late=event.what is What.EDIT) if event else None


HOOKS = hooks_of_another(
    "codex",
    read=_read,
    nudge=blocking,
    call=lambda _: "",
    project_variable="",
    has_tools=lambda root, _, *place: names_server(
        root / ".codex" / "config.toml", CONFIG(*place)
    ),
)
