"""What the index holds of a session, and how it is laid out.

One document for the session as a whole, and one for each of its passages; the number of
the session joins them.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from math import ceil
from typing import Any, Final

import tantivy

from gitmem.documents.changes import IndexEntry
from gitmem.documents.session.session import COMMIT_LENGTH, Session
from gitmem.search import ranking
from gitmem.search.passages import Passage, passages, within_reach
from gitmem.search.words import Cut, cut, fold, tokens

VERSION: Final = 13
"""To be raised with every change of what is indexed; an older index is rebuilt."""

_MOST_GOAL, _MOST_PATH = 2000, 4096
"""Characters of what is shown of a hit."""

TIP: Final = "tip"
"""What the document that tells where the index stands is reserved for."""


class Match(StrEnum):
    """How surely a session is what was asked for."""

    STRONG = "strong"
    WEAK = "weak"
    """One of the nearest; a person says whether it is the right one."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A session that was found."""

    session_id: str
    score: float
    """Between 0 and 1; `gitmem.search.ranking` says what it means."""
    goal: str
    started_at: datetime
    """With the offset of the place where the session began."""
    tool: str
    status: str
    project: str
    top_files: tuple[str, ...]
    """The first three files of the session."""
    author: str = ""
    """Who began it, as the session says."""
    said: str = ""
    """The passage of the conversation that answers most of the query, on one line; ""
    where one of the document does, or none."""
    match: Match = Match.STRONG
    answers: tuple[str, ...] = ()
    """The words of the query, as typed, that a weak match answers."""
    misses: tuple[str, ...] = ()
    """Those that it does not answer."""


WHOLE: Final = "words"
"""The field with the words of a session at their levels."""
PASSAGE: Final = "near"
"""The field with the words of a passage at their levels."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for name in ("id", "kind", "names", "commits", "tool", "reserved"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in (WHOLE, PASSAGE, "spelled"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    for name in ("text", "paths", "branch", "author"):
        builder.add_text_field(name, tokenizer_name="whitespace")
    for name in ("started", "session"):
        builder.add_integer_field(name, indexed=True, fast=True)
    builder.add_bytes_field("stored", stored=True)
    return builder.build()


SCHEMA: Final = _schema()


def of_commits(names: Iterable[str]) -> tantivy.Query:
    """The sessions that list one of these commits, as far as the first digits tell."""
    short = sorted({clean(name[:COMMIT_LENGTH]) for name in names})
    return tantivy.Query.term_set_query(SCHEMA, "commits", short)


def exactly(field: str, value: str) -> tantivy.Query:
    """The documents that hold `value` in `field`, as it stands there."""
    return tantivy.Query.term_query(SCHEMA, field, clean(value), "basic")


def of_session(number: int) -> tantivy.Query:
    """The documents of a session, by what `number_of` gives."""
    return tantivy.Query.term_query(SCHEMA, "session", number, "basic")


Fields = dict[str, str | int | bytes | list[str]]
"""Of a document, as values that another process can send quickly."""


def documents_of(told: IndexEntry) -> Iterator[Fields]:
    """All that the index holds of a session."""
    told = within_reach(told)
    found = [(passage, cut(passage.words)) for passage in passages(told)]
    yield _session(told, [*chain.from_iterable(words for _, words in found)])
    for passage, words in found:
        yield _passage(told.session, passage, words)


def number_of(session_id: str) -> int:
    """What joins a session and its passages: 56 bits of the digest of its id."""
    return int.from_bytes(hashlib.sha256(session_id.encode()).digest()[:7])


def document(fields: Fields) -> tantivy.Document:
    return tantivy.Document.from_dict(fields, SCHEMA)


def _session(told: IndexEntry, words: list[Cut]) -> Fields:
    session = told.session
    branch = f"{(session.branch or '').lower()}{_END}"
    names = {*session.all_ids, session.client_session_id}
    paths = _SEPARATOR.join(file.path.lower() for file in session.files)
    return {
        **_common(session, WHOLE),
        "tool": clean(session.tool),
        "branch": " ".join(trigrams(branch)),
        "author": " ".join(author_terms(session.author)),
        "names": [clean(name) for name in names if name],
        "commits": [clean(each.sha[:COMMIT_LENGTH]) for each in session.commits],
        "text": " ".join([word.stems for word in words]),
        "spelled": " ".join({word.spelled for word in words}),
        WHOLE: _at_levels(ranking.session_levels(told)),
        "paths": " ".join(trigrams(paths)),
        "stored": json.dumps(_shown(session)).encode(),
    }


def _passage(session: Session, passage: Passage, words: list[Cut]) -> Fields:
    levels = ranking.passage_levels(words)
    fields = {**_common(session, PASSAGE), PASSAGE: _at_levels(levels)}
    if passage.is_said:
        fields["stored"] = passage.text.encode(errors="replace")
    return fields


def _common(session: Session, kind: str) -> Fields:
    return {
        "id": clean(session.id),
        "kind": kind,
        "started": on_the_wall(session.started_at),
        "session": number_of(session.id),
    }


def author_terms(name: str) -> list[str]:
    """The words of a name and an address, in their order."""
    return [clean(fold(token)) for token in tokens(name)]


def _at_levels(levels: Mapping[str, int]) -> str:
    marks = {level: f"{LEVEL_MARK}{level}" for level in {*levels.values()}}
    return " ".join([term + marks[level] for term, level in levels.items()])


def on_the_wall(moment: datetime) -> int:
    """Seconds by the clock on the wall where the session was held.

    That is what its id shows and what "yesterday" means, over summer time, too.
    """
    return ceil(moment.replace(tzinfo=UTC).timestamp())


def tip_document(tip: str, left: int) -> tantivy.Document:
    stored = {"version": VERSION, "tip": tip, "left": left}
    return document({"reserved": TIP, "stored": json.dumps(stored).encode()})


def said_in(document: tantivy.Document) -> str:
    """The text of a passage of a conversation; "" for one of a document."""
    stored = document["stored"]
    return bytes(stored[0]).decode() if stored else ""


def hit_of(document: tantivy.Document, score: float, said: str = "") -> Hit:
    return _hit(json.loads(document["stored"][0]), score, said)


def hit_on(session: Session, score: float) -> Hit:
    """A session that is at hand, as a hit from the index shows it."""
    return _hit(_shown(session), score, "")


def _hit(shown: dict[str, Any], score: float, said: str) -> Hit:
    return Hit(
        session_id=shown["id"],
        score=score,
        goal=shown["goal"],
        started_at=datetime.fromisoformat(shown["started_at"]),
        tool=shown["tool"],
        status=shown["status"],
        project=shown["project"],
        top_files=tuple(shown["top_files"]),
        author=shown["author"],
        said=said,
    )


def tip_of(document: tantivy.Document) -> tuple[str, int] | None:
    """The state of the index, and how many sessions it has yet to learn.

    None if another version wrote that.
    """
    stored = json.loads(document["stored"][0])
    if stored["version"] != VERSION:
        return None
    return stored["tip"], stored["left"]


def level_of(term: str) -> int:
    """The level that a term of the fields WHOLE and PASSAGE ends in.

    Every text has a term at one level only, so the level is part of the term and the
    index needs neither counts nor lengths.
    """
    return int(term.rpartition(LEVEL_MARK)[2])


LEVEL_MARK: Final = "~"
"""No term contains it."""


def trigrams(path: str) -> list[str]:
    """Every three neighbouring characters of `path`.

    A fragment of three characters or more is part of a path if and only if its
    trigrams follow each other in those of the path, which is a phrase query.
    """
    joined = "".join(clean(path).split())
    return [joined[i : i + 3] for i in range(len(joined) - 2)]


_END = "\0\0"
"""Behind a branch, so that a trigram begins with each of its characters."""
_SEPARATOR = "\0"
"""Between paths: no fragment that somebody looks for reaches across it."""


def clean(text: str) -> str:
    """`text` without lone surrogates, which cannot be written as UTF-8."""
    return text.encode(errors="replace").decode()


def _shown(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "goal": session.goal[:_MOST_GOAL],
        "started_at": session.started_at.isoformat(),
        "tool": session.tool,
        "status": session.status.value,
        "project": session.project,
        "top_files": [file.path[:_MOST_PATH] for file in session.files[:3]],
        "author": session.author,
    }
