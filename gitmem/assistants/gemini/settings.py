"""The settings of Gemini CLI: JSON with comments.

After the source of version 0.61.0. What a project sets replaces what the user sets.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import SERVER
from gitmem.assistants.gemini.hooks import OWN_FOLDER
from gitmem.assistants.settings_files import items, members, read_object


def what_stops_server(
    root: Path | None, user_home: Path, variables: Mapping[str, str]
) -> str:
    """Return the setting that keeps our server from starting; "" for none."""
    own = OWN_FOLDER(user_home, variables)
    mcp = setting("mcp", root, own)
    switches = read_object(own / "mcp-server-enablement.json")
    if members(switches, SERVER).get("enabled") is False:
        return "it was disabled with `/mcp disable`"
    if SERVER in items(mcp, "excluded"):
        return "mcp.excluded names it"
    if "allowed" in mcp and SERVER not in items(mcp, "allowed"):
        return "mcp.allowed does not name it"
    return ""


def setting(section: str, root: Path | None, own: Path) -> Mapping[str, Any]:
    """Return a section of the settings, of user and project together."""
    folders = [own, *([root / ".gemini"] if root else [])]
    files = [members(read_object(each / "settings.json"), section) for each in folders]
    return {key: value for each in files for key, value in each.items()}
