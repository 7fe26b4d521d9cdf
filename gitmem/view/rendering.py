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

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"


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
        }
        environment.globals["counted"] = counted

    def page(self, name: str, now: datetime, values: dict[str, Any]) -> str:
        """Return a whole page of the server; times are told from `now`."""
        times = {"spoken": partial(_spoken, now=now), "is_file": False}
        return self._filled(name, {"layout": "layout.html", **times, **values})

    def part(self, name: str, values: dict[str, Any]) -> str:
        """Return a page, or all, of a file to keep, in which times are told in full."""
        times = {"spoken": _told_in_full, "is_file": True}
        return self._filled(name, {"layout": "part.html", **times, **values})

    def _filled(self, name: str, values: dict[str, Any]) -> str:
        return self._environment.get_template(f"{name}.html").render(values)


def _output_of(value: object) -> object:
    """Return a value as it may be shown; only our own code makes Markup."""
    if value is None or isinstance(value, Markup):
        return value or ""
    return harmless_lines(str(value))


def _spoken(time: datetime, now: datetime) -> Markup:
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        time.isoformat(), f"{time:%Y-%m-%d %H:%M %z}", spoken(time, now)
    )


def _told_in_full(time: datetime) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(
        time.isoformat(), f"{time:%Y-%m-%d %H:%M}"
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
    parser.disable("image")

    def link_open(renderer: Any, tokens: Any, place: int, options: Any, _: Any) -> str:
        tokens[place].attrSet("rel", "noreferrer nofollow")
        return str(renderer.renderToken(tokens, place, options, {}))

    parser.add_render_rule("link_open", link_open)
    return parser
