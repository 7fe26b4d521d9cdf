"""The memory that `ocm init` finds at the remote, and offers to take part in."""

import sys
from typing import TYPE_CHECKING, Any

from gitmem.cli.begin_sharing import Declined, Manner, begin
from gitmem.cli.output import PATH, note, say, say_whole

if TYPE_CHECKING:
    from gitmem.actions.sharing.share_settings import Wanted
    from gitmem.workspace import Workspace

_COMMAND = "ocm init --share"


def offer_to_share(workspace: "Workspace", *, is_wanted: bool, is_dry: bool) -> None:
    """Share where the user says so; where nobody can be asked, say how it is done."""
    from gitmem.actions.sharing.share_settings import is_undecided, memory_there

    if is_wanted:
        say()
        share(workspace, Manner(yes=True, is_dry=is_dry))
    elif is_undecided(workspace) and (there := memory_there(workspace)):
        say()
        say_whole(f"There is a memory at {there.name}.")
        if is_dry or not sys.stdin.isatty():
            say_whole("To take part in it: ", (_COMMAND, PATH))
        else:
            _ask(workspace, there)


def share(workspace: "Workspace", manner: Manner) -> dict[str, Any]:
    """With the remote that is meant, at the ref where memory is already."""
    from gitmem.actions.sharing.share_settings import Wanted, memory_there

    there = None if workspace.chosen else memory_there(workspace)
    return begin(workspace, there or Wanted(), manner)


def offer_json(
    workspace: "Workspace", *, is_wanted: bool, is_dry: bool
) -> dict[str, Any] | None:
    """The same, for programs; None where there is nothing to offer."""
    from gitmem.actions.sharing.share_settings import is_undecided, memory_there
    from gitmem.store.trees.session_tree import REF

    if is_wanted:
        return share(workspace, Manner(True, is_dry=is_dry, in_silence=True))
    if is_undecided(workspace) and (there := memory_there(workspace)):
        return {"remote": there.name, "ref": there.ref or REF, "command": _COMMAND}
    return None


def _ask(workspace: "Workspace", there: "Wanted") -> None:
    from gitmem.actions.sharing.share_settings import decline

    try:
        begin(workspace, there, Manner())
    except Declined:
        decline(workspace)
        note("You are not asked again; `ocm share on` takes part at any time.")
