"""Redaction, which every text passes before it is stored.

Git objects are hard to take back, so secrets are replaced before a journal record, a
blob, an index entry or a log line exists. Stores accept `Redacted` alone, which only
this module makes. `engine` has the rules, `user_rules` those of the user, set by
`follow`; the user's `<private>` mark is handled here.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gitmem.text.patterns import pattern

if TYPE_CHECKING:
    from gitmem.redaction.user_rules import Setting

T = TypeVar("T")
Settings = tuple["Setting", ...]

NAME: Mapping[str, bool] = MappingProxyType({"is_name": True})
"""The metadata of a field that holds a name by which something is found again.

The user's rules do not apply to such a field: documents that got the name before the
rule would be lost.
"""

PRIVATE_MARK = "[REDACTED]"
"""Replacement of the user's `<private>` text."""

_MAX_PASSES = 4
_SURROGATE = pattern(r"[\ud800-\udfff]")
_VALUE = r"""(?:"[^"]{0,500}"|'[^']{0,500}'|[^\s"'<>]{1,500})"""
_PRIVATE_TAG = pattern(
    rf"<(?:(?P<close>/)|)(?i:private)(?:\s+[\w:-]{{1,100}}\s*=\s*{_VALUE})*+\s*>"
)


class Redacted(str):
    """Text that went through the redactor. `redact` and `seal` alone make it.

    Every method of `str` returns plain `str`, so changed text has to be redacted again.
    A copy is the same object; a pickled one cannot be loaded.
    """

    __slots__ = ()

    def __new__(cls, *_: object, **__: object) -> Self:
        raise TypeError("Redacted text comes from redact() or seal() only")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self


_followed: ContextVar[Settings] = ContextVar("followed", default=())


_START_LENGTH = 20_000
"""Characters that are redacted for a short start: far more than it shows, so that no
secret is cut in two."""


def follow(settings: Settings) -> None:
    """Redact by these rules of the user, too, and by no others, from now on.

    What is set counts in this thread (in this context of it, see contextvars).
    """
    _followed.set(settings)


def followed() -> Settings:
    """Return the rules of the user that are followed now."""
    return _followed.get()


@contextmanager
def following(settings: Settings) -> Iterator[None]:
    """Follow these rules meanwhile, for work on another repository."""
    before = _followed.set(settings)
    try:
        yield
    finally:
        _followed.reset(before)


def redact(text: str) -> Redacted:
    """Return `text` with every secret replaced, and fit to be stored.

    Any text is accepted; a lone surrogate, which no UTF-8 can hold, becomes U+FFFD.
    Redacting twice changes nothing more.
    """
    return _brand(_clean(text, _followed.get()))


def redacted_start(text: str, length: int) -> str:
    """Return the first characters of a text once its secrets are out."""
    looked_at = text[:_START_LENGTH]
    if len(text) > _START_LENGTH:  # the last word is cut, and may be half a secret
        looked_at = looked_at[: max(map(looked_at.rfind, " \t\n")) + 1]
    return redact(looked_at)[:length]


def redact_own(text: str) -> Redacted:
    """Redact words of gitmem's own, or a name, without the user's rules.

    The user's rules see nothing in them.
    """
    return _brand(_clean(text, ()))


def seal(value: T, render: Callable[[T], str]) -> Redacted:
    """Return what `render` makes of `value` once every text inside it is redacted.

    Looks into dataclasses, tuples, lists and dicts (keys as well; a text under a key
    such as `password` counts as its value). Enum members, dates, numbers, booleans
    and None stay. TypeError for anything else: what cannot be looked into is not
    stored. `render` must take its text from its argument alone.
    """
    return _brand(render(_clean_inside(value, _followed.get())))


def rules_that_see(text: str) -> Counter[str]:
    """Return how often each rule would still replace something in saved text.

    The rules are named, never what they see; `private` stands for `<private>`.
    """
    from gitmem.redaction.rule import ANY_MARK

    clean = redact(text)
    if clean == text:
        return Counter()
    marks, old_marks = (
        Counter(mark["rule"] or "private" for mark in ANY_MARK.finditer(version))
        for version in (clean, text)
    )
    return marks - old_marks or Counter(["private"])


def _brand(text: str) -> Redacted:
    # The only place that makes one: its argument has been cleaned.
    return str.__new__(Redacted, text)


def _clean(text: str, settings: Settings) -> str:
    """Run the rules until nothing changes: one replacement may uncover a next secret.

    Honest text needs two passes. Text that still changes in the fourth is hostile, and
    is replaced as a whole.
    """
    from gitmem.redaction.cleaning import without_new_secrets, without_secrets

    text = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
    last_text = ""
    for number in range(_MAX_PASSES):
        cleaned = _without_private(text)
        if number == 0:
            cleaned = without_secrets(cleaned)
        else:
            cleaned = without_new_secrets(cleaned, last_text)
        cleaned = _clean_by_user(cleaned, settings, is_first=number == 0)
        if cleaned == text:
            return str(text)
        last_text, text = text, cleaned
    return PRIVATE_MARK


def _clean_by_user(text: str, settings: Settings, *, is_first: bool) -> str:
    """Apply the user's rules, to whole words after the first pass."""
    if settings:
        from gitmem.redaction.user_rules import rules_of

        for rule in rules_of(settings):
            text = rule.applied(text, to_words=not is_first)
    return text


def _without_private(text: str) -> str:
    """Cut from each outermost opening tag to its closing one, or to the end."""
    parts: list[str] = []
    depth = position = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if tag["close"] is None:
            if depth == 0:
                parts += text[position : tag.start()], PRIVATE_MARK
            depth += 1
        elif depth > 0:
            depth -= 1
            position = tag.end()
    return "".join(parts) + ("" if depth else text[position:])


def _clean_inside(value: Any, settings: Settings) -> Any:
    if value is None or isinstance(value, bool | int | float | date | Enum):
        return value
    if isinstance(value, str):
        return _clean(value, settings)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **_clean_fields(value, settings))
    if type(value) in (tuple, list):
        return type(value)(_clean_items(value, settings))
    if type(value) is dict:
        return {
            _clean_inside(key, settings): _clean_entry(key, item, settings)
            for key, item in value.items()
        }
    raise TypeError(f"a {type(value).__name__} cannot be redacted")


def _clean_items(items: Sequence[Any], settings: Settings) -> Iterator[Any]:
    texts = [item for item in items if isinstance(item, str)]
    if len(texts) > 1:
        from gitmem.redaction.cleaning import without_shared_secrets

        cleaned = iter(without_shared_secrets(texts))
        items = [next(cleaned) if isinstance(item, str) else item for item in items]
    return (_clean_inside(item, settings) for item in items)


def _clean_fields(value: Any, settings: Settings) -> dict[str, Any]:
    return {
        field.name: _clean_inside(
            getattr(value, field.name), () if "is_name" in field.metadata else settings
        )
        for field in fields(value)
    }


def _clean_entry(key: object, value: object, settings: Settings) -> object:
    from gitmem.redaction.engine import is_named_secret

    if isinstance(key, str) and isinstance(value, str) and is_named_secret(key, value):
        return "[REDACTED:assignment]"
    return _clean_inside(value, settings)
