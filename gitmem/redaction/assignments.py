"""Secrets known by the name they are given: `password=`, `"api_key": "..."`.

The name makes a value suspect, the value decides. Prose ("password: the user types it
twice"), code (`token = next_token()`), references (`${DB_PASSWORD}`) and stand-ins
(`<your-key>`, `changeme`) are no secrets, and a memory that hides them is worth less.
So a password may be any text that is not one of those, while what a token or key is
said to be must look made by a machine.
"""

import re

_KINDS_OF_KEY = (
    "api access auth app account private encryption encrypt signing master admin shared"
    " preshared subscription integration ingest consumer license webhook deploy tunnel"
    " hmac jwt aes cipher"
)
_KEY_OF_A_KIND = "|".join(
    rf"(?<={kind}key)|(?<={kind}[ _-]key)" for kind in _KINDS_OF_KEY.split()
)
NAMES = (
    "pass",
    "pw",
    "secret",
    "token",
    "cred",
    "key",
    "_salt",
    "_pat",
    "psk",
    "_auth",
)
"""What a telling name contains, in small letters."""

_SHORT = (
    r"pass(?:code|(?<![A-Za-z-]pass)|(?-i:(?<=[a-z]Pass)|(?<=[A-Z]PASS)))"
    r"|pw(?:(?<![A-Za-z]pw)|(?-i:(?<=[A-Z]PW)))|psk(?<![A-Za-z]psk)"
    r"|_auth(?-i:(?<=_AUTH))"
)
"""Names of passwords that are other things as often: what they hold must look it."""
NAME = (
    r"(?P<named>(?i:(?P<password>pass(?:w(?:or[dt]|d)|[ -]?phrase|(?<=_pass))|pwd)"
    r"|secret(?:[ _-]?(?:access[ _-]?)?key(?:[_-]?base)?|[ _-]?token)?"
    rf"|token|cred(?:ential)?s?|key(?:{_KEY_OF_A_KIND})|{_SHORT}"
    r"|(?P<any>key(?<=[\w-]key)|_salt|_pat))\d{0,2})"
)
_NAME_LAST = re.compile(rf"{NAME}\Z")
VALUE = (
    r"(?:[bBrRuUfF]{0,2}(?P<quote>\\{0,3}[\"'`]))?"
    r"(?P<secret>(?(quote)(?:\\[^\n]|[^\n\\]){1,8000}?"
    r"|(?:[^\s\"'`<>(){}\[\],;|&\\]|\\(?![nrt\"'`\\]))++))"
    r"(?(quote)(?:(?P=quote)|(?=\n|\Z))|(?P<call>[(\[{]?))"
)

ASSIGNMENT = (
    rf"{NAME}\\{{0,3}}[\"'`*\]]{{0,3}}[ \t]{{0,8}}"
    r"(?P<sign>=>|:=|={1,3}|:[ \t]{0,4}(?:&(?:'static )?)?[A-Za-z][\w.\[\]|]{0,40}"
    r"[ \t]{1,4}=(?=[ \t])|:(?!:))"
    rf"\*{{0,3}}(?P<space>[ \t]{{0,8}}){VALUE}"
)
"""`name = value` as shells, configuration files, JSON and programs write it."""

FLAG = (
    r"--(?<![\w-]--)(?=[a-z])[a-z-]{0,40}?"
    rf"{NAME}(?P<sign>)(?P<space>[ \t]{{1,8}}){VALUE}"
)
"""`--name value` of a command line; `--name=value` is an assignment."""

_STAND_IN_WORD = re.compile(
    "none|null|nil|true|false|yes|no|on|off|undefined|unset|empty|default|string|str"
    "|bytes|text|varchar|number|int|integer|bool|boolean|any|object|unknown|required"
    "|optional|hidden|masked|removed|pass|password|passwd|passphrase|pwd|secret|token"
    "|key|apikey|value|test|testing|foo|bar|todo|tbd|prompt",
    re.IGNORECASE,
)
_STAND_IN = re.compile(
    r"example|placeholder|your[-_ ]|dummy"
    r"|^my[-_]|^[a-z_-]*(?:password|secret)[a-z_-]*$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"\$[A-Za-z_]\w*-?|\$\d|%\w+%|(?:%[sdrx]\W?)+|%[(\w].{0,2}|:\w+|\?|[{@\]].*"
    r"|.*(?:\$\{|\$\(|\{\{|%\(|#\{).*|(?:\.{0,2}|~)/.*|[a-z]{1,10}://.*|arn:.*"
    r"|0x[0-9A-Fa-f]{1,8}",
    re.DOTALL,
)
_PLACEHOLDER = re.compile(r"redacted|\*\*\*|\.\.\.|…|xxx|^<.*>$", re.IGNORECASE)
CODE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+"
    r"|[A-Z]\w*(?:Key|Token|Secret|Credentials?|Type)s?"
)
_PASSING_TOKEN = re.compile(  # they page, lock and repeat, and open nothing
    r"(?i:next|page|continuation|starting|sync|lock|change|request|idempotency"
    r"|public[_-]?key)[_-]?\Z|:\d{12}:\Z"
)
_PASSING_KEY = re.compile(  # they find, sort and verify, and open nothing
    r"(?i:public|pub|primary|foreign|cache|partition|sort|row|group|object|hash|lookup"
    r"|dedup|idempotency|gpg|pgp|ssh|host|index|message|event|storage|bucket|file|query"
    r"|commit|content|trace|state|map|dict|item|data|store|publishable)[_-]?\Z"
)
_ID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_CHUNK = re.compile(r"[A-Za-z0-9+/]{16,}")
_CHANGE = re.compile(r"(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=\d)\D")
_WORDS = re.compile(r"[A-Za-z]++(?:[-_./:'’][A-Za-z]++)*+")
_NUMBERED_NAME = re.compile(r"[A-Za-z]++(?:[-_.][A-Za-z]++)*+[-_]?\d{0,3}")
_LINE_START = re.compile(r"[\s>*-]*(?:(?:export|set|ENV)[ \t]+)?[\w.-]*")


def is_secret_assignment(match: re.Match[str]) -> bool:
    """Whether the value that ASSIGNMENT or FLAG found is worth hiding."""
    value = match["secret"]
    if stands_in(value) or match["call"] or re.search(r"\s", value):
        return False
    if not match["quote"] and CODE.fullmatch(value):
        return False
    if match["any"]:
        return is_random_key(before_name(match), value)
    if not match["password"]:
        return looks_made(value) and not is_passing(match)
    return (
        len(value) >= 4 and (bool(match["quote"]) or _is_whole_line(match))
    ) or looks_chosen(value)


def is_named_secret(name: str, value: str) -> bool:
    """Whether `value`, kept under `name` in a mapping, is a secret by that name."""
    named = _NAME_LAST.search(name)
    if named is None or stands_in(value):
        return False
    if named["any"]:
        return is_random_key(name[: named.start()], value)
    return len(value) >= 4 if named["password"] else looks_made(value)


def is_passing(match: re.Match[str]) -> bool:
    """Whether the token or key that is named opens nothing."""
    passing = _PASSING_KEY if match["any"] else _PASSING_TOKEN
    return passing.search(before_name(match)) is not None


def before_name(match: re.Match[str]) -> str:
    start = match.start("named")
    return match.string[max(0, start - 16) : start]


def stands_in(value: str) -> bool:
    bare = value.rstrip(".,:;!?")
    return (
        len(set(bare)) <= 2
        or _STAND_IN_WORD.fullmatch(bare) is not None
        or _STAND_IN.search(value) is not None
        or is_no_value(value)
    )


def is_no_value(value: str) -> bool:
    """Whether the value only says where a secret comes from, or that there is one."""
    return _PLACEHOLDER.search(value) is not None or bool(_REFERENCE.fullmatch(value))


def looks_made(value: str) -> bool:
    """At least 8 characters with letters and digits that are not a numbered name."""
    return (
        len(value) >= 8
        and "[" not in value
        and has_letter_and_digit(value)
        and _NUMBERED_NAME.fullmatch(value) is None
    )


def looks_chosen(value: str) -> bool:
    """What a person picks as a password and would not write as a word."""
    bare = value.rstrip(".,:;!?")
    if bare.isdecimal():
        return len(bare) >= 6
    if _WORDS.fullmatch(bare):
        return False
    return len(bare) >= 6 and (
        has_letter_and_digit(bare) or re.search(r"[!@#$%^&*?~+]", bare) is not None
    )


def looks_random(value: str) -> bool:
    """What only a machine makes up.

    A long piece of it changes between sorts of letters more often than words do. An id
    (a UUID) counts as none, as ids are told everywhere.
    """
    return _ID.fullmatch(value) is None and any(
        len(re.findall(r"\d", chunk)) >= 2
        and has_letter_and_digit(chunk)
        and len(_CHANGE.findall(chunk)) >= 0.27 * (len(chunk) - 1)
        for chunk in _CHUNK.findall(value)
    )


def is_random_key(before: str, value: str) -> bool:
    """Whether `value` is a secret as a key of no known kind, `before` its name's end.

    Hexadecimal figures are checksums as well: they count where the name is one of a
    variable of the environment, all in capitals.
    """
    if _PASSING_KEY.search(before) or not looks_random(value):
        return False
    return len(value) >= 20 and (not _HEX.fullmatch(value) or before[-2:].isupper())


def has_letter_and_digit(value: str) -> bool:
    return bool(re.search(r"[A-Za-z]", value) and re.search(r"\d", value))


def _is_whole_line(match: re.Match[str]) -> bool:
    """Stands alone on its line, as in `.env`, INI and YAML files.

    Programs write so too (`password = given`): only an assignment without spaces or
    a lower-case value after a colon counts.
    """
    text, start, end = match.string, match.start(), match.end()
    line_start = text.rfind("\n", max(0, start - 80), start) + 1
    if line_start == 0 and start > 80:
        return False
    if text[end : end + 1] not in ("", "\n", "\r"):
        return False
    if not _LINE_START.fullmatch(text, line_start, start):
        return False
    if match["sign"] == ":":
        return match["secret"].islower()
    return match["sign"] == "=" and not match["space"]
