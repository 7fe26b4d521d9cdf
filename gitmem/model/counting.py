"""How many there are of something, as a person says it."""


def counted(number: int, noun: str) -> str:
    """`1 session`, `2,000 sessions`, `2 copies`."""
    if number == 1:
        return f"1 {noun}"
    is_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{number:,} {noun[:-1]}ies" if is_y else f"{number:,} {noun}s"
