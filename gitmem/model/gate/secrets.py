"""What a secret looks like: the rules of redaction, in the order they run.

A rule belongs here when its shape is public and certain: a prefix that its provider
chose to be recognised by, or a place (a header, a URL, an assignment) that only ever
holds a secret. Random-looking text alone is no reason; hashes and ids look so too.

Every pattern takes linear time: it starts with literal characters, which the engine
searches for quickly, and repeats possessively or within a bound. docs/privacy.md
shows the rules to users.
"""

import re
from collections.abc import Iterator

from gitmem.model.gate.assignments import (
    ASSIGNMENT,
    FLAG,
    NAMES,
    is_secret_assignment,
)
from gitmem.model.gate.cloud_keys import CLOUD_KEYS
from gitmem.model.gate.places import PLACES
from gitmem.model.gate.private_keys import PRIVATE_KEYS
from gitmem.model.gate.rule import Glance, Rule
from gitmem.model.gate.settings_lines import SETTINGS_LINES
from gitmem.model.gate.tokens import TOKENS

_COLUMNS = re.compile(r"\s{2,}")
_NO_LITERAL = re.compile(r"\(\?:.*?\)|\[.*?\]")


def _token(row: str) -> Rule:
    r"""A rule from a row of `TOKENS`.

    The token starts at a word boundary; an escape (`\n`, `%22`, `\u0022`, a terminal
    colour) before it is one too.
    """
    name, shape, prefix, body = _COLUMNS.split(row)
    start = (
        rf"(?:(?<![A-Za-z0-9]{prefix})|(?<=\\[nrtbf]{prefix})|(?<=[0-9\[]m{prefix})"
        rf"|(?<=%[0-9A-Fa-f]{{2}}{prefix})|(?<=\\u00[0-9A-Fa-f]{{2}}{prefix}))"
    )
    literals = _NO_LITERAL.sub(" ", prefix).replace("\\", "").split(" ")
    pattern = rf"(?P<secret>{prefix}{start}(?P<body>{body}))"
    return Rule(name, shape, pattern, clue=max(literals, key=len), is_word=True)


RULES: tuple[Rule, ...] = (
    *PRIVATE_KEYS,
    *PLACES,
    *CLOUD_KEYS,
    *SETTINGS_LINES,
    *(_token(row) for row in TOKENS.strip().splitlines()),
    Rule("flag", "--password …", FLAG, is_secret_assignment, clue="--", nests=True),
    Rule(
        "assignment",
        'password=…, "api_key": "…", FOO_TOKEN=…',
        ASSIGNMENT,
        is_secret_assignment,
        heads=NAMES,
        nests=True,
    ),
)

_CLUES = tuple((rule.clue, rule.is_word, rule) for rule in RULES)
_CLUES_WITHOUT_WORDS = tuple(clue for clue in _CLUES if not clue[1])


def rules_for(text: str) -> Iterator[Rule]:
    """The rules that may find something in `text`, in order; mostly few of them."""
    plain, words = Glance.at(text)
    for clue, is_word, rule in _CLUES if words else _CLUES_WITHOUT_WORDS:
        if clue not in (words if is_word else plain):
            continue
        if not is_word or rule.pattern.search(words):
            yield rule


def secrets_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the rules find secrets: beginnings and ends, one rule after another."""
    for rule in rules_for(text):
        yield from rule.secrets(text)
