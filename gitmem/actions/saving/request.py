"""What a caller may send with a checkpoint, and its limits.

The same arguments arrive from the MCP tool and from `ocm checkpoint --input`; here they
become typed values, or an InvalidInput that says what is wrong.
"""

from collections.abc import Callable, Mapping
from dataclasses import astuple, field, fields
from datetime import datetime
from functools import partial
from typing import Any

from gitmem.assistants.known import tool_named
from gitmem.documents.event import Trigger
from gitmem.documents.names import CLIENT_ID_LENGTH, clean_client_id
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.fields import ARGUMENTS, FieldForm
from gitmem.documents.session.identity import clean_slug
from gitmem.documents.session.session import PlanFile, Reference, Status
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen

CHECKPOINT_LIMIT = 500_000
"""Characters of text in one checkpoint. More is refused, never cut."""

_SAID = (Status.OPEN, Status.FROZEN, Status.CLOSED)
"""States that a caller may name; that a client's process is gone is observed."""
_TRIGGERS: Mapping[Status | None, Trigger] = {
    Status.FROZEN: Trigger.CONTEXT_LIMIT,
    Status.CLOSED: Trigger.SESSION_END,
}


@frozen(kw_only=True)
class Request:
    """The arguments of a checkpoint. None: not given."""

    session_id: str | None = None
    client_session_id: str | None = None
    tool: str | None = None
    slug: str | None = None
    status: Status | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values of fields in ARGUMENTS, by their names."""

    @property
    def says_something(self) -> bool:
        return self.status is not None or any(self.values.values())

    @property
    def size(self) -> int:
        """Characters of text in it."""
        names = (self.session_id, self.client_session_id, self.tool, self.slug)
        return sum(map(_length, (*names, *self.values.values())))

    def checkpoint(self, at: datetime) -> Checkpoint:
        trigger = _TRIGGERS.get(self.status, Trigger.MANUAL)
        return Checkpoint(
            at=at, trigger=trigger, slug=self.slug, status=self.status, **self.values
        )


def parse_request(arguments: Mapping[str, object]) -> Request:
    """Read the arguments of a tool; a None counts as not given.

    Bullets lose the white space around them, and empty ones are left out. Raises
    InvalidInput for an unknown argument, a wrong type, or more than fits.
    """
    if unknown := sorted(arguments.keys() - _PARSERS.keys()):
        raise InvalidInput(
            f"A checkpoint has no argument {unknown[0]!r}.",
            hint=f"It takes: {', '.join(sorted(_PARSERS))}.",
        )
    parsed: dict[str, Any] = {
        name: _PARSERS[name](name, value)
        for name, value in arguments.items()
        if value is not None
    }
    values = {name: parsed.pop(name) for name in ARGUMENTS if name in parsed}
    request = Request(**parsed, values=values)
    if request.size > CHECKPOINT_LIMIT:
        raise InvalidInput(
            f"The checkpoint has {request.size:,} characters;"
            f" {CHECKPOINT_LIMIT:,} fit.",
            hint="Write bullets, not prose, and paths, not contents of files.",
        )
    return request


def _length(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, tuple):
        return sum(map(_length, value))
    if isinstance(value, PlanFile | Reference):
        return sum(map(_length, astuple(value)))
    return 0


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be text, not {type(value).__name__}.")
    return value.strip()


def _optional(clean: Callable[[str], str], name: str, value: object) -> str | None:
    text = _text(name, value)
    return clean(text) if text else None


def _bullets(name: str, value: object) -> tuple[str, ...]:
    items = (_text(f"each item of {name}", item) for item in _items(name, value))
    return tuple(filter(None, items))


def _items(name: str, value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{name} must be a list, not {type(value).__name__}.")
    return list(value)


def _pairs(
    kind: type[PlanFile] | type[Reference], name: str, value: object
) -> tuple[PlanFile | Reference, ...]:
    """Return objects of two texts each, of which the second may be missing."""
    keys = [attribute.name for attribute in fields(kind)]
    return tuple(kind(*_pair(name, item, *keys)) for item in _items(name, value))


def _pair(name: str, item: object, key: str, detail: str) -> tuple[str, str]:
    if not isinstance(item, Mapping) or not item.keys() <= {key, detail}:
        raise InvalidInput(
            f'Each item of {name} must be an object {{"{key}", "{detail}"}}.'
        )
    first = _text(f"{key} of {name}", item.get(key))
    if not first:
        raise InvalidInput(f"An item of {name} has an empty {key}.")
    return first, _text(f"{detail} of {name}", item.get(detail, ""))


def _status(name: str, value: object) -> Status:
    text = _text(name, value)
    if text not in _SAID:
        raise InvalidInput(f"status must be open, frozen or closed, not {text!r}.")
    return Status(text)


def _client_id(text: str) -> str:
    if len(text) > CLIENT_ID_LENGTH or not text.isprintable():
        raise InvalidInput(
            "client_session_id must be at most"
            f" {CLIENT_ID_LENGTH} printable characters."
        )
    return clean_client_id(text)


_FORMS: Mapping[FieldForm, Callable[[str, object], Any]] = {
    FieldForm.TEXT: partial(_optional, str),
    FieldForm.ITEMS: _bullets,
    FieldForm.PLANS: partial(_pairs, PlanFile),
    FieldForm.REFERENCES: partial(_pairs, Reference),
}
_PARSERS: Mapping[str, Callable[[str, object], Any]] = {
    "session_id": partial(_optional, str),
    "client_session_id": partial(_optional, _client_id),
    "tool": partial(_optional, tool_named),
    "slug": partial(_optional, clean_slug),
    "status": _status,
    **{name: _FORMS[form] for name, (form, _) in ARGUMENTS.items()},
}
