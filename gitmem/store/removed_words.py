"""Words that a rewrite took out of documents, and that journals still have.

`git filter-repo --replace-text` and BFG write `***REMOVED***` in place of a secret, and
know no journals.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.repository import Repository
from gitmem.store.journal.journal import journal_of
from gitmem.store.trees.document_tree import AnyTree, tree_at_tip
from gitmem.text.patterns import pattern

REMOVED = "***REMOVED***"
_MARK = pattern(r"^\s*(?:[-+>]|[*](?![*])|#+|\d+[.])\s+")
"""What a line of Markdown begins with that an item does not have."""
_CONTEXT = 6
"""Characters beside a removed word by which its line is known."""


def journals_with_removed_words(git: Repository) -> dict[str, int]:
    """Return the journals with words that their documents lack, and how many lines."""
    trees: list[AnyTree] = []
    for kind in (SESSION, CONVERSATION):
        with suppress(Damaged, FormatTooNew):
            trees.append(tree_at_tip(kind, git))
    journal, counts = journal_of(git.common_dir, SESSION), dict[str, int]()
    for name in journal.names():
        document_id = journal.position_of(name).document_id or ""
        texts = [tree.readable_text(document_id) or "" for tree in trees]
        lines = [_MARK.sub("", line) for text in texts for line in text.splitlines()]
        if lines := [line for line in lines if REMOVED in line]:
            before = {*text_in(journal.lines(name)).splitlines()}
            count = sum(any(_is_earlier(b, line) for line in lines) for b in before)
            counts |= {name: count} if count else {}
    return counts


def with_removed_words(text: str, earlier: str) -> str:
    """Return a text with its removed words, as far as an earlier one has them."""
    before = earlier.splitlines()
    return "\n".join(
        next((old for old in before if _is_earlier(old, line)), line)
        for line in text.split("\n")
    )


def text_in(lines: Iterable[str]) -> str:
    """Return the strings in lines of JSON, with their escapes decoded."""
    return "\n".join(text for line in lines for text in _strings(_value(line)))


def _is_earlier(earlier: str, line: str) -> bool:
    """Return whether a line has what another has beside the words removed from it."""
    first, *others = line.split(REMOVED)
    return (
        _CONTEXT <= len(line.replace(REMOVED, "")) < len(earlier)
        and REMOVED in line
        and earlier != line
        and earlier.startswith(first)
        and earlier.endswith(others[-1])
        and all(piece in earlier for piece in others)
    )


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
