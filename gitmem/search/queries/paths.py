"""Paths and commits in a query: "src/loader", "gpt2.py:12", "4de33d4".

They stay words of the query, so reading `client/server` as a path costs nothing.
"""

import re
from collections.abc import Iterator

from gitmem.search.queries.context import EXTENSIONS, FILE_NAMES, STOP_WORDS
from gitmem.text.patterns import pattern

MOST_PATHS = 4


def paths_in(text: str) -> tuple[str, ...]:
    """Return distinct fragments of paths, in lower case, with `/` between folders."""
    return tuple(dict.fromkeys(_fragments(text)))[:MOST_PATHS]


def _fragments(text: str) -> Iterator[str]:
    for piece in text.split():
        plain = _plain(piece)
        if plain and (_SEPARATOR.search(piece) or _is_path(plain)):
            fragment = _ABOVE.sub("", plain)
            if any(map(str.isalpha, fragment)):
                yield fragment


def _plain(piece: str) -> str | None:
    """Strip what surrounds a path; None for addresses and tags."""
    if len(piece) > _LONGEST or piece.startswith(("<", "//")):
        return None
    piece = piece.strip(_AROUND).rstrip(_AROUND + ".")
    if _ADDRESS.match(piece):
        return None
    return _BEYOND.split(_SEPARATOR.sub("/", piece).lower(), maxsplit=1)[0]


_LONGEST = 255
"""Characters of a piece that may be a path."""
_AROUND = "\"'`()[]{}<>,;:!?*@"
_ADDRESS = pattern(
    r".*://|www\.|mailto:|\w[^\s/@]*@"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|edu|gov)(?::\d+)?(?:/|$)",
    re.IGNORECASE,
)
_SEPARATOR = pattern(r"(?<=[\w.:])\\(?=[\w.])")
_BEYOND = pattern(r"(?<=..):|#|[*?{\[(<]")
"""The end of a path: a line number, a test in it, a call, a glob."""
_ABOVE = pattern(r"^(?:\.{0,2}/|~/)+")


def _is_path(piece: str) -> bool:
    if piece.startswith(("./", "../", "~/")):
        return True
    if "/" in piece.lstrip("/"):
        return not _is_choice(piece)
    stem, _, extension = piece.rpartition(".")
    if stem.strip("."):
        return extension in EXTENSIONS or piece in FILE_NAMES
    return piece in FILE_NAMES or bool(_DOT_FILE.fullmatch(piece))


_DOT_FILE = pattern(
    r"\.(?:env|git\w+|\w+ignore|\w+rc|\w*config|\w+rules|[\w-]+-version|flake8|mailmap)"
)


def _is_choice(piece: str) -> bool:
    """Return whether it is one or the other, as in "and/or", "i/o", "24/7"."""
    return all(
        len(part) < 2 or part.isdigit() or part in STOP_WORDS or part in _ANSWERS
        for part in piece.split("/")
    )


_ANSWERS = {"yes", "true", "false", "else", "null", "none"}


MOST_COMMITS = 8


def commits_in(text: str) -> tuple[str, ...]:
    """Return distinct words of 7 to 40 hexadecimal digits, or of 64, in lower case.

    "Defaced" is one, and so is a number of seven digits: a commit may begin like that.
    Pieces of a longer name are none, such as those of a UUID.
    """
    commits = (match[0].lower() for match in _NAME.finditer(text))
    return tuple(dict.fromkeys(commits))[:MOST_COMMITS]


_NAME = pattern(
    r"(?<![\w#-])(?<!\w\.)(?:[0-9a-f]{7,40}|[0-9a-f]{64})(?![\w-]|\.\w)", re.IGNORECASE
)
