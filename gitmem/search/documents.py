"""What the index holds of an entry, and how it is laid out.

One Tantivy document for the entry as a whole, and one for each of its passages, which
are pieces of equal length; a number joins them. A query whose words meet in one passage
is about that document, while one whose words are scattered over hours of conversation
may not be.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from math import ceil
from operator import add
from typing import Any, Final

import tantivy

from gitmem.documents.index_entry import IndexEntry
from gitmem.frozen import frozen
from gitmem.search import ranking
from gitmem.search.ranking import MOST, Levels
from gitmem.search.words import Cut, cut, folded_words, subject_terms
from gitmem.text.patterns import word_list

VERSION: Final = 24
"""Version of the index: raise it whenever entries or fields change, to rebuild all."""

PASSAGE_LENGTH: Final = 150
"""Words of a passage: a few sentences, or a turn or two."""
COMMIT_LENGTH: Final = 12
"""Digits of a commit's id that the index holds."""
_MOST_TITLE, _MOST_PATH, _SHOWN_PATHS = 2000, 4096, 3
"""Most characters of a hit's title and of a path, and most paths."""

TIP: Final = "tip"
"""Value of `reserved` in the document that names the state of the index."""


class Match(StrEnum):
    """How surely a document answers the query."""

    STRONG = "strong"
    WEAK = "weak"
    """One of the nearest documents; a person decides whether it is the right one."""


@frozen
class Hit:
    """A document that was found, with the values of its entry."""

    kind: str
    id: str
    public_id: str
    """The name that people call it by."""
    score: float
    """Between 0 and 1; `gitmem.search.ranking` says what it means."""
    title: str
    at: datetime
    until: datetime
    tool: str
    status: str
    project: str
    paths: tuple[str, ...]
    """The first three paths."""
    author: str = ""
    stated: tuple[tuple[str, ...], ...] = ()
    speech: str = ""
    """The passage of the conversation that answers most of the query, on one line; ""
    where a passage of the document answers more, or none does."""
    match: Match = Match.STRONG
    evidence: float = 0.0
    """The share of enough evidence, where nothing is declined."""
    cosine: float = 0.0
    """How near it is in meaning; 0 where nobody can tell."""
    answers: tuple[str, ...] = ()
    """The words of the query, as typed, that a weak match answers."""
    misses: tuple[str, ...] = ()
    """The words of the query, as typed, that a weak match lacks."""


WHOLE: Final = "words"
"""Name of the field with the words of an entry at their levels, marked by kind."""
PASSAGE: Final = "near"
"""Name of the field with the words of a passage at their levels."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name in word_list("key kind part_of names commits labels tool reserved"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in (WHOLE, PASSAGE, "spelled"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    for name in ("text", "paths", "branch", "author", "subjects"):
        builder.add_text_field(name, tokenizer_name="whitespace")
    for name in ("at", "until", "number"):
        builder.add_integer_field(name, indexed=True, fast=True)
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


SCHEMA: Final = _schema()


def exactly(field: str, value: str) -> tantivy.Query:
    """Match documents that hold exactly `value` in `field`."""
    return tantivy.Query.term_query(SCHEMA, field, clean(value), "basic")


def of_number(number: int) -> tantivy.Query:
    """Match the documents of the entry with this `number_of`."""
    return tantivy.Query.term_query(SCHEMA, "number", number, "basic")


Fields = dict[str, str | int | bytes | list[str]]
"""The fields of one index document as plain values, cheap to pickle."""


def documents_of(entry: IndexEntry) -> Iterator[Fields]:
    """Yield all documents that the index holds for an entry."""
    prose = [(words, cut(words)) for words in _passages(entry.passages)]
    speech = [(words, cut(words)) for words in _passages(entry.said)]
    yield _whole(entry, [*chain.from_iterable(cuts for _, cuts in (*prose, *speech))])
    for _, cuts in prose:
        yield _passage(entry, cuts)
    for words, cuts in speech:
        yield _passage(entry, cuts) | {"stored": clean(" ".join(words)).encode()}


def _passages(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of each passage, separated by white space."""
    words = "\n".join(texts)[:MOST].split()
    for start in range(0, len(words), PASSAGE_LENGTH):
        yield words[start : start + PASSAGE_LENGTH]


def key_of(kind: str, id_: str) -> str:
    """Return the name of an entry in the index, unique over all kinds."""
    return clean(f"{kind}/{id_}")


def number_of(key: str) -> int:
    """Return the number that joins an entry and its passages: 56 bits of a digest."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:7])


def document(fields: Fields) -> tantivy.Document:
    return tantivy.Document.from_dict(fields, SCHEMA)


def _whole(entry: IndexEntry, words: list[Cut]) -> Fields:
    return {
        **_common(entry),
        "until": on_the_wall(entry.until or entry.at),
        "kind": clean(entry.kind),
        "tool": clean(entry.tool),
        "branch": " ".join(trigrams(f"{entry.branch.lower()}{_END}")),
        "author": " ".join(folded_words(entry.author)),
        "names": [*{clean(name) for name in (entry.id, *entry.names)}],
        "commits": [clean(commit[:COMMIT_LENGTH]) for commit in entry.commits],
        "subjects": " ".join(_subjects(entry)),
        "labels": [*map(clean, entry.labels)],
        "text": " ".join([word.stems for word in words]),
        "spelled": _spelled(entry.kind, words),
        WHOLE: _at_levels(ranking.entry_levels(entry), whole_mark(entry.kind)),
        "paths": " ".join(trigrams(_SEPARATOR.join(entry.paths).lower()[:MOST])),
        "stored": json.dumps(_display_values(entry)).encode(),
    }


def _passage(entry: IndexEntry, words: list[Cut]) -> Fields:
    return {
        **_common(entry),
        "part_of": clean(entry.kind),
        PASSAGE: _at_levels(ranking.passage_levels(words), LEVEL_MARK),
    }


def _common(entry: IndexEntry) -> Fields:
    key = key_of(entry.kind, entry.id)
    return {"key": key, "at": on_the_wall(entry.at), "number": number_of(key)}


def _subjects(entry: IndexEntry) -> Iterator[str]:
    commits = (field.texts for field in entry.fields if field.name == "commits")
    return chain.from_iterable(map(subject_terms, chain.from_iterable(commits)))


def _spelled(kind: str, words: Iterable[Cut]) -> str:
    mark, together = spelled_term(kind, ""), " ".join({word.spelled for word in words})
    return " ".join([mark + word for word in {*together.split()}])


def spelled_term(kind: str, word: str) -> str:
    """Return a word, or its beginning, as the field `spelled` has it for a kind."""
    return clean(f"{kind}{LEVEL_MARK}{word}")


def whole_mark(kind: str) -> str:
    """Return the separator between a term of the field WHOLE and its level.

    With the kind in it, the index knows how many documents of that kind have a word.
    """
    return clean(f"{LEVEL_MARK}{kind}{LEVEL_MARK}")


def _at_levels(levels: Levels, mark: str) -> str:
    terms, level_of = levels
    marks = {key: f"{mark}{level}" for key, level in level_of.items()}
    return " ".join(map(add, terms, map(marks.__getitem__, terms.values())))


def on_the_wall(moment: datetime) -> int:
    """Return seconds by the wall clock of `moment`, ignoring its offset.

    The id of a session shows that clock, and "yesterday" means a day of it.
    """
    return ceil(moment.replace(tzinfo=UTC).timestamp())


def tip_document(tip: str, remaining: int) -> tantivy.Document:
    stored = {"version": VERSION, "tip": tip, "left": remaining}
    return document({"reserved": TIP, "stored": json.dumps(stored).encode()})


def speech_in(document: tantivy.Document) -> str:
    """Return the text of a passage of a conversation; "" for one of a document."""
    stored = document["stored"]
    return bytes(stored[0]).decode() if stored else ""


def hit_of(document: tantivy.Document, score: float, speech: str = "") -> Hit:
    return _hit(json.loads(document["stored"][0]), score, speech)


def hit_on(entry: IndexEntry, score: float) -> Hit:
    """Return an entry that is at hand as a hit of the index."""
    return _hit(_display_values(entry), score, "")


def _hit(values: dict[str, Any], score: float, speech: str) -> Hit:
    for name in ("at", "until"):
        values[name] = datetime.fromisoformat(values[name])
    values["paths"] = tuple(values["paths"])
    values["stated"] = tuple(map(tuple, values["stated"]))
    return Hit(score=score, speech=speech, **values)


def stands_at(searcher: tantivy.Searcher) -> tuple[str | None, int]:
    """Return the tip, and the documents to learn; None and 0 of another version."""
    for _, at in searcher.search(exactly("reserved", TIP), limit=1).hits:
        stored = json.loads(searcher.doc(at)["stored"][0])
        if stored["version"] == VERSION:
            return stored["tip"], stored["left"]
    return None, 0


def level_of(term: str) -> int:
    """Return the level at the end of a term: a text has each at one level only."""
    return int(term.rpartition(LEVEL_MARK)[2])


LEVEL_MARK: Final = "~"
"""Separator that no term contains."""


def trigrams(path: str) -> list[str]:
    """Return every three neighbouring characters of `path`.

    A fragment of three characters or more is part of a path if and only if its
    trigrams follow each other in those of the path, which is a phrase query.
    """
    joined = "".join(clean(path).split())
    return [joined[i : i + 3] for i in range(len(joined) - 2)]


_END = "\0\0"
"""Padding behind a branch, so that each of its characters begins a trigram."""
_SEPARATOR = "\0"
"""Separator of paths, which no fragment that somebody looks for reaches across."""


def clean(text: str) -> str:
    """Replace lone surrogates: they cannot be UTF-8, and Tantivy refuses them."""
    return text.encode(errors="replace").decode()


def _display_values(entry: IndexEntry) -> dict[str, Any]:
    names = word_list("kind id tool status project author stated")
    return {name: getattr(entry, name) for name in names} | {
        "public_id": entry.public_id or entry.id,
        "title": entry.title[:_MOST_TITLE],
        "at": entry.at.isoformat(),
        "until": (entry.until or entry.at).isoformat(),
        "paths": [path[:_MOST_PATH] for path in entry.paths[:_SHOWN_PATHS]],
    }
