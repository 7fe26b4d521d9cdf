"""What is odd about a document that came from elsewhere.

Readers make all of it harmless: whoever pulled it should know. Little of a document is
understood here, because a hundred thousand may arrive at once.
"""

import re
from datetime import UTC, datetime, timedelta

from gitmem.documents.session.parsing import parts
from gitmem.text.control_characters import UNSEEN
from gitmem.text.patterns import pattern

AHEAD = timedelta(days=1)
"""So far a clock may be ahead of ours: more than time zones make up."""

_HUGE = 1_000_000
"""Bytes: more than a session ever has."""
_CLAIM = pattern(
    r"^(session_id|started_at|updated_at)[ \t]*:[ \t]*[\"']?([^\"'\s]*)", re.MULTILINE
)


def inconsistencies(session_id: str, content: bytes, now: datetime) -> list[str]:
    """What a person is told of the document of a session: such as `is not UTF-8`."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    head, _ = parts(text)
    claims = dict(_CLAIM.findall(head))
    times = [_time(claims.get(key, "")) for key in ("started_at", "updated_at")]
    found = {
        "is not UTF-8": not _is_utf8(content),
        "has characters that are not seen": UNSEEN.search(text.replace("\r\n", "\n")),
        "claims another id": claims.get("session_id", session_id) != session_id,
        "says it began on another day": _is_other_day(claims, session_id),
        "says it is of the future": any(t and t > now + AHEAD for t in times),
        f"has more than {_HUGE:,} bytes": len(content) > _HUGE,
    }
    return [what for what, is_so in found.items() if is_so]


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_other_day(claims: dict[str, str], session_id: str) -> bool:
    return claims.get("started_at", session_id)[:10] != session_id[:10]


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
