"""The header of a document: YAML between two lines of three dashes.

Written so that every YAML reader takes each value for what it is: a word that YAML
could mistake for a number or a truth value is quoted, and a time may be read as one.
Values are text without lone surrogates, for which YAML has no notation. Read with a
real YAML reader, because people edit headers; entries that are not ours are kept as
they were written, comments and all.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from gitmem.frozen import frozen
from gitmem.text.calendar import read_time
from gitmem.text.patterns import pattern

E = TypeVar("E", bound=StrEnum)

VALUE_LENGTH = 1000
"""Characters of the longest value that is read, but for a list of names."""
_FENCE = "---"
_SPACE = " \t"
_LONGEST_ESCAPE = len(r"\u0009")
_LONG_LIST = pattern(r"[a-z0-9_.,=T:+ -]*", re.ASCII)
"""Lists of names, numbers and times, which may be longer than other values."""
_YAML_LINE_END = pattern(r"[\x85\u2028\u2029]")
_AFTER_KEY = ("", " ", "\t", "\n")
_NO_TEXT = tuple("[{&*!|>?")
"""How a value begins that is a collection, a link, a tag or a block."""
_LINE = pattern(r"[^\n]*\n|[^\n]+")
_BLANK_LINES = pattern(r"\A(?:[ \t]*\n)+")
_PLAIN = pattern(
    r"[A-Za-z_][A-Za-z0-9_./-]*|\d{4}-\d\d-\d\d(T[0-9:]+\+[0-9:]+|_[0-9-]+_[a-z0-9_.-]+)",
    re.ASCII,
)
_NOT_PLAIN = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_SIMPLE = pattern(
    r"([a-z_]+): (?:([A-Za-z_][A-Za-z0-9_./-]*"
    r"|\d{4}-\d\d-\d\d(?:T[0-9:]+\+\d\d:\d\d|_[0-9-]+_[a-z0-9_.-]+))"
    r'|"([ !#-\[\]-~]*)")\n?',
    re.ASCII,
)
"""An entry of which YAML would say the same; most are, and YAML takes its time."""
_QUOTED_CHARACTERS = pattern(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')


@frozen
class Header:
    values: Mapping[str, str]
    """The entries that were asked for and are there."""
    extra: str
    """All others, as written, each line with its line end."""


def split(document: str) -> tuple[str, str]:
    """The text between the fences, and the body; no header when there is no fence."""
    opening, _, rest = document.partition("\n")
    if opening.rstrip() != _FENCE:
        return "", document
    closing = re.search(rf"^{_FENCE}[ \t]*(?:\n|\Z)", rest, re.MULTILINE)
    if closing is None:
        return "", document
    return rest[: closing.start()], rest[closing.end() :]


def write(values: Iterable[tuple[str, str]], extra: str) -> str:
    """The header with its fences; a value that is empty is left out."""
    lines = [f"{key}: {_scalar(value)}\n" for key, value in values if value]
    return "".join([f"{_FENCE}\n", *lines, extra, f"{_FENCE}\n"])


def read(text: str, keys: frozenset[str]) -> Header:
    """Return the values of `keys`, and the rest verbatim.

    Total: an entry of ours counts as missing that no YAML reader understands, or whose
    value is no text. It is one line; what continues it is dropped. (libyaml overflows
    the stack on deep nesting.)
    """
    values: dict[str, str] = {}
    extra: list[str] = []
    is_extra = True
    for line in _LINE.findall(text):
        key, _, value = line.partition(":")
        if key.rstrip() in keys and value[:1] in _AFTER_KEY:
            is_extra = False
            values |= _entry(line, value)
        elif is_extra := is_extra or line[:1] not in _SPACE:
            extra.append(line)
    return Header(values, _apart("".join(extra)))


def time_in(value: str | None) -> datetime | None:
    """Read a time; one without an offset is in UTC, and what is no time is None."""
    if not value:
        return None
    try:
        time = read_time(value)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def member_in(kind: type[E], value: str | None, default: E) -> E:
    """Read a member of an enumeration, or the default."""
    try:
        return kind(value or default)
    except ValueError:
        return default


def _entry(line: str, value: str) -> dict[str, str]:
    """Return what a line says by its key; nothing where that is no text."""
    if simple := _SIMPLE.fullmatch(line):
        text = simple[2] or simple[3]
        return {simple[1]: text} if _is_bounded(text) else {}
    loaded = _load(line) if _is_text(value) else {}
    return {k: v for k, v in loaded.items() if isinstance(v, str) and _is_bounded(v)}


def _is_bounded(text: str) -> bool:
    return len(text) <= VALUE_LENGTH or _LONG_LIST.fullmatch(text) is not None


def _is_text(value: str) -> bool:
    """Return whether it is one line of text, for every notion of a line in YAML."""
    if len(value) > VALUE_LENGTH * _LONGEST_ESCAPE:
        return _LONG_LIST.fullmatch(value.strip().strip('"')) is not None
    is_one_line = not _YAML_LINE_END.search(value)
    return is_one_line and not value.lstrip().startswith(_NO_TEXT)


def _apart(extra: str) -> str:
    """The text so that its beginning is no part of an entry that stands above it."""
    text = _BLANK_LINES.sub("", extra)
    return f"# {text.lstrip(_SPACE)}" if text[:1] in tuple(_SPACE) else text


def _load(line: str) -> dict[str, Any]:
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        loaded = yaml.load(line, Loader=loader)  # noqa: S506 - makes only text
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _scalar(value: str) -> str:
    if _PLAIN.fullmatch(value) and value.lower() not in _NOT_PLAIN:
        return value
    return '"' + _QUOTED_CHARACTERS.sub(_escape, value) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
