"""From what a person or an assistant types to what the index is asked.

No text is a wrong query: filters are taken out where they are recognised, and the rest
is words. There are no operators; quotes and brackets are only punctuation.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from gitmem.search.dates import take_dates
from gitmem.search.vocabulary import EXTENSIONS, FILLERS, STOP_WORDS
from gitmem.search.words import fold, tokens

MOST_CHARACTERS = 20_000
"""What follows is not read: a query is a question, not a document."""
MOST_WORDS = 64
"""Distinct words of a query that count; further ones are not asked for."""
MOST_PATHS = 4


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked, with the filters apart from the words."""

    text: str
    """As it was typed."""
    words: tuple[str, ...]
    """Distinct, in order, without stop words; identifiers as they were written."""
    after: datetime | None
    before: datetime | None
    """Sessions that started in [after, before), each side open when None."""
    tool: str | None
    """The name of the assistant that the session was held with."""
    paths: tuple[str, ...]
    """Fragments of paths, in lower case; a session that touched one is found."""
    phrases: tuple[str, ...] = ()
    """What was quoted, as it was typed: a session must have its words in a row."""
    without: tuple[str, ...] = ()
    """Words after a `-`, as they were typed: a session that has one is not found."""
    branch: str | None = None
    """A part of the name of the branch, in lower case, as `feat/login`."""
    commits: tuple[str, ...] = ()
    """Hexadecimal words of seven digits or more, in lower case: they may begin the name
    of a commit, and then its sessions are found. They are among `words` as well."""


def parse(text: str, *, now: datetime, tools: Mapping[str, str]) -> Query:
    """Read `text` as a query.

    `now` is an aware datetime: its zone is the one that "yesterday" is meant in.
    `tools` maps what people call an assistant to its name. "in cursor", "with codex" or
    "claude code session" ask for an assistant; the bare word "cursor" does not, nor
    does "drag with cursor keys", since it may be the one that blinks.
    """
    readable = text[:MOST_CHARACTERS].encode(errors="replace").decode()
    tool, rest = _take_tool(readable, tools)
    period, rest = take_dates(rest, now)
    return Query(
        text=text,
        words=_telling(rest, filtered=rest != readable),
        after=period.after,
        before=period.before,
        tool=tool,
        paths=_paths(rest),
    )


def _take_tool(text: str, tools: Mapping[str, str]) -> tuple[str | None, str]:
    named = {_plain(name): tool for name, tool in tools.items()}
    if not named:
        return None, text
    names = "|".join(
        re.escape(name).replace(r"\ ", r"[\s_-]+")
        for name in sorted(named, key=len, reverse=True)
    )
    match = re.search(
        rf"\b(?:in|(?:with|using|via|by)(?!\s+(?:{_ALSO_WORDS})\b))\s+(?P<inside>{names})"
        rf"(?:\s+sessions?)?(?!\w|[./-]\w)(?={_AFTER_TOOL})"
        rf"|(?<![\w/.-])(?P<kind>{names})\s+sessions?\b",
        text,
        re.IGNORECASE,
    )
    if match is None:
        return None, text
    tool = named[_plain(match["inside"] or match["kind"])]
    return tool, f"{text[: match.start()]} {text[match.end() :]}"


_ALSO_WORDS = "cursor"
"""Assistants that are things as well: pages are turned "using cursor"."""
_AFTER_TOOL = (
    r"\s*(?:$|[,.;:?!)]|\d|(?:about|on|where|when|that|which|and|for|from|in|last|past"
    r"|this|today|yesterday|before|after|since|until|during)\b)"
)
"""What may follow an assistant that is meant as a filter: the end, or another thought.

"text in vs code editor theme" is about an editor.
"""


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.casefold())


def _telling(text: str, *, filtered: bool) -> tuple[str, ...]:
    """The words that tell sessions apart.

    A query of stop words alone still asks for something, unless its filters do: "what
    did we do last week" is "last week".
    """
    distinct: dict[str, str] = {}
    for token in tokens(text):
        distinct.setdefault(fold(token), token)
    telling = [key for key in distinct if key not in STOP_WORDS]
    if filtered and FILLERS.issuperset(telling):
        return ()
    return tuple(distinct[key] for key in telling or distinct)[:MOST_WORDS]


def _paths(text: str) -> tuple[str, ...]:
    found = (_path(piece) for piece in text.split())
    return tuple(dict.fromkeys(path for path in found if path))[:MOST_PATHS]


def _path(piece: str) -> str | None:
    """`piece` as a fragment of a path, if it looks like one.

    It does if it holds a slash (and is no web address) or ends in the extension of a
    file that programmers write.
    """
    piece = _LINE_NUMBERS.sub("", piece.strip(_AROUND)).strip(_AROUND)
    piece = piece.replace("\\", "/").removeprefix("./").lower()
    if "://" in piece or not any(map(str.isalpha, piece)):
        return None
    _, dot, extension = piece.rpartition(".")
    if "/" in piece or (dot and extension in EXTENSIONS):
        return piece
    return None


_LINE_NUMBERS = re.compile(r"(?::\d+)+$")
_AROUND = "\"'`()[]{}<>,;:!?*@"
