"""A kind of documents: all that the store, a merge, and the index ask about it.

A kind is pure: it neither reads nor writes files, and has no clock. What git, the
journal, and Tantivy need for its documents is theirs; a new kind changes none of it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, TypeVar

from gitmem.documents.index_entry import IndexEntry
from gitmem.redaction.redact import Redacted

D = TypeVar("D")
"""A document; it has an `id`, and documents that mean the same are equal."""
C = TypeVar("C")
"""A change to a document, as the journal keeps it."""

AHEAD = timedelta(days=1)
"""So far a clock may be ahead of ours: more than time zones make up."""


class Kind(ABC, Generic[D]):
    """The rules of one kind of documents."""

    name: ClassVar[str]
    """The word for one document: `session`."""
    ref: ClassVar[str]
    """Below `refs/ocm/`: `refs/ocm/sessions`."""
    root: ClassVar[str]
    """The folder of the documents in the tree of a commit: `sessions`."""
    format: ClassVar[str] = "1"
    """The version of that tree, a number; a newer one is refused."""
    most_bytes: ClassVar[int] = 1_000_000
    """Bytes of the longest document that is read."""
    room: ClassVar[int] = 1_000_000
    """Bytes up to which a document is added to."""
    folders: ClassVar[tuple[re.Pattern[str], ...]]
    """What names of the folders below the root look like, the outermost first."""
    can_end: ClassVar[bool] = False
    """True if a document can end and stay, as a superseded memory does."""
    parent: ClassVar["Kind[Any] | None"] = None
    """The kind whose documents these belong to: they have the ids of those, and go
    when those are forgotten."""

    @abstractmethod
    def is_id(self, text: str) -> bool:
        """Whether a document can have this id, which is also a name for a file."""

    @abstractmethod
    def path(self, document_id: str, /) -> str:
        """Where in the tree a document is: `<root>/<folders>/<id>.md`."""

    @abstractmethod
    def parse(self, document_id: str, text: str, /) -> D:
        """Read a document; any text is one, as anybody may have written it."""

    @abstractmethod
    def render(self, document: D, /) -> str:
        """Write a document as Markdown, from which `parse` makes the same one."""

    @abstractmethod
    def began_at(self, document: D) -> datetime:
        """Return when a document began, aware; lists have the newest first."""

    def worked_at(self, document: D) -> datetime:
        """Return when it was last worked on, which moves a document of late ahead."""
        return self.began_at(document)

    def moment_in(self, document_id: str) -> str:
        """Return what ids that come in the order of time tell of it.

        Documents whose ids tell the same are sorted by `began_at`.
        """
        return ""

    @abstractmethod
    def merge(self, one: D, other: D) -> D:
        """Merge two versions of one document.

        Commutative, associative, and idempotent.
        """

    def in_use(self, document: D) -> D:
        """Return a document as it is while it is in use."""
        return document

    def successors(self, document: D) -> Sequence[str]:
        """Return ids of the documents that took the place of this one."""
        return ()

    def document_id(self, document: D) -> str:
        """Return the id of a document, which is the stem of its path."""
        value: Any = document
        return str(value.id)

    def identity(self, document_id: str) -> str:
        """Return the part of an id that a document has in every clone.

        Clones that begin a document on their own may give it different ids.
        """
        return document_id

    def is_authentic(self, document_id: str, text: str) -> bool:
        """Return whether a document belongs at this id, as its text says itself."""
        return True

    def public_id(self, document: D) -> str:
        """Return the name by which people and tools call a document."""
        return self.document_id(document)

    def public_id_in(self, document_id: str, text: str) -> str:
        """Return the same for the text of a document, of which little is read."""
        return document_id

    def names(self, document: D) -> tuple[str, ...]:
        """Return the id of a document, and the names that it has or had."""
        return (self.document_id(document),)

    def mentions(self, document: D) -> tuple[str, ...]:
        """Return what messages of commits may name a document by."""
        return self.names(document)

    def subject(self, document: D) -> str:
        """Return what a tombstone names a document by, which nobody else's has."""
        return self.document_id(document)

    def subject_in(self, document_id: str, text: str) -> str:
        """Return the same for the text of a document, of which little is read."""
        return self.subject(self.parse(document_id, text))

    def items(self, document: D) -> Iterator[tuple[str, str]]:
        """Yield what can be forgotten of a document: each subject and its text."""
        yield from ()

    def without_items(self, document: D, is_gone: Callable[[str], bool]) -> D:
        """Return the document without the items that are gone, by their subjects."""
        return document

    def entry(self, document: D, /) -> IndexEntry | None:
        """Return what the index holds of a document; None where it is never a hit."""
        return None


class ChangedKind(Kind[D], Generic[D, C]):
    """A kind whose documents are made of changes, which the journal has first."""

    @abstractmethod
    def encode(self, change: C) -> str:
        """Write a change as one line of JSON."""

    @abstractmethod
    def decode(self, line: str) -> C | None:
        """Read the change in a line of a journal; None for a line that has none.

        Raises FormatTooNew for a change that a newer gitmem wrote.
        """

    @abstractmethod
    def target(self, change: C) -> str:
        """Return the id of the document that a change is for."""

    @abstractmethod
    def changed_at(self, change: C) -> datetime:
        """Return when a change was made; aware."""

    @abstractmethod
    def apply(self, before: D | None, change: C) -> D:
        """Return the document after a change; `before` is None for a new one.

        Applying a change twice is as applying it once.
        """

    @abstractmethod
    def message(self, before: D | None, after: D, change: C) -> Redacted:
        """Write the message of the commit that makes `after` out of `before`."""
