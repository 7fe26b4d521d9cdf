"""Checks whether a settings file of a work tree stops the hooks of Copilot CLI.

In version 1.0.102 one that turns hooks off does so for every file.
"""

from collections.abc import Iterator

from gitmem.assistants.assistant import Check, Checked
from gitmem.assistants.targets import read_object

_FOLDERS = (".github/copilot", ".claude")
_NAMES = ("settings.json", "settings.local.json")
_OFF = "disableAllHooks"


def checks(checked: Checked) -> Iterator[Check]:
    root = checked.root
    files = [root / each / name for each in _FOLDERS for name in _NAMES] if root else []
    for file in files:
        if read_object(file).get(_OFF) is True:
            what = f"runs none of our hooks: {_OFF} is set"
            mend = f"Take `{_OFF}` out of it."
            yield Check("problem", "hooks-allowed", what, mend, str(file))
