"""Where the value behind a label begins and ends."""

import re
from functools import cache
from typing import NamedTuple

from gitmem.redaction.prose.labels import Label
from gitmem.text.patterns import pattern

_LONGEST = 2_000

_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}
_QUOTES = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "‘": "’"}

OPENING_QUOTE = pattern(
    r"[rbufRBUFN@$]{0,2}(?P<quote>\"{3}|'{3}|\\{0,7}[\"'`“„«「『‘])"
)
_CUT = pattern(  # a set at the start is searched fast
    r"[\\'\"`<,;&|](?:(?<=\\)\\{0,6}[nrt\"'`]|(?<=['\"`])(?=[\s,;.)\]}>]|\Z)|(?<=<)(?:/|br)"
    r"|(?<=[,;&|])(?=\s?[\w.-]{1,40}[=:])|(?<=&)(?:quot|amp|lt|gt);)"
)
_TRAILING = ".,;:。，；、»”’」』…"
_BARE = pattern(r"\S{1,2000}")
_CJK = pattern(r"[^\s。，、；！？：」』）)\"'”|]+")
_GLOSS = pattern(
    r"\s?(?:位|个|個|字|文字|桁|자|개|回|分|加密|编码|格式|形式|方式|等|类型|以上|暗号|認証|ハッシュ)"
)


class Value(NamedTuple):
    start: int
    end: int
    text: str
    is_quoted: bool


class LabelMatch(NamedTuple):
    """A label, the surrounding behind it, and what stands before it on its line."""

    text: str
    label: Label
    line_before: str
    row: str
    sign: str
    at: int

    @property
    def name(self) -> str:
        return self.text[self.label.start : self.label.end]

    @property
    def is_closed(self) -> bool:
        return self.at - len(self.sign) > self.label.end

    @property
    def is_quoted(self) -> bool:
        """Whether a quotation begins where the value does and ends on its line."""
        opening = OPENING_QUOTE.match(self.text, self.at)
        return opening is not None and _closing(self.text, opening) >= 0

    def line(self, size: int) -> str:
        return self.text[self.at : self.at + size].split("\n")[0]

    @property
    def last(self) -> str:
        """The last character of that line, as far as programs have lines."""
        return self.line(_LONGEST)[-1:]


def read_value(match: LabelMatch) -> Value | None:
    """Return the value at a place: quoted, or up to the next space."""
    text, at = match.text, match.at
    if opening := OPENING_QUOTE.match(text, at):
        start, end = opening.end(), _closing(text, opening)
        if end >= start:
            return Value(start, end, text[start:end], True) if end > start else None
    if match.row == "cell":
        return _until(text, at, r"[ \t]*(?:\||\n|\Z)")
    if match.row == "tag":
        return _until(text, at, r"\s*<")
    near = text[at : at + 1], match.sign.rstrip()[-1:]
    if any("\u2e80" < letter < "\uffee" for letter in near):
        return _read_cjk(text, at, match)
    bare = _BARE.match(text, at)
    return _trimmed(text, at, bare.end(), match) if bare else None


def _closing(text: str, opening: re.Match[str]) -> int:
    closed = _up_to(opening["quote"]).match(
        text, opening.end(), opening.end() + _LONGEST
    )
    return closed.end("content") if closed else -1


@cache
def _up_to(quote: str) -> re.Pattern[str]:
    if len(quote) > 1:
        return re.compile(rf"(?P<content>[^\n]*?){re.escape(quote)}")
    closers = re.escape(_QUOTES.get(quote, quote))
    escaped = r"|\\." if quote in "\"'" else r"|\\"
    return re.compile(rf"(?P<content>(?:[^\\\n{closers}]{escaped})*+)[{closers}]")


def _until(text: str, at: int, stop: str) -> Value | None:
    end = re.compile(stop).search(text, at, at + _LONGEST)
    if end is None or end.start() <= at:
        return None
    content = text[at : end.start()]
    bare = content.strip("`*\"' ")
    start = at + content.index(bare)
    is_quoted = " " in bare or content != bare
    return Value(start, start + len(bare), bare, is_quoted) if bare else None


def _read_cjk(text: str, at: int, match: LabelMatch) -> Value | None:
    ascii_run = re.compile("[!-~]+").match(text, at)
    run = ascii_run or _CJK.match(text, at)
    if run and match.row == "from":
        run = re.compile(r"\S+?(?=改|变|到|換|换)").match(text, at) or run
    if run is None or (ascii_run and _GLOSS.match(text, run.end())):
        return None
    return Value(at, run.end(), run[0], False)


def _trimmed(text: str, start: int, end: int, match: LabelMatch) -> Value | None:
    run = text[start:end]
    if "..." in run or "…" in run:
        return None
    if cut := _CUT.search(run, 1):
        run = run[: cut.start()]
    if match.row == "attribute":
        run = run.rstrip("/>")
    if "&" in run and re.search(r"[?&][\w.-]*\Z", match.line_before):
        run = run[: run.index("&")]
    trimmed = _without_end(run)
    while trimmed and trimmed.count(_OPENING.get(trimmed[-1], trimmed[-1])) < (
        trimmed.count(trimmed[-1])
    ):
        trimmed = _without_end(trimmed[:-1])
    run = trimmed or run
    return Value(start, start + len(run), run, False) if run else None


def _without_end(run: str) -> str:
    """Remove the marks of a sentence, or of Markdown, from the end."""
    if run.endswith(("**", "__")):
        return run[:-2]
    return run.rstrip(_TRAILING)
