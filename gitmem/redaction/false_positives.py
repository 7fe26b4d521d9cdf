"""The last word on what a rule has matched: whether that is a secret at all."""

import re

from gitmem.redaction.assignments import (
    is_named_secret,
    is_no_value,
    looks_chosen,
    looks_random,
)

_MADE = re.compile(r"\d|[a-z][A-Z]")
_STAND_IN = re.compile(
    r"[a-z]+(?:[-_.][a-z]+)+|[A-Z]+(?:[-_.][A-Z]+)+"  # your-key-here, YOUR_KEY
    r"|.*(?i:your[-_]|[-_]here\b).*"
)


def is_no_stand_in(match: re.Match[str]) -> bool:
    """False for what manuals write in words: `your-key-here`, `YOUR_TOKEN`.

    What has the shape of a token counts as one, made of `x` or not: to hide an example
    costs nothing.
    """
    body = match["secret"] if "body" not in match.re.groupindex else match["body"]
    return _STAND_IN.fullmatch(body) is None


def is_made(match: re.Match[str]) -> bool:
    return is_no_stand_in(match) and _MADE.search(match["secret"]) is not None


def has_digit(match: re.Match[str]) -> bool:
    return is_no_stand_in(match) and re.search(r"\d", match["secret"]) is not None


def is_given(match: re.Match[str]) -> bool:
    return not is_no_value(match["secret"])


def is_random(match: re.Match[str]) -> bool:
    return looks_random(match["secret"])


def is_chosen(match: re.Match[str]) -> bool:
    return not is_no_value(match["secret"]) and looks_chosen(match["secret"])


def is_named(match: re.Match[str]) -> bool:
    return is_named_secret(match["name"], match["secret"])


def is_named_and_chosen(match: re.Match[str]) -> bool:
    return is_named(match) and looks_chosen(match["secret"])
