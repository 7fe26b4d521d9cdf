"""Memory that is pulled as a conversation begins, by a process nobody waits for.

The brief shows what is there; what arrives is there for whoever reads next.
"""

from pathlib import Path

from gitmem.actions import detached
from gitmem.hook.place import Place, find_place


def start(place: Place) -> None:
    """Have it pulled where that is wanted, and was not done just now."""
    from gitmem.actions.sharing.auto_push import pull_is_due
    from gitmem.hook.open_workspace import opened

    if pull_is_due(opened(place)):
        detached.start(place.root, "pull", str(place.root))


def run(root: str) -> None:
    from gitmem.actions.sharing.auto_push import pull_along
    from gitmem.hook.open_workspace import opened

    if place := find_place(Path(root)):
        pull_along(opened(place))
