"""A block of ours in a text of the user, between two marker lines.

For rules in Markdown and for shell scripts. Only whole lines count as markers: one that
the user quotes inside a line, or indents, is text like any other.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gitmem.errors import InvalidInput
from gitmem.text.insertion import Insertion, line_end_of


@dataclass(frozen=True, slots=True)
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

_BYTE_ORDER_MARK = "\ufeff"


def with_block(text: str, body: str, marks: Marks) -> tuple[Insertion, ...]:
    """What puts a block at the end, behind an empty line; empty when it is there.

    InvalidInput when a block of other text is there: that has to be taken out first.
    """
    there = block_in(text, marks)
    if there is None:
        return (_appended(text, _as_lines(body), marks),)
    if there != _as_lines(body):
        raise InvalidInput(f"there is a block of other text behind {marks.begin}")
    return ()


def block_in(text: str, marks: Marks) -> str | None:
    r"""What stands between the marks, every line ended by "\n"; None without a block.

    InvalidInput names the line of a begin without an end.
    """
    return next(iter(blocks_in(text, marks)), None)


def blocks_in(text: str, marks: Marks) -> list[str]:
    """The same of all blocks: where two branches are merged, there may be several."""
    found = _find(text, marks)
    return [_as_lines(text[begin.stop : end.start]) for begin, end in found]


def without_block(text: str, marks: Marks) -> str:
    """The text without its blocks, and without the empty line before each.

    The empty line stays where it keeps apart what was around the block. For a text that
    somebody changed since; else the insertions can be undone one by one.
    """
    for begin, end in reversed(_find(text, marks)):
        text = _joined(text[: begin.start], text[end.stop :], line_end_of(text))
    return text


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    start: int
    stop: int
    """Behind its line end."""
    content: str


def _joined(before: str, behind: str, line_end: str) -> str:
    """What was around a block."""
    is_apart = not behind or behind.startswith(line_end)
    if is_apart and before.endswith("\n" + line_end):
        before = before.removesuffix(line_end)
    return before + behind


def _find(text: str, marks: Marks) -> list[tuple[_Line, _Line]]:
    """The lines of each begin and end with no other begin between them."""
    begin, found = None, []
    for line in _lines(text):
        if line.content == marks.begin:
            begin = line
        elif line.content == marks.end and begin:
            found.append((begin, line))
            begin = None
    if begin and not found:
        raise InvalidInput(f"line {begin.number}: a block begins here and never ends")
    return found


def _lines(text: str) -> Iterator[_Line]:
    start = len(text) - len(text.removeprefix(_BYTE_ORDER_MARK))
    for number, line in enumerate(text[start:].split("\n"), 1):
        stop = start + len(line) + 1
        yield _Line(number, start, stop, line.removesuffix("\r"))
        start = stop


def _as_lines(text: str) -> str:
    text = text.replace("\r\n", "\n")
    return text if text.endswith("\n") or not text else text + "\n"


def _appended(text: str, lines: str, marks: Marks) -> Insertion:
    line_end = line_end_of(text)
    block = f"{marks.begin}\n{lines}{marks.end}\n".replace("\n", line_end)
    return Insertion(len(text), _separation(text, line_end) + block)


def _separation(text: str, line_end: str) -> str:
    """What leaves one empty line between the text and what follows."""
    if not text.removeprefix(_BYTE_ORDER_MARK) or text.endswith(line_end * 2):
        return ""
    return line_end if text.endswith("\n") else line_end * 2
