"""Signatures of functions whose parameters come from a table."""

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def with_parameters(parameters: Iterable[Parameter]) -> Callable[[F], F]:
    """Return a decorator that shows `parameters` in place of `**` in a signature.

    Libraries that make options or a schema of a signature then see each of them.
    """

    def decorate(function: F) -> F:
        declared = signature(function)
        fixed = [p for p in declared.parameters.values() if p.kind is not p.VAR_KEYWORD]
        full = declared.replace(parameters=[*fixed, *parameters])
        function.__signature__ = full  # type: ignore[attr-defined] # read by inspect.signature
        return function

    return decorate
