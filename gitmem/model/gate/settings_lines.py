"""Secrets in lines of well-known files, and in the options of well-known commands."""

from gitmem.model.gate.judging import (
    is_chosen,
    is_given,
    is_made,
    is_named,
    is_named_and_chosen,
)
from gitmem.model.gate.rule import Rule

_QUOTE = r"\\{0,7}[\"']?"
_PAIR_NAME = rf"{_QUOTE}(?P<name>[\w.-]{{1,80}}){_QUOTE}"

_FILES = (
    Rule(
        "netrc",
        "machine … login … password …",
        r"machine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4}"
        r"(?P<secret>\S{1,200}+)",
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
    *(
        Rule(
            "recovery-phrase",
            "mnemonic: twelve to twenty-four words",
            rf"{word}\\{{0,7}}[\"'`*]{{0,3}}[ \t]{{0,4}}(?:[:=]|is)[ \t]{{0,4}}"
            r"\\{0,7}[\"'`]?"
            r"(?P<secret>[a-z]{3,8}(?:[ ][a-z]{3,8}){11,23})(?![ ]?[a-z])",
            lambda _: True,
            clue=word,
        )
        for word in ("nemonic", "NEMONIC", "phrase", "PHRASE", "seed", "SEED")
    ),
)

_COMMANDS = (
    Rule(
        "curl-user",
        "curl -u user:…",
        r"curl (?:(?!curl )[^\n]){0,300}?(?:-[uU]|--user|--proxy-user)[ =]?[\"']?"
        r"[\w.@%+-]{1,100}:(?P<secret>[^\s\"']{1,200}+)",
        is_given,
        clue="curl ",
    ),
    Rule(
        "option",
        "sshpass -p …",
        r"sshpass[ ]{1,4}-p[ ]{0,4}[\"']?(?P<secret>[^\s\"']{1,200}+)",
        is_given,
        clue="sshpass ",
    ),
    Rule(
        "option",
        "docker login -u … -p …",
        r" login (?:(?! login )[^\n]){0,200}?(?: -p[ =]?)[\"']?"
        r"(?P<secret>[^\s\"']{1,200}+)",
        is_chosen,
        clue=" login ",
    ),
    Rule(
        "option",
        "mysql -p…",
        r"mysql(?:dump|admin|import)? (?:(?!mysql)[^\n]){0,200}? -p[\"']?"
        r"(?P<secret>[^\s\"']{1,200}+)",
        is_chosen,
        clue="mysql",
    ),
    Rule(
        "option",
        "redis-cli -a …",
        r"redis-cli (?:(?!redis-cli)[^\n]){0,100}?-a[ ]{1,4}[\"']?"
        r"(?P<secret>[^\s\"']{1,200}+)",
        is_given,
        clue="redis-cli ",
    ),
    Rule(
        "option",
        "openssl … -passin pass:…",
        r"-pass(?:in|out)?[ ]{1,4}[\"']?pass:(?P<secret>[^\s\"']{1,200}+)",
        is_given,
        clue="-pass",
    ),
    *(
        Rule(
            "sql-password",
            "CREATE USER … IDENTIFIED BY '…'",
            rf"{word}[ ]{{1,4}}'(?P<secret>[^'\n]{{1,200}}+)'",
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
        r"\([ ]{0,4}[\"'](?P<name>[\w.-]{1,80})[\"'][ ]{0,4},[ ]{0,4}[\"']"
        r"(?P<secret>[^\"'\n]{1,500}+)[\"']",
        is_named_and_chosen,
        clue=",",
    ),
    Rule(
        "assignment",
        "<password>…</password>",
        r"<(?P<name>[\w.:-]{3,80})>(?P<secret>[^<>\s]{1,500}+)</",
        is_named,
        clue="</",
    ),
)

SETTINGS_LINES = (*_FILES, *_COMMANDS, *_PAIRS)
