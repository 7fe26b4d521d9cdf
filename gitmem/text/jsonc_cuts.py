"""What goes from a JSON text with a member or item: its comma, its line, its holder."""

from collections.abc import Callable, Iterable, Sequence

from gitmem.text.jsonc_tree import Place
from gitmem.text.patterns import pattern

Path = tuple[str | int, ...]
"""Keys and positions, from the outermost container to a member or item."""
Span = tuple[int, int]

_REST_OF_LINE = pattern(r"[ \t]*(?=\r?\n)")


def cut(text: str, spans: Iterable[Span]) -> str:
    """The text without the spans, which may overlap."""
    kept, parts = 0, []
    for start, end in sorted(spans):
        parts.append(text[kept:start])
        kept = max(end, kept)
    return "".join([*parts, text[kept:]])


def cuts(outermost: Place, is_ours: Callable[[Path, object], bool]) -> list[Span]:
    """What goes with everything that is ours."""
    spans, is_empty = _cuts_in(outermost, (), is_ours)
    return [(outermost.value_start + 1, outermost.end - 1)] if is_empty else spans


def _cuts_in(
    place: Place, path: Path, is_ours: Callable[[Path, object], bool]
) -> tuple[list[Span], bool]:
    """What goes from inside a value, and whether nothing is left there then."""
    children, gone, spans = place.children(), list[int](), list[Span]()
    for position, child in enumerate(children):
        here = (*path, position if child.key is None else child.key)
        if is_ours(here, child.value()):
            gone.append(position)
            continue
        inner, is_empty = _cuts_in(child, here, is_ours)
        if is_empty:
            gone.append(position)
        else:
            spans += inner
    spans += _cuts_among(place, children, gone)
    return spans, 0 < len(gone) == len(children) and _is_blank(place, spans)


def _is_blank(place: Place, spans: Sequence[Span]) -> bool:
    """Whether the spans leave no comment between the brackets."""
    start, end = place.value_start + 1, place.end - 1
    inside = [(one - start, other - start) for one, other in spans]
    return not cut(place.json_text.text[start:end], inside).strip()


def _cuts_among(
    place: Place, children: Sequence[Place], gone: Sequence[int]
) -> list[Span]:
    """What goes from a container with the children at these positions."""
    if not gone:
        return []
    commas = _commas(place, children)
    kept = sorted(set(range(len(children))).difference(gone))
    first_kept = kept[0] if kept else len(children)
    without_comma = [*gone, *(kept[-1:] if commas[-1] is None else [])]
    spans = [
        _cut_of(children[each], commas[each], is_first=each < first_kept)
        for each in gone
    ]
    found = [commas[each] for each in without_comma]
    return spans + [(comma, comma + 1) for comma in found if comma is not None]


def _commas(place: Place, children: Sequence[Place]) -> list[int | None]:
    """Where the comma behind each child is."""
    ends = [*(child.start for child in children[1:]), place.end]
    found = [
        place.json_text.shape.find(",", child.end, end)
        for child, end in zip(children, ends, strict=True)
    ]
    return [None if comma < 0 else comma for comma in found]


def _cut_of(child: Place, comma: int | None, *, is_first: bool) -> Span:
    """A child with the white space that goes with it: its lines, if they are its own.

    `is_first`: nothing that stays is before it. Comments are never in a span.
    """
    text, line = child.json_text.text, child.json_text.line_start(child.start)
    before, end = text[line : child.start], child.end
    if comma is not None and not text[end:comma].strip():
        end = comma + 1
    if before.strip() and not is_first:
        return line + len(before.rstrip(" \t")), end
    if not before.strip() and (rest := _REST_OF_LINE.match(text, end)):
        return _end_of_line_before(text, line), rest.end()
    end = _end_of_white_space(text, end)
    return child.start if before.strip() or text[end] not in "]}" else line, end


def _end_of_line_before(text: str, line: int) -> int:
    return line - 2 if text[line - 2 : line] == "\r\n" else line - 1


def _end_of_white_space(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset
