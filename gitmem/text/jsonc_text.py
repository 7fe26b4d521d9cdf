"""JSON as people keep it in settings, read: comments and trailing commas allowed.

The text is seen through two masks of its own length, so that a place in one is the
same place in all: `strict` is what a JSON parser accepts, and `shape` leaves nothing
but structure.
"""

import json
import re
from dataclasses import dataclass

from gitmem.errors import InvalidInput
from gitmem.text.patterns import pattern

MAX_LENGTH = 5_000_000
"""Characters. Settings have some thousand; above this it is somebody's data."""
MAX_DEPTH = 100
"""Containers in each other: far above all settings, far below a parser's limits."""

COMMENT = pattern(r"//[^\r\n]*|/\*(?s:.*?)(?:\*/|(?P<open>\Z))")
_STRING = r'"(?:[^"\\]|\\(?s:.))*(?:"|\Z)'
_STRING_OR_COMMENT = pattern(f"(?P<string>{_STRING})|{COMMENT.pattern}")
_STRING_OR_NUMBER = pattern(rf"(?P<string>{_STRING})|-?\d[\d.eE+-]*")
_TRAILING_COMMA = pattern(r"([^\s\[{,]\s*),(?=\s*[\]}])")


@dataclass(frozen=True, slots=True)
class JsonText:
    text: str
    strict: str
    """With spaces for comments, trailing commas and the byte order mark."""
    shape: str
    """Without comments; strings and numbers keep nothing but their length."""

    @property
    def has_value(self) -> bool:
        return bool(self.strict.strip())

    def value(self, start: int, end: int) -> object:
        return _loads(self.strict[start:end])

    def where(self, offset: int) -> str:
        return _where(self.text, offset)

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def indentation(self, offset: int) -> str:
        """The white space that begins the line of a place."""
        line = self.text[self.line_start(offset) : offset]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def after_comments(self, offset: int) -> int:
        """The end of the last comment that begins on the line of a place, behind it."""
        while match := _COMMENT_ON_LINE.match(self.text, offset):
            offset = match.end()
        return offset


_COMMENT_ON_LINE = pattern(rf"[ \t]*(?:{COMMENT.pattern})")


def read(text: str) -> JsonText:
    """The text with its masks.

    InvalidInput names line and column of the first thing that is not JSON, also where
    containers are nested beyond all reason.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"there are more than {MAX_LENGTH:,} characters")
    uncommented = _without_comments(text)
    shape = _STRING_OR_NUMBER.sub(_as_long, uncommented)
    _refuse_depth(text, shape)
    json_text = JsonText(text, without_trailing_commas(uncommented, shape), shape)
    if json_text.has_value:
        _refuse_nonsense(json_text)
    return json_text


def without_trailing_commas(uncommented: str, shape: str) -> str:
    parts, kept = [], 0
    for match in _TRAILING_COMMA.finditer(shape):
        parts += [uncommented[kept : match.end() - 1], " "]
        kept = match.end()
    return "".join([*parts, uncommented[kept:]])


def _as_long(match: re.Match[str]) -> str:
    length = len(match[0])
    return "1" * length if match["string"] is None else '"' + "_" * (length - 2) + '"'


def _refuse_depth(text: str, shape: str) -> None:
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", shape):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise InvalidInput(f"{_where(text, bracket.start())}: nested too deeply")


def _without_comments(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        if match["string"] is not None:
            return match[0]
        if match["open"] is not None:
            raise InvalidInput(f"{_where(text, match.start())}: comment without end")
        return re.sub(r"[^\r\n]", " ", match[0])

    return _STRING_OR_COMMENT.sub(blank, re.sub("^\ufeff", " ", text))


def _refuse_nonsense(json_text: JsonText) -> None:
    try:
        _loads(json_text.strict)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        raise InvalidInput(f"{json_text.where(error.pos)}: {reason}") from None
    except _NotJson as error:
        where = json_text.where(json_text.shape.index(str(error)))
        raise InvalidInput(f"{where}: {error} is not JSON") from None


class _NotJson(Exception):
    """A constant that Python's parser takes and no client's."""


def _loads(text: str) -> object:
    return json.loads(text, parse_constant=_refuse_constant, parse_int=_number)


def _refuse_constant(name: str) -> object:
    raise _NotJson(name)


def _number(digits: str) -> float:
    """Python refuses integers of thousands of digits; for clients they are floats."""
    return int(digits) if len(digits) < 400 else float(digits)


def _where(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"line {line}, column {column}"
