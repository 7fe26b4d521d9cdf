"""The user's own redaction rules, from git settings `ocm.redact.<name>`.

A rule has patterns, and samples that they must match. A rule that fails a check is
ignored, and `problems` says why; no message holds more of the settings than the name.
RE2 searches the patterns in linear time.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from gitmem.frozen import frozen
from gitmem.redaction.rule import ANY_MARK, Secret, replaced
from gitmem.text.patterns import pattern

SECTION = "ocm.redact."
"""Prefix of the keys of these settings; the rule's name and `_KINDS` follow."""

_KINDS = ("pattern", "sample")
_WORD = pattern(r"\S+")
_NAME = pattern(r"[\w-]{1,40}", re.ASCII)
_LONGEST = 1000
"""Most characters of a pattern."""
_MOST_SEARCHED, _FEW = 20_000_000, 200
"""Most characters searched in all matches of a text; and matches that always count."""
_MOST_TOUCHED = 0.25
"""Most of the words of an ordinary text that a rule may replace, as a share."""
_ORDINARY = """
The tests of the reader failed on Monday because an empty line was taken for the end of
the header. I moved the check into parse_header() in src/reader.py, added two cases, and
ran all 214 of them again in 3.5 s; now they pass. See commit 9f86d081884c and
https://example.com/issues/42 for why. Next: write the changelog (version 2.1.0), and
ask Anna whether config.toml, last changed on 2026-02-23 at 14:32, may go. It's done by
"make release"; `--dry-run` shows what it would do without doing it.
"""
_HALF_A_CHARACTER = pattern(r"(?<!\\)(?:\\\\)*\\C")

Span = tuple[int, int]


@frozen
class Setting:
    """A rule as the user's configuration has it."""

    name: str
    patterns: tuple[str, ...] = field(repr=False)
    samples: tuple[str, ...] = field(repr=False)


class Problem(NamedTuple):
    """The reason why a rule is ignored."""

    name: str
    reason: str


@frozen
class UserRule:
    name: str
    _patterns: tuple["_Pattern", ...]

    def applied(self, text: str, *, to_words: bool = False) -> str:
        """Return `text` with the matches of the rule replaced.

        Text within marks stays, and a mark is replaced wholly or not at all. With
        `to_words`, whole words are replaced, so that the rest of a word cannot begin to
        look like a secret itself.
        """
        spans = sorted(
            span for pattern in self._patterns for span in pattern.spans(text)
        )
        if not spans:
            return text
        merged = _merged_spans(text, spans, to_words=to_words)
        return replaced(text, (Secret(*span, self.name) for span in merged))


@frozen
class _Pattern:
    compiled: Any
    group: int
    """The group that is replaced: `secret` if there is one, else the whole match."""

    def spans(self, text: str) -> Iterator[Span]:
        """Yield the spans to replace; after too many matches, all the rest.

        RE2 finds one match in linear time, but in a hostile text each match may be
        searched for to its end, which makes all of them quadratic.
        """
        most = max(_FEW, _MOST_SEARCHED // (len(text) + 1))
        for number, match in enumerate(self.compiled.finditer(text), 1):
            start, end = match.span(self.group)
            if number > most:
                yield match.start(), len(text)
                return
            if start < end:
                yield start, end


class _UnfitError(Exception):
    """The rule is unusable; the message says why, without its content."""


def settings_of(entries: Iterable[tuple[str, str]]) -> tuple[Setting, ...]:
    """Return the rules in a configuration, from keys below SECTION.

    A rule may have several patterns and several samples; those of all files of the
    configuration count together.
    """
    rules: dict[str, dict[str, list[str]]] = {}
    for key, value in entries:
        if key.startswith(SECTION):
            name, _, kind = key.removeprefix(SECTION).rpartition(".")
            rules.setdefault(name, {}).setdefault(kind, []).append(value)
    return tuple(
        Setting(name, *(tuple(dict.fromkeys(values.get(k, ()))) for k in _KINDS))
        for name, values in sorted(rules.items())
    )


def rules_of(settings: Iterable[Setting]) -> tuple[UserRule, ...]:
    """Return the rules that passed their checks."""
    checked = map(_checked, settings)
    return tuple(rule for rule in checked if isinstance(rule, UserRule))


def problems(settings: Iterable[Setting]) -> Iterator[Problem]:
    """Return the reasons of the rules that did not pass."""
    return (
        problem for problem in map(_checked, settings) if isinstance(problem, Problem)
    )


@lru_cache(maxsize=5_000)
def _checked(setting: Setting) -> UserRule | Problem:
    try:
        return _proven(setting)
    except _UnfitError as error:
        return Problem(setting.name, str(error))


def _proven(setting: Setting) -> UserRule:
    if not _NAME.fullmatch(setting.name):
        raise _UnfitError("its name is not made of up to 40 letters, digits, - and _")
    if not setting.patterns:
        raise _UnfitError("it has no pattern")
    if not setting.samples:
        raise _UnfitError("it has no sample that proves it")
    patterns = tuple(
        _compiled(pattern, f"pattern {number}")
        for number, pattern in enumerate(setting.patterns, 1)
    )
    rule = UserRule(setting.name, patterns)
    for number, sample in enumerate(setting.samples, 1):
        if rule.applied(sample) == sample:
            raise _UnfitError(f"it does not find its sample {number}")
    return rule


def _compiled(pattern: str, which: str) -> _Pattern:
    if len(pattern) > _LONGEST:
        raise _UnfitError(f"{which} is longer than {_LONGEST} characters")
    if _HALF_A_CHARACTER.search(pattern):
        raise _UnfitError(f"{which} has \\C, which cuts characters apart")
    compiled = _by_re2(pattern, which)
    user_pattern = _Pattern(compiled, compiled.groupindex.get("secret", 0))
    if _matches_nothing(user_pattern):
        raise _UnfitError(f"{which} is found where nothing is")
    if _touched(user_pattern) > _MOST_TOUCHED:
        raise _UnfitError(f"{which} is found in most of an ordinary text")
    return user_pattern


def _by_re2(pattern: str, which: str) -> Any:
    import re2  # type: ignore[import-untyped]  # it brings no types

    options = re2.Options()
    options.log_errors = False  # on stderr, with the pattern
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        raise _UnfitError(f"{which} is no regular expression that RE2 takes") from error


def _matches_nothing(user_pattern: _Pattern) -> bool:
    texts = ("", "a", _ORDINARY)
    matches = (
        match for text in texts for match in user_pattern.compiled.finditer(text)
    )
    return any(match.start() == match.end() for match in matches)


def _touched(pattern: _Pattern) -> float:
    """Return the share of ordinary words that the pattern would replace."""
    words = _spans(_WORD, _ORDINARY)
    touched = {
        word for span in pattern.spans(_ORDINARY) for word in _overlapping(span, words)
    }
    return len(touched) / len(words)


def _merged_spans(
    text: str, spans: Iterable[Span], *, to_words: bool
) -> Iterator[Span]:
    """Yield the spans to replace, in order; these may overlap."""
    marks = _spans(ANY_MARK, text)
    units = _spans(_WORD, text) if to_words else marks
    for start, end in spans:
        marked = _overlapping((start, end), marks)
        if sum(min(m[1], end) - max(m[0], start) for m in marked) < end - start:
            ends = [(start, end), *_overlapping((start, end), units)]
            yield min(s for s, _ in ends), max(e for _, e in ends)


def _overlapping(span: Span, units: Sequence[Span]) -> Sequence[Span]:
    """Return the units, sorted and apart, that overlap with the span."""
    start = bisect_right(units, span[0], key=itemgetter(1))
    return units[start : bisect_left(units, span[1], lo=start, key=itemgetter(0))]


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    return [match.span() for match in pattern.finditer(text)]
