"""Open the workspace of a command, and say what is wrong with refs and settings."""

from contextlib import suppress

from gitmem.cli import output
from gitmem.cli.output import WARNING, hint
from gitmem.errors import GitmemError
from gitmem.redaction.redact import Settings, followed
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
    if rules := followed():
        _warn_of_ignored(rules)
    return workspace


def _warn_of_ignored(rules: Settings) -> None:
    from gitmem.redaction.user_rules import SECTION, problems

    for name, reason in problems(rules):
        message = f" the rule {SECTION}{name} is ignored: {reason}."
        output.note(("warning:", WARNING), message)
