"""How often a test that looks for rare moments is to try, and where chance begins.

A crash, a race or a strange input shows itself once in many rounds. Each test names the
few that everybody can wait for; who wants to know more sets `OCM_TEST_ROUNDS`. What was
found is found again with the `OCM_TEST_SEED` that was printed.
"""

import os
import random
import time
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

import pytest
from _pytest.mark import ParameterSet

# Read as this is imported: a test has none of these variables.
_ASKED = os.environ.get("OCM_TEST_ROUNDS")
_SEED = os.environ.get("OCM_TEST_SEED")


def rounds(short: int) -> int:
    """`OCM_TEST_ROUNDS` if that is set, else `short`."""
    return int(_ASKED) if _ASKED else short


def chance() -> random.Random:
    """Another one each time, unless `OCM_TEST_SEED` is set; which one is printed."""
    seed = int(_SEED) if _SEED else time.time_ns() % 1_000_000
    print(f"OCM_TEST_SEED={seed}")
    return random.Random(seed)


def few(
    count: int, names: str | tuple[str, ...], rows: Iterable[object], **options: Any
) -> pytest.MarkDecorator:
    """Like `parametrize`, with only `count` of the rows in the default suite.

    They are the first, the last and some between. Of up to six rows the others are
    endurance; of a long list, whose rows are much alike, they are slow.
    """
    every = [*rows]
    marks = pytest.mark.slow if len(every) > 6 else pytest.mark.endurance
    steps = max(1, count - 1)
    chosen = {round(step * (len(every) - 1) / steps) for step in range(count)}
    is_one = isinstance(names, str) and "," not in names
    return pytest.mark.parametrize(
        names,
        [
            row
            if number in chosen or isinstance(row, ParameterSet)
            else pytest.param(*((row,) if is_one else row), marks=marks)  # type: ignore[misc]  # a row has a value for each name
            for number, row in enumerate(every)
        ],
        **options,
    )


def every_row(
    names: str | tuple[str, ...], rows: Iterable[object]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `parametrize`, in one test: for rows that need no fixture of their own.

    A test of its own costs some milliseconds; most rows take none. The first that fails
    is named.
    """
    keys = (
        [each.strip() for each in names.split(",")] if isinstance(names, str) else names
    )
    every = [*rows]

    def in_one_test(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def try_rows(*own: object, **fixtures: object) -> None:
            for row in every:
                values = row if len(keys) > 1 else (row,)
                try:
                    test(*own, **fixtures, **dict(zip(keys, values, strict=True)))  # type: ignore[call-overload]  # a row has a value for each name
                except BaseException as error:
                    error.add_note(f"in the row {row!r:.500}")
                    raise

        asked = signature(test)
        left = [each for each in asked.parameters.values() if each.name not in keys]
        try_rows.__signature__ = asked.replace(parameters=left)  # type: ignore[attr-defined]  # pytest reads it
        return try_rows

    return in_one_test
