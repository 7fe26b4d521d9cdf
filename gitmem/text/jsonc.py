"""Members added to JSON files of other programs, and taken out again.

Such a file is its user's: comments, order and layout stay as they are, so nothing is
ever written anew. A parser finds the place, and text is inserted there that looks as if
the user had written it. Texts come and go with the line ends they have in the file.

A text that is empty, or white space and comments alone, has no value: it is read as
None, and what is added to it makes a whole file.
"""

import json
from collections.abc import Callable, Sequence

from gitmem.errors import InvalidInput
from gitmem.text.insertion import Insertion
from gitmem.text.jsonc_cuts import Path, cut, cuts
from gitmem.text.jsonc_layout import Layout, layout_of, rendered
from gitmem.text.jsonc_text import JsonText, read
from gitmem.text.jsonc_tree import Place, outermost


def parsed(text: str) -> object:
    """The value of a text; comments and trailing commas are allowed.

    Of equal keys the last one counts, as in every client. InvalidInput names line and
    column of the first thing that cannot be parsed.
    """
    json_text = read(text)
    return json_text.value(0, len(text)) if json_text.has_value else None


def with_member(text: str, keys: Sequence[str], value: object) -> tuple[Insertion, ...]:
    """What makes `value` the member at `keys`, in objects created where absent.

    Empty when an equal value is there. InvalidInput when something on the way is not
    an object, and when the member has another value.
    """
    json_text = read(text)
    place, missing = _way(json_text, keys)
    if place is None or missing:
        return _created(json_text, place, missing, value)
    if not _are_equal(place.value(), value):
        raise _refusal(place, keys, "has another value")
    return ()


def with_item(text: str, keys: Sequence[str], value: object) -> tuple[Insertion, ...]:
    """What appends `value` to the array at `keys`, created where absent.

    Empty when an equal item is in it. InvalidInput when something on the way is not an
    object, and when there is something else than an array.
    """
    json_text = read(text)
    place, missing = _way(json_text, keys)
    if place is None or missing:
        return _created(json_text, place, missing, [value])
    if not place.is_array:
        raise _refusal(place, keys, "is not an array")
    if any(_are_equal(item.value(), value) for item in place.children()):
        return ()
    return _appended(place, None, value)


def without(text: str, is_ours: Callable[[Path, object], bool]) -> str:
    """The text without the members and items that `is_ours(path, value)` is true for.

    The path has keys and positions, from the outermost container on. Each goes with
    its comma and its line, and so does every container that this leaves empty, but for
    the outermost one. Comments stay, and so do containers that hold some. For a file
    that somebody changed since; else the insertions can be undone one by one.
    """
    place = outermost(read(text))
    return text if place is None else cut(text, cuts(place, is_ours))


def _way(
    json_text: JsonText, keys: Sequence[str]
) -> tuple[Place | None, Sequence[str]]:
    """The innermost value on the way along the keys, and the keys that are missing."""
    place = outermost(json_text)
    if place is None:
        return None, keys
    for depth, key in enumerate(keys):
        if not place.is_object:
            raise _refusal(place, keys[:depth], "is not an object")
        found = [child for child in place.children() if child.key == key]
        if not found:
            return place, keys[depth:]
        place = found[-1]
    return place, ()


def _refusal(place: Place, keys: Sequence[str], reason: str) -> InvalidInput:
    where = place.json_text.where(place.value_start)
    return InvalidInput(f"{where}: {'.'.join(keys) or 'the whole'} {reason}")


def _are_equal(one: object, other: object) -> bool:
    """As JSON: true is not 1, and the order of members means nothing."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _created(
    json_text: JsonText, place: Place | None, keys: Sequence[str], value: object
) -> tuple[Insertion, ...]:
    if place is None:
        return (_whole(json_text, _nested(keys, value)),)
    return _appended(place, keys[0], _nested(keys[1:], value))


def _nested(keys: Sequence[str], value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _whole(json_text: JsonText, value: object) -> Insertion:
    """What makes a file of a text without value."""
    layout, text = layout_of(json_text), json_text.text
    follows_comment = text.strip("\ufeff \t") and not text.endswith("\n")
    before = layout.line_end if follows_comment else ""
    body = rendered(None, value, layout, indentation="")
    return Insertion(len(text), before + body + layout.line_end)


def _appended(place: Place, key: str | None, value: object) -> tuple[Insertion, ...]:
    layout, children = layout_of(place.json_text), place.children()
    if children:
        return _behind(children[-1], place, layout, key, value)
    if place.parent and place.parent.is_one_line:
        return (_between(place, rendered(key, value, layout, indentation=None)),)
    return (_opened(place, layout, key, value),)


def _between(place: Place, entry: str) -> Insertion:
    """What fills an empty container that stays on its line."""
    inside = place.json_text.text[place.value_start + 1 : place.end - 1]
    return Insertion(place.end - 1, entry + inside[:1].strip("/"))


def _opened(place: Place, layout: Layout, key: str | None, value: object) -> Insertion:
    """What fills an empty container with a line of its own."""
    text, end = place.json_text.text, place.end - 1
    outer = place.json_text.indentation(place.value_start)
    inner = outer + layout.unit
    entry = layout.line_end + inner + rendered(key, value, layout, indentation=inner)
    last = place.value_start + len(text[place.value_start : end].rstrip(" \t\r\n"))
    if "\n" in text[last:end]:
        return Insertion(last, entry)
    return Insertion(end, entry + layout.line_end + outer)


def _behind(
    last: Place, place: Place, layout: Layout, key: str | None, value: object
) -> tuple[Insertion, ...]:
    """What follows the last child: behind its comma, and behind the comments there."""
    json_text = place.json_text
    comma = json_text.shape.find(",", last.end, place.end)
    end = last.end if comma < 0 else comma + 1
    behind = json_text.after_comments(end)
    line = json_text.indentation(last.start)
    entry = _separation(last, json_text.text[end:behind], layout) + rendered(
        key, value, layout, indentation=None if place.is_one_line else line
    )
    if comma >= 0:
        return (Insertion(behind, entry + ","),)
    return Insertion(behind, entry), Insertion(end, ",")


def _separation(last: Place, comments: str, layout: Layout) -> str:
    """What stands between the last child, with its comments, and one that follows."""
    line = last.json_text.indentation(last.start)
    if last.has_own_line:
        return layout.line_end + line
    if "//" in comments:
        return layout.line_end + line + layout.unit
    return layout.gap
