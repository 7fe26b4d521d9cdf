"""JSON as people keep it in settings: comments, trailing commas, their own layout.

The text is read through two masks of its own length, so that a place in one is the
same place in all: `strict` is what a JSON parser accepts, `shape` leaves nothing but
structure.
"""

import json
import re
from dataclasses import dataclass

from gitmem.errors import InvalidInput

MAX_LENGTH = 5_000_000
"""Characters. Settings are some thousand; above this somebody else's data was hit."""
MAX_DEPTH = 100
"""Containers in each other; far above every client's settings, far below a crash."""

COMMENT = re.compile(r"//[^\r\n]*|/\*(?s:.*?)(?:\*/|(?P<open>\Z))")
_STRING = r'"(?:[^"\\]|\\(?s:.))*(?:"|\Z)'
_STRING_OR_COMMENT = re.compile(f"(?P<string>{_STRING})|{COMMENT.pattern}")
_STRING_OR_NUMBER = re.compile(rf"(?P<string>{_STRING})|-?\d[\d.eE+-]*")
_TRAILING_COMMA = re.compile(r"([^\s\[{,]\s*),(?=\s*[\]}])")
_INDENTED = re.compile(r"^[ \t]+(?=[^\s])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class JsonText:
    text: str
    strict: str
    """The text with spaces for comments, trailing commas and a byte order mark."""
    shape: str
    """The text in ASCII without comments; strings and numbers are only as long."""

    def value(self, start: int, end: int) -> object:
        return _loads(self.strict[start:end])

    def where(self, offset: int) -> str:
        return _where(self.text, offset)

    def is_one_line(self, start: int, end: int) -> bool:
        return "\n" not in self.text[start:end]

    def line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def indentation(self, offset: int) -> str:
        """The white space that begins the line of a place."""
        line = self.text[self.line_start(offset) : offset]
        return line[: len(line) - len(line.lstrip(" \t"))]


@dataclass(frozen=True, slots=True)
class Style:
    """How the author of a text lays it out."""

    line_end: str
    unit: str
    """What one level is indented by."""
    is_tight: bool
    """No space after colons and commas."""


def read(text: str) -> JsonText:
    """The text with its masks; InvalidInput names the first place that is not JSON."""
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"more than {MAX_LENGTH:,} characters")
    without_comments = _without_comments(text)
    shape = _STRING_OR_NUMBER.sub(_as_long, without_comments)
    _refuse_depth(text, shape)
    strict = _without_trailing_commas(without_comments, shape)
    if strict.strip():
        _refuse_nonsense(text, strict, shape)
    return JsonText(text, strict, shape)


def style_of(text: JsonText) -> Style:
    colon = text.shape.find(":")
    return Style(
        line_end="\r\n" if re.match(r"[^\n]*\r\n", text.text) else "\n",
        unit=_unit(text),
        is_tight=colon >= 0 and not text.shape[colon + 1].isspace(),
    )


def rendered(
    key: str | None, value: object, style: Style, *, indentation: str | None
) -> str:
    """A member, or an item when `key` is None, as the author would have written it.

    `indentation` is that of its line; None puts all on one line.
    """
    colon = ":" if style.is_tight else ": "
    comma = "," if style.is_tight or indentation is not None else ", "
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + colon
    body = json.dumps(
        value,
        ensure_ascii=False,
        indent=None if indentation is None else style.unit,
        separators=(comma, colon),
    )
    return name + body.replace("\n", f"{style.line_end}{indentation}")


def _without_comments(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        if match["string"] is not None:
            return match[0]
        if match["open"] is not None:
            raise InvalidInput(f"{_where(text, match.start())}: comment without end")
        return re.sub(r"[^\r\n]", " ", match[0])

    # A byte order mark belongs to the file, not to the JSON in it.
    return _STRING_OR_COMMENT.sub(blank, re.sub("^\ufeff", " ", text))


def _as_long(match: re.Match[str]) -> str:
    length = len(match[0])
    return "1" * length if match["string"] is None else '"' + "_" * (length - 2) + '"'


def _refuse_depth(text: str, shape: str) -> None:
    depth = 0
    for bracket in re.finditer(r"[\[\]{}]", shape):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise InvalidInput(f"{_where(text, bracket.start())}: nested too deeply")


def _without_trailing_commas(text: str, shape: str) -> str:
    kept = 0
    parts = []
    for match in _TRAILING_COMMA.finditer(shape):
        parts += [text[kept : match.end() - 1], " "]
        kept = match.end()
    return "".join([*parts, text[kept:]])


def _refuse_nonsense(text: str, strict: str, shape: str) -> None:
    try:
        _loads(strict)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        raise InvalidInput(f"{_where(text, error.pos)}: {reason}") from None
    except _NotJson as error:
        where = _where(text, shape.index(str(error)))
        raise InvalidInput(f"{where}: {error} is not JSON") from None


class _NotJson(Exception):
    """A constant that Python reads and no client does."""


def _loads(text: str) -> object:
    return json.loads(text, parse_constant=_refuse_constant, parse_int=_number)


def _refuse_constant(name: str) -> object:
    raise _NotJson(name)


def _number(digits: str) -> float:
    """Python refuses integers of thousands of digits; clients read them as floats."""
    return int(digits) if len(digits) < 400 else float(digits)


def _where(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    return f"line {line}, column {offset - text.rfind('\n', 0, offset)}"


def _unit(text: JsonText) -> str:
    for match in _INDENTED.finditer(text.shape):
        indentation = text.indentation(match.end())
        if "\t" in indentation:
            return "\t"
        if 0 < len(indentation) <= 8:
            return indentation
    return "  "
