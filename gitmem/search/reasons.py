"""Why a document was found: its fields that hold words of the query, and a snippet.

A snippet is one item of the document (a decision, a thing done), or a part of the
conversation's passage. A passage of a document joins several fields: it is not shown.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice

from gitmem.documents.index_entry import Field, IndexEntry, Role
from gitmem.frozen import frozen
from gitmem.search import ranking
from gitmem.search.documents import Hit
from gitmem.search.matching import Occurrence, QueryWords
from gitmem.search.queries.query import Query
from gitmem.search.words import within
from gitmem.text.patterns import pattern

LENGTH = 200
"""Characters of a snippet, without the marks where it was cut."""

_CUT = "…"
_SHORTEST = 10
"""Least characters of a text that may be a snippet."""
_SHORTEST_REST = 20
"""Least characters of the rest of a text that repeats the goal."""
_SHORTEST_GOAL = 20
"""Least characters of a goal that a text is said to repeat: "auth" is but a word."""
_READ = 20_000
"""Most characters of a text that are searched for words."""
_READ_OF_ALL = 1_000_000
_LONGEST_WORD = 1000
_MOST_TEXTS, _MOST_MATCHES = 500, 300
_READ_OF_FIELD = 100_000
"""Most characters of a field that are searched for words: more would take long."""


@frozen
class Snippet:
    text: str
    """The text on one line, without invisible characters."""
    marks: tuple[tuple[int, int], ...]
    """Places of the words of the query in it, each as [start, end)."""

    @property
    def parts(self) -> Iterator[tuple[str, bool]]:
        """Yield the parts of the text, each with whether it is a word of the query."""
        end = 0
        for mark_start, mark_end in self.marks:
            yield self.text[end:mark_start], False
            yield self.text[mark_start:mark_end], True
            end = mark_end
        yield self.text[end:], False


@frozen
class Reasons:
    matched: tuple[str, ...]
    """Names of fields of the document, and `conversation`, most important first."""
    snippet: Snippet | None
    """The part that answers the query; None where only the shown goal does."""


NOTHING = Reasons((), None)
"""The reasons for a document that cannot be read."""


def reasons(entry: IndexEntry, hit: Hit, query: Query, words: QueryWords) -> Reasons:
    """Return why a document is a hit of a query of these words.

    Of its conversation only the hit's passage is searched.
    """
    return Reasons(
        matched=tuple(matched_fields(entry, hit, query, words)),
        snippet=snippet(entry, hit, words),
    )


def matched_fields(
    entry: IndexEntry, hit: Hit, query: Query, words: QueryWords
) -> list[str]:
    """Return the fields that hold words of the query, or fulfil one of its filters.

    Fields with many words and of great importance come first.
    """
    answered: dict[str, int] = {}
    importance: dict[str, float] = {}
    conversation = Field("conversation", Role.TEXT, (hit.speech,))
    for field in (*entry.fields, conversation):
        importance.setdefault(field.name, ranking.IMPORTANCE[field.role])
        bits = words.in_texts(within(field.texts, _READ_OF_FIELD))
        answered[field.name] = answered.get(field.name, 0) | bits
    filtered = {*_filtered(entry, query)}
    worth = {
        name: importance[name] * bits.bit_count() for name, bits in answered.items()
    }
    matched = [name for name in worth if name and (worth[name] or name in filtered)]
    return sorted(matched, key=lambda name: -worth[name])


def _filtered(entry: IndexEntry, query: Query) -> Iterator[str]:
    """Yield the fields that fulfil a filter of the query."""
    if query.branch:
        yield "branch"
    paths = (path.lower() for path in entry.paths)
    if query.paths and any(part in path for path in paths for part in query.paths):
        yield "files"
    if query.commits and any(c.startswith(query.commits) for c in entry.commits):
        yield "commits"


def snippet(entry: IndexEntry, hit: Hit, words: QueryWords) -> Snippet | None:
    """Return the part of a hit that answers most of the query; None if only its goal.

    Prose comes before paths, and the document before its conversation. A path is a
    snippet only if no prose answers and the hit does not show the path anyway.
    """
    goal = readable(entry.title).removesuffix(_CUT)
    prose = (*within(entry.items[:_MOST_TEXTS], _READ_OF_ALL), hit.speech)
    window = _best((part for text in prose for part in _beside(goal, text)), words)
    if window is None:
        paths = (path for path in entry.paths if path not in hit.paths)
        window = _best(map(readable, islice(paths, _MOST_TEXTS)), words)
    return window.cut(words) if window else None


def readable(text: str) -> str:
    """Return `text` cut to _READ, on one line, without invisible characters."""
    words = text[:_READ_OF_ALL].split()
    short = " ".join(word[:_LONGEST_WORD] for word in words)[:_READ]
    plain = _BOLD.sub(r"\1", _ESCAPE.sub("", short))
    if not plain.isprintable():  # controls, zero-width characters, lone surrogates
        visible = (c for c in plain if not unicodedata.category(c).startswith("C"))
        plain = " ".join("".join(visible).split())
    return unicodedata.normalize("NFC", plain)


_ESCAPE = pattern(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
_BOLD = pattern(r"\*\*(\S[^*]*)\*\*")


def _beside(goal: str, text: str) -> Iterator[str]:
    """Yield the parts of `text` beside the goal, which is shown anyway."""
    plain = readable(text)
    parts = [plain]
    if len(goal) >= _SHORTEST_GOAL and goal in plain:
        parts = re.split(rf"(?<!\w){re.escape(goal)}(?!\w)", plain, maxsplit=1)
    shortest = _SHORTEST if len(parts) == 1 else _SHORTEST_REST
    for part in map(str.strip, parts):
        if len(part) >= shortest and part.removesuffix(_CUT) not in goal:
            yield part


@frozen
class _Window:
    """A stretch of a text in which words of the query stand close together."""

    text: str
    start: int
    end: int
    worth: tuple[int, int, int]
    """Number of words in prose, of words, and minus their distance: more is better."""

    def cut(self, query_words: QueryWords) -> Snippet:
        start = _beginning(self.text, self.start, self.end)
        end = _end(self.text, max(start + LENGTH, self.start + 1))
        skipped = self.text[:start].strip()
        is_cut = skipped and not _ENDED.search(self.text[:start][-3:])
        lead = _CUT if is_cut else ""
        tail = _CUT if end < len(self.text) else ""
        text = f"{lead}{self.text[start:end].strip()}{tail}"
        return Snippet(text, _joined(query_words.matches(text)))


def _joined(matches: Iterable[Occurrence]) -> tuple[tuple[int, int], ...]:
    """Return the spans of matches; those that overlap, as in Chinese, become one."""
    spans: list[tuple[int, int]] = []
    for match in matches:
        if spans and match.start < spans[-1][1]:
            spans[-1] = spans[-1][0], match.end
        else:
            spans.append((match.start, match.end))
    return tuple(spans)


def _best(texts: Iterable[str], words: QueryWords) -> _Window | None:
    """Return the first of the windows with most words, however close they are."""
    windows = (_window(text, words) for text in texts)
    return max(filter(None, windows), key=lambda window: window.worth[:2], default=None)


def _window(text: str, query_words: QueryWords) -> _Window | None:
    """Return the shortest stretch within a snippet's length that has most words."""
    matches = list(islice(query_words.matches(text), _MOST_MATCHES))
    in_prose = [_is_prose(text, match) for match in matches]
    best: _Window | None = None
    for start, match in enumerate(matches):
        words = prose_words = 0
        beyond = bisect_left(matches, match.start + LENGTH, start, key=lambda m: m.end)
        for at in range(start, max(beyond, start + 1)):
            words |= matches[at].word_bits
            prose_words |= matches[at].word_bits if in_prose[at] else 0
            end = matches[at].end
            worth = prose_words.bit_count(), words.bit_count(), match.start - end
            if best is None or worth > best.worth:
                best = _Window(text, match.start, end, worth)
    return best


def _is_prose(text: str, match: Occurrence) -> bool:
    """Return whether the word is not part of a path."""
    start = text.rfind(" ", 0, match.start) + 1
    end = text.find(" ", match.end)
    return "/" not in text[start : end if end >= 0 else None]


def _beginning(text: str, start: int, end: int) -> int:
    """Return where a snippet begins: with the sentence, or a few words before it."""
    room = max(0, LENGTH - (end - start))
    earliest = max(0, start - room)
    begins = [match.end() for match in _SENTENCE.finditer(text, earliest, start)]
    if begins:
        return begins[-1]
    if not earliest:
        return 0
    near_start = start - room // 3
    space = text.find(" ", near_start, start)
    return space + 1 if space >= 0 else start


_SENTENCE = pattern(r"(?<!\d)[.!?:;] +|[。！？；]")


_ENDED = pattern(r"(?:[.!?:;] *|[。！？；])\Z")


def _end(text: str, most: int) -> int:
    """Return the end of the last word before `most`, or `most` inside a long word."""
    if most >= len(text):
        return len(text)
    space = text.rfind(" ", most - LENGTH // 4, most + 1)
    return space if space >= 0 else most
