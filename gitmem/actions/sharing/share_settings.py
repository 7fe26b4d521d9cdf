"""Where memory goes: what git's configuration says, and whether it says anything."""

from dataclasses import dataclass

from gitmem.errors import InvalidInput
from gitmem.git.config import is_on
from gitmem.store.remote.remote import Remote, remote_of
from gitmem.workspace import Workspace

AUTO_PUSH = "ocm.autoPush"
AUTO_PULL = "ocm.autoPull"


@dataclass(frozen=True, slots=True)
class Sharing:
    remote: Remote
    auto_push: bool
    auto_pull: bool


def sharing(workspace: Workspace) -> Sharing | None:
    """What the user chose; None where nothing is shared.

    Raises InvalidInput where what was chosen makes no sense.
    """
    git, chosen = workspace.repository, workspace.chosen
    if chosen is None:
        return None
    return Sharing(
        remote_of(git, chosen),
        auto_push=is_on(git, AUTO_PUSH),
        auto_pull=is_on(git, AUTO_PULL),
    )


def chosen_sharing(workspace: Workspace, remote: str | None) -> Sharing:
    """What the user chose, where it is this remote, or none is named.

    Raises InvalidInput where it is another one, or memory is not shared.
    """
    chosen = sharing(workspace)
    if chosen is None:
        raise InvalidInput(
            "This memory is shared with no remote.",
            hint=f"`ocm share on{f' {remote}' if remote else ''}` shows what would"
            " leave, and asks.",
        )
    if remote not in (None, chosen.remote.name):
        raise InvalidInput(
            f"This memory is shared with {chosen.remote.name}, and with no other"
            " remote.",
            hint="`ocm share on` chooses another one, after `ocm share off`.",
        )
    return chosen
