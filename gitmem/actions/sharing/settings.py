"""Where memory goes: what git's configuration says, and whether it says anything."""

from dataclasses import dataclass

from gitmem.store.remote import Remote
from gitmem.workspace import Workspace

REMOTE = "ocm.remote"
"""The name of the one remote that memory is shared with; nothing is shared without."""
REMOTE_URL = "ocm.remoteUrl"
"""Another repository than that remote's."""
REMOTE_REF = "ocm.remoteRef"
"""The ref of the sessions there, for hosts that refuse others than branches."""
SHARE_CONVERSATIONS = "ocm.shareConversations"
AUTO_PUSH = "ocm.autoPush"
AUTO_PULL = "ocm.autoPull"
TRUST = "ocm.trust"
"""Addresses of authors whose sessions the brief tells in full; may be repeated."""


@dataclass(frozen=True, slots=True)
class Sharing:
    remote: Remote
    auto_push: bool
    auto_pull: bool


def sharing(workspace: Workspace) -> Sharing | None:
    """What the user chose; None where nothing is shared."""
    raise NotImplementedError
