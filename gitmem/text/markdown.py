"""Text inside Markdown: hostile or not, it stays inside its place and comes back equal.

What a client sends is Markdown already (`**Label:** why`, links, code), so as little as
possible is changed. Only what would end its block, vanish in a viewer, or not survive a
text file is written as a character reference, the one escape that Markdown decodes
everywhere but in code (CommonMark 0.31, section 2.5):

- control characters, unusual line ends, white space at a line's end;
- `<` where a tag, comment or autolink could begin, so that no HTML is ever live;
- the first character of a line that would make a rule, a heading, a fence or a
  link definition of it.

A `&` that would read as one of these references gets an `amp;`, which keeps `decode`
the exact inverse. Text has no lone surrogates, which no UTF-8 can hold:
`gitmem.redaction.redact` removes them.
"""

import re

from gitmem.text.control_characters import UNSEEN
from gitmem.text.patterns import pattern

LINE_LENGTH = 300
"""Characters of a goal or a path that a listing shows; the document has all of it."""

_REFERENCE = r"(?:lt;|#x(?:10|[0-9A-F])?[0-9A-F]{1,4};)"
_MISLEADING_AMPERSAND = pattern(rf"&(?=(?:amp;)*{_REFERENCE})")
_ENCODED = pattern(rf"&(amp;)?((?:amp;)*)({_REFERENCE})")

_CLIENT_TAG = pattern(r"<(?=[/!?|]|(?:system|assistant|user|human)\b|[A-Za-z]\w*[-:_])")
_LONG_FENCE = pattern(r"`{4,}")

# C0, C1, the line and paragraph separators, the byte order mark and non-characters:
# Python, YAML, git and editors disagree about them.
_UNSAFE = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_NOT_IN_CODE = pattern(rf"[`|&\n]|{_UNSAFE.pattern}")
_TRAILING_SPACE = pattern(r"[ \t](?=\n|\Z)")
_LEADING_SPACE = pattern(r"(?<![^\n])[ \t]")
_OUTER_NEWLINE = pattern(r"\A\n+|\n+\Z")
_CODE_SPAN = pattern(r"((?<!`)`+(?!`))(?:.*?)(?<!`)\1(?!`)")
_CODE_SPAN_LIMIT = 10_000
_LOOKED_AT = 20
"""Characters of a text that are looked at, as a multiple of the line's length."""
_TAG_START = pattern(r"<(?=[A-Za-z/!?])")

_ANY_LINE = r"[-*_=](?=[-*_= \t]*$)|\[(?=[^\n]*\]:)"
_ITEM_LINE = pattern(rf"^(?:{_ANY_LINE})", re.MULTILINE)
_TEXT_LINE = pattern(
    rf"^(?:{_ANY_LINE}|\#(?=\#{{0,5}}(?:[ \t]|$))|`(?=``)|~(?=~~))", re.MULTILINE
)


def encode_inline(text: str, also: str = "") -> str:
    """Encode `text` on one line; the characters in `also` become references, too."""
    encoded = _guard_start(_encode_block(text, code_spans="`" not in also))
    encoded = encoded.replace("\n", _references("\n"))
    return re.sub(f"[{re.escape(also)}]", _refer, encoded) if also else encoded


def encode_paragraphs(text: str) -> str:
    """Return `text` as Markdown that stands at the left margin."""
    return _TEXT_LINE.sub(_refer, _LEADING_SPACE.sub(_refer, _encode_block(text)))


def encode_item(text: str) -> str:
    """Return `text` as one item of a list, its later lines indented below the first."""
    encoded = _guard_start(_ITEM_LINE.sub(_refer, _encode_block(text)))
    head, *rest = encoded.split("\n")
    indented = (line and f"  {line}" for line in rest)
    return "\n".join([f"- {head}" if head else "-", *indented])


def encode_code(text: str) -> str:
    """Return `text` as a code span where one can hold it, else as ordinary text."""
    fits = text and text == text.strip() and not _NOT_IN_CODE.search(text)
    return f"`{text}`" if fits else encode_inline(text, also="`|")


def decode(encoded: str) -> str:
    """Return the text that any of the encoders was given."""
    return _ENCODED.sub(_resolve, encoded) if "&" in encoded else encoded


def decode_code(encoded: str) -> str:
    if len(encoded) > 2 and encoded[0] == encoded[-1] == "`":
        return encoded[1:-1]
    return decode(encoded)


def line(text: str) -> str:
    """Return the text as a listing shows it: on one line of bounded length."""
    return one_line(text, LINE_LENGTH)


def one_line(text: str, length: int) -> str:
    """Return the text on one line of at most `length` printable characters.

    Of a text that is many times as long, only the beginning is looked at.
    """
    start = UNSEEN.sub(" ", text[: _LOOKED_AT * length])
    if not start.isprintable():
        start = "".join(c if c.isprintable() else " " for c in start)
    line = " ".join(start.split())
    if len(line) <= length and len(start) == len(text):
        return line
    return line[: length - 1].rstrip() + "…"


def harmless_line(text: str, length: int) -> str:
    """Return the text on one bounded line, without long fences and tags of clients.

    Clients put tags around what they give to a model; none may end here, or begin. A
    space breaks them, since a reference would be read as it stands. Code stays.
    """
    return _CLIENT_TAG.sub("< ", _LONG_FENCE.sub("```", one_line(text, length)))


def fence_around(text: str) -> str:
    """Return a fence that is longer than every run of backticks in `text`."""
    runs = (len(run) for run in re.findall(r"`+", text))
    return "`" * max(3, 1 + max(runs, default=0))


def _encode_block(text: str, *, code_spans: bool = True) -> str:
    # Ampersands first: later steps add references, which must stay as they are.
    encoded = _MISLEADING_AMPERSAND.sub("&amp;", text)
    encoded = _UNSAFE.sub(_refer, encoded)
    encoded = _OUTER_NEWLINE.sub(_refer, encoded)
    encoded = _TRAILING_SPACE.sub(_refer, encoded)
    return _without_tags(encoded) if code_spans else _TAG_START.sub("&lt;", encoded)


def _guard_start(encoded: str) -> str:
    if encoded[:1] in (" ", "\t"):
        return _references(encoded[0]) + encoded[1:]
    return encoded


def _without_tags(text: str) -> str:
    """Encode tags, but for those in a code span, which shows them as they are.

    Encode every tag where code spans are doubtful (they may run over lines in ways that
    depend on the blocks around) or would take long to find.
    """
    if "\n" in text or "\\`" in text or len(text) > _CODE_SPAN_LIMIT:
        return _TAG_START.sub("&lt;", text)
    parts, end = [], 0
    for code in _CODE_SPAN.finditer(text):
        parts += [_TAG_START.sub("&lt;", text[end : code.start()]), code.group()]
        end = code.end()
    return "".join([*parts, _TAG_START.sub("&lt;", text[end:])])


def _refer(match: re.Match[str]) -> str:
    return _references(match.group())


def _references(text: str) -> str:
    return "".join(f"&#x{ord(character):X};" for character in text)


def _resolve(match: re.Match[str]) -> str:
    guard, rest, reference = match.groups()
    if guard:
        return f"&{rest}{reference}"
    code = ord("<") if reference == "lt;" else int(reference[2:-1], 16)
    return "\N{REPLACEMENT CHARACTER}" if 0xD800 <= code <= 0xDFFF else chr(code)
