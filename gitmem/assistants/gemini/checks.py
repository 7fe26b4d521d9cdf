"""Checks whether Gemini CLI runs the hooks and the server that are configured.

After the source of version 0.61.0. In a folder that the user does not trust it reads
nothing of the project, runs no hook and starts no server. What a project sets replaces
what the user sets.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import SERVER, Check, Checked, trust
from gitmem.assistants.gemini.hooks import OWN_FOLDER
from gitmem.assistants.targets import items, members, read_object


def checks(checked: Checked) -> Iterator[Check]:
    home, variables, root = checked.user_home, checked.variables, checked.root
    own = OWN_FOLDER(home, variables)
    if root is None and not own.exists():
        return
    yield _hooks_allowed(_setting("hooksConfig", root, own))
    if root:
        yield _trust(root, own, checked)
    if by := what_stops_server(root, home, variables):
        what = f"does not start the MCP server {SERVER}: {by}"
        mend = f"Run `/mcp enable {SERVER}` in it, or change that setting."
        yield Check("warning", "mcp-approval", what, mend)
    else:
        yield Check("ok", "mcp-approval", f"may start the MCP server {SERVER}")
    yield _permission(own / "policies" / f"{SERVER}.toml")


def what_stops_server(
    root: Path | None, user_home: Path, variables: Mapping[str, str]
) -> str:
    """Return the setting that keeps our server from starting; "" for none."""
    own = OWN_FOLDER(user_home, variables)
    mcp = _setting("mcp", root, own)
    switches = read_object(own / "mcp-server-enablement.json")
    if members(switches, SERVER).get("enabled") is False:
        return "it was disabled with `/mcp disable`"
    if SERVER in items(mcp, "excluded"):
        return "mcp.excluded names it"
    if "allowed" in mcp and SERVER not in items(mcp, "allowed"):
        return "mcp.allowed does not name it"
    return ""


def _hooks_allowed(settings: Mapping[str, Any]) -> Check:
    code, mend = "hooks-allowed", "Run `/hooks enable-all` in it."
    if settings.get("enabled") is False:
        what = "runs no hooks: hooksConfig.enabled is false"
        return Check("problem", code, what, mend)
    if SERVER in items(settings, "disabled"):
        what = f"runs none of our hooks: hooksConfig.disabled names {SERVER}"
        return Check("problem", code, what, mend)
    return Check("ok", code, "may run hooks, as far as settings say")


def _trust(root: Path, own: Path, checked: Checked) -> Check:
    named = checked.variables.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
    path = Path(named or own / "trustedFolders.json")
    is_on = members(_setting("security", None, own), "folderTrust").get("enabled")
    level = _trust_level(path, root)
    if level == "DO_NOT_TRUST" and is_on is not False:
        what = "does not trust this folder, so it runs no hooks and no server here"
        mend = "Run `/permissions` in it."
        return Check("problem", "folder-trust", what, mend, str(path))
    is_given = bool(level) or is_on is False or checked.is_heard
    so = ", so it runs no hooks and no server here"
    return trust("gemini", so, path, is_given=is_given)


def _trust_level(path: Path, root: Path) -> object:
    """Return what is said of the longest path that holds the root; None if nothing."""
    found = {}
    for named, level in read_object(path).items():
        folder = Path(named).parent if level == "TRUST_PARENT" else named
        if root.resolve().is_relative_to(os.path.realpath(folder)):
            found[named] = level
    return found[max(found, key=len)] if found else None


def _permission(policy: Path) -> Check:
    if policy.is_file():
        return Check("ok", "tools-allowed", "runs gitmem's tools without asking")
    what = "asks before it runs gitmem's tools, and refuses where it cannot ask"
    mend = "Allow them always when it asks, or run `ocm init --user --allow-tools`."
    return Check("note", "tools-allowed", what, mend)


def _setting(section: str, root: Path | None, own: Path) -> Mapping[str, Any]:
    """Return a section of the settings, of user and project together."""
    folders = [own, *([root / ".gemini"] if root else [])]
    files = [members(read_object(each / "settings.json"), section) for each in folders]
    return {key: value for each in files for key, value in each.items()}
