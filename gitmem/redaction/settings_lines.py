"""Secrets in lines of well-known files, and in pairs of a name and a value."""

import re

from gitmem.redaction.false_positives import (
    is_chosen,
    is_given,
    is_made,
    is_named,
    is_named_and_chosen,
)
from gitmem.redaction.rule import Rule

_QUOTE = r"\\{0,7}[\"']?"
_PAIR_NAME = rf"{_QUOTE}(?P<name>[\w.-]{{1,80}}){_QUOTE}"

_KIND = "kind: Secret"
_NEAR = 4_000


def _is_of_secret(match: re.Match[str]) -> bool:
    """Whether a line stands below `data:` in a Secret of Kubernetes."""
    text, start, end = match.string, match.start(), match.end()
    first = text.rfind("\n---", max(0, start - _NEAR), start) + 1
    before = text[max(first, start - _NEAR) : start]
    if _KIND not in before + text[end : end + _NEAR].split("\n---")[0]:
        return False
    for line in reversed(before.split("\n")):
        if len(line) - len(line.lstrip(" ")) < len(match["indent"]):
            return line.strip() in ("data:", "stringData:") and is_given(match)
    return False


_FILES = (
    Rule(
        "kubernetes",
        "kind: Secret, data: …",
        r"\n(?P<indent>[ ]{1,40})[\w.-]{1,253}:[ ]{1,4}[\"']?"
        r"(?P<secret>(?![|>{\[])[^\s\"']{4,8000}+)[\"']?(?=\s|\Z)",
        _is_of_secret,
        clue=_KIND,
    ),
    Rule(
        "netrc",
        "machine … login … password …",
        r"machine\s{1,4}\S{1,200}(?:\s{1,4}(?:login|account)\s{1,4}\S{1,200}){0,2}"
        r"\s{1,4}password\s{1,4}(?P<secret>\S{1,200}+)",
        is_given,
        clue="machine",
    ),
    Rule(
        "pgpass",
        "host:5432:database:user:…",
        r":(?:5432|5433|6432)(?<=[\w.*-]:\d{4}):[\w*-]{1,63}:[\w.*@-]{1,63}:"
        r"(?P<secret>[^\s:/]{3,200}+)(?=\s|\Z)",
        is_given,
        clue="432:",
    ),
    Rule(
        "registry-login",
        '"auth": "…" (Docker), _auth=… (npm)',
        rf"auth(?<=[\"_]auth){_QUOTE}[ ]{{0,4}}[:=][ ]{{0,4}}{_QUOTE}"
        r"(?P<secret>[A-Za-z0-9+/]{8,}+=*)",
        is_made,
        clue="auth",
    ),
    Rule(
        "password-hash",
        "$2b$12$…, $6$…$…, $argon2id$…",
        r"(?P<secret>\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}"
        r"|(?:[1567y]|gy|apr1)\$(?:[./A-Za-z0-9=,]{1,40}\$){1,2}[./A-Za-z0-9]{20,90}+"
        r"|argon2(?:id|i|d)\$[\w$=,+/-]{40,300}+|P\$[./A-Za-z0-9]{31}))",
        clue="$",
    ),
    Rule(
        "password-hash",
        "pbkdf2_sha256$…",
        r"(?P<secret>pbkdf2[_:-]sha\d{1,3}[$:]\d{1,9}[$:][\w+/=$:.-]{20,400}+)",
        clue="pbkdf2",
    ),
    Rule(
        "password-hash",
        "{SSHA}…",
        r"\{S(?:SHA|HA|SHA256|SHA512|HA256|HA512)\}(?P<secret>[A-Za-z0-9+/]{20,}+=*)",
        clue="{S",
    ),
    Rule(
        "password-hash",
        "SCRAM-SHA-256$…",
        r"SCRAM-SHA-\d{1,3}\$(?P<secret>\d{1,9}:[\w+/=$:]{40,400}+)",
        clue="SCRAM-SHA-",
    ),
    *(
        Rule(
            "recovery-phrase",
            "mnemonic: twelve to twenty-four words",
            rf"(?i:{word})\\{{0,7}}[\"'`*]{{0,3}}[ \t]{{0,4}}(?:[:=]|is)[ \t]{{0,4}}"
            r"\\{0,7}[\"'`]?"
            r"(?P<secret>[a-z]{3,8}(?:[ ][a-z]{3,8}){11,23})(?![ ]?[a-z])",
            lambda _: True,
            heads=(word,),
        )
        for word in ("mnemonic", "phrase", "seed")
    ),
)

_QUERIES = (
    *(
        Rule(
            "sql-password",
            "CREATE USER … IDENTIFIED BY '…'",
            rf"{word}[ ]{{1,4}}['\"](?P<secret>[^'\"\n]{{1,200}}+)['\"]",
            is_chosen if word.islower() else is_given,
            clue=word,
        )
        for word in ("IDENTIFIED BY", "identified by", " PASSWORD")
    ),
)

_PAIRS = (
    *(
        Rule(
            "assignment",
            '"name": "DB_PASSWORD", "value": "…"',
            rf"{word}(?<![\w-][nNkK]{word})(?<=[nNkK]{word}){_QUOTE}[ ]{{0,4}}[:=]"
            rf"[ ]{{0,4}}{_PAIR_NAME}(?:\s{{1,40}}|\s{{0,4}},(?:\s|\\n){{0,40}})"
            rf"{_QUOTE}[vV]alue{_QUOTE}[ ]{{0,4}}[:=][ ]{{0,4}}{_QUOTE}"
            r"(?P<secret>[^\s\"'\\]{1,500}+)",
            is_named,
            clue=word,
        )
        for word in ("ame", "ey")
    ),
    Rule(
        "assignment",
        "define('DB_PASSWORD', '…')",
        r"\([ ]{0,4}[\"'][#.]?(?P<name>[\w.-]{1,80})[\"'][ ]{0,4},[ ]{0,4}[\"']"
        r"(?P<secret>[^\"'\n]{1,500}+)[\"']",
        is_named_and_chosen,
        clue=",",
    ),
    Rule(
        "assignment",
        "<password>…</password>",
        r"<(?P<name>[\w.:-]{3,80})>\s{0,40}(?P<secret>[^<>\s]{1,500}+)\s{0,40}</",
        is_named,
        clue="</",
    ),
)

LINES = (*_FILES, *_QUERIES, *_PAIRS)
