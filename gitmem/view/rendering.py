"""HTML from values: whatever a session says is text in it, and nothing else.

Jinja escapes each value, after its invisible characters were replaced. Markdown goes
through markdown-it, which passes no HTML on; pictures are off, as they are loaded.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from gitmem.documents.authors import name_in
from gitmem.text.calendar import spoken
from gitmem.text.control_characters import harmless_lines
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
Link = Callable[..., str]
"""Takes the name of a page and its parameters; returns its URL."""


def html(
    template: str, link: Link, now: datetime | None, values: dict[str, Any]
) -> str:
    """Return a template filled with values; links lead where `link` says.

    Without `now` it is a part of a file to keep, in which times are told in full.
    """
    whole_page = {"layout": "layout.html" if now else "part.html", "is_file": not now}
    values = whole_page | {"link": link, "spoken": partial(_spoken, now=now), **values}
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "prose": _prose,
        "paragraphs": _paragraphs,
        "person": name_in,
    }
    environment.globals["counted"] = counted
    return environment


def _shown(value: object) -> object:
    """Return a value as it may be shown; only our own code makes Markup."""
    if value is None or isinstance(value, Markup):
        return value or ""
    return harmless_lines(str(value))


def _spoken(time: datetime, now: datetime | None) -> Markup:
    full = f"{time:%Y-%m-%d %H:%M %z}"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        time.isoformat(), full, spoken(time, now) if now else full[:16]
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
