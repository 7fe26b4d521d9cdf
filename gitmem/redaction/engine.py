"""All rules, and the selection of those to run over a text.

A rule belongs here if its shape is public and certain: a provider's prefix, a place (a
header, a URL) that only ever holds a secret, or a label. Random-looking text alone is
no reason: hashes and ids look random, too.

Every pattern takes linear time: it starts with a literal, and repeats possessively or
within a bound. docs/privacy.md lists the rules.
"""

from collections.abc import Callable, Iterator
from functools import cache

from gitmem.redaction.letters import finder, in_ascii, long_words
from gitmem.redaction.prose.labels import COLUMNS, labels_in
from gitmem.redaction.rule import Rule, Secret, at_start
from gitmem.redaction.rules.private_keys import PRIVATE_KEY, PRIVATE_KEYS
from gitmem.redaction.rules.shapes import CALLS, COMMANDS, FILES, KEYS
from gitmem.redaction.rules.tokens import TOKENS
from gitmem.redaction.rules.url_secrets import (
    CONNECTIONS,
    HEADERS,
    PARAMETERS,
    USERS,
    WEBHOOKS,
)

LABELLED = "assignment"
"""Name of the rule for values that a label announces."""


def _token(row: str) -> Rule:
    name, shape, prefix, body, sample = COLUMNS.split(row)
    pattern = rf"(?P<secret>{prefix}{at_start(prefix)}(?P<body>{body}))"
    return Rule(name, shape, pattern, sample, clue=prefix, is_word=True)


RULES: tuple[Rule, ...] = (
    *PRIVATE_KEYS,
    *WEBHOOKS,
    *HEADERS,
    *USERS,
    *PARAMETERS,
    *CONNECTIONS,
    *KEYS,
    *FILES,
    *COMMANDS,
    *CALLS,
    *map(_token, TOKENS.strip().splitlines()),
)


def rules_for(
    text: str,
) -> Iterator[tuple[str, Callable[[str], Iterator[tuple[int, int]]]]]:
    """Yield the rules that may match in `text`, mostly few, in order."""
    letters = in_ascii(text)
    numbers = _numbers_by_clue(is_word=False)(letters)
    if words := b"\n".join([letters[start:end] for start, end in long_words(text)]):
        numbers += _numbers_by_clue(is_word=True)(words)
    for rule in (RULES[number] for number in sorted(numbers)):
        if not rule.is_word or rule.pattern.search(words.decode()):
            yield rule.name, rule.secrets
    yield LABELLED, labelled_in


@cache
def _numbers_by_clue(*, is_word: bool) -> Callable[[bytes], list[int]]:
    """Return a function that finds the numbers of rules whose clue a text has."""
    return finder(
        (rule.clue or f"(?i){rule.head}", number)
        for number, rule in enumerate(RULES)
        if rule.is_word == is_word
    )


def secrets_in(text: str) -> Iterator[Secret]:
    for name, find in rules_for(text):
        yield from (Secret(*span, name) for span in find(text))


def labelled_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the secrets that a label announces."""
    if labels := labels_in(text):
        from gitmem.redaction.prose.labelled import labelled

        yield from labelled(text, labels)


def is_named_secret(name: str, value: str) -> bool:
    """Return whether `value` under the key `name` is a secret by that name."""
    quoted = "".join(" " if letter in '\n\r"\\' else letter for letter in value)
    return any(True for _ in labelled_in(f'"{name}": "{quoted}"'))


def secrets_across_lines(text: str) -> Iterator[Secret]:
    """Yield the secrets that may span lines, in order."""
    secrets = [Secret(*span, LABELLED) for span in labelled_in(text)]
    if "-----BEGIN " in text:
        keys = (span for rule in PRIVATE_KEYS for span in rule.secrets(text))
        secrets += (Secret(*span, PRIVATE_KEY) for span in keys)
    yield from sorted(secrets)
