"""Which rules see something in a text that was redacted when it was saved."""

from collections import Counter

from gitmem.redaction.redact import redact
from gitmem.redaction.rule import ANY_MARK

_PRIVATE = "private"
"""The rule by which `<private>` text goes."""


def rules_that_see(text: str) -> Counter[str]:
    """How often each rule, of today's, would still replace something.

    The rules are named; what they see is told nowhere.
    """
    clean = redact(text)
    if clean == text:
        return Counter()
    found = (mark["rule"] or _PRIVATE for mark in ANY_MARK.finditer(clean))
    there = (mark["rule"] or _PRIVATE for mark in ANY_MARK.finditer(text))
    return Counter(found) - Counter(there) or Counter([_PRIVATE])
