"""Who reads a memory, and whose sessions are to them like their own."""

from gitmem.documents.session.whose import Circle, circle_of
from gitmem.store.trees.committing import FALLBACK_IDENTITY
from gitmem.workspace import Workspace

TRUST = "ocm.trust"
"""An address whose sessions are told like the user's own; may be repeated."""


def circle(workspace: Workspace) -> Circle:
    """By the settings of repository and user, which no clone brings along."""
    return circle_of(
        workspace.store.author(workspace.now()).email,
        FALLBACK_IDENTITY[1],
        workspace.repository.config_values(TRUST),
        is_shared=workspace.chosen is not None,
    )
