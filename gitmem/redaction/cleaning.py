"""Takes out of a text what the rules find, and puts their names there."""

from gitmem.redaction.encoded import without_encoded
from gitmem.redaction.obfuscated import without_obfuscated
from gitmem.redaction.private_keys import without_ends
from gitmem.redaction.rule import Rule
from gitmem.redaction.secrets import rules_for

_REACH = 50_000
"""Farther than that no rule looks: more than the longest private key."""


def without_secrets(text: str) -> str:
    """`text` with the name of a rule in the place of each secret; one pass."""
    text = without_obfuscated(text)
    for rule in rules_for(text):
        text = _without(rule, text)
    return without_encoded(without_ends(text))


def without_new_secrets(text: str, before: str) -> str:
    """The same for what became of a text without secrets but for those replaced.

    A rule finds something new only near to what has changed.
    """
    first = _common(before, text)
    last = _common(before[first:][::-1], text[first:][::-1])
    start = text.rfind("\n", 0, max(0, first - _REACH)) + 1
    end = text.find("\n", len(text) - last + _REACH) + 1 or len(text)
    return text[:start] + without_secrets(text[start:end]) + text[end:]


def _without(rule: Rule, text: str) -> str:
    mark = f"[REDACTED:{rule.name}]"
    kept: list[str] = []
    done = 0
    for start, end in rule.secrets(text):
        kept += text[done:start], mark
        done = end
    return "".join([*kept, text[done:]])


def _common(one: str, other: str) -> int:
    """How many characters both begin with; by halves, as to compare texts is fast."""
    same, differ = 0, min(len(one), len(other)) + 1
    while differ - same > 1:
        middle = (same + differ) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            differ = middle
    return same
