"""Open the workspace of a command, and say what other programs did to its refs."""

from contextlib import suppress

from gitmem.cli import output
from gitmem.cli.output import WARNING, hint
from gitmem.errors import GitmemError
from gitmem.store.trees.ref_losses import ref_losses
from gitmem.workspace import Workspace
from gitmem.workspace import current_workspace as workspace_here


def current_workspace() -> Workspace:
    """Return the workspace around this process; raises as `open_workspace`."""
    workspace = workspace_here()
    with suppress(GitmemError, OSError):
        losses = ref_losses(workspace.repository)
        for loss in losses:
            output.note(("note: ", WARNING), f"{loss}.")
        if losses:
            hint("`ocm restore` names what can be brought back, and asks.")
    return workspace
