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
from itertools import groupby

from gitmem.model.gate.assignments import (
    ASSIGNMENT,
    FLAG,
    NAMES,
    is_secret_assignment,
)
from gitmem.model.gate.calls import CALLS
from gitmem.model.gate.cloud_keys import CLOUD_KEYS
from gitmem.model.gate.commands import COMMANDS, OPTIONS
from gitmem.model.gate.places import CONNECTIONS, HEADERS, PARAMETERS, USERS, WEBHOOKS
from gitmem.model.gate.private_keys import PRIVATE_KEYS
from gitmem.model.gate.rule import Rule, glance_at
from gitmem.model.gate.settings_lines import LINES
from gitmem.model.gate.telling import TOLD
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


def _mark_in(rule: Rule) -> str:
    return next((mark for mark in "_-" if mark in rule.clue), "")


_TOKENS = sorted(map(_token, TOKENS.strip().splitlines()), key=_mark_in, reverse=True)
_NAMED = (
    *TOLD,
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
_GROUPS = (
    ("", PRIVATE_KEYS),
    ("/", WEBHOOKS),
    ("", HEADERS),
    ("/", USERS),
    ("=", PARAMETERS),
    ("", (*CONNECTIONS, *CLOUD_KEYS, *LINES)),
    (" -", OPTIONS),
    ("", COMMANDS),
    ("(", CALLS),
    *((mark, tuple(rules)) for mark, rules in groupby(_TOKENS, _mark_in)),
    ("", _NAMED),
)
"""The rules, with what texts have where any of a group finds something."""

RULES: tuple[Rule, ...] = tuple(rule for _, rules in _GROUPS for rule in rules)

_CLUES = tuple(
    (common, tuple((rule.clue, rule.is_word, rule) for rule in rules))
    for common, rules in _GROUPS
)
_CLUES_WITHOUT_WORDS = tuple(
    (common, tuple(clue for clue in clues if not clue[1])) for common, clues in _CLUES
)


def rules_for(text: str) -> Iterator[Rule]:
    """The rules that may find something in `text`, in order; mostly few of them."""
    seen = glance_at(text)
    plain, small, words = *seen, seen.long_words(text)
    for common, clues in _CLUES if words else _CLUES_WITHOUT_WORDS:
        if common not in plain:
            continue
        for clue, is_word, rule in clues:
            if clue not in (words if is_word else plain):
                continue
            if is_word and not rule.pattern.search(words):
                continue
            if not rule.heads or any(head in small for head in rule.heads):
                yield rule


def secrets_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the rules find secrets: beginnings and ends, one rule after another."""
    for rule in rules_for(text):
        yield from rule.secrets(text)
