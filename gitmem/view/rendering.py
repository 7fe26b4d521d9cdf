"""HTML from values: whatever a session says is text in it, and nothing else.

Jinja escapes each value, after its invisible characters were replaced. Markdown goes
through markdown-it, which passes no HTML on; pictures are off, as they are loaded.
"""

import os
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
)
from markupsafe import Markup

from gitmem.documents.authors import name_in
from gitmem.git.files import make_folder
from gitmem.text.calendar import spoken
from gitmem.text.control_characters import harmless_lines
from gitmem.text.counting import counted
from gitmem.text.markdown import one_line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
_TITLE_LENGTH = 300
"""Characters of a goal where others stand beside it."""


class Renderer:
    """Fills templates; what Jinja makes of them is kept in the user's own folder."""

    def __init__(self, folder: Path) -> None:
        with suppress(OSError):
            make_folder(folder)
        self._environment = environment = Environment(
            loader=FileSystemLoader(_TEMPLATES),
            bytecode_cache=(
                FileSystemBytecodeCache(str(folder))
                if os.access(folder, os.W_OK)
                else None
            ),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_output_of,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {
            "prose": _prose,
            "paragraphs": _paragraphs,
            "person": name_in,
            "cut": partial(one_line, length=_TITLE_LENGTH),
        }
        environment.globals["counted"] = counted

    def html(
        self, name: str, values: dict[str, Any], now: datetime | None = None
    ) -> str:
        """Return a page of the server, whose times are relative to `now`.

        Without `now` it is a part of a file to keep, with times in full.
        """
        common = {
            "layout": "layout.html" if now else "part.html",
            "is_file": now is None,
            "spoken": partial(_time, now=now),
        }
        return self._environment.get_template(f"{name}.html").render(common | values)


def _output_of(value: object) -> object:
    """Return a value as it may be shown; only our own code makes Markup."""
    if value is None or isinstance(value, Markup):
        return value or ""
    return harmless_lines(str(value))


def _time(time: datetime, now: datetime | None) -> Markup:
    text = spoken(time, now) if now else f"{time:%Y-%m-%d %H:%M}"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        time.isoformat(), f"{time:%Y-%m-%d %H:%M %z}", text
    )


def _prose(text: str) -> Markup:
    """Return one line of Markdown, such as an item of a list."""
    return Markup(_markdown().renderInline(harmless_lines(text)))  # noqa: S704 - html is off


def _paragraphs(text: str) -> Markup:
    return Markup(_markdown().render(harmless_lines(text)))  # noqa: S704 - html is off


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # the first page has none

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return parser.disable("image")
