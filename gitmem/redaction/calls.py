"""Secrets that programs hand to well-known functions, as literals."""

from gitmem.redaction.false_positives import is_chosen, is_random
from gitmem.redaction.rule import Rule

_LITERAL = r"[rb]{0,2}\\{0,3}[\"'](?P<secret>[^\"'\n\\]{6,500})\\{0,3}[\"']"
_TEXTS = r"(?:\s{0,40}[\"'][^\"'\n]{0,200}[\"'],){1,3}\s{0,40}"
_VALUE = r"[\w.\"'-]{1,80},[ ]?"

CALLS = (
    *(
        Rule("call", shape, rf"{clue}{rest}\({_TEXTS}{_LITERAL}", is_chosen, clue=clue)
        for clue, rest, shape in (
            ("auth=", "", "auth=('user', '…')"),
            ("BasicAuth", "", "HTTPBasicAuth('user', '…')"),
            ("login", "", "smtp.login('user', '…')"),
            ("getConnection", "", "getConnection(url, 'user', '…')"),
            ("mysqli", "(?:_connect)?", "new mysqli('host', 'user', '…')"),
            ("PDO", "", "new PDO(dsn, 'user', '…')"),
            ("create_", "(?:super)?user", "create_user('name', 'mail', '…')"),
        )
    ),
    *(
        Rule("call", shape, rf"{clue}{rest}{_LITERAL}", is_random, clue=clue)
        for clue, rest, shape in (
            ("jwt.", rf"\w{{4,6}}\({_VALUE}", "jwt.encode(payload, '…')"),
            ("hmac.", r"new\(", "hmac.new(b'…')"),
            ("Fernet", r"\(", "Fernet(b'…')"),
        )
    ),
)
