"""What an edited text changes in a session."""

from dataclasses import replace
from typing import Any, Self

from gitmem.documents.session.checkpoint import Checkpoint, apply, moment_after
from gitmem.documents.session.fields import APPENDED, ARGUMENTS, FIELDS, REPLACED, STATE
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.session import Session, text_of_item
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.values import Signature
from gitmem.text.control_characters import harmless_lines

_HEADINGS = ", ".join(
    field.heading.lstrip("# ") for field in FIELDS if field.name in ARGUMENTS
)
_GROWING = [name for name in ARGUMENTS if name in APPENDED]


@frozen
class SessionEdit:
    base: Session
    edited: Session
    removed: frozenset[str]
    """Texts of items that are gone from lists that only grow."""

    @classmethod
    def read(cls, document_id: str, base_text: str, text: str) -> Self:
        """Read an edited text. Raises InvalidInput where anything else differs."""
        base, edited = parse(document_id, base_text), parse(document_id, text)
        values = {name: _cleaned(name, base, edited) for name in ARGUMENTS}
        edited = replace(edited, **values)
        if edited != replace(base, **values):
            raise InvalidInput(
                "this can only be read, or has no heading of its own.",
                hint=f"What can be edited: {_HEADINGS}.",
            )
        edit = cls(base, edited, _texts(base) - _texts(edited))
        edit.require_mergeable()
        return edit

    def require_mergeable(self) -> None:
        """Raise InvalidInput for what no merge of clones would keep."""
        if self.base.goal and not self.edited.goal:
            raise InvalidInput("a goal can be replaced, not removed.")
        for name in _GROWING:
            before, after = (getattr(v, name) for v in (self.base, self.edited))
            known_names = {*map(text_of_item, before)}
            for item in after:
                if item not in before and text_of_item(item) in known_names:
                    raise InvalidInput(
                        f"{text_of_item(item)!r} is listed with other words already."
                    )

    @property
    def changed_fields(self) -> tuple[str, ...]:
        return tuple(
            name
            for name in ARGUMENTS
            if getattr(self.base, name) != getattr(self.edited, name)
        )

    def removes(self, item: str) -> bool:
        return harmless_lines(item) in self.removed

    def apply(self, session: Session, author: Signature) -> Session:
        """Return a session with the changes, as of a moment after its own.

        Where it stands stays as it is: an edit is no work of the conversation.
        """
        values: dict[str, Any] = {
            name: self._value(name, session) for name in self.changed_fields
        }
        stated = apply(
            session, Checkpoint(at=moment_after(session, author.when), **values)
        )
        return replace(stated, **{name: getattr(session, name) for name in STATE})

    def _value(self, name: str, session: Session) -> Any:
        """Return what a checkpoint says of a field, in a session that went on since."""
        before, after, current = (
            getattr(version, name) for version in (self.base, self.edited, session)
        )
        if name in REPLACED and current != before:
            remaining = [
                item for item in current if item in after or item not in before
            ]
            return (*remaining, *(item for item in after if item not in before))
        if name in _GROWING:
            return tuple(item for item in after if item not in before)
        return after


def _texts(session: Session) -> frozenset[str]:
    """Return the texts of items in the lists that only grow."""
    return frozenset(
        harmless_lines(text_of_item(item))
        for name in _GROWING
        for item in getattr(session, name)
    )


def _cleaned(name: str, base: Session, edited: Session) -> Any:
    """Return a field without empty items, and blanks around those that are new."""
    value, before = getattr(edited, name), getattr(base, name)
    if isinstance(value, str):
        return value
    items = (
        item if item in before or not isinstance(item, str) else item.strip()
        for item in value
    )
    return tuple(filter(None, items))
