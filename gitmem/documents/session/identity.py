"""The two names of a session.

Its id is `YYYY-MM-DD_HH-MM_<tool>_<digest>`: the minute in UTC in which it began, the
assistant, and 16 digits of the SHA-256 of its conversation. It is set once, and is the
stem of the document's file name. Clones find the session of a conversation by the
digest, whatever minute they began it in.

Its session id is `YYYY-MM-DD_HH-MM_<tool>_<slug>`: local time, and up to four words.
It is what people and tools say, and a value of the header, so that it can change.
Both have only characters that every file system takes.
"""

import re
from datetime import UTC, datetime

from gitmem.documents.names import TOOL_LENGTH, digest, fold
from gitmem.errors import InvalidInput
from gitmem.redaction.redact import redact
from gitmem.text.patterns import pattern

ROOT = "sessions"
SLUG_WORDS = 4
SLUG_LENGTH = 60
_DIGEST_LENGTH = 16

_ID = pattern(
    r"(?=.{1,128}\Z)(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)_\d\d-\d\d"
    rf"_(?P<tool>[a-z0-9][a-z0-9.-]{{0,{TOOL_LENGTH - 1}}})"
    r"_(?P<slug>[a-z0-9][a-z0-9-]*)",
    re.ASCII,
)
_DIGEST_AT_END = pattern(rf"[_-]([0-9a-f]{{{_DIGEST_LENGTH}}})\Z", re.ASCII)
_SLUG = pattern(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_HEX8 = pattern(r"[0-9a-f]{8}(?![0-9a-f])", re.ASCII)
_UUID7 = pattern(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def new_id(began_at: datetime, tool: str, subject: str) -> str:
    """Return the id of a session that begins."""
    return f"{_minute(began_at.astimezone(UTC))}_{tool}_{subject_digest(subject)}"


def conversation_subject(tool: str, client_session_id: str) -> str:
    """Return what names the session of a conversation; "" without a client id."""
    return f"{tool}\0{client_session_id}" if client_session_id else ""


def subject_digest(subject: str) -> str:
    """Return the digits by which every clone knows a session.

    They are the first of its tombstone's name, so that the conversation of a forgotten
    session is known by its id alone.
    """
    return digest(subject)[:_DIGEST_LENGTH]


def digest_in(name: str) -> str:
    """Return the digest in an id, or in the name of a copy; "" where it has none."""
    match = _DIGEST_AT_END.search(name)
    return match[1] if match else ""


def tool_in(document_id: str) -> str:
    """Return the assistant in an id, which stays when somebody corrects the header."""
    return document_id.split("_", 3)[2] if document_id.count("_") >= 3 else ""


def new_session_id(began_at: datetime, tool: str, slug: str) -> str:
    """Return the name of a session with this slug."""
    return f"{_minute(began_at)}_{tool}_{slug}"


def is_session_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def slug_of(session_id: str) -> str:
    """Return what is behind date, time and tool, which hold no further `_`."""
    return session_id.split("_", 3)[-1]


def is_slug(text: str) -> bool:
    return len(text) <= SLUG_LENGTH and _SLUG.fullmatch(text) is not None


def document_path(document_id: str, root: str = ROOT) -> str:
    """Return where in the tree the document of a session is kept.

    A folder a day keeps trees small: a checkpoint rewrites only the trees on the way
    to its document.
    """
    match = _ID.fullmatch(document_id)
    if match is None:
        raise InvalidInput(f"{document_id!r} is not a session id.")
    year, month, day = match["year"], match["month"], match["day"]
    return f"{root}/{year}/{month}/{day}/{document_id}.md"


def provisional_slug(client_session_id: str) -> str:
    """Return eight hex digits in place of a slug until the assistant gives one.

    They are the first ones of the client's own id where that begins with eight, as a
    UUID does, so that a person can match the two; else of its SHA-256. A UUID of
    version 7 begins with the time (RFC 9562): the last ones tell two of a minute apart.
    """
    if _UUID7.fullmatch(client_session_id):
        return client_session_id[-8:]
    match = _HEX8.match(client_session_id)
    return match[0] if match else digest(client_session_id)[:8]


def clean_slug(text: str) -> str:
    """Return the slug that `text` means: lower case, words joined by hyphens.

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


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d_%H-%M}".rjust(len("YYYY-MM-DD_HH-MM"), "0")
