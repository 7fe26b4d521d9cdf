"""As much of an answer as a budget of tokens has room for."""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from gitmem.text.counting import estimated_tokens

Row = Mapping[str, Any]

LISTING_BUDGET = 1500
"""Tokens of a listing, where nobody says how many."""
RECALL_BUDGET = 600


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def cost(row: Row) -> int:
    """Return about how many tokens the JSON of a row has, with its comma."""
    return estimated_tokens(as_json(row) + ",")


def fullest(rows: Sequence[Sequence[Row]], budget: int) -> list[Row]:
    """Return the first rows, each in the longest of its forms that there is room for.

    Of each row there are its forms, from short to long. All have a short form before
    one has a long form, and the first row is never left out.
    """
    ends = [*accumulate(cost(short) for short, *_ in rows)]
    count = max(bisect_right(ends, budget), 1)
    shown = [short for short, *_ in rows[:count]]
    budget -= sum(ends[count - 1 : count])
    for number, forms in enumerate(rows[:count]):
        for form in reversed(forms):
            more = cost(form) - cost(shown[number])
            if more <= budget:
                shown[number], budget = form, budget - more
                break
    return shown
