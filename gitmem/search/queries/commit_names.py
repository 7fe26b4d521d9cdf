"""The names of commits in a query, which are words of it as well."""

import re

from gitmem.text.patterns import pattern

MOST_COMMITS = 8


def commits_in(text: str) -> tuple[str, ...]:
    """Distinct words of 7 to 40 hexadecimal digits, or of 64, in lower case.

    "Defaced" is one, and so is a number of seven digits: a commit may begin like that.
    Pieces of a longer name are none, such as those of a UUID.
    """
    found = (match[0].lower() for match in _NAME.finditer(text))
    return tuple(dict.fromkeys(found))[:MOST_COMMITS]


_NAME = pattern(
    r"(?<![\w#-])(?<!\w\.)(?:[0-9a-f]{7,40}|[0-9a-f]{64})(?![\w-]|\.\w)", re.IGNORECASE
)
