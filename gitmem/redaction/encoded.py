"""Secrets behind base64 or hex, also twice over.

Only what decodes to plain text can be looked into: pictures, hashes and binary files do
not. The rules run once over all that a text has encoded, put together, so the cost
grows with the text and not with the number of its pieces. What has a secret in it goes
as a whole.
"""

import binascii
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from gitmem.redaction.engine import secrets_in
from gitmem.redaction.letters import long_words
from gitmem.redaction.rule import Secret
from gitmem.text.patterns import pattern

_DEPTH = 2
_BETWEEN = "\n\0\n"
_QUAD = (  # four letters of base64 that decode to ASCII, mostly to what can be printed
    r"[CDI-Za-f][AC-HQS-Xgi-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]"
)
_BREAK = r"(?:(?:\\r)?\\n|\r?\n[ \t]*)"
_BASE64 = (
    rf"(?:{_QUAD}){{5,}}+(?:{_BREAK}(?:{_QUAD}){{2,}}+)*+"
    rf"[\w+/-]{{0,3}}={{0,2}}(?:(?<!=){_BREAK}(?:{_QUAD}){{0,2}}[\w+/-]{{2,3}}={{1,2}})?"
)
_HEX = r"(?:[2-7][0-9a-fA-F]|0[9adAD]){20,}+"
_ENCODED = pattern(rf"(?P<hex>{_HEX})|{_BASE64}", re.ASCII)
_NO_LETTER = pattern(r"\\[rn]|[^\w+/-]", re.ASCII)
_URL_SAFE = str.maketrans("-_", "+/")


class _Piece(NamedTuple):
    start: int
    end: int
    decoded: str


def encoded_secrets(text: str) -> Iterator[Secret]:
    """Where what hides a secret in base64 or hex is, in order and apart."""
    pieces = _pieces(text)
    for number in sorted(_guilty(pieces, _DEPTH)):
        yield Secret(*pieces[number][:2], "encoded")


def _pieces(text: str) -> list[_Piece]:
    return [_Piece(*found.span(), _decode(found)) for found in _encoded(text)]


def _encoded(text: str) -> Iterator[re.Match[str]]:
    """All that is base64 or hex; it begins in a long word, and goes on behind it."""
    done = 0
    for start, end in long_words(text):
        while begun := _ENCODED.search(text, max(start, done), end):
            found = _ENCODED.match(text, begun.start())
            if found is None:
                break
            yield found
            done = found.end()


def _decode(found: re.Match[str]) -> str:
    if found["hex"]:
        return bytes.fromhex(found["hex"]).decode("latin-1")
    letters = _NO_LETTER.sub("", found[0]).translate(_URL_SAFE)
    whole = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(whole + "==").decode("latin-1")


def _guilty(pieces: Sequence[_Piece], depth: int) -> set[int]:
    if not pieces:
        return set()
    text = _BETWEEN.join(piece.decoded for piece in pieces)
    sizes = (len(piece.decoded) + len(_BETWEEN) for piece in pieces)
    starts = list(accumulate(sizes, initial=0))
    found = [secret[:2] for secret in secrets_in(text)]
    if depth > 1:
        inner = _pieces(text)
        found += [inner[number][:2] for number in _guilty(inner, depth - 1)]
    return {
        number
        for start, end in found
        for number in range(
            bisect_right(starts, start) - 1, bisect_right(starts, end - 1)
        )
    }
