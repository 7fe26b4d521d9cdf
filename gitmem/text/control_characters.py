"""Replace invisible characters.

Some control a terminal, some reverse the direction of text, and some hide words from a
person that a model reads. The joiners of emoji and of Arabic or Indian scripts stay.
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
    """Return `text` with each invisible character replaced by U+FFFD."""
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def harmless_lines(text: str) -> str:
    """Return lines with each run of invisible characters replaced by one U+FFFD."""
    lines = _LINE_END.sub("\n", text)
    return _RUN.sub("\N{REPLACEMENT CHARACTER}", lines)


_LINE_END = pattern(r"\r\n?")
_RUN = pattern(f"{_UNSEEN}+")
