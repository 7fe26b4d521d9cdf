"""How many there are of something: as a person says it, and as it grows."""

from collections.abc import Callable, Sequence

Progress = Callable[[int, int], None]
"""Is told how many are done, and of how many: sessions, texts or bytes."""


def counted(number: int, noun: str) -> str:
    """`1 session`, `2,000 sessions`, `2 copies`."""
    if number == 1:
        return f"1 {noun}"
    is_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1]}ies" if is_y else f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int) -> str:
    """The first `most` of them, and how many more there are: `a, b and 2 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
