"""Everything that is printed: with colours on a terminal, plain where a program reads.

Text of a session may come from anywhere, so none of it reaches a terminal with its
control characters: they could rewrite the screen, the clipboard or the window's title.
"""

import json
import re
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

Part = str | tuple[str, str]
"""Text, or text and its style."""
Row = Sequence[Part]

ID, PATH, GOOD, WARNING, BAD, HINT, FAINT = (
    *("yellow", "cyan", "green", "yellow", "bold red", "cyan", "dim"),
)
_GAP = "  "
STATUS = {"open": "green", "frozen": "cyan", "closed": "dim"}

# C0 and C1 but for tab and line end, lone surrogates, and what turns the direction of
# text around.
_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def harmless(text: str) -> str:
    """`text` with each character that could act upon a terminal replaced."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    return " ".join(harmless(text).split())


def prepare() -> None:
    """Let no text fail for characters that the encoding of the output has not."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def is_terminal() -> bool:
    return _console().is_terminal


def width() -> int:
    return _console().width


def height() -> int:
    return _console().height


def say(*parts: Part) -> None:
    """A line of the result; a terminal wraps it between words."""
    _print(_console(), _text(parts))


def say_cut(*parts: Part) -> None:
    """A line of the result; where it is longer than the terminal, its end is cut."""
    console, text = _console(), _text(parts)
    if console.is_terminal:
        text.truncate(console.width, overflow="ellipsis")
    _print(console, text)


def note(*parts: Part) -> None:
    """A line for the person alone, not part of the result."""
    _print(_console(stderr=True), _text(parts))


def say_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def note_json(value: object) -> None:
    sys.stderr.write(json.dumps(value, ensure_ascii=False) + "\n")


def say_raw(text: str) -> None:
    """`text` as it stands; made harmless where a terminal shows it."""
    sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)


def say_rendered(text: str) -> None:
    """What `rendered` gave."""
    sys.stdout.write(text)


def say_rows(rows: Iterable[Row]) -> None:
    """Columns below each other, the last one as long as it likes."""
    texts = _texts_of(rows)
    widths = _widths(texts)
    for row in texts:
        for text, room in zip(row[:-1], widths[:-1], strict=True):
            text.pad_right(room - text.cell_len)
        _print(_console(), Text(_GAP).join(row))


def say_table(headings: Sequence[str], rows: Iterable[Row]) -> None:
    """A table as wide as the terminal; the end of its last column is cut to fit."""
    table = Table(box=None, pad_edge=False, padding=(0, len(_GAP), 0, 0))
    for heading in headings[:-1]:
        table.add_column(heading, no_wrap=True, header_style=FAINT)
    table.add_column(
        headings[-1], no_wrap=True, overflow="ellipsis", header_style=FAINT, ratio=1
    )
    for row in rows:
        table.add_row(*(_text([cell]) for cell in row))
    _console().print(table)


def rendered(renderable: RenderableType, most_columns: int) -> str:
    """What a terminal is sent to show `renderable`, whatever its text says."""
    console = _console()
    options = console.options.update(width=min(console.width, most_columns))
    segments = console.render(renderable, options)
    with console.capture() as captured:
        console.print(Segments(map(_harmless_segment, segments)), end="")
    return captured.get()


def shortened(text: str, room: int) -> str:
    """One line of at most `room` columns."""
    line = Text(one_line(text))
    line.truncate(room, overflow="ellipsis")
    return line.plain


def columns_of(rows: Iterable[Row]) -> int:
    """How wide the rows are as a table, with the gap behind each column."""
    return sum(width + len(_GAP) for width in _widths(_texts_of(rows)))


def stderr_console() -> Console:
    return _console(stderr=True)


def _console(*, stderr: bool = False) -> Console:
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def _texts_of(rows: Iterable[Row]) -> list[list[Text]]:
    return [[_text([cell]) for cell in row] for row in rows]


def _widths(rows: list[list[Text]]) -> list[int]:
    columns = zip(*rows, strict=True)
    return [max(text.cell_len for text in column) for column in columns]


def _print(console: Console, text: Text) -> None:
    """Words are never broken: an id or a path can be copied in one piece."""
    console.print(
        text, soft_wrap=not console.is_terminal, overflow="ignore", crop=False
    )


def _text(parts: Iterable[Part]) -> Text:
    return Text.assemble(
        *(
            harmless(part) if isinstance(part, str) else (harmless(part[0]), part[1])
            for part in parts
        )
    )


def _harmless_segment(segment: Segment) -> Segment:
    return Segment(harmless(segment.text), segment.style)
