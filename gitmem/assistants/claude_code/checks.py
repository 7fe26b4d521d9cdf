"""Checks whether settings of Claude Code stop the hooks, the server or the tools.

It asks and tells its user about the rest: `/hooks`, `/mcp`, `claude mcp list`. Seen
with version 2.1.197: of `disableAllHooks` the last file counts.
"""

from collections.abc import Iterator

from gitmem.assistants.assistant import SERVER, Check, Checked
from gitmem.assistants.claude_code.settings import (
    asked_about,
    is_declined,
    memory_path,
    paths,
    read_json,
)

_OFF = "disableAllHooks"


def checks(checked: Checked) -> Iterator[Check]:
    root, place = checked.root, (checked.user_home, checked.variables)
    settings = [read_json(path) for path in paths(root, *place)]
    servers = [read_json(root / ".mcp.json")] if root else []
    for file in (*settings, *servers, read_json(memory_path(*place))):
        if file.fault:
            what = f"takes nothing from {file.path.name}: {file.fault}"
            mend = "Mend it: one mistake voids the whole file."
            yield Check("problem", "settings-file", what, mend, str(file.path))
    deciding = [file for file in settings if _OFF in file.values][-1:]
    for file in deciding:
        if file.values[_OFF] is True:
            what = f"runs none of our hooks: {_OFF} is set"
            mend = f"Take `{_OFF}` out of it."
            yield Check("problem", "hooks-allowed", what, mend, str(file.path))
    if root is None:
        return
    if is_declined(root, checked.common_dir, *place):
        what = f"does not start the MCP server {SERVER}: you said no to it"
        mend = "Turn it on with `/mcp`, or take it out of `disabledMcpjsonServers`."
        yield Check("warning", "mcp-approval", what, mend)
    if tools := ", ".join(asked_about(checked)):
        what = f"asks before it runs {tools}, and refuses where it cannot ask"
        yield Check("note", "tools-allowed", what, "Run `ocm init --allow-tools`.")
