"""What of a prompt a person typed: clients put texts of their own before it."""

import re

from gitmem.text.patterns import pattern

OWN_PREFIX = "gitmem: "
"""How what we say to a model begins; some clients give it back as a prompt."""

_WRAPPER = pattern(
    r"\s*<([a-z][a-z0-9]*+[-_][a-z0-9_-]*+)(?:\s[^<>]{0,500}+)?>.*?</\1>", re.DOTALL
)
"""What clients put before a prompt; the hyphen or underscore tells it from HTML."""


def typed(prompt: str) -> str:
    """The prompt without what clients put before it; "" for one that is ours."""
    position = 0
    while wrapper := _WRAPPER.match(prompt, position):
        position = wrapper.end()
    words = prompt[position:].strip()
    return "" if words.startswith(OWN_PREFIX) else words
