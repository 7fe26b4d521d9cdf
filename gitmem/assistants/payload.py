"""What a client sent, looked into without trust: a wrong type is an error, not a value.

All raise KeyError for what is not there, TypeError for what has the wrong type, and
count null as not there.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def text(payload: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """The text under `key`."""
    value = payload.get(key)
    if value is None:
        value = default
    return _required(value, str, key)


def inner(payload: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The object under `key`."""
    return _required(payload.get(key), dict, key)


def items(payload: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects in the list under `key`."""
    listed = _required(payload.get(key), list, key)
    return [_required(item, dict, key) for item in listed]


def client_id(payload: Mapping[str, Any], key: str) -> str:
    """The client's own id under `key`. Raises ValueError for an empty one."""
    value = text(payload, key)
    if not value:
        raise ValueError(f"{key} is empty")
    return value


def _required(value: Any, kind: type[T], key: str) -> T:
    if value is None:
        raise KeyError(key)
    if not isinstance(value, kind):
        raise TypeError(f"{key} is a {type(value).__name__}")
    return value
