"""Session ids: what they look like, where they are kept, what they are made of.

An id is `YYYY-MM-DD_HH-MM_<tool>_<slug>`: the local time the session began, the
assistant, and up to four words. It is also the stem of the document's file name, so it
holds only characters that every file system takes: lower-case letters, digits, `-`,
`.` within the tool, and `_` between the parts.
"""

import re
from collections.abc import Callable
from datetime import datetime

from gitmem.documents.names import TOOL_LENGTH, digest, fold
from gitmem.errors import InvalidInput
from gitmem.redaction.redact import redact
from gitmem.text.patterns import pattern

ROOT = "sessions"
SLUG_WORDS = 4
SLUG_LENGTH = 60

_ID = pattern(
    r"(?=.{1,128}\Z)(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)_\d\d-\d\d"
    rf"_(?P<tool>[a-z0-9][a-z0-9.-]{{0,{TOOL_LENGTH - 1}}})"
    r"_(?P<slug>[a-z0-9][a-z0-9-]*)",
    re.ASCII,
)
_SLUG = pattern(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_HEX8 = pattern(r"[0-9a-f]{8}(?![0-9a-f])", re.ASCII)


def is_session_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def slug_of(session_id: str) -> str:
    """What is behind date, time and tool, which hold no further `_`."""
    return session_id.split("_", 3)[-1]


def is_slug(text: str) -> bool:
    return len(text) <= SLUG_LENGTH and _SLUG.fullmatch(text) is not None


def document_path(session_id: str, root: str = ROOT) -> str:
    """Where in the tree of the memory the document of a session is kept.

    A folder a day keeps trees small: a checkpoint rewrites only the trees on the way
    to its document.
    """
    found = _ID.fullmatch(session_id)
    if found is None:
        raise InvalidInput(f"{session_id!r} is not a session id.")
    year, month, day = found["year"], found["month"], found["day"]
    return f"{root}/{year}/{month}/{day}/{session_id}.md"


def new_session_id(
    started_at: datetime, tool: str, slug: str, is_taken: Callable[[str], bool]
) -> str:
    """The id for a session; where it is taken already, `-2`, `-3`, ... is added."""
    stem = f"{started_at:%Y-%m-%d_%H-%M}_{tool}_{slug}"
    candidate, number = stem, 1
    while is_taken(candidate):
        number += 1
        candidate = f"{stem}-{number}"
    return candidate


def provisional_slug(client_session_id: str) -> str:
    """Eight hex digits that stand for the slug until the assistant gives one.

    They are the first ones of the client's own id where that begins with eight, as a
    UUID does, so that a person can match the two; else of its SHA-256.
    """
    found = _HEX8.match(client_session_id)
    return found[0] if found else digest(client_session_id)[:8]


def clean_slug(text: str) -> str:
    """The slug that `text` means: lower case, words joined by hyphens.

    Raises InvalidInput for more than four words, for text of which nothing remains
    that a file name can hold, and for what looks like a secret: names are not redacted.
    """
    slug = fold(text)
    if not slug:
        raise InvalidInput(
            f"The slug {text!r} has no letters or digits that a file name can hold.",
            hint="Give up to four words of a-z and 0-9, such as 'tei-migration'.",
        )
    if slug.count("-") >= SLUG_WORDS:
        raise InvalidInput(
            f"The slug {slug!r} has more than four words.",
            hint="Give three or four words, such as 'kv-cache-prefill'.",
        )
    if len(slug) > SLUG_LENGTH:
        raise InvalidInput(f"The slug is longer than {SLUG_LENGTH} characters.")
    if redact(text) != text or redact(slug) != slug:
        raise InvalidInput("The slug looks like a secret, so nothing is named so.")
    return slug
