"""What a hook tells of the files that an assistant is about to edit."""

import os

from gitmem.assistants.assistant import HookClient, HookEvent
from gitmem.documents.event import Occasion
from gitmem.git.layout import own_dir
from gitmem.hook.observe import MOST_FILES, Conversation
from gitmem.store.file_notes import FileNotes

QUIET = "OCM_QUIET"
"""The variable that keeps hooks from telling anything but the brief."""


def before_edit(
    assistant: HookClient, seen: HookEvent, conversation: Conversation
) -> str:
    """What is known of files, once in a conversation, and in each subagent."""
    if os.environ.get(QUIET):
        return ""
    place = conversation.place
    named = (place.path_of(path, seen.folder) for path, _ in seen.edits[:MOST_FILES])
    paths, notes = [*filter(None, named)], FileNotes(own_dir(place.common_dir))
    lines = [line for path in paths for line in notes.of(path)]
    if not lines:
        return ""
    from gitmem.hook.telling import tell

    return tell(assistant, seen, conversation, lines, Occasion.EDIT, path=paths[0])
