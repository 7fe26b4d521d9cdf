"""Words that a rewrite took out of documents, and that journals still have.

`git filter-repo --replace-text` and BFG write `***REMOVED***` in place of a secret, and
know no journals.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.repository import Repository
from gitmem.store.journal.journal import journal_of
from gitmem.store.trees.document_tree import AnyTree, tree_at_tip
from gitmem.text.patterns import pattern

REMOVED = "***REMOVED***"
_MARK = pattern(r"\s*(?:[-+>]|[*](?![*])|#+|\d+[.])\s+")
"""What a line of Markdown begins with that an item does not have."""
_CONTEXT = 6
"""Characters beside a removed word by which its line is known."""


def journals_with_removed_words(git: Repository) -> dict[str, int]:
    """Return the journals that have words which their documents lack, and how many."""
    trees: list[AnyTree] = []
    for kind in (SESSION, CONVERSATION):
        with suppress(Damaged, FormatTooNew):
            trees.append(tree_at_tip(kind, git))
    journal, counts = journal_of(git.common_dir, SESSION), dict[str, int]()
    for name in journal.names():
        document_id = journal.position_of(name).document_id or ""
        texts = [tree.readable_text(document_id) or "" for tree in trees]
        if any(REMOVED in text for text in texts):
            before = text_in(journal.lines(name)).splitlines()
            words = {w for text in texts for w in _removed_words(text, before)}
            counts |= {name: len(words)} if words else {}
    return counts


def with_removed_words(text: str, earlier: str) -> str:
    """Return a text with its removed words, as far as an earlier one has them."""
    before, lines = earlier.splitlines(), text.split("\n")
    for number, line in enumerate(lines):
        pieces = line.split(REMOVED)
        matches = (old for old in before if _words_between(old, pieces))
        lines[number] = next(matches, line) if len(pieces) > 1 else line
    return "\n".join(lines)


def text_in(lines: Iterable[str]) -> str:
    """Return the strings in lines of JSON, with their escapes decoded."""
    return "\n".join(text for line in lines for text in _strings(_value(line)))


def _removed_words(text: str, before: Sequence[str]) -> Iterator[str]:
    for line in text.splitlines():
        mark = _MARK.match(line)
        pieces = line[mark.end() if mark else 0 :].split(REMOVED)
        if len(pieces) > 1 and sum(map(len, pieces)) >= _CONTEXT:
            for old in before:
                yield from _words_between(old, pieces)


def _words_between(line: str, pieces: Sequence[str]) -> list[str]:
    """Return what a line has between pieces; nothing where it lacks one of them."""
    first, *inner, last = pieces
    start, end = len(first), len(line) - len(last)
    if not (line.startswith(first) and line.endswith(last)):
        return []
    words = []
    for piece in (*inner, None):
        at = end if piece is None else line.find(piece, start + 1, end)
        if at <= start:
            return []
        words.append(line[start:at])
        start = at + len(piece or "")
    return [word for word in words if word != REMOVED]


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | dict():
            items = value.values() if isinstance(value, dict) else value
            for item in items:
                yield from _strings(item)
