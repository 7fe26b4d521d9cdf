"""Whether a value is what its dataclass says: for data that comes from a file."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints


def fits(value: object, kind: Any) -> bool:
    """Whether `value` has the type `kind`, all the way down.

    Knows what our values are made of: dataclasses, `tuple[X, ...]`, unions, Literal,
    and plain classes. A datetime has to be aware.
    """
    origin = get_origin(kind)
    if origin is UnionType:
        return any(fits(value, each) for each in get_args(kind))
    if origin is Literal:
        return value in get_args(kind)
    if origin is tuple:
        item = get_args(kind)[0]
        return isinstance(value, tuple) and all(fits(each, item) for each in value)
    if not isinstance(value, kind):
        return False
    if isinstance(value, datetime):
        return value.utcoffset() is not None
    return not is_dataclass(value) or _all_fit(value, _hints(kind))


def _all_fit(value: Any, kinds: Mapping[str, Any]) -> bool:
    return all(fits(getattr(value, f.name), kinds[f.name]) for f in fields(value))


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """They are made anew at every call, and a journal has thousands of lines."""
    return get_type_hints(kind)
