"""The items of a session's lists, by the texts that name them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from gitmem.documents.session.session import (
    RANKED,
    Commit,
    PlanFile,
    Reference,
    Session,
)

_LISTS = (*RANKED, "work_pending", "answers")


def without_items(session: Session, is_gone: Callable[[str], bool]) -> Session:
    """The session without the items of its lists that are gone, by their text."""
    left: dict[str, Any] = {
        name: tuple(item for item in items if not is_gone(text_of_item(item)))
        for name in _LISTS
        if (items := getattr(session, name))
    }
    return replace(session, **left)


def items_of(session: Session) -> Iterator[str]:
    """The texts by which the items of its lists are named."""
    for name in _LISTS:
        yield from map(text_of_item, getattr(session, name))


def text_of_item(item: object) -> str:
    """What names an item of a list, whatever else is known of it."""
    match item:
        case PlanFile(path=text) | Reference(url=text) | Commit(sha=text):
            return text
    return str(item)
