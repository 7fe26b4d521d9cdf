"""Private keys as text: whole, cut off at either end, and in pieces.

A key survives being quoted, numbered, indented, put into a string of JSON or of a
program, and a line of it is worth as much to a thief as to its owner. So all that can
stand between two lines of a key is passed over, and what is left of a key is a secret
where its header, its footer or the first letters of its body tell what it is.
"""

import binascii
import re
from collections.abc import Sequence
from typing import Any

from gitmem.redaction.rule import Rule, at_start

MARK = "[REDACTED:private-key]"

_LABEL = r"(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_CLOSED = rf"(?:[^-]|-(?!----(?:BEGIN|END) )){{0,40000}}+-----END {_LABEL}"
_GAP = (
    r"""(?:[\s>|"'+*#,]|\\{1,8}[nr"']|-(?=[\s"'>])|\d{1,6}[→:|\t]"""
    r"|&(?:quot|gt|#3[49]);|[A-Z][A-Za-z-]{1,30}: [^\n]{0,100}(?:\n|\Z))"
)
_MORE = rf"(?:{_GAP}*+[A-Za-z0-9+/=_-]{{16,}}+)"
_LAST = rf"(?:{_GAP}*+[A-Za-z0-9+/]{{1,15}}=+)?"
_REST = re.compile(rf"{_MORE}*+{_LAST}", re.ASCII)
_BEGIN = re.compile(rf"-----BEGIN {_LABEL}")
_END = re.compile(rf"-----END {_LABEL}")
_BODY_BACKWARDS = re.compile(
    r"""(?:[\s>|"'+*#,]|[nr]\\{1,8})*+(?:=*[A-Za-z0-9+/]{1,15}(?=[\s>|"'+*#,\\n]))?"""
    r"""(?P<lines>(?:[\s>|"'+*#,\\]*+[A-Za-z0-9+/=]{16,}+)++)""",
    re.ASCII,
)
_PIECE = re.compile(rf"(?:{_MORE}|{_GAP})++{_LAST}", re.ASCII)
_NO_BODY = re.compile(r"""[\s>|"'+*#,]|\\{1,8}[nr]|-----[A-Z ]{1,80}-----""")
_BODY = re.compile(r"[A-Za-z0-9+/]{32}", re.ASCII)
_LONGEST = 40_000

_BODIES = {
    "b3BlbnNzaC1rZXktdjE": "",  # OpenSSH: its magic words
    "MII": r"[\w+/]{3}IBA(?:DANBgkqhkiG9w0BAQ|AK[BC])|MII[\w+/]{3}[\w+/]{2}Bgkqhki"
    r"G9w0BBQ0w",  # RSA; PKCS#8 under a passphrase
    "MIG": r"[\w+/]AgE(?:AMB[AM]GByqGSM49|BBD)",  # EC, as PKCS#8 and by itself
    "MIH": r"[\w+/]AgE(?:AMBAGByqGSM49|BBEI)",
    "MHcCAQEEI": "",  # EC, P-256
    "MC4CAQAwBQYDK2V": "",  # Ed25519, X25519
}
"""How the base64 of the DER of a private key begins (RFC 5208, 5915, 8017, 8410)."""


def _is_encoded_key(match: re.Match[str]) -> bool:
    return b"PRIVATE KEY" in binascii.a2b_base64(match["secret"][:60])


def _is_key(match: re.Match[str]) -> bool:
    """False for programs that name header and footer, with nothing in between."""
    return _BODY.search(_NO_BODY.sub("", match["secret"])) is not None


PRIVATE_KEYS = (
    Rule(
        "private-key",
        "-----BEGIN … PRIVATE KEY-----",
        rf"(?P<secret>-----BEGIN {_LABEL}(?:{_CLOSED}|{_MORE}++{_LAST}))",
        _is_key,
        clue="-----BEGIN ",
    ),
    Rule(
        "private-key",
        "LS0tLS1CRUdJTi… (base64 of one)",
        r"(?P<secret>LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,}+=*)",
        _is_encoded_key,
        clue="LS0tLS1CRUdJTi",
    ),
    *(
        Rule(
            "private-key",
            "MIIEvQIBADANBgkq…, b3BlbnNzaC1rZXkt… (its body)",
            rf"(?P<secret>{first}{at_start(first)}(?:{rest})"
            rf"[A-Za-z0-9+/=]{{16,}}+{_MORE}*+{_LAST})",
            _is_key,
            clue=first,
        )
        for first, rest in _BODIES.items()
    ),
    Rule(
        "private-key",
        "Private-Lines: … (PuTTY)",
        r"Private-Lines: \d{1,4}(?P<secret>(?:(?:[\s>+|-]|\\{1,8}[nr]|\d{1,6}[→:\t])++"
        r"[A-Za-z0-9+/]{4,}+=*)++)",
        clue="Private-Lines: ",
    ),
    Rule(
        "private-key",
        '"d": "…", "p": "…" (JWK)',
        r"\"(?:d|k|p|q|dp|dq|qi)\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\""
        r"(?P<secret>[\w-]{20,2000}+)",
        clue='"kty',
    ),
    Rule(
        "private-key",
        "PrivateKey = … (WireGuard)",
        r"(?:Private|Preshared)Key[ ]{0,2}=[ ]{0,2}(?P<secret>[A-Za-z0-9+/]{43}=)",
        _is_key,
        clue="Key",
    ),
)


def end_of_key(text: str, found_to: int) -> int:
    """Where a private key ends that was found up to some place."""
    rest = _REST.match(text, found_to, found_to + _LONGEST)
    return rest.end() if rest else found_to


def without_ends(text: str) -> str:
    """`text` without what stands before the footer of a key whose header is missing."""
    if "-----END " not in text:
        return text
    kept: list[str] = []
    done = 0
    for footer in _END.finditer(text):
        start = _begin_of_lines(text, max(done, footer.start() - _LONGEST), footer)
        if start < footer.start():
            kept += text[done:start], MARK
            done = footer.end()
    return "".join([*kept, text[done:]])


def without_pieces(items: Sequence[Any]) -> list[Any]:
    """The same items, without the texts that go on with a key that one before begins.

    `PRIVATE_KEYS` see to the item that has the header; here it is what comes behind it,
    until the footer or something that is no key.
    """
    kept = []
    is_open = False
    for item in items:
        if not isinstance(item, str):
            kept.append(item)
            continue
        goes_on = is_open and _PIECE.fullmatch(_END.split(item, maxsplit=1)[0])
        kept.append(MARK if goes_on else item)
        is_open = _is_left_open(item) or (bool(goes_on) and not _END.search(item))
    return kept


def _is_left_open(text: str) -> bool:
    begun, ended = (_last(mark, text) for mark in (_BEGIN, _END))
    return begun > ended


def _begin_of_lines(text: str, earliest: int, footer: re.Match[str]) -> int:
    """Read backwards, which takes one look; lines of a key are so either way."""
    body = _BODY_BACKWARDS.match(text[earliest : footer.start()][::-1])
    return footer.start() - (body.end() if body else 0)


def _last(mark: re.Pattern[str], text: str) -> int:
    return max((found.start() for found in mark.finditer(text)), default=-1)
