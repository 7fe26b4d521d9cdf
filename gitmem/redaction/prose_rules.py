"""Secrets told in words, and set in ways that are no assignment to the eye.

"The password is …", a value on the line below its name, the default of a setting, what
a test types into a form: the name is the one of an assignment, and what stands between
it and the value says little. So the value has to look like a secret itself.
"""

import re

from gitmem.redaction.assignments import (
    CODE,
    NAME,
    VALUE,
    before_name,
    has_letter_and_digit,
    is_passing,
    looks_random,
    stands_in,
)
from gitmem.redaction.rule import Rule

_HEADS = ("pass", "pw", "secret", "token", "cred", "key")
_WORDS = (
    r"(?:[ ][\w.@'\[\]/-]{1,30}){0,6}?"
    r"(?::|[ ](?:is|are|was|to|now|ist|lautet)(?:[ ](?:now|set|to))?:?)[ ]"
)
_MARKS = r"[ ]?(?:\||[-–—=]>|→|[-–—](?=[ ]))[ ]?|[ ]?(?:\|\||\?\?|<<<)[ ]?(?=[\"'`])"
_DEFAULT = r"(?:,[^\n()]{0,80}?|[ ]\{\s[^{}]{0,200}?)\bdefault[ ]{0,20}=[ ]{0,20}"
_TYPED = r"\)\.(?:send_keys|sendKeys|type|fill|setValue)\("
_BELOW = (
    r"(?:[:=][ ]?(?:[|>][-+]?)?\n{1,2}[ ]*(?:```\w{0,9}\n)?[ ]*)(?=[^\s:]{8,}(?:\n|\Z))"
)
_MARKUP = (
    r"(?:>|</key>\s{0,40}<string>)|[ ]?=>\s{1,20}string\(\d{1,4}\)[ ]"
    r"|:[ ](?:!!str|&\w{1,30})[ ]"
)
_PROPERTY = r"[ ]\{ get; set; \} = "
_CALL = r"[ ]\((?=\w)|\((?=[rb]?[\"'])"
_NOTHING = r"[ ]{1,8}(?:-[-\w]{1,10}[ =]?)?|[ ]\\\n\s{0,20}"

_TOLD = (
    rf"{NAME}\\{{0,3}}[\"'`*\]]{{0,3}}[ \t]?"
    rf"(?:(?P<sign>{_BELOW}|{_MARKUP}|{_WORDS}|{_MARKS}|{_DEFAULT}|{_TYPED}|{_PROPERTY}"
    rf"|{_CALL})|(?P<nothing>{_NOTHING}))"
    rf"(?=[^\s]{{0,40}}?[\d!@#$%^&*?~+])[“„«]?{VALUE}"
)
_MADE = re.compile(r"\S{8,}")
_FIGURES = re.compile(r"\d+")
_SORTS = (re.compile("[a-z]"), re.compile("[A-Z]"), _FIGURES)
_FLAG = re.compile(r"--[a-z-]*\Z")
_MARK = re.compile(r"[!@#$%^&*?~+]")
_NO_PASSWORD = re.compile(
    r"v?\d+[.:-]\d.*|.*[/\\].*|.*\.[a-z]{1,4}|.*@.*\..*|[\w-]+[=:].*|.*[<>|].*|#.*|@\w+"
)


def is_told(match: re.Match[str]) -> bool:
    """Whether the value that follows a name in words is a secret by its looks."""
    value = match["secret"].rstrip(".,:;!?*")
    if match["call"] or stands_in(value) or CODE.fullmatch(value):
        return False
    if not _MADE.fullmatch(value) or not has_letter_and_digit(value):
        return False
    if looks_random(value):
        return not is_passing(match)
    if _NO_PASSWORD.fullmatch(value):
        return False
    return _looks_told(match, value)


def _looks_told(match: re.Match[str], value: str) -> bool:
    is_mixed = all(sort.search(value) for sort in _SORTS)
    figures = _FIGURES.findall(value)
    if match["nothing"]:
        return is_mixed and len(figures) > 1 and not _is_flag(match)
    if _MARK.search(value):
        return True
    has_figures = len(figures) > 1 or len(figures[0]) > 2
    return has_figures and (is_mixed or bool(match["password"]))


def _is_flag(match: re.Match[str]) -> bool:
    """It has a rule of its own, for which the value may look like less."""
    is_on_its_line = "\n" not in match["nothing"]
    return is_on_its_line and _FLAG.search(before_name(match)) is not None


def _has_no_vowels(match: re.Match[str]) -> bool:
    """Four words of four letters are a sentence, too; one without a vowel is rare."""
    groups = re.split("[ -]", match["secret"])
    return any(not re.search("[aeiouy]", group) for group in groups)


_FOREIGN = (
    ("密码", "??"),
    ("パスワード", "?????"),
    ("ароль", "?????"),
    ("ontrase[ñn]a", "ontrase"),
    ("ot de passe", "ot de passe"),
)
"""Words for a password, and what is left of them `in_ascii`."""

TOLD = (
    Rule("assignment", "the password is …", _TOLD, is_told, heads=_HEADS, nests=True),
    *(
        Rule(
            "assignment",
            "contraseña: …, 密码：…",
            rf"(?P<named>(?P<password>{word})(?P<any>(?!))?)[\"'`*]{{0,3}}"
            rf"[ ]?(?P<nothing>(?!))?(?::|：|=|是|は|это|es[ ]|est[ ])[ ]?{VALUE}",
            is_told,
            clue=clue,
        )
        for word, clue in _FOREIGN
    ),
    Rule(
        "assignment",
        "app password: abcd efgh ijkl mnop",
        r"(?i:password)[\"'`]{0,3}(?:[ ]?[:=][ ]?|[ ]is[ ]|[ ])[\"'`]?"
        r"(?P<secret>[a-z]{4}(?:[ -][a-z]{4}){3})(?![ -]?[a-z])",
        _has_no_vowels,
        heads=("password",),
    ),
)
