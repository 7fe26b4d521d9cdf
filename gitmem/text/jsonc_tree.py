"""JSON as people keep it in settings, read: comments and trailing commas allowed."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from gitmem.errors import InvalidInput
from gitmem.text.patterns import pattern

MAX_LENGTH = 5_000_000
"""Most characters. Settings have some thousand; a longer file is somebody's data."""
MAX_DEPTH = 100
"""Most nested containers: far above all settings, far below Python's limits."""

COMMENT = r"//[^\r\n]*|/\*(?s:.*?)\*/"
_TOKEN = pattern(
    rf"""(?P<blank>[ \t\r\n]+|{COMMENT})
    |(?P<mark>[\[\]{{}},:])
    |(?P<string>"(?:[^"\\\x00-\x1f]++|\\.)*+")
    |(?P<other>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)
    """,
    re.VERBOSE,
)
_Token = tuple[str, int, int]
"""A mark, `string`, `other` or `end`; where it starts, and where it ends."""


@dataclass(slots=True)
class Node:
    """A value and where it stands in the text; the key of a member belongs to it."""

    start: int
    end: int
    value: Any
    value_start: int
    key: str | None = None
    """The key of a member; None for items and for the outermost value."""
    children: list["Node"] = field(default_factory=list)
    """The members of an object or items of an array."""
    comma: int | None = None
    """Offset of the comma behind it."""
    parent: "Node | None" = None


@lru_cache(maxsize=2)
def read(text: str) -> Node | None:
    """Return the outermost value; None for white space and comments alone.

    Raises InvalidInput, with line and column of the first thing that is not JSON.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"there are more than {MAX_LENGTH:,} characters")
    tokens = _tokens(text)
    token = next(tokens)
    if token[0] == "end":
        return None
    node = _value(text, tokens, token, 1)
    kind, start, _ = next(tokens)
    if kind != "end":
        raise error_at(text, start, "there is more behind the value")
    return node


def error_at(text: str, offset: int, reason: str) -> InvalidInput:
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    return InvalidInput(f"line {line}, column {column}: {reason}")


def _tokens(text: str) -> Iterator[_Token]:
    position = int(text.startswith("\ufeff"))
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise error_at(text, position, "this is not JSON")
        if match.lastgroup != "blank":
            kind = match[0] if match.lastgroup == "mark" else match.lastgroup
            yield kind, position, match.end()
        position = match.end()
    yield "end", position, position


def _value(text: str, tokens: Iterator[_Token], token: _Token, depth: int) -> Node:
    kind, start, end = token
    if kind in ("{", "["):
        # A hostile file nests until Python's own recursion ends with an error.
        if depth > MAX_DEPTH:
            raise error_at(text, start, "nested too deeply")
        return _container(text, tokens, token, depth)
    if kind not in ("string", "other"):
        raise error_at(text, start, "a value is missing")
    try:
        value = json.loads(text[start:end], parse_int=_number)
    except ValueError:
        raise error_at(text, start, "this is not a JSON string") from None
    return Node(start, end, value, start)


def _container(text: str, tokens: Iterator[_Token], token: _Token, depth: int) -> Node:
    is_object, close = (True, "}") if token[0] == "{" else (False, "]")
    node = Node(token[1], token[2], None, token[1])
    token = next(tokens)
    while token[0] != close:
        child = _child(text, tokens, token, depth, is_member=is_object)
        child.parent = node
        node.children.append(child)
        token = next(tokens)
        if token[0] == ",":
            child.comma = token[1]
            token = next(tokens)
        elif token[0] != close:
            raise error_at(text, token[1], f"a comma or {close} is missing")
    node.end = token[2]
    values = [child.value for child in node.children]
    keys = [child.key for child in node.children]
    node.value = dict(zip(keys, values, strict=True)) if is_object else values
    return node


def _child(
    text: str, tokens: Iterator[_Token], token: _Token, depth: int, *, is_member: bool
) -> Node:
    if not is_member:
        return _value(text, tokens, token, depth + 1)
    if token[0] != "string":
        raise error_at(text, token[1], "a key in double quotes is missing")
    key = _value(text, tokens, token, depth)
    colon, position, _ = next(tokens)
    if colon != ":":
        raise error_at(text, position, "a colon is missing")
    node = _value(text, tokens, next(tokens), depth + 1)
    node.key, node.start = key.value, key.start
    return node


def _number(digits: str) -> float:
    """Read long integers as floats, as clients do: Python refuses the longest."""
    return int(digits) if len(digits) < 400 else float(digits)
