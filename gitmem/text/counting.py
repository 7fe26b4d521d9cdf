"""How many there are of something: as a person says it, as it grows, and as tokens."""

import re
from collections.abc import Callable, Sequence

from gitmem.text.patterns import pattern

Progress = Callable[[int, int], None]
"""Called with how many are done, and of how many: sessions, texts, or bytes."""
DEFAULT_BUDGET = 450

_PIECE = pattern(r"[A-Za-z]{1,5}|[0-9]{1,3}|[^\sA-Za-z0-9]|\n")
_SMALL_NUMBER = pattern(r"[0-9]{1,9}", re.ASCII)


def counted(number: int, noun: str) -> str:
    """`1 session`, `2,000 sessions`, `2 copies`."""
    if number == 1:
        return f"1 {noun}"
    is_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1]}ies" if is_y else f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int) -> str:
    """List the first `most` names, and count the rest: `a, b and 2 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def budget_in(setting: str | None) -> int:
    """Return the budget in tokens that a setting asks for; the default for nonsense.

    0 means that no brief is wanted.
    """
    text = (setting or "").strip()
    return int(text) if _SMALL_NUMBER.fullmatch(text) else DEFAULT_BUDGET


def estimated_tokens(text: str) -> int:
    """About how many tokens a model makes of the text, rather too many than too few.

    Tokenizers first cut text into words, up to three digits, and other characters (the
    pattern of `cl100k_base` in OpenAI's tiktoken, which later ones resemble); here a
    word counts once for every five letters. Against o200k_base and the tokenizer that
    Anthropic has published, it gives 1.0 to 1.3 of the larger count for English prose,
    paths, ids and code, 0.9 for Chinese and Japanese, and 0.5 to 0.8 for Korean,
    German, Hindi and Thai.
    """
    return len(_PIECE.findall(text))
