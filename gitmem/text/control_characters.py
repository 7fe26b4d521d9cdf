"""Replace characters that are not seen.

Some control a terminal, some reverse the direction of text, and some hide words that a
model reads and a person does not. The joiners of emoji and of Arabic or Indian scripts
stay.
"""

from gitmem.text.patterns import pattern

_UNSEEN = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 but for tab and line end
    r"\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff"  # lone surrogates
    r"\U000e0000-\U000e0fff]"  # tags, and selectors that can carry any byte
)
UNSEEN = pattern(_UNSEEN)


def harmless(text: str) -> str:
    """Return `text` with each character that is not seen replaced by U+FFFD."""
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def harmless_lines(text: str) -> str:
    """Do the same for lines; each run is replaced by one character."""
    lines = _LINE_END.sub("\n", text)
    return _RUN.sub("\N{REPLACEMENT CHARACTER}", lines)


_LINE_END = pattern(r"\r\n?")
_RUN = pattern(f"{_UNSEEN}+")
