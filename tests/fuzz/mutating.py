"""Makes lines of JSON into others that are lines of JSON still, for most of the time.

Bytes that are changed anywhere are hardly ever JSON, nor a heading or a key; what lies
behind the reading of it would not be reached.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

import atheris
from support.strategies import NASTY

_DECODER = json.JSONDecoder()
_TEXTS = (
    *NASTY,
    *("", "x" * 1500, "\ud800", "\0", "src/../a", "/a", "C:\\a", "0" * 64),
    "[REDACTED]",
    *("1970-01-01T00:00:00+14:00", "9998-12-31T23:59:59.9-14:00", "2026-W08", "null"),
)
_OTHERS: tuple[Any, ...] = (None, True, False, 0, -1, 2**70, 1e300, [], {})


def mutated(data: bytes, most: int, seed: int) -> bytes:
    """`data` with something else in one place, by chance; at most `most` bytes."""
    chance = random.Random(seed)
    lines = data.split(b"\n")
    number = chance.randrange(len(lines))
    if chance.random() < 0.8:
        lines[number] = _mutated(lines, number, chance)
        if chance.random() < 0.2:
            lines.insert(chance.randrange(len(lines)), lines[number])
        changed = b"\n".join(lines)
        if len(changed) <= most:
            return changed
    return bytes(atheris.Mutate(data, most))


def _mutated(lines: list[bytes], number: int, chance: random.Random) -> bytes:
    """With another value in its JSON, or behind what its first words are."""
    text = lines[number].decode("utf-8", "replace")
    start = text.find("{")
    try:
        value, end = _DECODER.raw_decode(text, max(start, 0))
    except (ValueError, RecursionError):
        if chance.random() < 0.2:
            return chance.choice(lines)
        first_word, _, rest = text.partition(" ")
        return f"{first_word} {_anything(rest, chance)}".encode("utf-8", "replace")
    changed = text[:start] + json.dumps(_other(value, chance)) + text[end:]
    return changed.encode()


def _other(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value:
        key = chance.choice(list(value))
        if chance.random() < 0.05:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _other(value[key], chance)}
    if isinstance(value, list) and value:
        place = chance.randrange(len(value))
        item = _other(value[place], chance)
        return [*value[:place], item, *value[place + chance.randrange(2) :]]
    return _anything(value, chance)


def _anything(value: Any, chance: random.Random) -> Any:
    kind = chance.random()
    if kind < 0.1:
        return chance.choice(_OTHERS)
    if kind < 0.2:
        return [value]
    return "".join(_pieces(value, chance))


def _pieces(value: Any, chance: random.Random) -> Iterator[str]:
    yield from (chance.choice(_TEXTS) for _ in range(chance.randrange(3)))
    if chance.random() < 0.5:
        yield str(value)
    yield from (chance.choice(_TEXTS) for _ in range(chance.randrange(2)))
