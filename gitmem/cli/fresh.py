"""The memory that `ocm init` finds at the remote, and offers to take part in."""

import sys
from typing import TYPE_CHECKING, Any

from gitmem.cli.begin_sharing import Begun, Declined, Manner, begin
from gitmem.cli.output import PATH, note, say, say_whole

if TYPE_CHECKING:
    from gitmem.actions.sharing.fresh_clone import MemoryThere
    from gitmem.workspace import Workspace

_COMMAND = "ocm init --share"


def offer_to_share(workspace: "Workspace", *, is_wanted: bool, is_dry: bool) -> None:
    """Share where the user says so; where nobody can be asked, say how it is done."""
    from gitmem.actions.sharing.fresh_clone import is_undecided, memory_there

    if is_wanted:
        say()
        share(workspace, Manner(yes=True, is_dry=is_dry))
    elif is_undecided(workspace) and (there := memory_there(workspace)):
        say()
        say_whole(f"There is a memory at {there.remote}.")
        if is_dry or not sys.stdin.isatty():
            say_whole("To take part in it: ", (_COMMAND, PATH))
        else:
            _ask(workspace, there)


def share(workspace: "Workspace", manner: Manner) -> Begun:
    """With the remote that is meant, at the ref where memory is already."""
    from gitmem.actions.sharing.fresh_clone import memory_there
    from gitmem.actions.sharing.share import Wanted

    there = None if workspace.chosen else memory_there(workspace)
    return begin(workspace, there.wanted if there else Wanted(), manner)


def offer_json(
    workspace: "Workspace", *, is_wanted: bool, is_dry: bool
) -> dict[str, Any] | None:
    """The same, for programs; None where there is nothing to offer."""
    from gitmem.actions.sharing.fresh_clone import is_undecided, memory_there

    if is_wanted:
        return share(workspace, Manner(True, is_dry=is_dry, in_silence=True)).told
    if is_undecided(workspace) and (there := memory_there(workspace)):
        return {"remote": there.remote, "ref": there.ref, "command": _COMMAND}
    return None


def _ask(workspace: "Workspace", there: "MemoryThere") -> None:
    from gitmem.actions.sharing.fresh_clone import decline

    try:
        begin(workspace, there.wanted, Manner())
    except Declined:
        decline(workspace)
        note("You are not asked again; `ocm share on` takes part at any time.")
