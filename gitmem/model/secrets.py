"""What a secret looks like: the rules of redaction, in the order they run.

A rule belongs here when its shape is public and certain: a prefix that its provider
chose to be recognised by, or a place (a header, a URL, an assignment) that only ever
holds a secret. Random-looking text alone is no reason; hashes and ids look so too.

Every pattern takes linear time: it starts with literal characters, which the engine
searches for quickly, and repeats possessively or within a bound. docs/privacy.md
shows the rules to users.
"""

import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from gitmem.model.assignments import (
    ASSIGNMENT,
    FLAG,
    is_no_value,
    is_secret_assignment,
)
from gitmem.model.tokens import TOKENS


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    """What stands in the place of the secret: `[REDACTED:<name>]`."""
    shape: str
    """What such a secret looks like, for people."""
    pattern: re.Pattern[str]
    """Its group `secret` is what is replaced; the rest of the match stays."""
    is_secret: Callable[[re.Match[str]], bool]
    """Has the last word on a match, where the pattern alone would be too greedy."""
    nests: bool = False
    """Whether what is no secret after all may hold one: a quoted text may."""


_STAND_IN = re.compile(
    r"[a-z]+(?:[-_.][a-z]+)+|[A-Z]+(?:[-_.][A-Z]+)+"  # your-key-here, YOUR_KEY
    r"|.*(?i:your[-_]|[-_]here\b).*"
)


def _is_no_stand_in(match: re.Match[str]) -> bool:
    """False for what manuals write in words: `your-key-here`, `YOUR_TOKEN`.

    What has the shape of a token counts as one, made of `x` or not: to hide an example
    costs nothing.
    """
    body = match["secret"] if "body" not in match.re.groupindex else match["body"]
    return _STAND_IN.fullmatch(body) is None


_MADE = re.compile(r"\d|[a-z][A-Z]")


def _is_made(match: re.Match[str]) -> bool:
    return _is_no_stand_in(match) and _MADE.search(match["secret"]) is not None


def _has_digit(match: re.Match[str]) -> bool:
    return _is_no_stand_in(match) and re.search(r"\d", match["secret"]) is not None


def _is_given(match: re.Match[str]) -> bool:
    return not is_no_value(match["secret"])


def _is_encoded_key(match: re.Match[str]) -> bool:
    return b"PRIVATE KEY" in binascii.a2b_base64(match["secret"][:60])


def _rule(
    name: str,
    shape: str,
    pattern: str,
    is_secret: Callable[[re.Match[str]], bool] = _is_no_stand_in,
) -> Rule:
    return Rule(name, shape, re.compile(pattern, re.ASCII), is_secret)


def _token(row: str) -> Rule:
    r"""A rule from a row of `TOKENS`.

    The token starts at a word boundary; an escape (`\n`, `%22`, `\u0022`, a terminal
    colour) before it is one too.
    """
    name, shape, prefix, body = re.split(r"\s{2,}", row)
    start = (
        rf"(?:(?<![A-Za-z0-9]{prefix})|(?<=\\[nrtbf]{prefix})|(?<=[0-9\[]m{prefix})"
        rf"|(?<=%[0-9A-Fa-f]{{2}}{prefix})|(?<=\\u00[0-9A-Fa-f]{{2}}{prefix}))"
    )
    return _rule(name, shape, rf"(?P<secret>{prefix}{start}(?P<body>{body}))")


_KEY_LABEL = r"(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KEY_CLOSED = rf"(?:[^-]|-(?!----(?:BEGIN|END) )){{0,40000}}+-----END {_KEY_LABEL}"
_KEY_GAP = (
    r"""(?:[\s>|"'+*#,]|\\[nr]|\d{1,6}[→:|\t]"""
    r"|[A-Z][A-Za-z-]{1,30}: [^\n]{0,100}(?:\n|\Z))"
)
_KEY_CUT_OFF = (
    rf"(?:{_KEY_GAP}*+[A-Za-z0-9+/=_-]{{16,}}+)++"
    rf"(?:{_KEY_GAP}*+[A-Za-z0-9+/]{{1,15}}=+)?"
)
_QUOTE = r"\\{0,3}[\"'`]?"
_URL_USER = r"[^\s/?#@:\"'`<>\\]{0,200}+"
_URL_VALUE = r"(?:[^\s:\"'`<>\\]|:(?!//)){1,200}"

_PLACES = (
    _rule(
        "private-key",
        "-----BEGIN … PRIVATE KEY-----",
        rf"(?P<secret>-----BEGIN {_KEY_LABEL}(?:{_KEY_CLOSED}|{_KEY_CUT_OFF}))",
        lambda _: True,
    ),
    _rule(
        "private-key",
        "LS0tLS1CRUdJTi… (base64 of one)",
        r"(?P<secret>LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,}+=*)",
        _is_encoded_key,
    ),
    _rule(
        "private-key",
        "Private-Lines: … (PuTTY)",
        r"Private-Lines: \d{1,4}(?P<secret>(?:(?:\s|\\[nr])++[A-Za-z0-9+/]{4,}+=*)++)",
    ),
    _rule(
        "webhook",
        "https://hooks.slack.com/services/…",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/+-]{20,}+)",
    ),
    _rule(
        "webhook",
        "https://discord.com/api/webhooks/…",
        r"/api/webhooks/\d{16,20}/(?P<secret>[\w-]{60,}+)",
    ),
    _rule(
        "webhook",
        "https://….webhook.office.com/webhookb2/…",
        r"\.webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{60,}+)",
    ),
    _rule(
        "jwt",
        "eyJ….eyJ….…",
        r"(?P<secret>eyJ(?:(?<![\w-]eyJ)|(?<=\\[nrt]eyJ))"
        r"[\w-]{8,}+\.eyJ[\w-]{4,}+(?:\.[\w-]*+)++)",
    ),
    _rule(
        "authorization",
        "Authorization: Basic …",
        rf"[aA](?i:uthorization){_QUOTE}[ \t]{{0,4}}[:=,][ \t]{{0,4}}{_QUOTE}"
        r"[A-Za-z-]{3,20}[ \t]{1,4}(?P<secret>[\w.~+/=:-]{8,}+)",
        _is_made,
    ),
    _rule(
        "authorization",
        "Authorization: …",
        rf"[aA](?i:uthorization){_QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}{_QUOTE}"
        r"(?P<secret>[\w~+/=-]{20,}+)(?![.(])",
        _has_digit,
    ),
    _rule(
        "authorization",
        "Bearer …",
        r"[bB](?i:earer)[ \t]{1,4}(?P<secret>[\w.~+/=-]{16,}+)",
        _is_made,
    ),
    _rule(
        "url-password",
        "postgres://user:…@host",
        rf"://{_URL_USER}:(?!\d{{1,5}}(?:[/?#]|\Z))(?P<secret>{_URL_VALUE})@",
        _is_given,
    ),
    _rule(
        "aws",
        "AWS_SECRET_ACCESS_KEY=…",
        r"[aA](?i:ws)(?i:[_-]?secret[_-]?(?:access[_-]?)?key)[\"'`]{0,3}"
        r"[ \t]{0,4}[:=][ \t]{0,4}[\"'`]{0,3}(?P<secret>[A-Za-z0-9/+]{40})(?![\w/+])",
    ),
    _rule(
        "connection-string",
        "…;AccountKey=…",
        r"(?:Account|SharedAccess)Key=(?P<secret>[A-Za-z0-9+/]{20,}+=*)",
    ),
    _rule(
        "connection-string",
        "Server=…;Password=…;",
        r";[ ]{0,2}(?i:password|pwd)[ ]{0,2}=[ ]{0,2}(?P<secret>[^;\"'\n]{1,200}+)",
        _is_given,
    ),
    _rule(
        "azure",
        "….blob.core.windows.net/…?sig=…",
        r"[?&]sig=(?P<secret>[A-Za-z0-9%/+]{40,}+=*)",
    ),
    _rule("azure", "…8Q~…", r"Q~(?<=[\w.~]{3}\dQ~)(?P<secret>[\w.~-]{31,}+)"),
    _rule(
        "telegram",
        "1234567890:AA…",
        r":(?<=\d{8}:)(?P<secret>AA[\w-]{33}(?![\w-]))",
    ),
    _rule("terraform", "….atlasv1.…", r"\.atlasv1\.(?P<secret>[\w-]{60,}+)"),
    _rule(
        "mailgun",
        "key-…",
        r"(?P<secret>key-(?:(?<![\w-]key-)|(?<=\\[nrt]key-))[a-f0-9]{32}(?![A-Za-z0-9]))",
    ),
    _rule(
        "netrc",
        "machine … login … password …",
        r"machine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4}"
        r"(?P<secret>\S{1,200}+)",
        _is_given,
    ),
    _rule(
        "curl-user",
        "curl -u user:…",
        r"curl (?:(?!curl )[^\n]){0,300}?(?:-u|--user)[ =]?[\"']?[\w.@%+-]{1,100}:"
        r"(?P<secret>[^\s\"']{1,200}+)",
        _is_given,
    ),
)

RULES: tuple[Rule, ...] = (
    *_PLACES,
    *(_token(row) for row in TOKENS.strip().splitlines()),
    Rule("flag", "--password …", FLAG, is_secret_assignment, nests=True),
    Rule(
        "assignment",
        'password=…, "api_key": "…", FOO_TOKEN=…',
        ASSIGNMENT,
        is_secret_assignment,
        nests=True,
    ),
)
