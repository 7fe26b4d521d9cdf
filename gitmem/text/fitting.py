"""As much of an answer as a budget of tokens has room for."""

import json
from collections.abc import Mapping, Sequence
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
    shown: list[Row] = []
    for short, *_ in rows:
        budget -= cost(short)
        if budget < 0 and shown:
            budget += cost(short)
            break
        shown.append(short)
    for number, forms in enumerate(rows[: len(shown)]):
        for form in reversed(forms):
            more = cost(form) - cost(shown[number])
            if more <= budget:
                shown[number], budget = form, budget - more
                break
    return shown
