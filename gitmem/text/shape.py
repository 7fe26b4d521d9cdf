"""Whether a value is what its dataclass says: for data that comes from a file."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

_Check = Callable[[Any], bool]


def fits(value: object, kind: Any) -> bool:
    """Return whether `value` has the type `kind`, all the way down.

    Knows what our values are made of: dataclasses, `tuple[X, ...]`, unions, Literal,
    and plain classes. A datetime has to be aware.
    """
    return _check(kind)(value)


@cache
def _check(kind: Any) -> _Check:
    """Compile the check of a type, once, as a journal has thousands of lines."""
    origin = get_origin(kind)
    if origin is UnionType:
        return _any_of([_check(each) for each in get_args(kind)])
    if origin is Literal:
        return get_args(kind).__contains__
    if origin is tuple:
        return _all_in(_check(get_args(kind)[0]))
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return _made_of(kind, [(f.name, _check(hints[f.name])) for f in fields(kind)])
    return _is_aware if kind is datetime else lambda value: isinstance(value, kind)


def _any_of(checks: list[_Check]) -> _Check:
    return lambda value: any(check(value) for check in checks)


def _all_in(check: _Check) -> _Check:
    return lambda value: isinstance(value, tuple) and all(map(check, value))


def _made_of(kind: Any, checks: list[tuple[str, _Check]]) -> _Check:
    return lambda value: (
        isinstance(value, kind)
        and all(check(getattr(value, name)) for name, check in checks)
    )


def _is_aware(value: Any) -> bool:
    return isinstance(value, datetime) and value.utcoffset() is not None
