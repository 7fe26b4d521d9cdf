"""Fit the rows of an answer into a budget of tokens."""

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from gitmem.text.counting import estimated_tokens

Row = Mapping[str, Any]

LISTING_BUDGET = 1500
"""Default budget of a listing, in tokens."""
RECALL_BUDGET = 600


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def cost(row: Row) -> int:
    """Return about how many tokens the JSON of a row has, with its comma."""
    return estimated_tokens(as_json(row) + ",")


def fullest(rows: Sequence[Sequence[Row]], budget: int) -> list[Row]:
    """Return the first rows, each in the longest of its forms that there is room for.

    A row is its forms, from short to long. All rows are shown in the short form before
    any is in a long one, and the first row is always shown.
    """
    ends = [*accumulate(cost(short) for short, *_ in rows)]
    count = max(bisect_right(ends, budget), 1)
    chosen = [short for short, *_ in rows[:count]]
    budget -= sum(ends[count - 1 : count])
    for number, forms in enumerate(rows[:count]):
        for form in reversed(forms):
            extra_cost = cost(form) - cost(chosen[number])
            if extra_cost <= budget:
                chosen[number], budget = form, budget - extra_cost
                break
    return chosen
