"""Add members to JSON with comments in place, and remove them again.

Comments, order and layout of the user's file stay. Inserted text has the file's line
ends and indentation. Trailing commas are read. A text without a value, as of comments
alone, is read as None; what is added to it makes a whole file.
"""

import json
import re
from collections.abc import Callable, Sequence

from gitmem.text.insertion import Insertion, line_end_of
from gitmem.text.jsonc_tree import COMMENT, Node, error_at, read
from gitmem.text.patterns import pattern

Path = tuple[str | int, ...]
"""Keys and positions, from the outermost container to a member or item."""
_Span = tuple[int, int]

_COMMENT_ON_LINE = pattern(rf"[ \t]*(?:{COMMENT})")
_INDENTATION = pattern(r"^(?P<unit>[ \t]{1,8})(?=\S)", re.MULTILINE)
_REST_OF_LINE = pattern(r"[ \t]*(?=\r?\n)")


def parsed(text: str) -> object:
    """Return the value of a text. Of equal keys the last one counts.

    Raises InvalidInput, with line and column of the first thing that is not JSON.
    """
    node = read(text)
    return node.value if node else None


def with_member(text: str, keys: Sequence[str], value: object) -> tuple[Insertion, ...]:
    """Return what makes `value` the member at `keys`, in objects made where absent.

    Empty when an equal value is there. Raises InvalidInput when something on the way is
    not an object, and when the member has another value.
    """
    node, missing = _way(text, keys)
    if node is None or missing:
        return _created(text, node, missing, value)
    if not _are_equal(node.value, value):
        raise error_at(text, node.value_start, f"{'.'.join(keys)} has another value")
    return ()


def with_item(text: str, keys: Sequence[str], value: object) -> tuple[Insertion, ...]:
    """Return what appends `value` to the array at `keys`, made where absent.

    Empty when an equal item is in it. Raises InvalidInput when something on the way is
    not an object, and when there is something else than an array.
    """
    node, missing = _way(text, keys)
    if node is None or missing:
        return _created(text, node, missing, [value])
    if not isinstance(node.value, list):
        raise error_at(text, node.value_start, f"{'.'.join(keys)} is not an array")
    if any(_are_equal(item, value) for item in node.value):
        return ()
    return _appended(text, node, None, value)


def without(text: str, is_ours: Callable[[Path, object], bool]) -> str:
    """Return the text without the members and items that `is_ours(path, value)`.

    Each goes with its comma and its line, and so does every container that this leaves
    empty, but for the outermost one. Comments stay, and so do containers with some.
    """
    node = read(text)
    if node is None:
        return text
    spans, is_empty = _cuts_in(text, node, (), is_ours)
    return _cut(text, [(node.value_start + 1, node.end - 1)] if is_empty else spans)


def _way(text: str, keys: Sequence[str]) -> tuple[Node | None, Sequence[str]]:
    """Return the innermost value on the way along the keys, and the missing keys."""
    node = read(text)
    if node is None:
        return None, keys
    for depth, key in enumerate(keys):
        if not isinstance(node.value, dict):
            name = ".".join(keys[:depth]) or "the whole"
            raise error_at(text, node.value_start, f"{name} is not an object")
        members = [child for child in node.children if child.key == key]
        if not members:
            return node, keys[depth:]
        node = members[-1]
    return node, ()


def _are_equal(value: object, other_value: object) -> bool:
    """Compare as JSON: true is not 1, and the order of members means nothing."""
    return json.dumps(value, sort_keys=True) == json.dumps(other_value, sort_keys=True)


def _created(
    text: str, node: Node | None, keys: Sequence[str], value: object
) -> tuple[Insertion, ...]:
    for key in reversed(keys[1:] if node else keys):
        value = {key: value}
    if node:
        return _appended(text, node, keys[0], value)
    line_end = line_end_of(text)
    follows_comment = text.strip("\ufeff \t") and not text.endswith("\n")
    body = _rendered(text, None, value, "")
    separation = line_end if follows_comment else ""
    return (Insertion(len(text), separation + body + line_end),)


def _appended(
    text: str, node: Node, key: str | None, value: object
) -> tuple[Insertion, ...]:
    if node.children:
        return _behind_last(text, node, key, value)
    if node.parent and _is_one_line(text, node.parent):
        inside = text[node.value_start + 1 : node.end - 1]
        entry = _rendered(text, key, value, None)
        return (Insertion(node.end - 1, entry + inside[:1].strip("/")),)
    return (_on_line_of_its_own(text, node, key, value),)


def _on_line_of_its_own(
    text: str, node: Node, key: str | None, value: object
) -> Insertion:
    """Return what fills an empty container, which may hold comments."""
    end, outer = node.end - 1, _indentation(text, node.value_start)
    inner, line_end = outer + _unit(text), line_end_of(text)
    entry = line_end + inner + _rendered(text, key, value, inner)
    content_end = node.value_start + len(text[node.value_start : end].rstrip(" \t\r\n"))
    if "\n" in text[content_end:end]:
        return Insertion(content_end, entry)
    return Insertion(end, entry + line_end + outer)


def _behind_last(
    text: str, node: Node, key: str | None, value: object
) -> tuple[Insertion, ...]:
    """Return what follows the last child, its comma, and the comments on its line."""
    last_child = node.children[-1]
    comma = last_child.comma
    end = behind = last_child.end if comma is None else comma + 1
    while comment := _COMMENT_ON_LINE.match(text, behind):
        behind = comment.end()
    indentation = _indentation(text, last_child.start)
    entry = _rendered(
        text, key, value, None if _is_one_line(text, node) else indentation
    )
    if _begins_line(text, node, last_child):
        entry = line_end_of(text) + indentation + entry
    elif "//" in text[end:behind]:
        entry = line_end_of(text) + indentation + _unit(text) + entry
    else:
        entry = _gap(text) + entry
    if comma is not None:
        return (Insertion(behind, entry + ","),)
    return Insertion(behind, entry), Insertion(end, ",")


def _rendered(
    text: str, key: str | None, value: object, indentation: str | None
) -> str:
    """Return a member, or an item when `key` is None.

    `indentation` is that of the line it begins on; None puts all on one line.
    """
    gap, is_one_line = _gap(text), indentation is None
    body = json.dumps(
        value,
        ensure_ascii=False,
        indent=None if is_one_line else _unit(text),
        separators=("," + gap if is_one_line else ",", ":" + gap),
    )
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ":" + gap
    return name + body.replace("\n", f"{line_end_of(text)}{indentation}")


def _gap(text: str) -> str:
    """Return what stands behind colons: nothing, if nothing stands behind the first."""
    colon = re.search(r'"[ \t]*:(.)', text, re.DOTALL)
    return "" if colon and not colon[1].isspace() else " "


def _unit(text: str) -> str:
    """Return the first indentation there is; two spaces where nothing is indented."""
    match = _INDENTATION.search(text)
    return match["unit"] if match else "  "


def _indentation(text: str, offset: int) -> str:
    """Return the white space that begins the line of a place."""
    line = text[_line_start(text, offset) : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _is_one_line(text: str, node: Node) -> bool:
    return "\n" not in text[node.value_start : node.end]


def _begins_line(text: str, node: Node, child: Node) -> bool:
    """Return whether only comments stand before the child on its line."""
    line = max(_line_start(text, child.start), node.value_start)
    return not re.sub(COMMENT, "", text[line : child.start]).strip()


def _cuts_in(
    text: str, node: Node, path: Path, is_ours: Callable[[Path, object], bool]
) -> tuple[list[_Span], bool]:
    """Return the spans to remove inside a value, and whether it is empty then."""
    is_removed, spans = [False] * len(node.children), list[_Span]()
    for position, child in enumerate(node.children):
        child_path = (*path, position if child.key is None else child.key)
        is_removed[position] = is_ours(child_path, child.value)
        if not is_removed[position]:
            inner, is_removed[position] = _cuts_in(text, child, child_path, is_ours)
            spans += [] if is_removed[position] else inner
    spans += _cuts_among(text, node.children, is_removed)
    inside = node.value_start + 1
    shifted = [(start - inside, end - inside) for start, end in spans]
    is_empty = any(is_removed) and all(is_removed)
    return spans, is_empty and not _cut(text[inside : node.end - 1], shifted).strip()


def _cuts_among(
    text: str, children: Sequence[Node], is_removed: Sequence[bool]
) -> list[_Span]:
    """Return the spans of children to remove, with one comma each.

    The last child loses the comma before it.
    """
    if not any(is_removed):
        return []
    remaining = [position for position, is_gone in enumerate(is_removed) if not is_gone]
    first_kept = remaining[0] if remaining else len(children)
    spans = [
        _cut_of(text, child, is_first=position < first_kept)
        for position, child in enumerate(children)
        if is_removed[position]
    ]
    losing = [
        child for child, is_gone in zip(children, is_removed, strict=True) if is_gone
    ]
    if remaining and children[-1].comma is None:
        losing.append(children[remaining[-1]])
    commas = [child.comma for child in losing if child.comma is not None]
    return spans + [(comma, comma + 1) for comma in commas]


def _cut_of(text: str, child: Node, *, is_first: bool) -> _Span:
    """Return a child with its white space: its lines, if they are its own.

    `is_first`: nothing that stays is before it. Comments are never in a span.
    """
    line, end = _line_start(text, child.start), child.end
    lead = text[line : child.start]
    if child.comma is not None and not text[end : child.comma].strip():
        end = child.comma + 1
    if lead.strip() and not is_first:
        return line + len(lead.rstrip(" \t")), end
    if not lead.strip() and (rest := _REST_OF_LINE.match(text, end)):
        return line - (2 if text[line - 2 : line] == "\r\n" else 1), rest.end()
    while text[end] in " \t\r\n":
        end += 1
    return child.start if lead.strip() or text[end] not in "]}" else line, end


def _cut(text: str, spans: Sequence[_Span]) -> str:
    """Return the text without the spans, which may overlap."""
    end_of_last, parts = 0, []
    for start, end in sorted(spans):
        parts.append(text[end_of_last:start])
        end_of_last = max(end, end_of_last)
    return "".join([*parts, text[end_of_last:]])
