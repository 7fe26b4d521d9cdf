"""A secret behind base64 or hex is found, and nothing else that is encoded goes."""

import base64
import random
import textwrap
from collections.abc import Callable

from support.rounds import every_row

from gitmem.redaction.redact import redact

PLAIN = "# settings\nDATABASE_URL=postgres://me:" + "tr0ub4dor3x@db/app\nDEBUG=1\n"
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6" * 3
MARK = "[REDACTED:encoded]"


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def url_safe(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(encoded(text * 3), 76))


WAYS: list[Callable[[str], str]] = [
    encoded,
    url_safe,
    wrapped,
    lambda text: text.encode().hex(),
    lambda text: encoded(encoded(text)),
    lambda text: encoded(text.encode().hex()),
]


@every_row("way", WAYS)
@every_row("text", [PLAIN, TOKEN, f"user:{TOKEN}", f"a\n{PLAIN}"])
def test_encoded_secret_goes_as_a_whole(way: Callable[[str], str], text: str) -> None:
    assert redact(f"see {way(text)}\nand on") == f"see {MARK}\nand on"


def test_what_is_encoded_in_manifests_and_headers_is_found() -> None:
    manifest = f"kind: ConfigMap\ndata:\n  url: {encoded(PLAIN)}\n  plain: aGVsbG8=\n"
    assert redact(manifest) == manifest.replace(encoded(PLAIN), MARK)
    header = f"Authorization: Basic {encoded('me:tr0ub4dor3x')}"
    assert redact(header) == "Authorization: Basic [REDACTED:authorization]"


def test_what_is_encoded_and_no_secret_stays() -> None:
    r = random.Random(3)
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + r.randbytes(20_000)).decode()
    texts = [
        encoded("Nothing to hide here, just a sentence of some length. " * 5),
        encoded('{"version":3,"sources":["a.ts"],"mappings":"AAAA,IAAM"}'),
        f"data:image/png;base64,{picture}",
        r.randbytes(500).hex(),
        " ".join(r.randbytes(20).hex() for _ in range(200)),
    ]
    for text in texts:
        assert redact(text) == text
