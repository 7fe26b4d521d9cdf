"""Secrets in the columns of a table, below a label: Markdown, CSV, SQL's `VALUES`."""

# ruff: noqa: E501 - a pattern is a line

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from gitmem.redaction.letters import in_small_letters
from gitmem.redaction.prose.known_words import is_known
from gitmem.redaction.prose.labels import Label
from gitmem.redaction.prose.secret_values import Certainty, is_secret
from gitmem.text.patterns import pattern

Span = tuple[int, int]

_MOST_LINES = 500
_FAR = 300
"""Most characters before the name of a column on its line."""
_SEPARATORS = {
    "|": pattern(r"\|"),
    "\t": pattern(r"\t"),
    ",": pattern(","),
    ";": pattern(";"),
    "  ": pattern(r"[ ]{2,}|\t"),
}
_RULE = pattern(r"[ |:+=-]*-[ |:+=-]*(?=\n|\Z)")
_DESCRIBES = pattern(
    r"(?i:\W*(?:description|meaning|purpose|type|required|scope|usage|regex|example|kind|used by)\W*)"
)
_INSERT = pattern(r"(?i:insert\s+(?:ignore\s+)?into)\s+[^\s(]{1,120}\s*\(\Z")
_VALUES = pattern(r"(?P<names>[^()]{1,1000})\)\s*(?i:values)\s*")
_ROW = pattern(r"\s*,?\s*\((?P<row>(?:'(?:[^']|'')*'|[^()']){0,2000})\)")
_CELL = pattern(r"\s*(?:'(?P<quoted>(?:[^']|'')*)'|(?P<bare>[^,']*))\s*(?:,|\Z)")


def secrets_in_columns(text: str, labels: Sequence[Label]) -> Iterator[Span]:
    """Yield the values of columns that a label names, in tables and SQL."""
    names = [label for label in labels if label.kind != "key"]
    ends = {label.end for label in names}
    yield from _inserted(text, names, ends)
    heads = list(_heads(text, names, ends))
    for separator in _SEPARATORS if heads else ():
        yield from _below(text, (head for head in heads if head.separator == separator))


class _Head(NamedTuple):
    end: int
    separator: str
    width: int
    columns: set[int]


def _heads(text: str, labels: Sequence[Label], ends: Container[int]) -> Iterator[_Head]:
    done = -1
    for label in labels:
        if label.start < done:
            continue
        start = text.rfind("\n", max(0, label.start - _FAR), label.start) + 1
        if not start and label.start > _FAR:
            continue
        done = text.find("\n", label.end)
        if done < 0:
            return
        line = text[start:done]
        separator = next(
            (candidate for candidate in _SEPARATORS if candidate in line), None
        )
        if separator is None or (separator == "|" and not _RULE.match(text, done + 1)):
            continue
        cells = _cells(line, separator)
        columns = _columns(cells, start, ends)
        names = [cell for _, cell in cells]
        is_doc = any(_DESCRIBES.fullmatch(cell) for cell in names)
        if columns and not is_doc and _are_names(names, separator):
            yield _Head(done, separator, len(cells), columns)


def _cells(line: str, separator: str) -> list[tuple[int, str]]:
    between = [match.span() for match in _SEPARATORS[separator].finditer(line)]
    starts = [0, *(end for _, end in between)]
    ends = [*(start for start, _ in between), len(line)]
    return [(start, line[start:end]) for start, end in zip(starts, ends, strict=True)]


def _columns(
    cells: list[tuple[int, str]], start: int, ends: Container[int]
) -> set[int]:
    """Return the numbers of the cells that end in a label."""
    return {
        number
        for number, (at, cell) in enumerate(cells)
        if start + at + len(cell.rstrip(" \t\"'`*_|]")) in ends
        and len(cell.split()) <= 4
    }


def _are_names(cells: list[str], separator: str) -> bool:
    """Return whether all cells look like column names, and not like prose or code."""
    if separator == "|":
        return not any(
            len(cell.split()) > 4 or re.search(r"[=(){}<>]", cell) for cell in cells
        )
    quote = "" if separator == "  " else '"?'
    name = rf"{quote}[^\W\d][\w -]{{0,40}}{quote}"
    return not cells[0][:1].isspace() and all(
        re.fullmatch(name, cell) for cell in cells
    )


def _below(text: str, heads: Iterable[_Head]) -> Iterator[Span]:
    """Yield the values below heads with one separator.

    A row may itself be the head of others, and is read once all the same.
    """
    remaining = list(heads)[::-1]
    while remaining:
        head = remaining.pop()
        columns, least, at, count = head.columns, max(head.columns), head.end + 1, 0
        while at < len(text) and count < _MOST_LINES:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line = text[at:end]
            if not _RULE.fullmatch(line):
                cells = _cells(line, head.separator)
                is_other = head.separator != "|" and len(cells) != head.width
                if is_other or len(cells) <= least:
                    break
                for column in columns:
                    yield from (
                        _in_cell(at, *cells[column]) if column < len(cells) else ()
                    )
            at, count = end + 1, count + 1
            if remaining and remaining[-1].end == end:
                also = remaining.pop().columns
                columns, least, count = columns | also, min(least, max(also)), 0


def _in_cell(line: int, at: int, cell: str) -> Iterator[Span]:
    value = cell.strip(" \t\"'`*\r")
    if not value or (re.search(r"[(){}=]", value) and " " in value):
        return
    start = line + at + cell.index(value)
    words = value.split()
    if len(words) > 1 and any(map(is_known, words[1:])):
        return
    if is_secret(value, Certainty.PROSE, is_quoted=len(words) > 1):
        yield start, start + len(value)


def _inserted(
    text: str, labels: Sequence[Label], ends: Container[int]
) -> Iterator[Span]:
    """Yield secrets of `INSERT INTO t (name, password) VALUES (…)`."""
    done = 0
    for label in labels if b"insert" in in_small_letters(text) else ():
        start = text.rfind("(", max(done, label.start - 500), label.start) + 1
        if not start or label.start < done:
            continue
        insert = _INSERT.search(text, max(done, start - 160), start)
        values = insert and _VALUES.match(text, start)
        if not values:
            continue
        columns = _columns(_cells(values["names"], ","), start, ends)
        done = values.end()
        while row := _ROW.match(text, done):
            done = row.end()
            for number, cell in enumerate(_CELL.finditer(row["row"])):
                value = cell["quoted"] if number in columns else None
                if value and is_secret(value, Certainty.LITERAL, is_quoted=True):
                    begin = row.start("row") + cell.start("quoted")
                    yield begin, begin + len(value)
