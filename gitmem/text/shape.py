"""Make values of JSON from a file, checking the shape of their class."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from gitmem.text.calendar import read_time

T = TypeVar("T")


def value_of(kind: type[T], data: object) -> T:
    """Return the value of a type from the JSON of its `asdict`.

    Knows what our values are made of: dataclasses, `tuple[X, ...]`, `X | None`,
    enumerations, aware times, and plain classes. Raises ValueError where anything in it
    has another shape.
    """
    try:
        value: T = _maker(kind)(data)  # type: ignore[arg-type]  # a class has a hash
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"This is no {kind.__name__}.") from error
    return value


@cache
def _maker(kind: Any) -> Callable[[Any], Any]:
    """Compile a function that makes a value, once: a journal has thousands of lines."""
    origin = get_origin(kind)
    if origin is UnionType:
        [make_value] = [
            _maker(member) for member in get_args(kind) if member is not NoneType
        ]
        return lambda data: None if data is None else make_value(data)
    if origin is tuple:
        item = _maker(get_args(kind)[0])
        return lambda data: tuple(map(item, _checked(list, data)))
    if is_dataclass(kind):
        return _of_fields(kind)
    if kind is datetime:
        return _time
    return kind if issubclass(kind, Enum) else lambda data: _checked(kind, data)


def _of_fields(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    makers = {field.name: _maker(hints[field.name]) for field in fields(kind)}
    return lambda data: kind(**{n: makers[n](v) for n, v in data.items()})


def _checked(kind: type, data: Any) -> Any:
    if type(data) is not kind:  # for Python, True is an int
        raise TypeError(data)
    return data


def _time(data: Any) -> datetime:
    time = read_time(data)
    if time.tzinfo is None:
        raise ValueError(data)
    return time
