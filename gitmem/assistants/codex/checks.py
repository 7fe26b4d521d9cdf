"""Checks whether Codex runs the hooks and the server that are configured.

In version 0.169.0 it reads the `.codex` of a trusted folder alone, and of its hooks it
runs those that the user trusted as they stand: its settings keep a digest of each.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import LAUNCHER, SERVER, Check, Checked, trust
from gitmem.assistants.codex.hooks import CONFIG, HOME
from gitmem.assistants.targets import members
from gitmem.text.counting import counted

_REVIEW = (
    "Type `/hooks` in `codex`, and trust them. `codex exec` asks nothing, and leaves"
    " out what is not trusted."
)


def checks(checked: Checked) -> Iterator[Check]:
    home = HOME(checked.user_home, checked.variables)
    file = CONFIG(checked.user_home, checked.variables)
    try:
        settings = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        settings = {}
    except (OSError, ValueError) as error:
        what = f"takes nothing from {file.name}: {error}"
        yield Check("warning", "settings-file", what, "Mend it.", str(file))
        return
    roots = {root for root in (checked.root, checked.main_root) if root}
    if roots:
        projects = [members(settings, "projects", str(root)) for root in roots]
        is_trusted = any(each.get("trust_level") == "trusted" for each in projects)
        so = ", so it reads nothing of its .codex"
        yield trust("codex", so, file, is_given=is_trusted or checked.is_heard)
    yield from _hooks([home, *(root / ".codex" for root in roots)], settings, file)
    server = members(settings, "mcp_servers", SERVER)
    if server.get("enabled") is False:
        what = f"does not start the MCP server {SERVER}: it is turned off"
        yield Check("problem", "mcp-approval", what, "Take out `enabled`.", str(file))


def _hooks(
    folders: list[Path], settings: Mapping[str, Any], file: Path
) -> Iterator[Check]:
    """Check the trust in our hooks, and whether hooks are on."""
    ours = [hook for folder in folders for hook in _ours(folder / "hooks.json")]
    if members(settings, "features").get("hooks") is False:
        what = "runs no hooks: `hooks` is off in [features]"
        yield Check("problem", "hooks-allowed", what, "Take it out.", str(file))
        return
    running = [each for each in ours if _is_running(settings, *each)]
    if ours and len(running) == len(ours):
        yield Check("ok", "hooks-allowed", "trusts our hooks")
    elif ours:
        many = counted(len(ours), "hook")
        what = f"runs {len(running)} of our {many}: the others are not trusted as"
        what += " they are now"
        yield Check("warning", "hooks-allowed", what, _REVIEW, str(file))


def _is_running(settings: Mapping[str, Any], key: str, digest: str) -> bool:
    state = members(settings, "hooks", "state", key)
    return state.get("trusted_hash") == digest and state.get("enabled") is not False


def _ours(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the names and digests of our hooks in a file, as Codex makes them."""
    with suppress(OSError, ValueError, RecursionError, TypeError, AttributeError):
        for event, groups in json.loads(file.read_text("utf-8"))["hooks"].items():
            name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
            for at, group in enumerate(groups):
                for index, hook in enumerate(group["hooks"]):
                    if LAUNCHER in hook.get("command", ""):
                        key = f"{file}:{name}:{at}:{index}"
                        yield key, _digest(name, group, hook)


def _digest(event: str, group: Mapping[str, Any], hook: Mapping[str, Any]) -> str:
    hooks = [{"async": False, "timeout": 600, **hook}]
    identity = {**group, "event_name": event, "hooks": hooks}
    text = json.dumps(
        identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
