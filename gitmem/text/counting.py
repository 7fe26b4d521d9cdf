"""Counts for people, estimates of tokens, and rows that fit into a budget of them."""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

from gitmem.text.patterns import pattern

Progress = Callable[[int, int], None]
"""A callback with the number that is done and the total: sessions, texts or bytes."""
Row = Mapping[str, Any]
"""A row of an answer, as JSON has it."""
DEFAULT_BUDGET = 800
"""Tokens of a brief."""
CONTEXT_BUDGET = 1200
LEAST_BUDGET = 100
LISTING_BUDGET = 1500
"""Default budget of a listing, in tokens."""
RECALL_BUDGET = 600

_REST = r"[0-9]{1,3}|[^\sA-Za-z0-9]|\n"
_PIECE = pattern(rf"[A-Z]{{2,3}}|(?<!\S)[A-Za-z]{{1,6}}|[A-Za-z]{{1,4}}|{_REST}")
_SHORT_PIECE = pattern(rf"[A-Za-z]{{1,3}}|{_REST}")
_ACCENTED = pattern("[À-ɏḀ-ỿ]")
_WORDS = pattern(r"\w+")
NOT_ENGLISH = frozenset(
    """
    der die das und oder nicht ist sind ein eine einem einen einer eines mit auf von zu
    zum zur den dem des im kann wird werden kein keine bei nach aus wenn als auch sich
    muss hat war nur noch alle wie el los las una para por con que le les dans avec sur
    pas est pour della sono het een niet voor zijn
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""Words that reveal a line of another language."""
_NO_WORD = pattern(r"[A-Za-z0-9]{20,}")
_RARE = pattern(
    "[\u0700-\u08ff\u0e80-\u1dff\u2e80-\u2fff\u3400-\u4dbf\ua000-\uabff\U00010000-\U0010ffff]"
)
_RARE_COST = 2
"""Further tokens of a character of a rare script, or an emoji."""
_SMALL_NUMBER = pattern(r"[0-9]{1,9}", re.ASCII)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 session`, `2,000 sessions`, `2 copies`."""
    if number == 1:
        return f"1 {noun}"
    is_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1]}ies" if is_y else f"{number:,} {noun}s"


def shortlist(names: Sequence[str], most: int) -> str:
    """List the first `most` names, and count the rest: `a, b and 2 more`."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def budget_in(setting: str | None) -> int:
    """Return the budget in tokens that a setting asks for; the default for nonsense.

    0 means that no brief is wanted.
    """
    text = (setting or "").strip()
    return int(text) if _SMALL_NUMBER.fullmatch(text) else DEFAULT_BUDGET


def estimated_tokens(text: str) -> int:
    """Return about the most tokens that a model makes of the text.

    Tokenizers first cut text into words, up to three digits, and other characters (the
    pattern of `o200k_base` in OpenAI's tiktoken, which others resemble); here a word
    counts once for six letters and for every four more, or for every three in a line
    that is not English. Against o200k_base it gives 1.2 of the count for English, up to
    1.7 for other languages of Europe, code and paths, and up to 2.8 for those of India:
    docs/performance.md.
    """
    pieces = sum(map(_pieces, text.splitlines(keepends=True)))
    keys = sum(len(key) // 3 for key in _NO_WORD.findall(text))
    return pieces + keys + _RARE_COST * len(_RARE.findall(text))


@lru_cache(maxsize=1024)
def _pieces(line: str) -> int:
    """Count the pieces of a line; a row is counted by itself, and then with others."""
    is_english = NOT_ENGLISH.isdisjoint(_WORDS.findall(line.lower()))
    short = not is_english or _ACCENTED.search(line)
    return len((_SHORT_PIECE if short else _PIECE).findall(line))


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
