"""Takes out of a text what the rules find, and puts their names there."""

from bisect import bisect_left
from collections.abc import Sequence

from gitmem.redaction.engine import rules_for, secrets_across_lines
from gitmem.redaction.obfuscated import encoded_secrets, obfuscated_secrets
from gitmem.redaction.rule import Secret, replaced
from gitmem.redaction.rules.private_keys import ends_of_keys

_REACH = 50_000
"""Farther than that no rule looks: more than the longest private key."""


def without_secrets(text: str) -> str:
    """Return `text` with the name of a rule in the place of each secret; one pass."""
    text = replaced(text, obfuscated_secrets(text))
    for name, find in rules_for(text):
        text = replaced(text, (Secret(*span, name) for span in find(text)))
    text = replaced(text, ends_of_keys(text))
    return replaced(text, encoded_secrets(text))


def without_new_secrets(text: str, before: str) -> str:
    """Redact a text again, of which `before` is the last pass.

    A rule finds something new only near to what has changed.
    """
    first = _common(before, text)
    last = _common(before[first:][::-1], text[first:][::-1])
    start = text.rfind("\n", 0, max(0, first - _REACH)) + 1
    end = text.find("\n", len(text) - last + _REACH) + 1 or len(text)
    return text[:start] + without_secrets(text[start:end]) + text[end:]


def without_shared_secrets(items: Sequence[str]) -> list[str]:
    """Return the items of a list without what one announces and the next one has.

    A label and its value, the rows of a table, the lines of a private key.
    """
    secrets = list(secrets_across_lines("\n".join(items)))
    starts = [secret.start for secret in secrets]
    cleaned, at, first = [], 0, 0
    for item in items:
        end = at + len(item)
        last = bisect_left(starts, end)
        while first < last and secrets[first].end <= at:
            first += 1
        inside = (
            Secret(max(secret.start - at, 0), min(secret.end, end) - at, secret.rule)
            for secret in secrets[first:last]
            if secret.end > at
        )
        cleaned.append(replaced(item, inside))
        at = end + 1
    return cleaned


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning, by bisection, which is fast."""
    same, differ = 0, min(len(one), len(other)) + 1
    while differ - same > 1:
        middle = (same + differ) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            differ = middle
    return same
