"""Other ways to rank the same sessions, for comparison only."""

import sqlite3
from collections.abc import Iterable, Iterator

import tantivy
from bench.data import Kept
from bench.wording import parts, telling, terms

WEIGHTS = {
    "goal": 10,
    "todos": 5,
    "file_paths": 5,
    "decisions": 8,
    "work_summary": 3,
    "conversation": 3,
}
_HEAP = 50_000_000
_LONGEST = 150
"""Words of a passage."""
_PER_SESSION = 40
"""Passages that are looked through for each session that is wanted."""


class Passages:
    """The simple method that the others are measured by.

    Prompts, answers and files are cut into passages, Tantivy's BM25 ranks them, and a
    session is as good as its best one.
    """

    def __init__(self, kept: Iterable[Kept]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        builder.add_text_field("text", tokenizer_name="whitespace")
        self._schema = builder.build()
        self._searcher = _searcher(
            self._schema,
            (
                tantivy.Document(id=one.id, text=passage)
                for one in kept
                for passage in _passages(one)
            ),
        )

    def ids(self, text: str, limit: int) -> list[str]:
        asked = tantivy.Query.boolean_query(
            [
                (
                    tantivy.Occur.Should,
                    tantivy.Query.term_query(self._schema, "text", term),
                )
                for term in dict.fromkeys(terms(" ".join(telling(text))))
            ]
        )
        found = self._searcher.search(asked, limit * _PER_SESSION, count=False).hits
        ids = (self._searcher.doc(at)["id"][0] for _, at in found)
        return list(dict.fromkeys(ids))[:limit]


class Fts5:
    """SQLite's full text search with the same weights, a row a session."""

    def __init__(self, kept: Iterable[Kept]) -> None:
        self._database = sqlite3.connect(":memory:")
        columns = ", ".join(WEIGHTS)
        self._database.execute(
            f"create virtual table found using fts5(id unindexed, {columns})"
        )
        self._database.executemany(
            f"insert into found values (?{', ?' * len(WEIGHTS)})",
            ([one.id, *_fields(one).values()] for one in kept),
        )
        weights = ", ".join(str(weight) for weight in WEIGHTS.values())
        self._select = (
            f"select id from found where found match ? "
            f"order by bm25(found, 0, {weights}) limit ?"
        )

    def ids(self, text: str, limit: int) -> list[str]:
        asked = " OR ".join(f'"{term}"' for term in _asked_terms(text))
        if not asked:
            return []
        return [row[0] for row in self._database.execute(self._select, (asked, limit))]


def _searcher(
    schema: tantivy.Schema, documents: Iterable[tantivy.Document]
) -> tantivy.Searcher:
    index = tantivy.Index(schema)
    writer = index.writer(_HEAP, 1)
    for document in documents:
        writer.add_document(document)
    writer.commit()
    index.reload()
    return index.searcher()


def _passages(kept: Kept) -> Iterator[str]:
    """Whole texts one after the other until a passage is full; long ones are cut.

    Without a conversation they are what the document has of it.
    """
    session = kept.session
    by_speaker: dict[object, list[str]] = {}
    for turn in kept.turns:
        by_speaker.setdefault(turn.speaker, []).append(turn.text)
    told = by_speaker.values() or (session.prompts, session.answers)
    for texts in [*told, [file.path for file in session.files]]:
        passage: list[str] = []
        for text in texts:
            more = text.split()
            if passage and len(passage) + len(more) > _LONGEST:
                yield _cut(passage)
                passage = []
            passage += more
            while len(passage) > _LONGEST:
                yield _cut(passage[:_LONGEST])
                passage = passage[_LONGEST:]
        yield _cut(passage)


def _cut(passage: list[str]) -> str:
    return " ".join(terms(" ".join(passage)))


def _fields(kept: Kept) -> dict[str, str]:
    """The columns of the specification, cut into words."""
    session = kept.session
    texts = {
        "goal": [session.goal],
        "todos": [*session.work_completed, *session.work_pending],
        "file_paths": [*(file.path for file in session.files), session.branch or ""],
        "decisions": session.decisions,
        "work_summary": [*session.prompts, *session.work_summary],
        "conversation": [turn.text for turn in kept.turns],
    }
    return {name: " ".join(terms("\n".join(of))) for name, of in texts.items()}


def _asked_terms(text: str) -> list[str]:
    return [term for token in telling(text) for term in parts(token)]
