"""Symbols that change what a text says, as words."""

from gitmem.text.patterns import pattern

_WORDS = {
    **dict.fromkeys(("!=", "≠", "!", "❌", "✗", "✘", "🚫", "⛔", "👎"), "not"),
    **dict.fromkeys((">", ">=", "≥"), "over"),
    **dict.fromkeys(("<", "<=", "≤"), "under"),
    **dict.fromkeys(("->", "=>", "→", "⇒"), "to"),
    **dict.fromkeys(("<-", "←", "⇐"), "from"),
    "++": "plusplus",
    "#": "sharp",
    "-": "minus",
    "$": "dollar",
    "€": "euro",
}
_SYMBOL = pattern(
    r"!=|->|=>|<-|[<>]=?|[≠≥≤→⇒←⇐❌✗✘🚫⛔👎$€]"
    r"|\B!(?=\w)|\b(?:(?<=\b[A-Za-z])\+\+|(?<=\b[A-Za-z])#)|(?<![\w)])-(?=\d)"
)


def spelled_out(text: str) -> str:
    """Return a text with words in the place of such symbols."""
    return _SYMBOL.sub(lambda match: f" {_WORDS[match[0]]} ", text)
