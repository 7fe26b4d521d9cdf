"""What a secret looks like: the rules of redaction, in the order they run.

A rule belongs here when its shape is public and certain: a prefix that its provider
chose to be recognised by, or a place (a header, a URL, an assignment) that only ever
holds a secret. Random-looking text alone is no reason; hashes and ids look so too.

Every pattern takes linear time: it starts with literal characters, which the engine
searches for quickly, and repeats possessively or within a bound. docs/privacy.md
shows the rules to users.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from gitmem.redaction.assignments import (
    ASSIGNMENT,
    FLAG,
    NAMES,
    is_secret_assignment,
)
from gitmem.redaction.calls import CALLS
from gitmem.redaction.cloud_keys import CLOUD_KEYS
from gitmem.redaction.commands import COMMANDS
from gitmem.redaction.private_keys import PRIVATE_KEYS
from gitmem.redaction.prose_rules import TOLD
from gitmem.redaction.rule import Rule, at_start, in_ascii, long_words
from gitmem.redaction.settings_lines import LINES
from gitmem.redaction.tokens import TOKENS
from gitmem.redaction.url_secrets import (
    CONNECTIONS,
    HEADERS,
    PARAMETERS,
    USERS,
    WEBHOOKS,
)

_COLUMNS = re.compile(r"\s{2,}")
_NO_LITERAL = re.compile(r"\(\?:.*?\)|\[.*?\]")


def _mark_in(rule: Rule) -> str:
    return next((mark for mark in "_-/= :(" if mark in rule.clue), "")


def _by_mark(rules: Iterable[Rule]) -> list[Rule]:
    """Next to each other what a text without that mark cannot have."""
    return sorted(rules, key=_mark_in, reverse=True)


def _token(row: str) -> Rule:
    """A rule from a row of `TOKENS`."""
    name, shape, prefix, body = _COLUMNS.split(row)
    literals = _NO_LITERAL.sub(" ", prefix).replace("\\", "").split(" ")
    pattern = rf"(?P<secret>{prefix}{at_start(prefix)}(?P<body>{body}))"
    return Rule(name, shape, pattern, clue=max(literals, key=len), is_word=True)


RULES: tuple[Rule, ...] = (
    *PRIVATE_KEYS,
    *WEBHOOKS,
    *HEADERS,
    *USERS,
    *PARAMETERS,
    *_by_mark((*CONNECTIONS, *CLOUD_KEYS, *LINES, *COMMANDS, *CALLS)),
    *_by_mark(map(_token, TOKENS.strip().splitlines())),
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

_Row = tuple[str, int, Rule]
_PLAIN, _SMALL, _WORDS = range(3)


def _row(rule: Rule) -> _Row:
    """A rule behind its clue, and behind how a text is seen to find that in it."""
    if rule.is_word:
        return rule.clue, _WORDS, rule
    if len(rule.heads) == 1:
        return rule.heads[0], _SMALL, rule
    return rule.clue, _PLAIN, rule


def _grouped(rules: Iterable[Rule]) -> tuple[tuple[str, tuple[_Row, ...]], ...]:
    """Neighbours together whose clues have a mark that short texts often lack."""
    return tuple(
        (mark, tuple(map(_row, group))) for mark, group in groupby(rules, _mark_in)
    )


_ROWS = _grouped(RULES)
_ROWS_WITHOUT_WORDS = _grouped(rule for rule in RULES if not rule.is_word)


def rules_for(text: str) -> Iterator[Rule]:
    """The rules that may find something in `text`, in order; mostly few of them."""
    plain = in_ascii(text)
    words = "\n".join([text[start:end] for start, end in long_words(text)])
    seen = (plain, plain.lower(), words)
    for mark, rows in _ROWS if words else _ROWS_WITHOUT_WORDS:
        if mark not in plain:
            continue
        for clue, where, rule in rows:
            if clue in seen[where] and (where < _WORDS or rule.pattern.search(words)):
                yield rule


def secrets_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the rules find secrets: beginnings and ends, one rule after another."""
    for rule in rules_for(text):
        yield from rule.secrets(text)
