"""Everything that is printed: with colours on a terminal, plain where a program reads.

Text of a session may come from anywhere, so none of it reaches a terminal with its
control characters: they could rewrite the screen, the clipboard or the window's title.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from gitmem.text.control_characters import UNSEEN, harmless

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.segment import Segment
    from rich.text import Text
    from rich.theme import Theme

Part = str | tuple[str, str]
"""Text, or text and its style."""
Row = Sequence[Part]

ID, PATH, GOOD, WARNING, BAD, HINT, FAINT = (
    *("yellow", "cyan", "green", "yellow", "bold red", "cyan", "dim"),
)
QUOTED, ASKED = "italic", "bold not italic"
"""What a session says, and the words in it that somebody asked for."""
READABLE_COLUMNS = 100
"""Lines of prose that are longer are hard to follow with the eye."""
STATUS = {
    "running": "bold green",
    "interrupted": "yellow",
    "open": "green",
    "frozen": "cyan",
    "closed": "dim",
}

_GAP = "  "
_TERMINAL_VARIABLES = {"FORCE_COLOR", "TTY_COMPATIBLE"}
"""By which rich takes any output for a terminal."""
_STYLES = {  # rich's own has a black ground under code, also on a light terminal
    "markdown.h2": "bold magenta",
    "markdown.h3": "bold",
    "markdown.code": "cyan",
    "markdown.code_block": "cyan",
    "markdown.table.border": "dim",
    "markdown.table.header": "dim",
}


def prepare() -> None:
    """Let no text fail for characters that the encoding of the output has not."""
    sys.stdout = sys.stdout or _nowhere()  # the caller may have closed them
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def one_line(text: str) -> str:
    return " ".join(harmless(text).split())


def console(*, stderr: bool = False) -> "Console":
    from rich.console import Console

    return Console(
        stderr=stderr, theme=_theme(), highlight=False, markup=False, emoji=False
    )


@cache
def _theme() -> "Theme":
    from rich.theme import Theme

    return Theme(_STYLES)


def is_terminal() -> bool:
    return _terminal(sys.stdout) is not None


def say(*parts: Part) -> None:
    """A line of the result, on a terminal wrapped between words."""
    if here := _said_or_terminal(parts, sys.stdout):
        _print_wrapped(here, _text(parts))


def note(*parts: Part) -> None:
    """A line for the person alone, not part of the result."""
    if here := _said_or_terminal(parts, sys.stderr):
        _print_wrapped(here, _text(parts))


def note_whole(*parts: Part) -> None:
    """A line for the person alone that can be copied."""
    if here := _said_or_terminal(parts, sys.stderr):
        _print(here, _text(parts))


def say_whole(*parts: Part) -> None:
    """A line that can be copied: whatever its length, no line end is put into it."""
    if here := _said_or_terminal(parts, sys.stdout):
        _print(here, _text(parts))


def say_indented(indent: str, *parts: Part) -> None:
    """A text of the result; on a terminal in lines that begin below each other."""
    if here := _said_or_terminal([indent, *parts], sys.stdout):
        _print_filled(here, indent, _text(parts).split(" ", allow_blank=True))


def say_listed(indent: str, items: Sequence[str], style: str) -> None:
    """Names and paths as say_indented, each in one piece: they can be copied."""
    *others, last = items
    listed = [*(f"{each}," for each in others), last]
    if here := _said_or_terminal([indent, " ".join(listed)], sys.stdout):
        _print_filled(here, indent, [_text([(each, style)]) for each in listed])


def say_cut(*parts: Part) -> None:
    """A line of the result; what does not fit on a terminal is cut."""
    if here := _said_or_terminal(parts, sys.stdout):
        text = _text(parts)
        text.truncate(here.width, overflow="ellipsis")
        _print(here, text)


def say_titled(title: Row, facts: Row, indent: str) -> None:
    """A title and what is to be said of it: behind it, or below it for want of room."""
    parts = [*title, _GAP, *facts]
    if here := _said_or_terminal(parts, sys.stdout):
        text = _text(parts)
        if text.cell_len <= here.width:
            _print(here, text)
        else:
            say_whole(*title)
            say_cut(indent, *facts)


def say_rows(rows: Iterable[Row]) -> None:
    """Columns below each other; on a terminal the last one is cut to fit."""
    texts = [[_text([cell]) for cell in row] for row in rows]
    widths = [max(text.cell_len for text in column) for column in zip(*texts)]  # noqa: B905 - rows are alike
    from rich.text import Text

    here = console()
    for row in texts:
        for text, room in zip(row[:-1], widths[:-1], strict=True):
            text.pad_right(room - text.cell_len)
        line = Text(_GAP).join(row)
        if here.is_terminal:
            line.truncate(here.width, overflow="ellipsis")
        _print(here, line)


def say_fields(fields: Iterable[str]) -> None:
    """A line for programs: fields with a tab between them, none of which has one."""
    sys.stdout.write("\t".join(map(one_line, fields)) + "\n")


def columns_of(rows: Iterable[Row]) -> int:
    """How wide these columns are together, with the gap behind each."""
    texts = [[_text([cell]) for cell in row] for row in rows]
    return sum(max(t.cell_len for t in column) + len(_GAP) for column in zip(*texts))  # noqa: B905 - rows are alike


def say_json(value: object) -> None:
    sys.stdout.write(_json(value, sys.stdout, indent=2) + "\n")


def note_json(value: object) -> None:
    sys.stderr.write(_json(value, sys.stderr, indent=None) + "\n")


def _json(value: object, stream: TextIO, indent: int | None) -> str:
    """JSON that `stream` can carry, and a terminal bear: the rest as JSON's escapes."""
    is_unicode = (stream.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not is_unicode, indent=indent)
    return UNSEEN.sub(lambda found: json.dumps(found.group())[1:-1], text)


def say_raw(text: str) -> None:
    """`text` as it stands; made harmless where a terminal shows it."""
    sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)


def say_rendered(text: str) -> None:
    """What `rendered` gave."""
    sys.stdout.write(text)


def rendered(renderable: "RenderableType", most_columns: int) -> str:
    """What a terminal is sent to show `renderable`, whatever its text says."""
    from rich.segment import Segments

    here = console()
    options = here.options.update(width=min(here.width, most_columns))
    segments = here.render(renderable, options)
    with here.capture() as captured:
        here.print(Segments(map(_harmless_segment, segments)), end="", crop=False)
    return captured.get()


def _terminal(stream: TextIO) -> "Console | None":
    """The terminal that shows a stream; rich is loaded only where one may."""
    if stream.isatty() or _TERMINAL_VARIABLES & os.environ.keys():
        here = console(stderr=stream is sys.stderr)
        return here if here.is_terminal else None
    return None


def _said_or_terminal(parts: Iterable[Part], stream: TextIO) -> "Console | None":
    """Write a line where no terminal shows it; else give that, to print it there."""
    here = _terminal(stream)
    if here is None:
        texts = (part if isinstance(part, str) else part[0] for part in parts)
        stream.write(harmless("".join(texts)) + "\n")
    return here


def _text(parts: Iterable[Part]) -> "Text":
    from rich.text import Text

    return Text.assemble(
        *(
            harmless(part) if isinstance(part, str) else (harmless(part[0]), part[1])
            for part in parts
        )
    )


def _print_wrapped(here: "Console", text: "Text") -> None:
    for line in wrapped(text, here.width):
        _print(here, line)


def wrapped(text: "Text", width: int) -> Iterator["Text"]:
    """Lines of at most `width` columns, but for words that are longer.

    rich would break those: an id or a path has to remain in one piece.
    """
    for line in text.split("\n", allow_blank=True):
        yield from _filled(line.split(" ", allow_blank=True), width)


def _print_filled(here: "Console", indent: str, pieces: Iterable["Text"]) -> None:
    width = min(here.width, READABLE_COLUMNS) - len(indent)
    for line in _filled(pieces, width):
        _print(here, _text([indent]) + line)


def _filled(pieces: Iterable["Text"], width: int) -> Iterator["Text"]:
    """The pieces in lines of at most `width` columns, or of one that is longer."""
    line: Text | None = None
    for piece in pieces:
        longer = piece if line is None else _text([" "]).join([line, piece])
        if line is not None and longer.cell_len > width:
            yield line
            longer = piece
        line = longer
    yield line or _text([])


def _print(here: "Console", text: "Text") -> None:
    here.print(text, soft_wrap=True)


def _harmless_segment(segment: "Segment") -> "Segment":
    return segment._replace(text=harmless(segment.text), control=None)
