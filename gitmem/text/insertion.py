"""Add text to a file of the user, so that it can be removed byte for byte.

The rest of the file is never rewritten: without the insertions it is as it was. In
Markdown, TOML and programs ours is a block between two marker lines.
"""

from collections.abc import Iterable, Iterator, Sequence

from gitmem.errors import InvalidInput
from gitmem.frozen import frozen


@frozen
class Insertion:
    offset: int
    """Offset in characters, in the text as it was right before this insertion."""
    text: str


def inserted(text: str, insertions: Iterable[Insertion]) -> str:
    """Return the text with the insertions, made one after the other."""
    for insertion in insertions:
        text = text[: insertion.offset] + insertion.text + text[insertion.offset :]
    return text


def line_end_of(text: str) -> str:
    """Return what ends the first line of the text, and so a line that is added."""
    line_feed = text.find("\n")
    return "\r\n" if line_feed > 0 and text[line_feed - 1] == "\r" else "\n"


@frozen
class Marks:
    """The lines a block begins and ends with."""

    begin: str
    end: str


MARKDOWN = Marks(
    "<!-- ocm:begin (written by `ocm init`; `ocm uninstall` removes it) -->",
    "<!-- ocm:end -->",
)
SHELL = Marks(
    "# ocm:begin (written by `ocm init`; `ocm uninstall` removes it)",
    "# ocm:end",
)
JAVASCRIPT = Marks(SHELL.begin.replace("#", "//", 1), SHELL.end.replace("#", "//", 1))

_BYTE_ORDER_MARK = "\ufeff"


def with_block(text: str, body: str, marks: Marks) -> tuple[Insertion, ...]:
    """Return what appends a block behind an empty line; empty when it is there."""
    lines = _as_lines(body)
    if lines in blocks_in(text, marks):
        return ()
    return (appended(text, f"{marks.begin}\n{lines}{marks.end}\n"),)


def appended(text: str, lines: str) -> Insertion:
    """Return what appends lines behind an empty line."""
    line_end = line_end_of(text)
    if not text.removeprefix(_BYTE_ORDER_MARK) or text.endswith(line_end * 2):
        separation = ""
    else:
        separation = line_end if text.endswith("\n") else line_end * 2
    return Insertion(len(text), separation + lines.replace("\n", line_end))


def blocks_in(text: str, marks: Marks) -> list[str]:
    r"""Return the text of each block, with lines that end in "\n".

    A merge of two branches may leave several. Raises InvalidInput, with the line, for a
    begin without an end.
    """
    return [_as_lines(text[start:end]) for _, start, end, _ in _find(text, marks)]


def without_block(text: str, marks: Marks) -> str:
    """Return the text without its blocks and the empty line before each."""
    return without_lines(text, [(x[0], x[3]) for x in _find(text, marks)])


def without_lines(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text without spans of lines, and the empty line before each.

    The empty line stays where it separates what was around them.
    """
    line_end = line_end_of(text)
    for begin, stop in reversed(spans):
        head, tail = text[:begin], text[stop:]
        is_apart = not tail or tail.startswith(line_end)
        if is_apart and head.endswith("\n" + line_end):
            head = head.removesuffix(line_end)
        text = head + tail
    return text


def _find(text: str, marks: Marks) -> list[tuple[int, int, int, int]]:
    """Return where the begin and end lines of each block start and stop."""
    begin, blocks = None, []
    for number, (start, line) in enumerate(_lines(text), 1):
        stop, content = start + len(line) + 1, line.removesuffix("\r")
        if content == marks.begin:
            begin = number, start, stop
        elif content == marks.end and begin:
            blocks.append((*begin[1:], start, stop))
            begin = None
    if begin and not blocks:
        raise InvalidInput(f"line {begin[0]}: a block begins here and never ends")
    return blocks


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line with its offset."""
    start = int(text.startswith(_BYTE_ORDER_MARK))
    for line in text[start:].split("\n"):
        yield start, line
        start += len(line) + 1


def _as_lines(text: str) -> str:
    text = text.replace("\r\n", "\n")
    return text if text.endswith("\n") or not text else text + "\n"
