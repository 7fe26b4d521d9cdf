"""What a hook tells of the files that an assistant reads, or is about to edit."""

import os
from collections.abc import Iterable
from itertools import chain, takewhile

from gitmem.assistants.assistant import EventKind, HookClient, HookEvent
from gitmem.documents.event import Compaction, Event, Occasion, Recalled
from gitmem.git.layout import own_dir
from gitmem.hook.observe import MOST_FILES, HookConversation
from gitmem.store.file_notes import FileNotes

QUIET = "OCM_QUIET"
"""The variable that keeps hooks from telling anything but the brief."""
_ARE_OLD = "OCM_NOTES_ARE_OLD"
"""Set by the launcher where the memory moved since the notes for files were made."""
_LINES_AT_READ, _LINES_AT_EDIT = 3, 2
_OCCASIONS = (Occasion.READ, Occasion.EDIT)
_MOST_TOLD = 10
"""Files of one call."""
_TOKENS_FOR_LINE = 100
"""So many that a conversation was told take a line from what comes next."""
_MOST_TOKENS = 500
"""So many that a conversation was told of files are all, until it is shortened."""


def at_file(
    assistant: HookClient, seen: HookEvent, conversation: HookConversation
) -> str:
    """Tell what is known of files, once in a conversation, and in each subagent."""
    if os.environ.get(QUIET):
        return ""
    place, is_read = conversation.place, seen.kind is EventKind.READ
    if os.environ.get(_ARE_OLD):
        from gitmem.hook.background import renew_notes, workspace_at

        renew_notes(workspace_at(place.root))
    words = seen.reads or (path for path, _ in seen.edits)
    inside = (place.path_of(path, seen.folder) for path in [*words][:MOST_FILES])
    paths, notes = [*filter(None, inside)], FileNotes(own_dir(place.common_dir))
    lines_of_files = [*filter(None, map(notes.of, paths))][:_MOST_TOLD]
    if not lines_of_files:
        return ""
    from gitmem.hook.telling import context_output, news_lines

    events = conversation.newest_events()
    in_context = [*takewhile(lambda e: not isinstance(e, Compaction), events)]
    tokens = _tokens_told(in_context, seen.subagent)
    if tokens >= _MOST_TOKENS:
        return ""
    most = _LINES_AT_READ if is_read else _LINES_AT_EDIT
    room = max(1, most - tokens // _TOKENS_FOR_LINE)
    candidates = chain.from_iterable(lines[:room] for lines in lines_of_files)
    lines = news_lines(in_context, candidates, seen.subagent)
    occasion = Occasion.READ if is_read else Occasion.EDIT
    return context_output(assistant, seen, conversation, lines, occasion, path=paths[0])


def _tokens_told(events: Iterable[Event], subagent: str) -> int:
    """Count what was told of files to a conversation, or to a subagent of it."""
    recalled = (
        event
        for event in events
        if isinstance(event, Recalled) and event.subagent == subagent
    )
    return sum(event.tokens for event in recalled if event.where in _OCCASIONS)
