"""Ids of statements in the words in which a conversation was told them.

A statement whose words changed has another id, so that it is told again.
"""

from collections.abc import Iterable

from gitmem.documents.event import Compaction, Event, Recalled
from gitmem.documents.memory.memory import same_words
from gitmem.documents.names import digest
from gitmem.text.patterns import pattern

_REFERENCE = r"m-[0-9a-f]{12}|\d{4}-\d\d-\d\d_[^\s()]{1,150}"
_ROW = pattern(
    rf"(?:- (?:({_REFERENCE}) )?| {{2}})[^:]{{0,200}}: (?:\([\d-]{{10}}, [a-z ]+\) )?"
    rf"(.{{0,1000}}?)(?: Why: .*| \(({_REFERENCE})[^()]*\))?"
)
"""A row of a brief, or what `in_one_line` makes of a statement."""
_LENGTH = 100
"""Characters of a text that every form of it has, however short."""
_ENOUGH = 150
"""Characters of a text that was cut off, and yet was told."""


def statement_id(reference: str, text: str) -> str:
    """Return `<reference>@<digest of the text>`."""
    return f"{reference}@{digest(same_words(text)[:_LENGTH])[:8]}"


def ids_in(rows: str) -> tuple[str, ...]:
    """Return the ids of what rows tell."""
    matches = filter(None, map(_ROW.fullmatch, rows.splitlines()))
    return tuple(
        statement_id(match[1] or match[3] or "", match[2])
        for match in matches
        if not match[2].endswith("…") or len(match[2]) >= _ENOUGH
    )


def words_in_context(newest_first: Iterable[Event], subagent: str = "") -> set[str]:
    """Return the digests of what was told since the context was last shortened.

    A subagent has a context of its own.
    """
    digests: set[str] = set()
    for event in newest_first:
        if isinstance(event, Compaction):
            break
        if isinstance(event, Recalled) and event.subagent == subagent:
            digests.update(
                statement_id.rpartition("@")[2] for statement_id in event.ids
            )
    return digests
