"""Checks whether settings of Gemini CLI stop the hooks or the server.

After the source of version 0.61.0. What a project sets replaces what the user sets.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import SERVER, Check, Checked
from gitmem.assistants.gemini.hooks import OWN_FOLDER
from gitmem.assistants.targets import items, members, read_object


def checks(checked: Checked) -> Iterator[Check]:
    place = checked.root, checked.user_home, checked.variables
    hooks = _setting("hooksConfig", *place)
    if hooks.get("enabled") is False or SERVER in items(hooks, "disabled"):
        what = "runs none of our hooks, as hooksConfig says"
        mend = "Run `/hooks enable-all` in it."
        yield Check("problem", "hooks-allowed", what, mend)
    if is_server_off(*place):
        what = f"does not start the MCP server {SERVER}, as its settings say"
        mend = f"Run `/mcp enable {SERVER}` in it, or name it in `mcp.allowed`."
        yield Check("warning", "mcp-approval", what, mend)


def is_server_off(
    root: Path | None, user_home: Path, variables: Mapping[str, str]
) -> bool:
    """Tell whether settings keep our server from starting."""
    switches = OWN_FOLDER(user_home, variables) / "mcp-server-enablement.json"
    mcp = _setting("mcp", root, user_home, variables)
    return (
        members(read_object(switches), SERVER).get("enabled") is False
        or SERVER in items(mcp, "excluded")
        or ("allowed" in mcp and SERVER not in items(mcp, "allowed"))
    )


def _setting(
    section: str, root: Path | None, user_home: Path, variables: Mapping[str, str]
) -> Mapping[str, Any]:
    """Return a section of the settings, of user and project together."""
    folders = OWN_FOLDER(user_home, variables), *([root / ".gemini"] if root else [])
    files = [members(read_object(each / "settings.json"), section) for each in folders]
    return {key: value for each in files for key, value in each.items()}
