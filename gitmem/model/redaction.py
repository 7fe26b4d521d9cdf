"""The gate that every text passes before it is stored.

Git objects are hard to take back, so secrets are removed before a journal record, a
blob, an index entry or a line of the log exists. Stores accept `Redacted` alone, and
nothing but this module can make one. What a secret looks like is said in
`gitmem.model.secrets`; the `<private>` mark of the user is handled here.
"""

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from gitmem.model.secrets import Rule

T = TypeVar("T")

PRIVATE_MARK = "[REDACTED]"
"""What stands where the user's `<private>` text stood."""

_MAX_PASSES = 8
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_VALUE = r"""(?:"[^"]{0,500}"|'[^']{0,500}'|[^\s"'<>]{1,500})"""
_PRIVATE_TAG = re.compile(
    rf"<(?:(?P<close>/)|)(?i:private)(?:\s+[\w:-]{{1,100}}\s*=\s*{_VALUE})*+\s*>"
)


class Redacted(str):
    """Text that went through the redactor. `redact` and `seal` alone make it.

    Every method of `str` gives back plain `str`, so changed text has to pass again.
    A copy is the same object; a pickled one refuses to come back.
    """

    __slots__ = ()

    def __new__(cls, *_: object, **__: object) -> Self:
        raise TypeError("Redacted text comes from redact() or seal() only")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self


def redact(text: str) -> Redacted:
    """`text` with every secret replaced, and fit to be stored.

    Any text is accepted; a lone surrogate, which no UTF-8 can hold, becomes U+FFFD.
    Redacting twice changes nothing more.
    """
    return _brand(_clean(text))


def seal(value: T, render: Callable[[T], str]) -> Redacted:
    """What `render` makes of `value` once every text inside it is redacted.

    Looks into dataclasses, tuples, lists and dicts (keys as well; a text under a key
    such as `password` counts as its value). Enum members, dates, numbers, booleans
    and None stay. TypeError for anything else: what cannot be looked into is not
    stored. `render` must take its text from its argument alone.
    """
    return _brand(render(_clean_inside(value)))


def _brand(text: str) -> Redacted:
    return str.__new__(Redacted, text)


def _clean(text: str) -> str:
    """Rules run until nothing changes: one replacement may lay the next secret bare.

    Two passes do for honest text. Text that is still moving after `_MAX_PASSES` was
    made to wear us out, and nothing of it is kept.
    """
    text = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
    for _ in range(_MAX_PASSES):
        cleaned = _clean_once(text)
        if cleaned == text:
            return str(text)
        text = cleaned
    return PRIVATE_MARK


def _clean_once(text: str) -> str:
    from gitmem.model.secrets import RULES

    text = _without_private(text)
    for rule in RULES:
        text = _apply(rule, text)
    return text


def _without_private(text: str) -> str:
    """Cuts from each outermost opening tag to its closing one, or to the end."""
    kept: list[str] = []
    depth = position = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if tag["close"] is None:
            if depth == 0:
                kept += text[position : tag.start()], PRIVATE_MARK
            depth += 1
        elif depth > 0:
            depth -= 1
            position = tag.end()
    return "".join(kept) + ("" if depth else text[position:])


def _apply(rule: "Rule", text: str) -> str:
    mark = f"[REDACTED:{rule.name}]"

    kept: list[str] = []
    done = look_from = 0
    while match := rule.pattern.search(text, look_from):
        start, end = match.span("secret")
        is_secret = rule.is_secret(match)
        if is_secret:
            kept += text[done:start], mark
            done = end
        inside = rule.nests and not is_secret and match["quote"]
        look_from = max(start if inside else match.end(), match.start() + 1)
    return "".join([*kept, text[done:]])


def _clean_inside(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | date | Enum):
        return value
    if isinstance(value, str):
        return _clean(value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value,
            **{f.name: _clean_inside(getattr(value, f.name)) for f in fields(value)},
        )
    if type(value) in (tuple, list):
        return type(value)(_clean_inside(item) for item in value)
    if type(value) is dict:
        return {
            _clean_inside(key): _clean_entry(key, item) for key, item in value.items()
        }
    raise TypeError(f"a {type(value).__name__} cannot be redacted")


def _clean_entry(key: object, value: object) -> object:
    from gitmem.model.assignments import is_named_secret

    if isinstance(key, str) and isinstance(value, str) and is_named_secret(key, value):
        return "[REDACTED:assignment]"
    return _clean_inside(value)
