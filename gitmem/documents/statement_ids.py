"""Ids of statements in the words in which a conversation was told them.

A statement whose words changed has another id, so that it is told again.
"""

import re
from collections.abc import Iterable

from gitmem.documents.event import Compaction, Event, Recalled
from gitmem.documents.memory.memory import same_words
from gitmem.documents.names import digest
from gitmem.text.patterns import pattern

_LINE = pattern(r"[^:]*: (.*) \(([^\s()]{1,200})[^()]*\)", re.DOTALL)
"""What `in_one_line` makes of a statement: its text, and its reference."""
_WORDS_LENGTH = 120
"""Characters that every form of a statement has, however short."""


def statement_id(reference: str, text: str) -> str:
    """Return `<reference>@<digest of the text>`."""
    return f"{reference}@{digest(same_words(text)[:_WORDS_LENGTH])[:8]}"


def id_of_line(line: str) -> str:
    """Return the id of the statement that a line tells."""
    parts = _LINE.fullmatch(line)
    return statement_id(parts[2], parts[1]) if parts else statement_id("", line)


def ids_in_context(newest_first: Iterable[Event], subagent: str = "") -> frozenset[str]:
    """Return what was told since the context was last shortened.

    A subagent has a context of its own.
    """
    ids: set[str] = set()
    for event in newest_first:
        if isinstance(event, Compaction):
            break
        if isinstance(event, Recalled) and event.subagent == subagent:
            ids.update(event.ids)
    return frozenset(ids)
