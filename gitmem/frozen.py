"""Frozen dataclasses that are cheap to define.

For one of `dataclasses` Python compiles seven functions, in 0.7 ms, and a command loads
a hundred. Here all classes share them but for `__init__`, which is compiled when the
first instance is made: most classes that a command loads have none. mypy reports an
assignment to a field; nothing does while the program runs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

Kind = TypeVar("Kind", bound=type)


@overload
def frozen(kind: Kind, /) -> Kind: ...
@overload
def frozen(*, kw_only: bool) -> Callable[[Kind], Kind]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: Any = None, /, *, kw_only: bool = False) -> Any:
    """Make a class a dataclass with slots, equal and hashed by its fields."""

    def made(kind: Any) -> Any:
        kind.__doc__ = kind.__doc__ or kind.__name__  # else its signature, which costs
        made: Any = dataclass(
            slots=True, init=False, eq=False, repr=False, kw_only=kw_only
        )(kind)
        names = [attribute.name for attribute in fields(made)]
        made.__key__ = attrgetter("__class__", *names)
        made.__eq__, made.__hash__, made.__repr__ = _equals, _hash, _shown

        def first(instance: Any, *values: Any, **keywords: Any) -> None:
            made.__init__ = _init_of(made)
            made.__init__(instance, *values, **keywords)

        made.__init__ = first
        return made

    return made(kind) if kind else made


def _init_of(kind: Any) -> Any:
    """Compile the `__init__` of a class whose fields are known."""
    heir: Any = type(kind.__name__, (kind,), {"__doc__": kind.__doc__})
    return dataclass(eq=False, repr=False)(heir).__init__


def _equals(left: Any, right: Any) -> bool:
    if right.__class__ is not left.__class__:
        return NotImplemented  # type: ignore[no-any-return] # as Python has it
    return bool(left.__key__(left) == left.__key__(right))


def _hash(instance: Any) -> int:
    return hash(instance.__key__(instance))


def _shown(instance: Any) -> str:
    pairs = (
        f"{f.name}={getattr(instance, f.name)!r}" for f in fields(instance) if f.repr
    )
    return f"{instance.__class__.__qualname__}({', '.join(pairs)})"
