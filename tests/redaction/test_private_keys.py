"""No line of a private key is kept, however the key was cut up."""

import random
import string

from support.rounds import every_row

from gitmem.redaction.redact import redact, seal

BASE64 = string.ascii_letters + string.digits + "+/"
CHANCE = random.Random(6)
LINES = ["".join(CHANCE.choices(BASE64, k=64)) for _ in range(9)]
LAST = "".join(CHANCE.choices(BASE64, k=22)) + "=="
BODY = [*LINES, LAST]
LABEL = "RSA " + "PRIVATE KEY-----"
BEGIN, END = "-----BEGIN " + LABEL, "-----END " + LABEL
WHOLE = [BEGIN, *BODY, END]
QUOTED = [f'"{line}\\n" +' for line in WHOLE]
NUMBERED = [f"{number:6}\u2192{line}" for number, line in enumerate(WHOLE, 1)]


def left_of_key(text: str) -> list[str]:
    return [line for line in BODY if line in text]


@every_row(
    "text",
    [
        "\n".join(WHOLE),
        "\n".join(["key: |", *(f"    {line}" for line in WHOLE)]),
        "\n".join(f"> {line}" for line in WHOLE),
        "\n".join(QUOTED),
        "\n".join(NUMBERED),
        '{"private_key": "' + "\\n".join(WHOLE) + '\\n", "client_id": "1"}',
        "[" + ",\n ".join(f'"{line}"' for line in WHOLE) + "]",
        "\n".join(WHOLE[:5]),
        "\n".join(WHOLE[4:]),
        '"' + "\\n".join(WHOLE[4:]) + '"',
        "\n".join(["MIIEpAIBAAKCAQEA" + LINES[0][16:], *BODY[1:]]),
        "\n".join(WHOLE).replace("-", ""),
        "\n".join(WHOLE).replace("-----", "-"),
        "\n".join(WHOLE).replace("-----", "**"),
        " ".join(WHOLE).replace("-----", ""),
        "\n".join([BEGIN.replace("-----", ""), *BODY]),
    ],
)
def test_no_line_of_a_key_is_left(text: str) -> None:
    cleaned = redact(f"before\n{text}\nafter it")
    assert left_of_key(cleaned) == []
    assert cleaned.startswith("before\n")
    assert cleaned.endswith("after it")


@every_row("parts", [1, 2, 3, 5])
def test_a_key_split_over_the_items_of_a_list_is_found(parts: int) -> None:
    items = ["\n".join(WHOLE[at : at + parts]) for at in range(0, len(WHOLE), parts)]
    cleaned = seal(["first", *items, "then the tests ran"], repr)
    assert left_of_key(cleaned) == []
    assert "first" in cleaned
    assert "then the tests ran" in cleaned


def test_non_key_after_a_list_header_stays() -> None:
    items = ["the file says " + BEGIN, "so it has to be moved", LINES[0]]
    assert "so it has to be moved" in seal(items, repr)
    assert LINES[0] in seal(items, repr)


@every_row(
    "text",
    [
        f'START = b"{BEGIN}"\nSTOP = b"{END}"\n',
        f"grep -c '{END}' file",
        "BEGIN RSA PRIVATE KEY is how it begins, in /etc/ssl/private/AcmeServer2026",
        "PRIVATE KEY\n" + "0123456789abcdef" * 4,
        "-----BEGIN CERTIFICATE-----\n"
        + "\n".join(BODY)
        + "\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\n" + "\n".join(BODY) + "\n-----END PUBLIC KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + LINES[0][:42] + " me@host",
    ],
)
def test_what_is_public_stays(text: str) -> None:
    assert redact(text) == text
