"""Names that clients give: of assistants, and of their conversations."""

import hashlib
import re
import unicodedata

from gitmem.errors import InvalidInput
from gitmem.redaction.redact import redact_own
from gitmem.text.patterns import pattern

TOOL_LENGTH = 30
CLIENT_ID_LENGTH = 200
SESSION_URI = "ocm://sessions/{session_id}"
"""The URI at which MCP clients read a session."""

_ID = pattern(r"[a-z0-9][a-z0-9._-]{0,127}", re.ASCII)
_TOOL = pattern(r"[a-z0-9]+([.-][a-z0-9]+)*", re.ASCII)
_UUID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_document_id(text: str) -> bool:
    """Whether documents of some kind may have such an id: it names a file."""
    return _ID.fullmatch(text) is not None


def is_tool(text: str) -> bool:
    return len(text) <= TOOL_LENGTH and _TOOL.fullmatch(text) is not None


def digest(text: str) -> str:
    """What stands for a text that cannot be a name: its SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def clean_client_id(text: str) -> str:
    """The client's own id; what stands for it where it is long, unprintable or secret.

    Names are not redacted, and two that were would be one. A UUID is no secret: hooks
    name their journal by one thousands of times, and need not learn the rules for it.
    """
    if _UUID.fullmatch(text):
        return text
    is_plain = len(text) <= CLIENT_ID_LENGTH and text.isprintable()
    return text if is_plain and redact_own(text) == text else digest(text)


def clean_tool(text: str) -> str:
    """The name of an assistant as an id can hold it: `Claude Code` is `claude-code`.

    Raises InvalidInput where nothing remains, or what looks like a secret.
    """
    tool = fold(text)[:TOOL_LENGTH].strip("-")
    if not tool or redact_own(text) != text or redact_own(tool) != tool:
        raise InvalidInput(f"{text!r} cannot be the name of an assistant.")
    return tool


def fold(text: str) -> str:
    """Lower case, in ASCII, words joined by hyphens; empty where nothing remains."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
