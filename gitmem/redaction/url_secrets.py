"""Places that hold a secret: the address of a webhook, a header, a URL.

What stands there has no shape of its own; that it stands there tells what it is. So
each rule reads as far as the place is certain, and no further.
"""

import re

from gitmem.redaction.assignments import looks_random
from gitmem.redaction.false_positives import has_digit, is_given, is_made, is_random
from gitmem.redaction.rule import Rule, at_start

_QUOTE = r"\\{0,3}[\"'`]?"
_SIGN = rf"{_QUOTE}[ \t]{{0,4}}[:=,][ \t]{{0,4}}{_QUOTE}"
_URL_USER = r"[^\s/?#@:\"'`<>\\]{0,200}+"
_URL_VALUE = r"(?:[^\s:\"'`<>\\]|:(?!//)){1,200}"
_WORD = r"\w-"
_COOKIE_VALUE = re.compile(r"=\"?([^;,\s\"']{16,})")


def holds_session(match: re.Match[str]) -> bool:
    """Whether a cookie has a value that only a machine makes up."""
    values = _COOKIE_VALUE.findall(match["secret"])
    return any(looks_random(value) for value in values)


WEBHOOKS = (
    Rule(
        "webhook",
        "https://hooks.slack.com/services/…",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/+-]{20,}+)",
        clue="hooks.slack.com/",
    ),
    Rule(
        "webhook",
        "https://discord.com/api/webhooks/…",
        r"/api/webhooks/\d{16,20}/(?P<secret>[\w-]{60,}+)",
        clue="/api/webhooks/",
    ),
    Rule(
        "webhook",
        "https://….webhook.office.com/webhookb2/…",
        r"\.webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{60,}+)",
        clue=".webhook.office.com/",
    ),
    Rule(
        "webhook",
        "https://chat.googleapis.com/v1/spaces/…",
        r"chat\.googleapis\.com/v1/spaces/[\w-]{1,40}/messages\?"
        r"(?P<secret>[\w=&%-]{20,}+)",
        clue="chat.googleapis.com/",
    ),
    Rule(
        "webhook",
        "https://hooks.zapier.com/hooks/catch/…",
        r"hooks\.zapier\.com/hooks/(?:catch|standard)/(?P<secret>[\w/-]{10,}+)",
        clue="hooks.zapier.com/",
    ),
    Rule(
        "webhook",
        "https://hook.eu1.make.com/…",
        r"//hook\.[\w.]{2,8}(?:make|integromat)\.com/(?P<secret>[a-z0-9]{20,}+)",
        clue="//hook.",
    ),
    Rule(
        "telegram",
        "https://api.telegram.org/bot…/",
        r"api\.telegram\.org/(?:file/)?bot(?P<secret>\d{6,12}:[\w-]{30,}+)",
        clue="api.telegram.org/",
    ),
    Rule(
        "infura",
        "https://….infura.io/v3/…",
        r"\.infura\.io/v3/(?P<secret>[a-f0-9]{32})",
        clue=".infura.io/v3/",
    ),
    Rule(
        "alchemy",
        "https://….alchemy.com/v2/…",
        r"\.alchemy\.com/v2/(?P<secret>[\w-]{20,}+)",
        clue=".alchemy.com/v2/",
    ),
)

HEADERS = (
    Rule(
        "jwt",
        "eyJ….eyJ….…",
        rf"(?P<secret>eyJ{at_start('eyJ', _WORD)}"
        r"[\w-]{8,}+\.eyJ[\w-]{4,}+(?:\.[\w-]*+)++)",
        clue="eyJ",
    ),
    Rule(
        "jwt",
        "eyJ…..….….… (encrypted)",
        rf"(?P<secret>eyJ{at_start('eyJ', _WORD)}"
        r"[\w-]{12,}+\.[\w-]*+\.[\w-]{8,}+\.[\w-]{16,}+\.[\w-]{16,}+)",
        clue="eyJ",
    ),
    Rule(
        "authorization",
        "Authorization: Basic …",
        rf"(?i:authorization)(?:{_SIGN}|[ ][\"'])[A-Za-z-]{{3,20}}[ \t]{{1,4}}"
        r"(?P<secret>[\w.~+/=:-]{8,}+)",
        is_made,
        heads=("authorization",),
    ),
    Rule(
        "authorization",
        "Authorization: …",
        rf"(?i:authorization){_QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}{_QUOTE}"
        r"(?P<secret>[\w~+/=-]{20,}+)(?![.(])",
        has_digit,
        heads=("authorization",),
    ),
    Rule(
        "authorization",
        "Bearer …",
        r"(?i:bearer)[ \t]{1,4}(?P<secret>[\w.~+/=-]{16,}+)",
        is_made,
        heads=("bearer",),
    ),
    Rule(
        "cookie",
        "Cookie: session=…, Set-Cookie: …",
        rf"(?i:cookie){_QUOTE}[ \t]{{0,4}}[:=][ \t\[]{{0,4}}{_QUOTE}"
        r"(?P<secret>[\w.%-]{1,80}=[^\r\n\"'`\\]{16,4000}+)",
        holds_session,
        heads=("cookie",),
    ),
    Rule(
        "cookie",
        "host TRUE / TRUE 0 session … (cookies.txt)",
        r"\t(?:TRUE|FALSE)\t\d{1,16}\t[^\s]{1,80}\t(?P<secret>\S{16,4000}+)",
        is_random,
        clue="E\t",
    ),
)

USERS = (
    Rule(
        "url-password",
        "postgres://user:…@host",
        rf"://{_URL_USER}:(?!\d{{1,5}}(?:[/?#]|\Z))(?P<secret>{_URL_VALUE})@",
        is_given,
        clue="://",
    ),
    Rule(
        "url-password",
        "https://…@github.com",
        r"://(?P<secret>[\w-]{20,255}+)@(?=[\w-]{1,60}\.)",
        is_random,
        clue="://",
    ),
)

PARAMETERS = (
    Rule(
        "url-key",
        "otpauth://totp/…?secret=…",
        r"otpauth://[^\s\"']{0,300}?secret=(?P<secret>[A-Za-z2-7]{8,}+)",
        clue="otpauth://",
    ),
    Rule(
        "url-signature",
        "https://…?sig=…",
        r"sig=(?<=[?&;]sig=)(?P<secret>[A-Za-z0-9%/+_-]{40,}+=*)",
        clue="sig=",
    ),
    Rule(
        "url-signature",
        "https://…?X-Amz-Signature=…, …&Signature=…",
        r"Signature=(?<=[?&;-]Signature=)(?P<secret>[A-Za-z0-9%/+_~-]{20,}+=*)",
        clue="Signature=",
    ),
    *(
        Rule(
            "url-key",
            "https://…?key=…, …?code=…",
            rf"{word}=(?<=[?&]{word}=)(?P<secret>[\w%./+-]{{20,}}+=*)",
            is_random,
            clue=f"{word}=",
        )
        for word in ("key", "code", "auth", "sid", "session", "jwt")
    ),
)

CONNECTIONS = (
    Rule(
        "connection-string",
        "…;AccountKey=…",
        r"Key=(?:(?<=AccountKey=)|(?<=SharedAccessKey=))(?P<secret>[A-Za-z0-9+/]{20,}+=*)",
        clue="Key=",
    ),
    Rule(
        "connection-string",
        "Server=…;Password=…;",
        r";[ ]{0,2}(?i:password|pwd)[ ]{0,2}=[ ]{0,2}(?P<secret>[^;\"'\n]{1,200}+)",
        is_given,
        clue=";",
    ),
    Rule(
        "connection-string",
        "sqlplus user/…@host",
        r"sqlplus[ ]{1,4}(?:-[A-Za-z]{1,8}[ ]{1,4}){0,3}[\w$#]{1,30}/"
        r"(?P<secret>[^\s@/]{1,60}+)@",
        is_given,
        clue="sqlplus ",
    ),
    Rule(
        "connection-string",
        "jdbc:oracle:thin:user/…@host",
        r"jdbc:oracle:\w{2,8}:[\w$#]{1,30}/(?P<secret>[^\s@/]{1,60}+)@",
        is_given,
        clue="jdbc:oracle:",
    ),
)
