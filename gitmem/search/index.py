"""The search index: what the sessions hold, made findable. The only owner of Tantivy.

It can be deleted at any time. A reserved document names the commit that the index
stands at; it is written in the same Tantivy commit as the sessions, so the two never
disagree, whenever a process dies.
"""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import Any

import tantivy
from filelock import FileLock, Timeout

from gitmem.model.changes import Changes
from gitmem.model.session import Session
from gitmem.search import ranking
from gitmem.search.query import Query
from gitmem.search.words import Word, words

VERSION = 1
"""Raised with every change of what is indexed; an index of another one is rebuilt."""
LOCK_WAIT = 5.0
"""Seconds to wait for another process that is catching up."""
CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Hit:
    """A session that was found."""

    session_id: str
    score: float
    """Between 0 and 1; gitmem/search/ranking.py says what it means."""
    goal: str
    started_at: datetime
    tool: str
    status: str
    project: str
    top_files: tuple[str, ...]
    """The first three files it touched."""


class Index:
    """One repository's sessions, searchable. Not for several threads at once."""

    def __init__(self, index: tantivy.Index, folder: Path | None, lock: Path) -> None:
        self._folder = folder
        self._lock = lock
        self._use(index)

    @classmethod
    def open(cls, folder: Path, lock: Path) -> "Index":
        """The index in `folder`, made if missing and made anew if unusable.

        Where the folder cannot be written, the index lives in memory. Processes that
        write hold `lock`, a file beside the folder.
        """
        try:
            return cls(_on_disk(folder), folder, lock)
        except (OSError, ValueError):
            pass
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(lock, timeout=LOCK_WAIT):
                return cls(_fresh(folder), folder, lock)
        except (OSError, ValueError, Timeout):
            return cls(tantivy.Index(_SCHEMA), None, lock)

    def catch_up(
        self,
        tip: str,
        changes_since: Callable[[str | None], Changes],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Learn what happened since the commit that the index stands at."""
        if self.tip == tip:
            return
        if self._folder is None:
            self._apply(changes_since(self.tip), progress)
            return
        try:
            with FileLock(self._lock, timeout=LOCK_WAIT):
                self._use(_on_disk(self._folder))
                if self.tip != tip:
                    self._apply(changes_since(self.tip), progress)
        except Timeout:
            return

    def search(self, query: Query, *, limit: int, tool: str | None = None) -> list[Hit]:
        """At most `limit` sessions, best first, of near-equal ones the newer first."""
        filters = _filters(query, tool or query.tool)
        if not query.words and not query.paths:
            return self._newest(filters, limit) if filters else []
        asked = _all(filters, self._scored(query))
        found = self._searcher.search(asked, limit=max(limit, CANDIDATES), count=False)
        hits = [
            _hit(self._stored(address), score)
            for score, address in found.hits
            if score >= ranking.THRESHOLD
        ]
        hits.sort(key=lambda hit: (round(hit.score, 3), hit.started_at), reverse=True)
        return hits[:limit]

    def lookup(self, name: str) -> list[str]:
        """The ids of the sessions that are, were or are elsewhere called `name`."""
        query = _term("names", name)
        found = self._searcher.search(query, limit=CANDIDATES, count=False)
        return sorted(self._stored(address)["id"] for _, address in found.hits)

    def _use(self, index: tantivy.Index) -> None:
        index.config_reader("Manual")
        index.reload()
        self._index = index
        self._searcher = index.searcher()
        self.tip = self._read_tip()

    def _read_tip(self) -> str | None:
        found = self._searcher.search(_term("names", _TIP), limit=1).hits
        if not found:
            return None
        stored = self._stored(found[0][1])
        return stored["tip"] if stored["version"] == VERSION else None

    def _apply(
        self, changes: Changes, progress: Callable[[int, int], None] | None
    ) -> None:
        writer = self._index.writer(_HEAP, 1)
        if changes.since is None:
            writer.delete_all_documents()
        for session_id, session in _told(changes, progress):
            writer.delete_documents_by_term("id", session_id)
            if session is not None:
                writer.add_document(_document(session))
        writer.delete_documents_by_term("names", _TIP)
        writer.add_document(_tip_document(changes.tip))
        writer.commit()
        writer.wait_merging_threads()
        self._use(self._index)

    def _scored(self, query: Query) -> tantivy.Query:
        """Gives each session the score that `ranking` defines."""
        asked = [word for token in query.words for word in words(token)]
        weights = [self._weight(word) for word in asked]
        answered = _any(
            self._strength(word, weight / sum(weights))
            for word, weight in zip(asked, weights, strict=True)
        )
        if not query.paths:
            return answered
        touched = _any(_touching(path) for path in query.paths)
        share = 1 - ranking.TOUCHED
        return tantivy.Query.disjunction_max_query(
            [
                answered,
                tantivy.Query.boolean_query(
                    [
                        (
                            tantivy.Occur.Must,
                            tantivy.Query.const_score_query(touched, ranking.TOUCHED),
                        ),
                        (
                            tantivy.Occur.Should,
                            tantivy.Query.boost_query(answered, share),
                        ),
                    ]
                ),
            ]
        )

    def _weight(self, word: Word) -> float:
        return sum(
            ranking.weight(self._sessions_with(term))
            for term in word.parts or (word.whole,)
        )

    def _sessions_with(self, term: str) -> int:
        """How many there are now; `doc_freq` would count replaced ones too."""
        found = self._searcher.search(_any(_levels(term, 1.0)), limit=1)
        count: int = found.count  # type: ignore[attr-defined]  # not in its stubs
        return count

    def _strength(self, word: Word, share: float) -> tantivy.Query:
        whole = _any(_levels(word.whole, share))
        if not word.parts:
            return whole
        weights = [ranking.weight(self._sessions_with(part)) for part in word.parts]
        apart = _any(
            query
            for part, weight in zip(word.parts, weights, strict=True)
            for query in _levels(part, ranking.APART * share * weight / sum(weights))
        )
        return tantivy.Query.disjunction_max_query([whole, apart])

    def _newest(self, filters: Sequence[tantivy.Query], limit: int) -> list[Hit]:
        found = self._searcher.search(
            _all(filters, tantivy.Query.all_query()), limit, order_by_field="started"
        )
        return [_hit(self._stored(address), 1.0) for _, address in found.hits]

    def _stored(self, address: tantivy.DocAddress) -> Any:
        return json.loads(self._searcher.doc(address)["stored"][0])


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("names", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("tool", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("paths", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="basic")
    builder.add_integer_field("started", indexed=True, fast=True)
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


_SCHEMA = _schema()
_TIP = "\0tip"
"""No session has such a name."""
_HEAP = 50_000_000


def _on_disk(folder: Path) -> tantivy.Index:
    folder.mkdir(parents=True, exist_ok=True)
    return tantivy.Index(
        _SCHEMA, str(folder), sort_by_field="started", sort_order=tantivy.Order.Desc
    )


def _fresh(folder: Path) -> tantivy.Index:
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    else:
        folder.unlink(missing_ok=True)
    return _on_disk(folder)


def _told(
    changes: Changes, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[str, Session | None]]:
    started = time.monotonic()
    for done, change in enumerate(changes.sessions, 1):
        yield change
        if progress is not None and time.monotonic() - started > 1:
            progress(done, changes.total)


def _document(session: Session) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("id", session.id)
    for name in (session.id, session.renamed_from, session.client_session_id):
        if name:
            document.add_text("names", name)
    document.add_text("tool", session.tool)
    for path in (file.path for file in session.files):
        document.add_text("paths", path.lower())
    levels = ranking.levels(session).items()
    document.add_text("words", " ".join(_at(term, level) for term, level in levels))
    document.add_integer("started", int(session.started_at.timestamp()))
    document.add_bytes("stored", json.dumps(_shown(session)).encode())
    return document


def _tip_document(tip: str) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("names", _TIP)
    document.add_bytes("stored", json.dumps({"version": VERSION, "tip": tip}).encode())
    return document


def _shown(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "goal": session.goal,
        "started_at": session.started_at.isoformat(),
        "tool": session.tool,
        "status": session.status.value,
        "project": session.project,
        "top_files": [file.path for file in session.files[:3]],
    }


def _hit(shown: Any, score: float) -> Hit:
    return Hit(
        session_id=shown["id"],
        score=score,
        goal=shown["goal"],
        started_at=datetime.fromisoformat(shown["started_at"]),
        tool=shown["tool"],
        status=shown["status"],
        project=shown["project"],
        top_files=tuple(shown["top_files"]),
    )


def _filters(query: Query, tool: str | None) -> list[tantivy.Query]:
    filters = []
    if query.after is not None or query.before is not None:
        filters.append(_started(query.after, query.before))
    if tool is not None:
        filters.append(_term("tool", tool))
    return filters


def _started(after: datetime | None, before: datetime | None) -> tantivy.Query:
    return tantivy.Query.range_query(
        _SCHEMA,
        "started",
        tantivy.FieldType.Integer,
        None if after is None else ceil(after.timestamp()),
        None if before is None else ceil(before.timestamp()),
        include_upper=False,
    )


def _touching(path: str) -> tantivy.Query:
    return tantivy.Query.regex_query(_SCHEMA, "paths", f".*{_escaped(path)}.*")


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$#&~-]")


def _levels(term: str, share: float) -> list[tantivy.Query]:
    return [
        tantivy.Query.const_score_query(
            _term("words", _at(term, level)), share * ranking.strength(level)
        )
        for level in range(1, ranking.LEVELS + 1)
    ]


def _at(term: str, level: int) -> str:
    """`term` as the field `words` holds it for sessions that have it at `level`."""
    return f"{term}~{level:x}"


def _term(field: str, value: str) -> tantivy.Query:
    return tantivy.Query.term_query(_SCHEMA, field, value, "basic")


def _any(queries: Iterable[tantivy.Query]) -> tantivy.Query:
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Should, query) for query in queries]
    )


def _all(filters: Iterable[tantivy.Query], scored: tantivy.Query) -> tantivy.Query:
    required = [
        (tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0))
        for query in filters
    ]
    return tantivy.Query.boolean_query([*required, (tantivy.Occur.Must, scored)])
