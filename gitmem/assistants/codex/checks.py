"""Checks whether settings of Codex stop the hooks or the server.

It asks and tells its user about the rest: `/hooks`, `/mcp`.
"""

import tomllib
from collections.abc import Iterator

from gitmem.assistants.assistant import SERVER, Check, Checked
from gitmem.assistants.codex.hooks import CONFIG
from gitmem.assistants.targets import members


def checks(checked: Checked) -> Iterator[Check]:
    file = CONFIG(checked.user_home, checked.variables)
    try:
        settings = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        what = f"takes nothing from {file.name}: {error}"
        yield Check("problem", "settings-file", what, "Mend it.", str(file))
        return
    if members(settings, "features").get("hooks") is False:
        what = "runs no hooks: `hooks` is off in [features]"
        yield Check("problem", "hooks-allowed", what, "Take it out.", str(file))
    if members(settings, "mcp_servers", SERVER).get("enabled") is False:
        what = f"does not start the MCP server {SERVER}: it is turned off"
        yield Check("problem", "mcp-approval", what, "Take out `enabled`.", str(file))
