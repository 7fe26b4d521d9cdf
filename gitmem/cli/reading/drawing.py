"""A document as a terminal shows it.

Apart from `ocm show`, because rich takes 25 ms to learn Markdown.
"""

from collections.abc import Iterator
from datetime import datetime

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.segment import Segments
from rich.text import Text
from rich.theme import Theme

from gitmem.actions.reading.documents import ConversationText, Document
from gitmem.cli.output import FAINT, ID, READABLE_COLUMNS, STATUS, console
from gitmem.documents.authors import name_in
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.parsing import parse, parts
from gitmem.documents.session.session import Session
from gitmem.text.calendar import spoken
from gitmem.text.control_characters import harmless

_STYLES = {  # rich's own has a black ground under code, also on a light terminal
    "markdown.h2": "bold magenta",
    "markdown.h3": "bold",
    "markdown.code": "cyan",
    "markdown.code_block": "cyan",
    "markdown.table.border": "dim",
    "markdown.table.header": "dim",
}


def drawn(document: Document | ConversationText, now: datetime) -> str:
    """The session's facts, and the text below them, a document's without its header.

    Of another kind the header itself.
    """
    if isinstance(document, ConversationText):
        head, text = _title(document.session, now), document.text
    elif document.kind == SESSION.name:
        head = _title(parse(document.id, document.text), now)
        text = parts(document.text)[1]
    else:
        header, text = parts(document.text)
        head = Text.assemble((document.id, ID), "\n", (header, FAINT))
    return rendered(Group(head, Markdown(text, hyperlinks=False)))


def _title(session: Session, now: datetime) -> Text:
    return Text.assemble((session.session_id, ID), "\n", *_facts(session, now), "\n")


def rendered(renderable: RenderableType) -> str:
    """What a terminal is sent to show `renderable`, whatever its text says."""
    terminal = console()
    terminal.push_theme(Theme(_STYLES))
    options = terminal.options.update(width=min(terminal.width, READABLE_COLUMNS))
    segments = [
        segment._replace(text=harmless(segment.text), control=None)
        for segment in terminal.render(renderable, options)
    ]
    with terminal.capture() as captured:
        terminal.print(Segments(segments), end="", crop=False)
    return captured.get()


def _facts(session: Session, now: datetime) -> Iterator[tuple[str, str]]:
    yield f"{session.tool} in {session.project}", FAINT
    if who := name_in(session.author):
        yield f", by {who}", FAINT
    if session.branch:
        yield f", branch {session.branch}", FAINT
    started, saved = (
        spoken(at, now) for at in (session.started_at, session.updated_at)
    )
    since = f", last saved {saved}" if saved != started else ""
    yield f"\n{started}{since}, ", FAINT
    yield session.status.value, STATUS[session.status]
    if session.extra_header:
        yield f"\n{session.extra_header}".rstrip(), FAINT
