"""Secrets in addresses, headers and connection strings: a table of their places.

Such a secret has no shape of its own, so a rule reads as far as the place is certain.
"""

# fmt: off
# ruff: noqa: E501 - a rule of the table is a line

from gitmem.redaction.rule import (
    Rule,
    at_start,
    has_digit,
    has_value,
    holds_session,
    is_random,
    is_unknown_word,
    looks_generated,
)

_QUOTE = r"\\{0,3}[\"'`]?"
_SIGN = rf"{_QUOTE}[ \t]{{0,4}}[:=,][ \t]{{0,4}}{_QUOTE}"
_URL_USER = r"[^\s/?#@:\"'`<>\\]{0,200}+"
_URL_VALUE = r"(?:[^\s:\"'`<>\\]|:(?!//)){1,200}"
_WORD = r"\w-"
_SESSION = r"(?P<secret>[\w.%-]{1,80}=[^\r\n\"'`\\]{16,4000}+)"

WEBHOOKS = (
    Rule("webhook", "https://hooks.slack.com/services/…", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/+-]{20,}+)", "https://hooks.slack.com/services/T0A/B0B/<A24>", "https://hooks.slack.com/services/T0A", clue="hooks.slack.com/", is_word=True),
    Rule("webhook", "https://discord.com/api/webhooks/…", r"/api/webhooks/\d{16,20}/(?P<secret>[\w-]{60,}+)", "https://discord.com/api/webhooks/123456789012345678/<A68>", "POST /api/webhooks/123/test", clue="/api/webhooks/", is_word=True),
    Rule("webhook", "https://….webhook.office.com/webhookb2/…", r"\.webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{60,}+)", "https://acme.webhook.office.com/webhookb2/<A80>", "https://acme.webhook.office.com/webhookb2/x", clue=".webhook.office.com/", is_word=True),
    Rule("webhook", "https://chat.googleapis.com/v1/spaces/…", r"chat\.googleapis\.com/v1/spaces/[\w-]{1,40}/messages\?(?P<secret>[\w=&%-]{20,}+)", "https://chat.googleapis.com/v1/spaces/AAA/messages?key=x&token=a1B<A40>", "https://chat.googleapis.com/v1/spaces/AAA/messages", clue="chat.googleapis.com/"),
    Rule("webhook", "https://hooks.zapier.com/hooks/catch/…", r"hooks\.zapier\.com/hooks/(?:catch|standard)/(?P<secret>[\w/-]{10,}+)", "https://hooks.zapier.com/hooks/catch/a1B<A12>", "https://hooks.zapier.com/hooks/catch/1", clue="hooks.zapier.com/", is_word=True),
    Rule("webhook", "https://hook.eu1.make.com/…", r"//hook\.[\w.]{2,8}(?:make|integromat)\.com/(?P<secret>[a-z0-9]{20,}+)", "https://hook.eu1.make.com/<L32>", "https://hook.eu1.make.com/docs", clue="//hook.", is_word=True),
    Rule("telegram", "https://api.telegram.org/bot…/", r"api\.telegram\.org/(?:file/)?bot(?P<secret>\d{6,12}:[\w-]{30,}+)", "https://api.telegram.org/bot123456789:<W35>", "https://api.telegram.org/bot<token>/getMe", clue="api.telegram.org/", is_word=True),
    Rule("infura", "https://….infura.io/v3/…", r"\.infura\.io/v3/(?P<secret>[a-f0-9]{32})", "https://mainnet.infura.io/v3/<H32>", "https://mainnet.infura.io/v3/docs", clue=".infura.io/v3/", is_word=True),
    Rule("alchemy", "https://….alchemy.com/v2/…", r"\.alchemy\.com/v2/(?P<secret>[\w-]{20,}+)", "https://eth-mainnet.g.alchemy.com/v2/<W32>", "https://docs.alchemy.com/v2/intro", clue=".alchemy.com/v2/", is_word=True),
)

HEADERS = (
    Rule("github", "tid=…;exp=…;sku=… (Copilot)", r"(?P<secret>tid=[\w-]{16,64}(?:;[\w.-]{1,40}=[^\s;\"'`<>\\]{0,300}){2,60}+)", "tid=<H32>;exp=1790000000;sku=free;st=dotcom;8kp=1:<H64>", "tid=1;exp=1790000000;sku=free", clue="tid="),
    Rule("jwt", "eyJ….eyJ….…", rf"(?P<secret>eyJ{at_start('eyJ', _WORD)}[\w-]{{8,}}+\.eyJ[\w-]{{4,}}+(?:\.[\w-]*+)++)", "eyJh<A34>.eyJz<A60>.<A43>", "eyJh is how JSON begins", clue="eyJ", is_word=True),
    Rule("jwt", "eyJ…..….….… (encrypted)", rf"(?P<secret>eyJ{at_start('eyJ', _WORD)}[\w-]{{12,}}+\.[\w-]*+\.[\w-]{{8,}}+\.[\w-]{{16,}}+\.[\w-]{{16,}}+)", "eyJhbGciOiJkaXIiLCJl..<A16>.<A60>.<A22>", "eyJhbGciOiJkaXIiLCJl..short", clue="eyJ", is_word=True),
    Rule("authorization", "Authorization: Bearer …, Authorization: Basic …", rf"(?i:authorization)(?:{_SIGN}|[ ][\"'])(?i:bearer|basic|token|digest|apikey|negotiate|bot|key|hmac|jwt|[A-Za-z]{{3,20}}-[A-Za-z-]{{3,20}})[ \t]{{1,4}}(?P<secret>[^\s\"'`\\<>{{}}$(),;]{{1,4000}}+)", "Authorization: Basic a1B<B21>", "Authorization: Bearer <token>", is_unknown_word, head="authorization"),
    Rule("authorization", "Authorization: …", rf"(?i:authorization){_QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}{_QUOTE}(?P<secret>[\w~+/=-]{{20,}}+)(?!\.\w|\()", "Authorization: a1B<W29>", "authorization = base64.decodebytes(authorization)", has_digit, head="authorization"),
    Rule("authorization", "Bearer …", r"(?i:bearer)[ \t]{1,4}(?P<secret>[\w.~+/=-]{16,}+)", "Bearer a1B<W37>", "bearer authentication is required here", looks_generated, head="bearer"),
    Rule("cookie", "Cookie: session=…, Set-Cookie: …", rf"(?i:cookie){_QUOTE}[ \t]{{0,4}}[:=][ \t\[]{{0,4}}{_QUOTE}{_SESSION}", "Cookie: theme=dark; session=7q3Wa1B<A27>", "Cookie: theme=dark; lang=en-GB; consent=yes", holds_session, head="cookie"),
    Rule("cookie", "host TRUE / TRUE 0 session … (cookies.txt)", r"\t(?:TRUE|FALSE)\t\d{1,16}\t[^\s]{1,80}\t(?P<secret>\S{16,4000}+)", "h.net\tTRUE\t/\tTRUE\t1790000000\tsession\t7q3Wa1B<A27>", "h.net\tTRUE\t/\tTRUE\t0\ttheme\tdark", is_random, clue="E\t"),
    Rule("cookie", "curl -b session=…", r"curl (?:(?!curl )(?:[^\n]|(?<=[\\^])\n|(?<=[\\^]\r)\n)){0,300}?(?:-b|--cookie)[ =]?\\{0,3}[\"']?(?P<secret>[\w.%-]{1,80}=[^\s\"'\\]{16,4000}+)", "curl -b 'session=7q3Wa1B<A27>' https://h", "curl -b cookies.txt https://h", holds_session, clue="curl "),
)

USERS = (
    Rule("url-password", "postgres://user:…@host", rf"://{_URL_USER}:(?!\d{{1,5}}(?:[/?#]|\Z))(?P<secret>{_URL_VALUE})@", "postgres://user:a1B<A9>@db.local/app", "postgres://$USER:$PASS@localhost/db", has_value, clue="://"),
    Rule("url-password", "https://…@github.com", r"://(?P<secret>[\w-]{20,255}+)@(?=[\w-]{1,60}\.)", "https://a1B2c3D4e5F6g7H8a1B<A13>@github.com/o/r", "https://someone@github.com/o/r", is_random, clue="://"),
)

PARAMETERS = (
    Rule("url-key", "otpauth://totp/…?secret=…", r"otpauth://[^\s\"']{0,300}?secret=(?P<secret>[A-Za-z2-7]{8,}+)", "otpauth://totp/x:me?secret=<U24>", "otpauth://totp/x:me", clue="otpauth://"),
    Rule("url-signature", "https://…?sig=…", r"sig=(?<=[?&;]sig=)(?P<secret>[A-Za-z0-9%/+_-]{40,}+=*)", "https://a.blob.core.windows.net/c?sv=1&sig=a1B<A41>", "https://example.com/search?sig=short", clue="sig="),
    Rule("url-signature", "https://…?X-Amz-Signature=…, …&Signature=…", r"Signature=(?<=[?&;-]Signature=)(?P<secret>[A-Za-z0-9%/+_~-]{20,}+=*)", "https://b.s3.amazonaws.com/k?X-Amz-Signature=<H64>", "https://example.com/?Signature=no", clue="Signature="),
    *(
        Rule("url-key", "https://…?key=…, …?code=…", rf"{word}=(?<=[?&]{word}=)(?P<secret>[\w%./+-]{{20,}}+=*)", f"https://f.example.net/api/f?{word}=a1B<A51>==", f"https://example.com/?{word}=404", is_random, clue=f"{word}=")
        for word in ("key", "code", "auth", "sid", "session", "jwt")
    ),
)

CONNECTIONS = (
    Rule("connection-string", "…;AccountKey=…", r"Key=(?:(?<=AccountKey=)|(?<=SharedAccessKey=))(?P<secret>[A-Za-z0-9+/]{20,}+=*)", "AccountName=a;AccountKey=a1B<B83>==;", "AccountName=a;AccountKey=$KEY;", clue="Key="),
    Rule("connection-string", "Server=…;Password=…;", r";[ ]{0,2}(?i:password|pwd)[ ]{0,2}=[ ]{0,2}(?P<secret>[^;\"'\n]{1,200}+)", "Server=db;Password=a1B, &(<A11>;Encrypt=1", "Server=db;Password={0};", has_value, clue=";"),
    Rule("connection-string", "sqlplus user/…@host", r"sqlplus[ ]{1,4}(?:-[A-Za-z]{1,8}[ ]{1,4}){0,3}[\w$#]{1,30}/(?P<secret>[^\s@/]{1,60}+)@", "sqlplus scott/a1B<A5>@//db:1521/x", "sqlplus /nolog", has_value, clue="sqlplus "),
    Rule("connection-string", "jdbc:oracle:thin:user/…@host", r"jdbc:oracle:\w{2,8}:[\w$#]{1,30}/(?P<secret>[^\s@/]{1,60}+)@", "jdbc:oracle:thin:me/a1B<A6>@db:1521:XE", "jdbc:oracle:thin:@db:1521:XE", has_value, clue="jdbc:oracle:"),
)
