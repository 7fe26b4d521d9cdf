"""All rules, and which of them to run over a text.

A rule belongs here when its shape is public and certain: a prefix that its provider
chose to be recognised by, a place (a header, a URL) that only ever holds a secret, or a
label. Random-looking text alone is no reason; hashes and ids look so too.

Every pattern takes linear time: it starts with literal characters, which are
searched for quickly, and repeats possessively or within a bound. docs/privacy.md
shows the rules to users.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from gitmem.redaction.labels import labels_in
from gitmem.redaction.letters import in_ascii, in_small_letters, long_words
from gitmem.redaction.private_keys import PRIVATE_KEY, PRIVATE_KEYS
from gitmem.redaction.rule import Rule, Secret, at_start
from gitmem.redaction.shapes import CALLS, COMMANDS, FILES, KEYS
from gitmem.redaction.tokens import TOKENS
from gitmem.redaction.url_secrets import (
    CONNECTIONS,
    HEADERS,
    PARAMETERS,
    USERS,
    WEBHOOKS,
)

LABELLED = "assignment"
"""The name that stands for what a label announces."""

_COLUMNS = re.compile(r"\s{2,}")
_NO_LITERAL = re.compile(r"\(\?:.*?\)|\[.*?\]")


def _token(row: str) -> Rule:
    """A rule from a row of `TOKENS`."""
    name, shape, prefix, body, sample = _COLUMNS.split(row)
    literals = _NO_LITERAL.sub(" ", prefix).replace("\\", "").split(" ")
    pattern = rf"(?P<secret>{prefix}{at_start(prefix)}(?P<body>{body}))"
    return Rule(name, shape, pattern, sample, clue=max(literals, key=len), is_word=True)


def _mark_in(rule: Rule) -> str:
    return next((mark for mark in "_-/= :(" if mark in rule.clue), "")


def _by_mark(rules: Iterable[Rule]) -> list[Rule]:
    """Next to each other what a text without that mark cannot have."""
    return sorted(rules, key=_mark_in, reverse=True)


RULES: tuple[Rule, ...] = (
    *PRIVATE_KEYS,
    *WEBHOOKS,
    *HEADERS,
    *USERS,
    *PARAMETERS,
    *_by_mark((*CONNECTIONS, *KEYS, *FILES, *COMMANDS, *CALLS)),
    *_by_mark(map(_token, TOKENS.strip().splitlines())),
)

_Row = tuple[str, int, Rule]
_PLAIN, _SMALL, _WORDS = range(3)


def _row(rule: Rule) -> _Row:
    """A rule behind its clue, and behind how a text is seen to find that in it."""
    if rule.is_word:
        return rule.clue, _WORDS, rule
    return (rule.head, _SMALL, rule) if rule.head else (rule.clue, _PLAIN, rule)


def _grouped(rules: Iterable[Rule]) -> tuple[tuple[str, tuple[_Row, ...]], ...]:
    """Neighbours together whose clues have a mark that short texts often lack."""
    return tuple(
        (mark, tuple(map(_row, group))) for mark, group in groupby(rules, _mark_in)
    )


_ROWS = _grouped(RULES)
_ROWS_WITHOUT_WORDS = _grouped(rule for rule in RULES if not rule.is_word)


def rules_for(
    text: str,
) -> Iterator[tuple[str, Callable[[str], Iterator[tuple[int, int]]]]]:
    """The rules that may find something in `text`, in order; mostly few of them."""
    plain = in_ascii(text)
    words = "\n".join([text[start:end] for start, end in long_words(text)])
    seen = (plain, in_small_letters(text), words)
    for mark, rows in _ROWS if words else _ROWS_WITHOUT_WORDS:
        if mark not in plain:
            continue
        for clue, where, rule in rows:
            if clue in seen[where] and (where < _WORDS or rule.pattern.search(words)):
                yield rule.name, rule.secrets
    yield LABELLED, labelled_in


def secrets_in(text: str) -> Iterator[Secret]:
    """Where the rules find secrets, one rule after another."""
    for name, find in rules_for(text):
        yield from (Secret(*span, name) for span in find(text))


def labelled_in(text: str) -> Iterator[tuple[int, int]]:
    """Where the secrets are that a label announces; mostly there is no label."""
    if labels := labels_in(text):
        from gitmem.redaction.labelled import labelled

        yield from labelled(text, labels)


def is_named_secret(name: str, value: str) -> bool:
    """Whether `value`, kept under `name` in a mapping, is a secret by that name."""
    quoted = "".join(" " if letter in '\n\r"\\' else letter for letter in value)
    return any(True for _ in labelled_in(f'"{name}": "{quoted}"'))


def secrets_across_lines(text: str) -> Iterator[Secret]:
    """Those that may begin on one line and go on below, in order."""
    found = [Secret(*span, LABELLED) for span in labelled_in(text)]
    if "-----BEGIN " in text:
        keys = (span for rule in PRIVATE_KEYS for span in rule.secrets(text))
        found += (Secret(*span, PRIVATE_KEY) for span in keys)
    yield from sorted(found)
