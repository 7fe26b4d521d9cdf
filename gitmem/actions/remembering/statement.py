"""What a caller may say in a memory, and its limits: the same for tool and command."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from gitmem.documents.memory.memory import TEXT_LENGTH, Category, Relate, same_words
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.redaction.redact import redact
from gitmem.text.markdown import harmless_line
from gitmem.text.small_talk import tells_nothing

Member = TypeVar("Member", bound=StrEnum)
BRANCH, PROJECT, USER = "branch", "project", "user"
SESSION, PRIVATE = "session", "private"
SCOPES = (BRANCH, PROJECT, USER, SESSION, PRIVATE)
"""Any other scope is the name of a space."""
_KEY_LENGTH = 100
_ITEM_LENGTH = 500
_MOST_ITEMS = 50
_FEWEST_WORDS = 2
_LINE_LENGTH = 200
_ALIASES = {
    **dict.fromkeys(("feature", "change", "event", "episode", "note"), "fact"),
    **dict.fromkeys(("observation", "working_context"), "fact"),
    **dict.fromkeys(("refactor", "entity", "entities"), "architecture"),
    **dict.fromkeys(("bugfix", "error-solution", "case"), "fix"),
    **dict.fromkeys(("failure", "exploration"), "failed"),
}
"""Kinds of other memory systems."""


@frozen(kw_only=True)
class NewMemory:
    """A statement to remember, redacted; None in a field that was not given."""

    text: str = ""
    """Empty where a memory is updated whose text stays."""
    kind: Category | None = None
    key: str = ""
    why: str = ""
    facts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    scope: str = PROJECT
    expires: datetime | None = None
    pinned: bool | None = None
    importance: float | None = None
    confidence: float | None = None
    replaces: str | None = None
    relation: Relate = Relate.SUPERSEDE


def parse_statement(arguments: Mapping[str, Any], now: datetime) -> NewMemory:
    """Read the arguments of a caller; a None counts as not given.

    `now` is aware; a date without a time means its first moment there. Raises
    InvalidInput that says what is wrong.
    """
    arguments = {n: value for n, value in arguments.items() if value is not None}
    is_update = "replaces" in arguments and arguments.get("relation") == Relate.UPDATE
    if is_update and not arguments["text"].strip():
        del arguments["text"]
    parsed: dict[str, Any] = {
        name: _PARSERS[name](name, value) if name in _PARSERS else value
        for name, value in arguments.items()
    }
    if "expires" in arguments:
        parsed["expires"] = _expires(arguments["expires"], now)
    return NewMemory(**parsed)


def category(name: str, text: str) -> Category:
    """Read the kind of a memory, also by another name of it. Raises InvalidInput."""
    return _member(Category, name, _ALIASES.get(text, text))


def _member(kind: type[Member], name: str, text: str) -> Member:
    if text not in set(kind):
        raise InvalidInput(f"{name} must be one of {', '.join(kind)}, not {text!r}.")
    return kind(text)


def _key(_: str, text: str) -> str:
    key = text.strip()
    is_name = key.isprintable() and "/" not in key and ".." not in key
    if not is_name or not 0 < len(key) <= _KEY_LENGTH:
        raise InvalidInput(
            f"{text[:_KEY_LENGTH]!r} cannot be a key.",
            hint=f"At most {_KEY_LENGTH} characters, without '/', '..' and control"
            " characters; for example db.engine.",
        )
    return str(redact(key))


def in_one_line(kind: str, text: str, reference: str) -> str:
    """Return a memory, or a statement of a session, as a hook tells it."""
    return f"{kind}: {harmless_line(text, _LINE_LENGTH)} ({reference})"


def _prose(name: str, value: str) -> str:
    text = value.strip()
    if len(text) > TEXT_LENGTH:
        raise InvalidInput(
            f"{name} has {len(text):,} characters; at most {TEXT_LENGTH:,} fit.",
            hint="Put it in a file, and name that among the files of the memory.",
        )
    return str(redact(text))


def _text(name: str, value: str) -> str:
    text = _prose(name, value)
    is_short = text.isascii() and len(same_words(text).split()) < _FEWEST_WORDS
    if is_short or tells_nothing(text):
        raise InvalidInput(
            f"{text[:60]!r} says nothing that is worth keeping.",
            hint="Say it in a sentence that stands alone: what holds, and for what.",
        )
    return text


def _items(name: str, value: Sequence[str]) -> tuple[str, ...]:
    items = tuple(filter(None, (item.strip() for item in value)))
    if len(items) > _MOST_ITEMS or any(len(item) > _ITEM_LENGTH for item in items):
        raise InvalidInput(
            f"{name} has too much: at most {_MOST_ITEMS} of {_ITEM_LENGTH} characters."
        )
    return tuple(str(redact(item)) for item in items)


def _share(name: str, value: float) -> float:
    if not 0 <= value <= 1:
        raise InvalidInput(f"{name} must be between 0 and 1, not {value:g}.")
    return value


def _expires(text: str, now: datetime) -> datetime:
    try:
        expires = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(
            f"{text[:60]!r} is not a date.", hint="For example 2027-01-31."
        ) from None
    zone = expires.tzinfo or now.tzinfo
    expires = expires.replace(tzinfo=zone, microsecond=0)
    if expires <= now:
        raise InvalidInput(f"expires is in the past: {text.strip()}.")
    return expires


_PARSERS: dict[str, Callable[[str, Any], Any]] = {
    "text": _text,
    "kind": category,
    "key": _key,
    "why": _prose,
    "facts": _items,
    "tags": _items,
    "files": _items,
    "importance": _share,
    "confidence": _share,
    "relation": partial(_member, Relate),
}
