"""Members added to JSON files of other programs, and taken out again.

Such a file is its user's: comments, order and layout stay as they are, so nothing is
ever written anew. A parser finds the place, and text is inserted there that looks as if
the user had written it. Texts come and go with the line ends they have in the file.

A text that is empty, or white space and comments alone, has no value: it is read as
None, and what is added to it makes a whole file.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from gitmem.errors import InvalidInput
from gitmem.model.insertion import Insertion
from gitmem.model.json_text import COMMENT, JsonText, read, rendered, style_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

Path = tuple[str | int, ...]
"""Keys and positions, from the outermost container to a member or item."""


def parsed(text: str) -> object:
    """The value of a text; comments and trailing commas are allowed.

    Of equal keys the last one counts, as in every client. InvalidInput names line and
    column of the first thing that cannot be parsed.
    """
    json_text = read(text)
    if not json_text.strict.strip():
        return None
    return json_text.value(0, len(text))


def with_member(
    text: str, keys: Sequence[str], value: object
) -> tuple[Insertion, ...]:
    """What makes `value` the member at `keys`, in objects created where absent.

    Empty when an equal value is there. InvalidInput when something on the way is not
    an object, and when the member has another value.
    """
    raise NotImplementedError


def with_item(text: str, keys: Sequence[str], value: object) -> tuple[Insertion, ...]:
    """What appends `value` to the array at `keys`, created where absent.

    Empty when an equal item is in it. InvalidInput when something on the way is not an
    object, and when there is something else than an array.
    """
    raise NotImplementedError


def without(text: str, is_ours: Callable[[Path, object], bool]) -> str:
    """The text without the members and items that `is_ours(path, value)` is true for.

    Each goes with its comma and its line, and so does every container that this leaves
    empty, but for the outermost and for those that hold comments. For files that
    somebody changed since; else `insertion.removed` gives back the very bytes.
    """
    raise NotImplementedError
