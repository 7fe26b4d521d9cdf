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
_ROW = pattern(r"(?:- (\S{1,200}) | {2})[^:\n]{0,200}: ([^\n]*)")
"""A row of a brief: a reference, or none, and a text."""
_REASON = " Why: "
_WORDS_LENGTH = 100
"""Characters that every form of a statement has, however short."""


def statement_id(reference: str, text: str) -> str:
    """Return `<reference>@<digest of the text>`."""
    return f"{reference}@{digest(same_words(text)[:_WORDS_LENGTH])[:8]}"


def id_of_line(line: str) -> str:
    """Return the id of the statement that a line tells."""
    parts = _LINE.fullmatch(line)
    return statement_id(parts[2], parts[1]) if parts else statement_id("", line)


def ids_in(brief: str) -> tuple[str, ...]:
    """Return the ids of what the rows of a brief tell."""
    rows = (_ROW.match(row) for row in brief.splitlines())
    return tuple(
        statement_id(row[1] or "", row[2].partition(_REASON)[0]) for row in rows if row
    )


def is_in(context: Iterable[str], statement: str) -> bool:
    """Tell whether ids have these words, by whatever reference."""
    return statement.rpartition("@")[2] in {each.rpartition("@")[2] for each in context}


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
