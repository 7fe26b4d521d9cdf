"""Why a document was found: its fields that hold words of the query, and a snippet.

A passage of a document runs its fields together, so a snippet of a document is one item
of it: a decision, a thing done. Of a conversation it is a part of the passage.
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
from gitmem.search.matching import Asked, Occurrence
from gitmem.search.queries.query import Query
from gitmem.search.words import within
from gitmem.text.patterns import pattern

LENGTH = 200
"""Characters of a snippet, without the marks that it was cut."""

_CUT = "…"
_SHORTEST = 10
"""Characters of a text that says something beside the goal, ..."""
_SHORTEST_REST = 20
"""... and of what is left of one that says the goal, too."""
_SHORTEST_GOAL = 20
"""Characters of a goal that is said again where a text has it; "auth" is but a word."""
_READ = 20_000
"""Characters of a text that are looked at."""
_READ_OF_ALL = 1_000_000
_LONGEST_WORD = 1000
_MOST_TEXTS, _MOST_MATCHES = 500, 300
_READ_OF_FIELD = 100_000
"""Characters of a field that are looked at: more, which few have, would take long."""


@frozen
class Snippet:
    text: str
    """On one line, without characters that are not seen."""
    marks: tuple[tuple[int, int], ...]
    """Where words of the query stand in it, each as [start, end)."""


@frozen
class Reasons:
    matched: tuple[str, ...]
    """Names of fields of the document, and `conversation`, most telling first."""
    snippet: Snippet | None
    """What of it answers the query; None where that is only what is shown anyway."""


NOTHING = Reasons((), None)
"""Where the document cannot be read."""


def reasons(entry: IndexEntry, hit: Hit, query: Query, asked: Asked) -> Reasons:
    """Why a document is the hit of a query, whose words `asked` has.

    Of the conversation only the hit's passage is known.
    """
    return Reasons(
        matched=tuple(matched_fields(entry, hit, query, asked)),
        snippet=snippet(entry, hit, asked),
    )


def matched_fields(
    entry: IndexEntry, hit: Hit, query: Query, asked: Asked
) -> list[str]:
    """The fields that hold words of the query, or something else that it names.

    What tells most comes first: many words of it, in a field of importance.
    """
    answered: dict[str, int] = {}
    importance: dict[str, float] = {}
    said = Field("conversation", Role.TEXT, (hit.said,))
    for field in (*entry.fields, said):
        importance.setdefault(field.name, ranking.IMPORTANCE[field.role])
        bits = asked.in_texts(within(field.texts, _READ_OF_FIELD))
        answered[field.name] = answered.get(field.name, 0) | bits
    named = {*_filtered(entry, query)}
    worth = {
        name: importance[name] * bits.bit_count() for name, bits in answered.items()
    }
    found = [name for name in worth if name and (worth[name] or name in named)]
    return sorted(found, key=lambda name: -worth[name])


def _filtered(entry: IndexEntry, query: Query) -> Iterator[str]:
    """The fields that fulfil a part of the query that is no word."""
    if query.branch:
        yield "branch"
    paths = (path.lower() for path in entry.paths)
    if query.paths and any(part in path for path in paths for part in query.paths):
        yield "files"
    if query.commits and any(c.startswith(query.commits) for c in entry.commits):
        yield "commits"


def snippet(entry: IndexEntry, hit: Hit, asked: Asked) -> Snippet | None:
    """What of a hit answers most of the query; None where only its goal does.

    Prose comes before paths, and of equal answers that of the document first. Files
    are only named where nothing else answers, and beyond the hit's first ones.
    """
    goal = readable(entry.title).removesuffix(_CUT)
    prose = (*within(entry.items[:_MOST_TEXTS], _READ_OF_ALL), hit.said)
    found = _best((part for text in prose for part in _beside(goal, text)), asked)
    if found is None:
        paths = (path for path in entry.paths if path not in hit.paths)
        found = _best(map(readable, islice(paths, _MOST_TEXTS)), asked)
    return found.cut(asked) if found else None


def readable(text: str) -> str:
    """`text` on one line, composed, without what is not seen, as far as it is read."""
    words = text[:_READ_OF_ALL].split()
    short = " ".join(word[:_LONGEST_WORD] for word in words)[:_READ]
    plain = _BOLD.sub(r"\1", _ESCAPE.sub("", short))
    if not plain.isprintable():  # controls, zero-width characters, lone surrogates
        seen = (c for c in plain if not unicodedata.category(c).startswith("C"))
        plain = " ".join("".join(seen).split())
    return unicodedata.normalize("NFC", plain)


_ESCAPE = pattern(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
_BOLD = pattern(r"\*\*(\S[^*]*)\*\*")


def _beside(goal: str, text: str) -> Iterator[str]:
    """The parts of `text` that say more than the goal, which is shown anyway."""
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
    """Where words of the query stand close together in a text."""

    text: str
    start: int
    end: int
    worth: tuple[int, int, int]
    """Words in prose, words at all, and how close they are: more is better."""

    def cut(self, asked: Asked) -> Snippet:
        start = _beginning(self.text, self.start, self.end)
        end = _end(self.text, max(start + LENGTH, self.start + 1))
        skipped = self.text[:start].strip()
        before = _CUT if skipped and not _ENDED.search(self.text[:start][-3:]) else ""
        after = _CUT if end < len(self.text) else ""
        text = f"{before}{self.text[start:end].strip()}{after}"
        return Snippet(text, _joined(asked.matches(text)))


def _joined(matches: Iterable[Occurrence]) -> tuple[tuple[int, int], ...]:
    """Return where they are; those that overlap, as in a run of Chinese, are one."""
    spans: list[tuple[int, int]] = []
    for match in matches:
        if spans and match.start < spans[-1][1]:
            spans[-1] = spans[-1][0], match.end
        else:
            spans.append((match.start, match.end))
    return tuple(spans)


def _best(texts: Iterable[str], asked: Asked) -> _Window | None:
    """The first of those that answer most; how close the words are is no matter."""
    windows = (_window(text, asked) for text in texts)
    return max(filter(None, windows), key=lambda found: found.worth[:2], default=None)


def _window(text: str, asked: Asked) -> _Window | None:
    """The stretch of a snippet's length with most of the words, and the shortest."""
    matches = list(islice(asked.matches(text), _MOST_MATCHES))
    in_prose = [_is_prose(text, match) for match in matches]
    best: _Window | None = None
    for first, match in enumerate(matches):
        words = told = 0
        beyond = bisect_left(matches, match.start + LENGTH, first, key=lambda m: m.end)
        for at in range(first, max(beyond, first + 1)):
            words |= matches[at].asked
            told |= matches[at].asked if in_prose[at] else 0
            end = matches[at].end
            worth = told.bit_count(), words.bit_count(), match.start - end
            if best is None or worth > best.worth:
                best = _Window(text, match.start, end, worth)
    return best


def _is_prose(text: str, match: Occurrence) -> bool:
    """Whether the word is not part of a path."""
    start = text.rfind(" ", 0, match.start) + 1
    end = text.find(" ", match.end)
    return "/" not in text[start : end if end >= 0 else None]


def _beginning(text: str, start: int, end: int) -> int:
    """Where to begin to read: with the sentence, or a few words before `start`."""
    room = max(0, LENGTH - (end - start))
    earliest = max(0, start - room)
    begins = [match.end() for match in _SENTENCE.finditer(text, earliest, start)]
    if begins:
        return begins[-1]
    if not earliest:
        return 0
    some = start - room // 3
    space = text.find(" ", some, start)
    return space + 1 if space >= 0 else start


_SENTENCE = pattern(r"(?<!\d)[.!?:;] +|[。！？；]")


_ENDED = pattern(r"(?:[.!?:;] *|[。！？；])\Z")


def _end(text: str, most: int) -> int:
    """The end of the last word before `most`; inside of it where it is long."""
    if most >= len(text):
        return len(text)
    space = text.rfind(" ", most - LENGTH // 4, most + 1)
    return space if space >= 0 else most
