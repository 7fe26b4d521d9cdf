"""The workspace at a place, for hooks that do more than to note."""

from dataclasses import replace

from gitmem.config import current_environment
from gitmem.hook.place import Place
from gitmem.workspace import Workspace, open_workspace


def opened(place: Place) -> Workspace:
    """Whatever variables say counts for nothing: they may be another assistant's."""
    environment = replace(current_environment(), start=place.root, git_dir=None)
    return open_workspace(environment)
