"""What an index holds of a document, whatever its kind: plain values.

A kind turns a document into an `IndexEntry`; search reads nothing else of it.
"""

from datetime import datetime
from enum import Enum, auto

from gitmem.frozen import frozen

SLUG = "slug:"
"""The beginning of the name by which a document is looked up by its slug."""


class Role(Enum):
    """What a field says of a document; search has a weight for each."""

    GOAL = auto()
    DECISIONS = auto()
    TODOS = auto()
    """Finished and open work."""
    PATHS = auto()
    """Where: files and branches."""
    TEXT = auto()
    """All else."""


@frozen
class Field:
    """Texts of a document that count alike."""

    name: str
    """What a hit names as the reason where they match; "" for texts it never names.
    Several fields may have one name. `branch`, `files` and `commits` are named as well
    where a filter of the query met them."""
    role: Role
    texts: tuple[str, ...]
    is_indexed: bool = True
    """False for texts that another field has as well: they are only named."""


@frozen(kw_only=True)
class IndexEntry:
    """A document as search knows it. Picklable."""

    kind: str
    id: str
    """Unique among the documents of its kind."""
    public_id: str = ""
    """The name that people call it by; its id where it has no other."""
    names: tuple[str, ...] = ()
    """All that it is looked up by, besides its id."""
    title: str
    at: datetime
    """Aware. Date filters go by the clock that it shows, whatever its offset."""
    until: datetime | None = None
    """Time of its last change, by the same rule; None where that is `at`."""
    tool: str = ""
    branch: str = ""
    author: str = ""
    project: str = ""
    status: str = ""
    paths: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    """Ids of commits, abbreviated or not."""
    labels: tuple[str, ...] = ()
    """Labels that a search can require besides its words, such as `tag:auth`."""
    fields: tuple[Field, ...]
    """The searched fields. Of two that match equally the first is named first."""
    passages: tuple[str, ...]
    """The same texts in the order of reading, from which passages are cut."""
    said: tuple[str, ...] = ()
    """The turns of its conversation. They count as text, and have their own passages,
    which a hit shows."""
    stated: tuple[tuple[str, ...], ...] = ()
    """Statements, a tuple of texts for each, which a hit gives back."""
    items: tuple[str, ...] = ()
    """What a snippet is cut from: of two that answer equally, the first."""
