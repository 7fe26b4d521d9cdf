"""What stands in the place of our folders and files in a common dir, and is none.

Nobody but us makes anything by these names. Still a hand that slipped, a backup or a
hostile program may leave a link or a pipe there. Whoever opens such a place refuses and
names it; what we wrote behind a link would go elsewhere. The search index is no such
place, as it is made anew whatever is there.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from gitmem.git.files import is_file, is_folder

_FOLDERS = ("ocm", "ocm/journal", "ocm/journal/past", "ocm/kept", "ocm/sessions")
"""The outer ones first."""
_FILES = ("lock", "index.lock", "log", "run", "packs")
MOVE_AWAY = (
    "Move it away. If it is a link to the folder that was here, move that folder back."
)


def own_folders(common_dir: Path) -> list[Path]:
    """Those of our folders that are there, and that are reached through no link."""
    found = [common_dir]
    for name in _FOLDERS:
        path = common_dir / name
        if path.parent in found and is_folder(path):
            found.append(path)
    return found[1:]


def path_conflicts(common_dir: Path) -> Iterator[Path]:
    """What has to be a folder of ours and is none, and what is no file in ours."""
    sound = own_folders(common_dir)
    for path in (common_dir / name for name in _FOLDERS):
        is_reached = path.parent in (common_dir, *sound)
        if is_reached and path not in sound and os.path.lexists(path):
            yield path
    folders = {common_dir / name for name in _FOLDERS}
    inside = {path for folder in sound for path in folder.iterdir()} - folders
    for path in sorted(inside):
        is_sound = is_file(path) or (is_folder(path) and path.name not in _FILES)
        if not is_sound:
            yield path
