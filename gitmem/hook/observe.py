"""Note what a hook saw in the journal of its conversation.

It opens no repository and reads no content of a file: a hook runs on every prompt and
edit while its host waits. `observed.py` of the sessions applies the events.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import dropwhile
from typing import Any

from gitmem.assistants.assistant import TURN, EventKind, HookEvent
from gitmem.assistants.known import assistant_named
from gitmem.assistants.payload import typed_words
from gitmem.documents.event import (
    FORKED,
    PROMPT_LENGTH,
    Client,
    Compaction,
    Connected,
    Edit,
    End,
    Event,
    Fork,
    Interrupted,
    Prompt,
    Recalled,
    Start,
    Todos,
    TranscriptRead,
    WorkTreeState,
    bounded_todos,
)
from gitmem.documents.event_log import events_in, from_json, last_sign
from gitmem.documents.session.handoff import handoff_prompt
from gitmem.frozen import frozen
from gitmem.git.layout import own_dir
from gitmem.hook.place import LONGEST_PATH, Checkout, reads_transcripts
from gitmem.redaction.redact import PRIVATE_MARK, redacted_start
from gitmem.store.journal.journal import Journal, journal_name

SOURCE_LENGTH = 40
_RECENT = 50
"""Journals to look at, the last written ones."""
MOST_FILES = 500
"""Most files of one edit that are noted."""
_NOBODY = (0, "")
CUT_OFF = "cut off"
"""The source of an end that nobody wanted."""


@frozen
class HookConversation:
    """One conversation in one work tree, with its journal."""

    tool: str
    client_session_id: str
    place: Checkout
    now: datetime

    @property
    def is_open(self) -> bool:
        """Whether it began and did not end."""
        newest = last_sign(self.newest_events())
        return not isinstance(newest, End | Interrupted | Connected | None)

    def newest_events(self) -> Iterator[Event]:
        """Yield events, newest first, parsed on demand."""
        return self._journal.newest_events(self.client_session_id)

    def lines(self) -> list[str]:
        return self._journal.lines(journal_name(self.client_session_id))

    def note(self, kind: type[Event], **values: Any) -> None:
        event = kind(
            at=self.now,
            tool=self.tool,
            client_session_id=self.client_session_id,
            root=str(self.place.root),
            **values,
        )
        self._journal.note(event)

    def begin(self, source: str, transcript: str) -> None:
        from gitmem.processes import client_process

        self.note(Start, source=source)
        pid, started = client_process()
        path = transcript if len(transcript) <= LONGEST_PATH else ""
        client = {"pid": pid, "started": started, "transcript": path}
        self.note(Client, **client)

    def announced(self) -> list[Event]:
        """Return events of the parent that this process resumed without work.

        Empty if this conversation is known.
        """
        if self.lines():
            return []
        from gitmem.processes import client_process

        process, journal = client_process(), self._journal
        for name in journal.newest_first()[:_RECENT]:
            events = events_in(journal.lines(name))
            newest = last_sign(
                e for e in reversed(events) if not isinstance(e, WorkTreeState)
            )
            clients = [event for event in events if isinstance(event, Client)]
            is_resumed = isinstance(newest, Start) and newest.source == "resume"
            if (
                is_resumed
                and (clients[-1].pid, clients[-1].started) == process != _NOBODY
            ):
                return events
        return []

    def fork(self, parent: list[Event], transcript: str) -> None:
        """Take over the start that was noted for the parent, and end that."""
        *_, resumed = (event for event in parent if isinstance(event, Start))
        replace(self, now=resumed.at).begin(FORKED, transcript)
        states = [event for event in parent if isinstance(event, WorkTreeState)]
        for event in states[-1:]:
            own = replace(event, client_session_id=self.client_session_id)
            self._journal.note(own)
        self.note(Fork, parent=resumed.client_session_id)
        replace(self, client_session_id=resumed.client_session_id).note(End)

    def hand_over(self, session_id: str) -> None:
        """Note that it goes on from another session, unless that is its own."""
        from gitmem.store.handoffs import Handoffs

        own = own_dir(self.place.common_dir)
        last = Handoffs(own).last(self.tool, self.place.root)
        parent = session_id
        if last and last.session_id == session_id:
            parent = last.parent
        if parent != self.client_session_id:
            self.note(Fork, parent=parent)

    @property
    def _journal(self) -> Journal:
        return Journal(own_dir(self.place.common_dir) / "journal")


def observe(seen: HookEvent, conversation: HookConversation) -> bool:
    """Note an event if it is new; return False if it does not concern us."""
    return _OBSERVE[seen.kind](seen, conversation)


def _start(seen: HookEvent, conversation: HookConversation) -> bool:
    """Note a start, once if two settings files have our hooks."""
    source = seen.source[:SOURCE_LENGTH]
    if source == "compact" and conversation.is_open:
        if not isinstance(last_sign(conversation.newest_events()), Compaction):
            conversation.note(Compaction)
        return True
    if source == TURN and conversation.is_open:
        return False
    begun = next(dropwhile(_is_of_start, conversation.newest_events()), None)
    root = str(conversation.place.root)
    if not isinstance(begun, Start) or (begun.source, begun.root) != (source, root):
        conversation.begin(source, seen.transcript)
    return True


def _is_of_start(event: Event) -> bool:
    return isinstance(event, WorkTreeState | Client | Fork | TranscriptRead | Recalled)


def _prompt(seen: HookEvent, conversation: HookConversation) -> bool:
    """Note a prompt, once; none if the transcript is read, which has them."""
    _go_on(seen, conversation)
    if handoff := handoff_prompt(seen.prompt):
        conversation.hand_over(handoff.session_id)
    prompts = []
    for event in map(from_json, conversation.lines()):
        if isinstance(event, TranscriptRead) and event.transcript:
            return True
        if isinstance(event, Prompt):
            prompts.append(event.text)
    text = redacted_start(typed_words(seen.prompt), PROMPT_LENGTH)
    if text.replace(PRIVATE_MARK, "").strip() and text not in prompts:
        conversation.note(Prompt, text=text)
    return True


def _edit(seen: HookEvent, conversation: HookConversation) -> bool:
    if _has_transcript(seen, conversation):
        return False
    place, edits = conversation.place, seen.edits[:MOST_FILES]
    changes = [(place.path_of(path, seen.folder), change) for path, change in edits]
    changes_here = [(path, change) for path, change in changes if path is not None]
    if changes_here:
        _go_on(seen, conversation)
    for path, change in changes_here:
        conversation.note(Edit, path=path, change=change)
    return bool(changes_here)


def _todos(seen: HookEvent, conversation: HookConversation) -> bool:
    if _has_transcript(seen, conversation):
        return False
    _go_on(seen, conversation)
    items = bounded_todos(seen.todos)
    conversation.note(Todos, items=items, is_whole=seen.is_whole_list)
    return True


def _has_transcript(seen: HookEvent, conversation: HookConversation) -> bool:
    """Whether edits and to-dos come from the assistant's own transcript."""
    assistant = assistant_named(conversation.tool)
    # The path is hostile: it is looked at here, and read only where an import would.
    is_open = assistant and assistant.reader and os.access(seen.transcript, os.R_OK)
    return bool(is_open) and reads_transcripts(conversation.place.common_dir)


def _compaction(seen: HookEvent, conversation: HookConversation) -> bool:
    _go_on(seen, conversation)
    conversation.note(Compaction)
    return True


def _if_open(_: HookEvent, conversation: HookConversation) -> bool:
    return conversation.is_open


def _end(seen: HookEvent, conversation: HookConversation) -> bool:
    if not conversation.is_open:
        return False
    conversation.note(Interrupted if seen.source == CUT_OFF else End)
    return True


def _go_on(seen: HookEvent, conversation: HookConversation) -> bool:
    """Begin a conversation that never began: an older one, or a fork.

    Claude Code 2.1.197 reports the start of a fork under its parent's name.
    """
    if not conversation.is_open:
        if parent := conversation.announced():
            conversation.fork(parent, seen.transcript)
        else:
            conversation.begin(seen.source, seen.transcript)
    return True


_OBSERVE: Mapping[EventKind, Callable[[HookEvent, HookConversation], bool]] = {
    EventKind.START: _start,
    EventKind.PROMPT: _prompt,
    EventKind.EDIT: _edit,
    EventKind.BEFORE_EDIT: _if_open,
    EventKind.READ: _if_open,
    EventKind.SUBAGENT: _if_open,
    EventKind.TODOS: _todos,
    EventKind.CALL: _go_on,
    EventKind.TURN_END: _if_open,
    EventKind.COMPACTION: _compaction,
    EventKind.END: _end,
}
