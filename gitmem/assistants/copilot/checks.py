"""Checks whether Copilot CLI runs the hooks and the server of a work tree.

Version 1.0.102 takes nothing from a folder that its user has not trusted. A folder is
trusted with all below it, and with its linked work trees. One settings file of the work
tree that turns hooks off does so for every file.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.assistants.assistant import Check, Checked, trust
from gitmem.assistants.copilot.hooks import of_home
from gitmem.assistants.targets import read_object

_SETTINGS = (
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
)
_OFF = "disableAllHooks"


def checks(checked: Checked) -> Iterator[Check]:
    if checked.root:
        yield _hooks_allowed(checked.root)
        yield _trust(checked, checked.root)


def _hooks_allowed(root: Path) -> Check:
    for path in (root / name for name in _SETTINGS):
        if read_object(path).get(_OFF) is True:
            what = f"runs none of our hooks: {_OFF} is set"
            mend = f"Take `{_OFF}` out of it."
            return Check("problem", "hooks-allowed", what, mend, str(path))
    return Check("ok", "hooks-allowed", "may run hooks, as far as settings say")


def _trust(checked: Checked, root: Path) -> Check:
    if checked.is_heard:
        return Check("ok", "folder-trust", "has run hooks in this folder")
    file = of_home("config.json")(checked.user_home, checked.variables)
    own = (each.resolve() for each in (root, checked.main_root) if each)
    around = {folder for each in own for folder in (each, *each.parents)}
    is_given = not around.isdisjoint(_trusted(file))
    so = ": it runs no hooks and no server here"
    return trust("copilot", so, file, is_given=is_given)


def _trusted(file: Path) -> Iterator[Path]:
    values = read_object(file)
    listed = values.get("trustedFolders") or values.get("trusted_folders")
    for each in listed if isinstance(listed, list) else ():
        with suppress(OSError, ValueError, TypeError, RuntimeError):  # no path
            yield Path(each).resolve()
