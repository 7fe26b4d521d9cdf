"""When the statements of a session were made.

A conversation may go on for days, beside others. What it decided on its last day is
newer than what another one decided meanwhile, though it began earlier. So a document
has the time of each statement that is later than its beginning, by a digest of the
text: whoever changes a list by hand leaves the times of the other items right.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from gitmem.documents import header
from gitmem.documents.names import digest
from gitmem.documents.session.fields import FIELDS, FieldRule, TextLists
from gitmem.text.patterns import pattern

StatementTimes = tuple[tuple[str, datetime], ...]
"""Digests of statements, each with the time when it was made."""

LISTS = tuple(
    field.name for field in FIELDS if field.kind and field.rule is FieldRule.APPEND
)
"""The lists of statements whose times are kept; the others have a stamp."""
_GROUP = pattern(r"([0-9T:+-]{1,40})=([0-9a-f]{8}(?:,[0-9a-f]{8})*)", re.ASCII)


def text_digest(text: str) -> str:
    """Return the digest by which the time of a statement is kept."""
    return digest(text)[:8]


def digests(lists: TextLists) -> Iterator[str]:
    """Yield the digests of the statements whose times are kept."""
    for name in LISTS:
        yield from map(text_digest, getattr(lists, name))


def encode(times: StatementTimes) -> str:
    """Return such as `2026-02-25T09:00:00+00:00=1f3a9c2e,5b1f0c77`."""
    by_time: dict[str, list[str]] = defaultdict(list)
    for statement, at in sorted(times, key=lambda row: (row[1].isoformat(), row[0])):
        by_time[at.isoformat(timespec="seconds")].append(statement)
    return " ".join(f"{at}={','.join(by_time[at])}" for at in by_time)


def decode(text: str) -> StatementTimes:
    """Return what `encode` was given; what is no such thing is passed over."""
    groups = filter(None, map(_GROUP.fullmatch, text.split()))
    return tuple(
        (statement, at)
        for group in groups
        if (at := header.time_in(group[1]))
        for statement in group[2].split(",")
    )
