"""What takes longer than a client waits: done by a process that nobody waits for."""

import subprocess
import sys
from pathlib import Path

from gitmem.hook.noting import Conversation
from gitmem.hook.place import find_place
from gitmem.model.session import Trigger


def start(conversation: Conversation, trigger: Trigger) -> None:
    """Have what is known of the conversation saved.

    The process has a session of its own: it survives its client, and its terminal.
    """
    root, client_id = conversation.place.root, conversation.client_session_id
    flags = "-EP" if sys.flags.ignore_environment else "-P"
    subprocess.Popen(
        [
            *(sys.executable, flags, "-m", "gitmem.hook", "later"),
            *(str(root), client_id, trigger.value),
        ],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def run(arguments: list[str]) -> None:
    """Save what `start` was told of."""
    from gitmem.actions.saving.capture import capture
    from gitmem.hook.opened import opened

    root, client_id, trigger = arguments
    place = find_place(Path(root))
    if place:
        capture(opened(place), client_id, Trigger(trigger))
