"""Notes what a hook saw in the journal of its conversation.

The repository is not opened, and no content of a file is looked at: a hook runs on
every prompt and every edit, and whoever started it waits. What the notes come to is
said in `gitmem.model.observed`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import dropwhile
from typing import Any

from gitmem.assistants.prompts import typed
from gitmem.assistants.protocol import Seen, What
from gitmem.hook.place import Place
from gitmem.model.event import (
    PROMPT_LENGTH,
    TODO_LENGTH,
    TODOS_LIMIT,
    Compaction,
    Edit,
    End,
    Event,
    Found,
    Prompt,
    Start,
    Todos,
    from_json,
)
from gitmem.model.gate.redaction import PRIVATE_MARK, redact
from gitmem.model.gist import says_something
from gitmem.store.git.layout import own_dir
from gitmem.store.local.journal import Journal, journal_name

SOURCE_LENGTH = 40

_LOOKED_AT = 20_000
"""Characters of a text: far more than are kept, so that no secret is cut in two."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation in one work tree, and the journal that it has."""

    tool: str
    client_session_id: str
    place: Place
    now: datetime

    @property
    def is_open(self) -> bool:
        """Whether it was seen to begin, and not to end."""
        newest = next(self.newest_events(), None)
        return newest is not None and not isinstance(newest, End)

    def newest_events(self) -> Iterator[Event]:
        """The newest first; a line is looked into when it is asked for."""
        return filter(None, map(from_json, reversed(self.lines())))

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

    @property
    def _journal(self) -> Journal:
        return Journal(own_dir(self.place.common_dir) / "journal")


def observe(seen: Seen, conversation: Conversation) -> bool:
    """Note what was seen, where it says anything new.

    False where it is nothing to us: the end of a conversation that never began, or a
    file outside of the project.
    """
    return _OBSERVE[seen.what](seen, conversation)


def _start(seen: Seen, conversation: Conversation) -> bool:
    """A compacted conversation goes on; two files that both name us are one start."""
    source = seen.source[:SOURCE_LENGTH]
    if source == "compact" and conversation.is_open:
        return True
    begun = next(dropwhile(_is_found, conversation.newest_events()), None)
    root = str(conversation.place.root)
    if not isinstance(begun, Start) or (begun.source, begun.root) != (source, root):
        conversation.note(Start, source=source)
    return True


def _is_found(event: Event) -> bool:
    return isinstance(event, Found)


def _prompt(seen: Seen, conversation: Conversation) -> bool:
    """The first one is kept, and the first that says what the conversation is about."""
    _go_on(seen, conversation)
    noted = False
    for event in map(from_json, conversation.lines()):  # it is among the first of them
        if isinstance(event, Prompt):
            noted = True
            if says_something(event.text):
                return True
    text = _beginning(typed(seen.prompt), PROMPT_LENGTH)
    if says_something(text) or (not noted and text.replace(PRIVATE_MARK, "").strip()):
        conversation.note(Prompt, text=text)
    return True


def _edit(seen: Seen, conversation: Conversation) -> bool:
    path = conversation.place.path_of(seen.path, seen.folder)
    if path is None:
        return False
    _go_on(seen, conversation)
    conversation.note(Edit, path=path, change=seen.change)
    return True


def _todos(seen: Seen, conversation: Conversation) -> bool:
    _go_on(seen, conversation)
    items = tuple(
        replace(
            todo,
            id=_beginning(todo.id, TODO_LENGTH),
            text=_beginning(todo.text, TODO_LENGTH),
        )
        for todo in seen.todos[:TODOS_LIMIT]
    )
    conversation.note(Todos, items=items, is_whole=seen.is_whole_list)
    return True


def _compaction(seen: Seen, conversation: Conversation) -> bool:
    _go_on(seen, conversation)
    conversation.note(Compaction)
    return True


def _turn_end(_: Seen, conversation: Conversation) -> bool:
    return conversation.is_open


def _end(_: Seen, conversation: Conversation) -> bool:
    if not conversation.is_open:
        return False
    conversation.note(End)
    return True


def _go_on(_: Seen, conversation: Conversation) -> bool:
    """A conversation that nobody saw begin began before we were installed."""
    if not conversation.is_open:
        conversation.note(Start)
    return True


def _beginning(text: str, length: int) -> str:
    """The first characters of a text once its secrets are out."""
    looked_at = text[:_LOOKED_AT]
    if len(text) > _LOOKED_AT:  # the last word is cut, and may be half a secret
        looked_at = looked_at[: max(map(looked_at.rfind, " \t\n")) + 1]
    return redact(looked_at)[:length]


_OBSERVE: Mapping[What, Callable[[Seen, Conversation], bool]] = {
    What.START: _start,
    What.PROMPT: _prompt,
    What.EDIT: _edit,
    What.TODOS: _todos,
    What.CALL: _go_on,
    What.TURN_END: _turn_end,
    What.COMPACTION: _compaction,
    What.END: _end,
}
