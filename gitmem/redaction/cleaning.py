"""Replace the secrets of a text by the names of the rules that match them.

Some secrets are escaped, encoded, or written with wide or invisible characters.
Programs escape text for JSON, URLs or HTML, terminals colour it, `diff` and Markdown
put marks before it. The rules search such lines unescaped, and matches are replaced in
the original. This comes first, as a rule may otherwise match half of a secret. So are
those searched that code joins from several strings or lines.

Base64 and hex that hold plain text are decoded, up to twice. The rules run once over
all of it, so the cost grows with the text and not with the number of pieces. A piece
with a secret in it is replaced as a whole.
"""

import binascii
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from gitmem.redaction.engine import rules_for, secrets_across_lines, secrets_in
from gitmem.redaction.letters import long_words
from gitmem.redaction.rule import Secret, replaced
from gitmem.redaction.rules.private_keys import PRIVATE_KEY, end_of_key, ends_of_keys
from gitmem.text.patterns import pattern

_REACH = 50_000
"""Most characters that a rule looks at: more than the longest private key."""


def without_secrets(text: str) -> str:
    """Return `text` with the name of a rule in place of each secret, in one pass."""
    text = replaced(text, obfuscated_secrets(text))
    text = replaced(text, joined_secrets(text))
    for name, find in rules_for(text):
        text = replaced(text, (Secret(*span, name) for span in find(text)))
    text = replaced(text, ends_of_keys(text))
    return replaced(text, encoded_secrets(text))


def without_new_secrets(text: str, before: str) -> str:
    """Redact a text again near the places that the last pass changed in `before`."""
    head = _common(before, text)
    tail = _common(before[head:][::-1], text[head:][::-1])
    near = max(0, head - _REACH)
    start = text.rfind("\n", 0, near) + 1
    if near - start > _REACH:  # an endless line
        start = text.rfind(" ", 0, near) + 1
    end = text.find("\n", len(text) - tail + _REACH) + 1 or len(text)
    return text[:start] + without_secrets(text[start:end]) + text[end:]


def without_shared_secrets(items: Sequence[str]) -> list[str]:
    """Redact secrets that need several items of a list to be recognised.

    Examples: a label and its value, the rows of a table, the lines of a private key.
    """
    secrets = list(secrets_across_lines("\n".join(items)))
    starts = [secret.start for secret in secrets]
    cleaned, at, lower = [], 0, 0
    for item in items:
        end = at + len(item)
        upper = bisect_left(starts, end)
        while lower < upper and secrets[lower].end <= at:
            lower += 1
        inside = (
            Secret(max(secret.start - at, 0), min(secret.end, end) - at, secret.rule)
            for secret in secrets[lower:upper]
            if secret.end > at
        )
        cleaned.append(replaced(item, inside))
        at = end + 1
    return cleaned


def _common(text: str, other_text: str) -> int:
    """Return the length of the common beginning, by bisection, which is fast."""
    same, differ = 0, min(len(text), len(other_text)) + 1
    while differ - same > 1:
        middle = (same + differ) // 2
        if text[same:middle] == other_text[same:middle]:
            same = middle
        else:
            differ = middle
    return same


_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_NOT_SEEN = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_FIGURES = r"(?:[2-7][0-9A-Fa-f]|0[9AaDd])"
_WIDE = r"\uff01-\uff5e"
_COLOUR = r"\[[0-?]{0,20}[@-~]"
_ESCAPE = pattern(
    rf"[-+*_\\%&{_CONTROL}{_NOT_SEEN}{_WIDE}]"  # a set at the start is searched fast
    rf"(?:(?P<unseen>(?<=\x1b){_COLOUR}"
    rf"|(?<=\\)\\{{0,7}}(?:u001[bB]|x1[bB]|033|e){_COLOUR}"
    rf"|(?<=[{_CONTROL}{_NOT_SEEN}])|(?<=[-+*_])(?<![^\n].)[-+*_]{{0,2}}(?=\w))"
    rf"|(?P<wide>(?<=[{_WIDE}]))"
    rf"|(?<=\\)\\{{0,7}}(?:(?:u00|x)(?P<figures>{_FIGURES})|(?P<slash>/))"
    rf"|(?<=%)(?:25){{0,2}}(?P<percent>{_FIGURES})"
    r"|(?<=&)(?:amp;){0,2}(?P<html>quot|apos|amp|lt|gt|#0{0,4}[1-9]\d{1,2}"
    rf"|#[xX]0{{0,4}}(?:{_FIGURES}|[AaDd]));)"
)
_GLUE = r"(?:[ \t\r+.]|&(?!&)|\n(?:[+>]|-(?=[ \t]{2}))?|\\{1,7}[nrt]?){1,80}+"
"""What stands between two strings that code joins, in a diff and in JSON as well."""
_KEY = r"""[^"'`\\\n]{1,80}\\{0,7}["'`][ \t]{0,9}[:=]"""
"""The rest of a string that has a value of its own, as on the next line of a table."""
_JOINT = pattern(
    r"""["'`\\](?P<unseen>(?<=[\w/+=-].)(?:(?<=\\)\r?\n[ \t]{0,40}+"""
    r"""|(?:(?<=["'`])|(?<=\\)\\{0,6}["'`])(?![ \t]*["'`])"""
    rf"""{_GLUE}[rbfuRBFU]{{0,2}}\\{{0,7}}["'`])(?=[\w/+])(?!{_KEY}))"""
)
_BETWEEN = "\n\0\n"


class _Part(NamedTuple):
    unescaped: str
    """The unescaped text: one character for an escape, none for an invisible one."""
    start: int
    end: int


def obfuscated_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets of `text` that show once it is unescaped, in order."""
    for secret in _secrets([*_parts(text, _ESCAPE)]):
        # the other lines of a key may stand there as they are
        is_key = secret.rule == PRIVATE_KEY
        yield secret._replace(end=end_of_key(text, secret.end)) if is_key else secret


def joined_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets of `text` that code joins from parts, in order."""
    parts = [*_parts(text, _JOINT)]
    joints = [part.start for part in parts if not part.unescaped]
    for secret in _secrets(parts):
        if bisect_left(joints, secret.start) < bisect_left(joints, secret.end):
            yield secret


def _secrets(parts: Sequence[_Part]) -> list[Secret]:
    if not parts:
        return []
    unescaped = "".join(part.unescaped for part in parts)
    places = list(accumulate((len(part.unescaped) for part in parts), initial=0))

    def in_text(start: int, end: int, rule: str) -> Secret:
        head, tail = (bisect_right(places, at) - 1 for at in (start, end - 1))
        begin, close = parts[head], parts[tail]
        if len(begin.unescaped) > 1:
            begin = begin._replace(start=begin.start + start - places[head])
        if len(close.unescaped) > 1:
            within = min(end - places[tail], close.end - close.start)
            close = close._replace(end=close.start + within)
        return Secret(begin.start, close.end, rule)

    secrets = (*secrets_in(unescaped), *encoded_secrets(unescaped))
    return sorted((in_text(*secret) for secret in secrets), key=itemgetter(0))


def _parts(text: str, escapes: re.Pattern[str]) -> Iterator[_Part]:
    """Split the lines with an escape into parts, in order."""
    done, line_end = 0, -2
    for escape in escapes.finditer(text):
        if escape.start() > line_end:
            line_start = text.rfind("\n", 0, escape.start()) + 1
            if 0 <= line_end < line_start - 1:  # neighbours stay together
                yield _Part(text[done:line_end] + _BETWEEN, done, line_end)
            if line_end < line_start - 1:
                done = line_start
        if done < escape.start():
            yield _Part(text[done : escape.start()], done, escape.start())
        yield _Part(_unescaped(escape), *escape.span())
        done = escape.end()
        if done > line_end:
            line_end = text.find("\n", done)
            line_end = len(text) if line_end < 0 else line_end
    if line_end >= 0:
        yield _Part(text[done:line_end] + _BETWEEN, done, line_end)


def _unescaped(escape: re.Match[str]) -> str:
    match escape.lastgroup:
        case "unseen":
            return ""
        case "slash":
            return "/"
        case "wide":
            return chr(ord(escape[0]) - 0xFEE0)
        case "html":
            from html import unescape  # slow to import, and hooks have little time

            return unescape(f"&{escape['html']};")
        case figures:
            return chr(int(escape[str(figures)], 16))


_DEPTH = 2
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
    """Yield the base64 and hex that hide a secret, in order and apart."""
    pieces = _pieces(text)
    for number in sorted(_guilty(pieces, _DEPTH)):
        yield Secret(*pieces[number][:2], "encoded")


def _pieces(text: str) -> list[_Piece]:
    return [_Piece(*match.span(), _decode(match)) for match in _encoded(text)]


def _encoded(text: str) -> Iterator[re.Match[str]]:
    """Yield base64 and hex, which begin in a long word and may go on behind it."""
    done = 0
    for start, end in long_words(text):
        while begun := _ENCODED.search(text, max(start, done), end):
            match = _ENCODED.match(text, begun.start())
            if match is None:
                break
            yield match
            done = match.end()


def _decode(match: re.Match[str]) -> str:
    if match["hex"]:
        return bytes.fromhex(match["hex"]).decode("latin-1")
    letters = _NO_LETTER.sub("", match[0]).translate(_URL_SAFE)
    whole = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(whole + "==").decode("latin-1")


def _guilty(pieces: Sequence[_Piece], depth: int) -> set[int]:
    if not pieces:
        return set()
    text = _BETWEEN.join(piece.decoded for piece in pieces)
    sizes = (len(piece.decoded) + len(_BETWEEN) for piece in pieces)
    starts = list(accumulate(sizes, initial=0))
    spans = [secret[:2] for secret in secrets_in(text)]
    if depth > 1:
        inner = _pieces(text)
        spans += [inner[number][:2] for number in _guilty(inner, depth - 1)]
    return {
        number
        for start, end in spans
        for number in range(
            bisect_right(starts, start) - 1, bisect_right(starts, end - 1)
        )
    }
