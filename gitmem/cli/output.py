"""Everything that is printed: styled on a terminal, plain where a program reads.

With `--json` only `say_json`, `meanwhile` and errors print anything. A command says
everything in both forms, and only here is it known which one is wanted.

Text of a session may come from anywhere, so none of it reaches a terminal with its
control characters: they could rewrite the screen, the clipboard or the window's title.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from datetime import datetime
from itertools import groupby
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

from gitmem.text.control_characters import UNSEEN, harmless

if TYPE_CHECKING:
    from rich.console import Console

Part = str | tuple[str, str]
"""Text, or text and its style."""
Row = Sequence[Part]
_Line = list[tuple[str, str]]

_CODES = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "cyan": "36",
}
ID, PATH, GOOD, WARNING, BAD, HINT, FAINT = (
    *("yellow", "cyan", "green", "yellow", "bold red", "cyan", "dim"),
)
QUOTED, ASKED = "italic", "bold"
"""Styles of a session's text and of query words in it."""
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
_as_json = ContextVar("as_json", default=False)


def choose_json(is_wanted: bool) -> None:
    """Print one JSON value on stdout, or all else."""
    _as_json.set(is_wanted)


def is_json() -> bool:
    return _as_json.get()


def one_line(text: str) -> str:
    return " ".join(harmless(text).split())


def is_terminal(stream: TextIO | None = None) -> bool:
    """Whether a person sees what is printed there, on stdout unless said."""
    if is_json() and stream is not sys.stderr:
        return False
    return bool((stream or sys.stdout).isatty() or os.environ.get("FORCE_COLOR"))


def columns() -> int:
    return get_terminal_size().columns


def console(*, stderr: bool = False) -> "Console":
    """For what rich draws: Markdown, a bar, a spinner."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def say(*parts: Part, hang: int = 0) -> None:
    """Print a line of the result, on a terminal wrapped between words.

    Lines behind the first are indented by `hang` columns.
    """
    _print_wrapped(sys.stdout, parts, hang)


def note(*parts: Part) -> None:
    """Print a line for the person alone, not part of the result."""
    if not is_json():
        meanwhile(*parts)


def meanwhile(*parts: Part) -> None:
    """Print on stderr what goes on, such as progress, also with `--json`."""
    _print_wrapped(sys.stderr, parts, 0)


def hint(text: str) -> None:
    note(("hint:", HINT), f" {text}")


def say_whole(*parts: Part) -> None:
    """Print a line that can be copied: no line end is put into it."""
    _print(sys.stdout, _lines(parts))


def note_whole(*parts: Part) -> None:
    """Print a note that can be copied."""
    if not is_json():
        _print(sys.stderr, _lines(parts))


def say_cut(*parts: Part) -> None:
    """Print a line of the result; what does not fit on a terminal is cut."""
    lines = _lines(parts)
    if is_terminal():
        lines = [_cut(line, columns()) for line in lines]
    _print(sys.stdout, lines)


def say_session(
    session_id: str, facts: Row, goal: str, lead: str = "", indent: str = "   "
) -> None:
    """A session, what is to be said of it, on the next line for want of room, its goal.

    `lead` stands before its first line, `indent` before the others.
    """
    parts = [(lead, FAINT), (session_id, ID), _GAP, *facts]
    if is_terminal() and _width(_lines(parts)[0]) > columns():
        say_whole(*parts[:2])
        say_cut((indent, FAINT), *facts)
    else:
        say_whole(*parts)
    if goal:
        say_cut((indent, FAINT), one_line(goal))


def say_fields(fields: Iterable[str]) -> None:
    """A line for programs: fields with a tab between them, none of which has one."""
    say_raw("\t".join(map(one_line, fields)) + "\n")


def say_json(value: object) -> None:
    """Print the whole result for programs; nothing without `--json`."""
    if is_json():
        sys.stdout.write(_json(value, sys.stdout, indent=2) + "\n")


def say_error(value: object) -> None:
    """Print an error for programs."""
    sys.stderr.write(_json(value, sys.stderr, indent=None) + "\n")


def _json(value: object, stream: TextIO, indent: int | None) -> str:
    """JSON that `stream` can carry, and a terminal bear: the rest as JSON's escapes."""
    is_ascii = (stream.encoding or "").lower().replace("-", "") != "utf8"
    text = json.dumps(value, ensure_ascii=is_ascii, indent=indent, default=_as_text)
    return UNSEEN.sub(lambda match: json.dumps(match.group())[1:-1], text)


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def say_raw(text: str) -> None:
    """`text` as it stands; made harmless where a terminal shows it."""
    if not is_json():
        sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)


def wrapped(line: Iterable[tuple[str, str]], width: int, hang: int) -> Iterator[_Line]:
    """Lines of at most `width` columns, but for words that are longer.

    An id or a path remains in one piece.
    """
    words: list[_Line] = [[]]
    for text, style in line:
        head, *tail = text.split(" ")
        words[-1].append((head, style))
        words.extend([(word, style)] for word in tail)
    filled, room = words[0], width - _width(words[0])
    for word in words[1:]:
        room -= 1 + _width(word)
        if room < 0:
            yield filled
            filled, room = [(" " * hang, ""), *word], width - hang - _width(word)
        else:
            filled = [*filled, (" ", word[0][1]), *word]
    yield filled


def _print_wrapped(stream: TextIO, parts: Iterable[Part], hang: int) -> None:
    lines = _lines(parts)
    if is_terminal(stream):
        width = min(columns(), READABLE_COLUMNS) if hang else columns()
        lines = [piece for line in lines for piece in wrapped(line, width, hang)]
    _print(stream, lines)


def _print(stream: TextIO, lines: Iterable[_Line]) -> None:
    if is_json() and stream is sys.stdout:
        return
    variables = os.environ
    is_plain = variables.get("NO_COLOR") or variables.get("TERM") in ("dumb", "unknown")
    has_styles = is_terminal(stream) and not is_plain
    for line in lines:
        pieces = groupby(line, key=lambda piece: piece[1] if has_styles else "")
        texts = (
            _styled("".join(text for text, _ in same_style), style)
            for style, same_style in pieces
        )
        stream.write("".join(texts) + "\n")


def _styled(text: str, style: str) -> str:
    codes = ";".join(_CODES[word] for word in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


def _lines(parts: Iterable[Part]) -> list[_Line]:
    lines: list[_Line] = [[]]
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        head, *tail = harmless(text).split("\n")
        lines[-1].append((head, style))
        lines.extend([(text_line, style)] for text_line in tail)
    return lines


def _cut(line: _Line, width: int) -> _Line:
    from rich.cells import set_cell_size

    if _width(line) <= width:
        return line
    room, fitting = width - 1, []
    for text, style in line:
        size = min(room, _width([(text, "")]))
        fitting.append((set_cell_size(text, size), style))
        room -= size
    return [*fitting, ("…", "")]


def _width(line: _Line) -> int:
    """Columns of a terminal: a Chinese character takes two."""
    text = "".join(text for text, _ in line)
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
