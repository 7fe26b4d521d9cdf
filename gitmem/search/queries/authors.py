"""The person whose sessions a query asks for: `author:ada`.

Nothing else does: "by ada" may be an assistant, a person, or words of a title.
"""

import re

from gitmem.search.queries.context import TAKEN
from gitmem.search.words import tokens
from gitmem.text.patterns import pattern


def take_author(text: str) -> tuple[str | None, str]:
    """The name or address that `text` asks for, and what is left of it."""
    for match in _ASKING.finditer(text):
        name = (match["quoted"] or match["bare"]).strip(_AROUND).lower()
        if tokens(name):
            return name, f"{text[: match.start()]}{TAKEN}{text[match.end() :]}"
    return None, text


_ASKING = pattern(
    r"(?<!\S)author:(?:\"(?P<quoted>[^\";]{1,100})\"|(?P<bare>[^\s;\"]{1,100}))",
    re.IGNORECASE,
)
_AROUND = " .,:!?()[]{}<>`'"
