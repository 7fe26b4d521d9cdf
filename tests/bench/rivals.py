"""Other ways to rank the same sessions, for comparison only."""

import sqlite3
from collections.abc import Iterator

import tantivy
from bench.data import NOW

from gitmem.model.session import Session
from gitmem.search.query import parse
from gitmem.search.words import terms, tokens, words

WEIGHTS = {"goal": 10, "todos": 5, "file_paths": 5, "decisions": 8, "work_summary": 3}


def asked_terms(text: str) -> list[str]:
    query = parse(text, now=NOW, tools={})
    return [
        term
        for token in query.words
        for word in words(token)
        for term in (word.parts or (word.whole,))
    ]


def fields(session: Session) -> dict[str, str]:
    """The columns of the specification, cut into the words that our index has."""
    texts = {
        "goal": [session.goal],
        "todos": [*session.work_completed, *session.work_pending],
        "file_paths": [*(file.path for file in session.files), session.branch or ""],
        "decisions": session.decisions,
        "work_summary": session.work_summary,
    }
    return {name: " ".join(_terms("\n".join(of))) for name, of in texts.items()}


class Bm25:
    """Tantivy's own scores: boosted fields, `sum` or best field of each word."""

    def __init__(self, sessions: list[Session], *, best_field: bool) -> None:
        self._best_field = best_field
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        for name in WEIGHTS:
            builder.add_text_field(name, tokenizer_name="whitespace")
        self._schema = builder.build()
        index = tantivy.Index(self._schema)
        writer = index.writer(50_000_000, 1)
        for session in sessions:
            writer.add_document(tantivy.Document(id=session.id, **fields(session)))
        writer.commit()
        index.reload()
        self._searcher = index.searcher()

    def ids(self, text: str, limit: int) -> list[str]:
        asked = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._word(term)) for term in asked_terms(text)]
        )
        found = self._searcher.search(asked, limit).hits
        return [self._searcher.doc(at)["id"][0] for _, at in found]

    def _word(self, term: str) -> tantivy.Query:
        boosted = [
            tantivy.Query.boost_query(
                tantivy.Query.term_query(self._schema, name, term), weight
            )
            for name, weight in WEIGHTS.items()
        ]
        if self._best_field:
            return tantivy.Query.disjunction_max_query(boosted, 0.1)
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, query) for query in boosted]
        )


class Fts5:
    """SQLite's full text search with the same words and weights."""

    def __init__(self, sessions: list[Session]) -> None:
        self._database = sqlite3.connect(":memory:")
        columns = ", ".join(WEIGHTS)
        self._database.execute(
            f"create virtual table found using fts5(id unindexed, {columns})"
        )
        self._database.executemany(
            f"insert into found values (?{', ?' * len(WEIGHTS)})",
            ([s.id, *fields(s).values()] for s in sessions),
        )
        weights = ", ".join(str(weight) for weight in WEIGHTS.values())
        self._select = (
            f"select id from found where found match ? "
            f"order by bm25(found, 0, {weights}) limit ?"
        )

    def ids(self, text: str, limit: int) -> list[str]:
        asked = " OR ".join(f'"{term}"' for term in asked_terms(text))
        if not asked:
            return []
        return [row[0] for row in self._database.execute(self._select, (asked, limit))]


def _terms(text: str) -> Iterator[str]:
    return (term for token in tokens(text) for term in terms(token))
