"""Where the value behind a label begins and ends."""

import re
from functools import cache
from typing import NamedTuple

from gitmem.redaction.labels import Label
from gitmem.redaction.patterns import pattern

_LONGEST = 2_000

_QUOTES = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "‘": "’"}

OPENED = pattern(r"[rbufRBUFN@$]{0,2}(?P<quote>\\{0,7}[\"'`“„«「『‘])")

_CUT = pattern(
    r"\\{1,7}[nrt\"'`]|['\"`](?=[\s,;.)\]}>]|\Z)|</|<br|[,;&|](?=\s?[\w.-]{1,40}[=:])|&quot;|&(?:amp|lt|gt);"
)

_TRAILING = pattern(r"[.,;:。，；、»”’」』…]+\Z|\*\*\Z|__\Z")

_CJK = pattern(r"[^\s。，、；！？：」』）)\"'”|]+")

_GLOSS = pattern(
    r"\s?(?:位|个|個|字|文字|桁|자|개|回|分|加密|编码|格式|形式|方式|等|类型|以上|暗号|認証|ハッシュ)"
)


class Value(NamedTuple):
    start: int
    end: int
    text: str
    is_quoted: bool


class Found(NamedTuple):
    """A label, the surrounding behind it, and what stands before it on its line."""

    text: str
    label: Label
    before: str
    row: str
    sign: str
    at: int
    """Where the value begins."""


def read(found: Found) -> Value | None:
    """The value that begins at a place: what is quoted, or up to the next space."""
    text, at = found.text, found.at
    if opened := OPENED.match(text, at):
        quote = opened["quote"]
        end = _closing(text, opened.end(), quote)
        if end > opened.end():
            return Value(opened.end(), end, text[opened.end() : end], True)
        if end == opened.end():
            return None
    if found.row == "cell":
        return _until(text, at, r"[ \t]*(?:\||\n|\Z)")
    if found.row == "tag":
        return _until(text, at, r"\s*<")
    if (
        "\u2e80" < text[at : at + 1] < "\uffee"
        or "\u2e80" < found.sign.rstrip()[-1:] < "\uffee"
    ):
        return _read_cjk(text, at, found)
    bare = re.compile(r"\S{1,2000}").match(text, at)
    return _trimmed(text, at, bare.end(), found) if bare else None


def is_quoted(text: str, at: int) -> bool:
    """Whether a quotation begins there that ends on the same line."""
    opened = OPENED.match(text, at)
    return opened is not None and _closing(text, opened.end(), opened["quote"]) >= 0


def _closing(text: str, at: int, quote: str) -> int:
    """Where a quotation ends, or -1."""
    closed = _up_to(quote).match(text, at, at + _LONGEST)
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
    start, close = at, end.start()
    content = text[start:close]
    bare = content.strip("`*\"' ")
    if not bare:
        return None
    start += content.index(bare)
    return Value(start, start + len(bare), bare, " " in bare or content != bare)


def _read_cjk(text: str, at: int, found: Found) -> Value | None:
    ascii_run = re.compile("[!-~]+").match(text, at)
    run = ascii_run or _CJK.match(text, at)
    if run and found.row == "from":
        run = re.compile(r"\S+?(?=改|变|到|換|换)").match(text, at) or run
    if run is None or (ascii_run and _GLOSS.match(text, run.end())):
        return None
    return Value(at, run.end(), run[0], False)


def _trimmed(text: str, start: int, end: int, found: Found) -> Value | None:
    run = text[start:end]
    if "..." in run or "…" in run:
        return None
    if cut := _CUT.search(run, 1):
        run = run[: cut.start()]
    if found.row == "attribute":
        run = run.rstrip("/>")
    if "&" in run and re.search(r"[?&][\w.-]*\Z", found.before):
        run = run[: run.index("&")]
    trimmed = _TRAILING.sub("", run)
    while (
        trimmed
        and trimmed[-1] in ")]}>"
        and trimmed.count(_OPENING[trimmed[-1]]) < trimmed.count(trimmed[-1])
    ):
        trimmed = _TRAILING.sub("", trimmed[:-1])
    run = trimmed or run
    return Value(start, start + len(run), run, False) if run else None


_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}
