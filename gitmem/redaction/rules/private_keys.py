"""Private keys as text: whole, cut off at either end, and in pieces.

A key may be quoted, numbered, indented, or in a string of JSON or of a program. All
that can stand between two of its lines is skipped, and a piece is a secret where its
header, its footer or the first letters of its body show what it is.
"""

# fmt: off
# ruff: noqa: E501 - a rule of the table is a line

import binascii
import re
from collections.abc import Iterator

from gitmem.redaction.rule import Rule, Secret, at_start
from gitmem.text.patterns import pattern

PRIVATE_KEY = "private-key"
"""The name of all of these rules."""

_LABEL = r"(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_CLOSED = rf"(?:[^-]|-(?!----(?:BEGIN|END) )){{0,40000}}+-----END {_LABEL}"
_GAP = (
    r"""(?:[\s>|"'+*#,]|\\{1,8}[nr"']|-(?=[\s"'>])|\d{1,6}[→:|\t]"""
    r"|&(?:quot|gt|#3[49]);|[A-Z][A-Za-z-]{1,30}: [^\n]{0,100}(?:\n|\Z))"
)
_MORE = rf"(?:{_GAP}*+[A-Za-z0-9+/=_-]{{16,}}+)"
_LAST = rf"(?:{_GAP}*+[A-Za-z0-9+/]{{1,15}}=+)?"
_MIXED = r"(?=\S{0,39}[0-9])(?=\S{0,39}[a-z])(?=\S{0,39}[A-Z])"
_REST = pattern(rf"{_MORE}*+{_LAST}", re.ASCII)
_END = pattern(rf"-----END {_LABEL}")
_BODY_BACKWARDS = pattern(
    r"""(?:[\s>|"'+*#,]|[nr]\\{1,8})*+(?:=*[A-Za-z0-9+/]{1,15}(?=[\s>|"'+*#,\\n]))?"""
    r"""(?P<lines>(?:[\s>|"'+*#,\\]*+[A-Za-z0-9+/=]{16,}+)++)""",
    re.ASCII,
)
_NO_BODY = pattern(r"""[\s>|"'+*#,]|\\{1,8}[nr]|-----[A-Z ]{1,80}-----""")
_BODY = pattern(r"[A-Za-z0-9+/]{32}", re.ASCII)
_LONGEST = 40_000

_BODIES = (
    ("b3BlbnNzaC1rZXktdjE", "", "b3BlbnNzaC1rZXktdjEA"),  # OpenSSH: its magic words
    (  # RSA; PKCS#8 under a passphrase
        "MII",
        r"[\w+/]{3}IBA(?:DANBgkqhkiG9w0BAQ|AK[BC])|MII[\w+/]{3}[\w+/]{2}BgkqhkiG9w0BBQ0w",
        "MIIEvQIBADANBgkqhkiG9w0BAQEF",
    ),
    ("MIG", r"[\w+/]AgE(?:AMB[AM]GByqGSM49|BBD)", "MIGHAgEAMBMGByqGSM49"),  # EC
    ("MIH", r"[\w+/]AgE(?:AMBAGByqGSM49|BBEI)", "MIHuAgEAMBAGByqGSM49"),
    ("MHcCAQEEI", "", "MHcCAQEEI"),  # EC, P-256
    ("MC4CAQAwBQYDK2V", "", "MC4CAQAwBQYDK2V"),  # Ed25519, X25519
)
"""How the base64 of the DER of a private key begins (RFC 5208, 5915, 8017, 8410)."""


def _is_encoded_key(match: re.Match[str]) -> bool:
    return b"PRIVATE KEY" in binascii.a2b_base64(match["secret"][:60])


def _is_key(match: re.Match[str]) -> bool:
    """Return False for a header and footer with nothing in between."""
    return _BODY.search(_NO_BODY.sub("", match["secret"])) is not None


PRIVATE_KEYS = (
    Rule(PRIVATE_KEY, "-----BEGIN … PRIVATE KEY-----", rf"(?P<secret>-----BEGIN {_LABEL}(?:{_CLOSED}|{_MORE}++{_LAST}))", "-----BEGIN PRIVATE KEY-----\n<B64>\n<B64>\n<B64>\n-----END PRIVATE KEY-----", "check that the first line is -----BEGIN PRIVATE KEY----- and go on", _is_key, "-----BEGIN "),
    Rule(PRIVATE_KEY, "BEGIN … PRIVATE KEY (without its dashes)", rf"PRIVATE KEY(?: BLOCK)?[-*=_ ]{{0,10}}(?P<secret>{_GAP}*+{_MIXED}[A-Za-z0-9+/]{{40,}}+{_MORE}*+{_LAST})", "BEGIN RSA PRIVATE KEY\n<B64>\n<B64>\nEND RSA PRIVATE KEY", "BEGIN RSA PRIVATE KEY is how it begins", _is_key, "PRIVATE KEY"),
    Rule(PRIVATE_KEY, "LS0tLS1CRUdJTi… (base64 of one)", r"(?P<secret>LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,}+=*)", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo<B400>", "LS0tLS1CRUdJTi is how it begins", _is_encoded_key, "LS0tLS1CRUdJTi"),
    *(
        Rule(PRIVATE_KEY, "MIIEvQIBADANBgkq…, b3BlbnNzaC1rZXkt… (its body)", rf"(?P<secret>{first}{at_start(first)}(?:{rest})[A-Za-z0-9+/=]{{16,}}+{_MORE}*+{_LAST})", f"{sample}<B40>\n<B64>\n<B64>", f"{first} is how it begins", _is_key, first, is_word=True)
        for first, rest, sample in _BODIES
    ),
    Rule(PRIVATE_KEY, "Private-Lines: … (PuTTY)", r"Private-Lines: \d{1,4}(?P<secret>(?:(?:[\s>+|-]|\\{1,8}[nr]|\d{1,6}[→:\t])++[A-Za-z0-9+/]{4,}+=*)++)", "Private-Lines: 2\n<B64>\n<B64>", "Private-Lines: many", clue="Private-Lines: "),
    Rule(PRIVATE_KEY, '"d": "…", "p": "…" (JWK)', r"\"(?:d|k|p|q|dp|dq|qi)\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"(?P<secret>[\w-]{20,2000}+)", '{"kty": "EC", "d": "a1B<W40>"}', '{"kty": "EC", "x": "abc"}', clue='"kty'),
    Rule(PRIVATE_KEY, "PrivateKey = … (WireGuard)", r"(?:Private|Preshared)Key[ ]{0,2}=[ ]{0,2}(?P<secret>[A-Za-z0-9+/]{43}=)", "PrivateKey = a1B<B40>=", "PrivateKey = load()", _is_key, "Key"),
)


def end_of_key(text: str, found_to: int) -> int:
    """Return the end of a private key that was found up to an offset."""
    rest = _REST.match(text, found_to, found_to + _LONGEST)
    return rest.end() if rest else found_to


def ends_of_keys(text: str) -> Iterator[Secret]:
    """Yield what stands before the footer of a key whose header is missing."""
    done = 0
    for footer in _END.finditer(text) if "-----END " in text else ():
        earliest = max(done, footer.start() - _LONGEST)
        # Backwards, which takes one look; lines of a key are so either way.
        if body := _BODY_BACKWARDS.match(text[earliest : footer.start()][::-1]):
            done = footer.end()
            yield Secret(footer.start() - body.end(), done, PRIVATE_KEY)
