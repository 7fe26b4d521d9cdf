"""A secret is found however the text that has it was quoted, coloured or copied."""

import html
import json
from collections.abc import Callable
from urllib.parse import quote

from redaction.test_secrets import SAMPLES, Chance
from support.rounds import every_row

from gitmem.redaction.redact import redact

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6" * 3
KEY = "AWS_SECRET_ACCESS_KEY=" + "a1B2/c3D4+" * 4
GITHUB, AWS = "[REDACTED:github]", "[REDACTED:aws]"


def among(characters: str, every: int = 7) -> Callable[[str], str]:
    return lambda text: characters.join(
        text[at : at + every] for at in range(0, len(text), every)
    )


def wide(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) for letter in text)


def each(form: str) -> Callable[[str], str]:
    return lambda text: "".join(form.format(ord(letter)) for letter in text)


WAYS: list[Callable[[str], str]] = [
    *map(among, ["\u200b", "\u00ad", "\ufeff", "\u2066", "\0", "\x1b[1;31m"]),
    among("\u200b", 30),  # so late that the first half would be a token by itself
    lambda text: rf"\u001b[32m{text}\u001b[0m",
    *(wide, each("%{:02X}"), each("&#{};"), each("&#x{:x};"), each(r"\u{:04x}")),
    each("%25{:02x}"),
]


@every_row("way", WAYS)
@every_row("text", [TOKEN, KEY])
def test_a_secret_spelled_otherwise_goes(way: Callable[[str], str], text: str) -> None:
    spelled = way(text)
    found = redact(f"see\nthis {spelled} here\nand on")
    assert found.startswith("see\nthis ")
    assert found.endswith(" here\nand on")
    assert spelled[-20:] not in found
    assert GITHUB in found or AWS in found


JOINTS = [
    *(
        "' + '",
        "'\n  + '",
        "' +\n    '",
        "'\n    '",
        "' . '",
        "' \\\n  '",
        "\\\n",
        "\\\n    ",
    ),
    *("' +\n+    '", "'\n-        '", "' +\n    f'", "' + \"", r"\' +\n \'"),
]


@every_row("joint", JOINTS)
@every_row("every", [9, 30])
@every_row("text", [TOKEN, KEY])
def test_a_secret_that_code_joins_goes(joint: str, every: int, text: str) -> None:
    found = redact(f"see\n  key = ('{among(joint, every)(text)}')\nand 'on' + 'on'")
    assert found.startswith("see\n  key = ('")
    assert found.endswith("\nand 'on' + 'on'")
    assert text[-5:] not in found
    assert GITHUB in found or AWS in found


LINES = [
    *("-{}", "+{}", "*{}*", "\\x1b[32m{}\\x1b[0m"),
    *("\x1b]8;;https://example.com\x07{}", "a=%22{}%22"),
]


def test_a_string_with_a_value_of_its_own_is_joined_to_none() -> None:
    lines = '"password": "sunshine"\n"password": "moonlight"\n'
    mark = "[REDACTED:assignment]"
    assert redact(lines) == f'"password": "{mark}"\n"password": "{mark}"\n'


@every_row("line", LINES)
def test_marks_before_a_word_hide_no_secret(line: str) -> None:
    text, hidden = SAMPLES["…-us12"](Chance(1))
    assert hidden not in redact(f"see\n{line.format(text)}\nand on")


DOCKER = '{"auths": {"docker.io": {"auth": "' + "bWU6dHIwdWI0ZG9yM3g0" + '"}}}'
PAIRS = '{"name": "DB_PASSWORD", "value": "' + "tr0ub4dor3x" + '"}'


@every_row("text", [DOCKER, PAIRS])
def test_what_is_quoted_in_json_again_and_again_is_found(text: str) -> None:
    for _ in range(3):
        text = json.dumps(text)
        assert "tr0ub4" not in redact(text)
        assert "dHIwdWI0" not in redact(text)


@every_row(
    "way",
    [
        *(quote, html.escape, json.dumps, lambda text: json.dumps(json.dumps(text))),
        lambda text: json.dumps(text).replace("/", r"\/"),
        lambda text: text.replace("\n", "\n+"),
        lambda text: f"SSH_ID={text}",
    ],
)
def test_all_lines_of_a_private_key_go(way: Callable[[str], str]) -> None:
    for seed in range(6):
        for shape in ("-----BEGIN … PRIVATE KEY-----", _BODY):
            text, hidden = SAMPLES[shape](Chance(seed))
            assert hidden[:40] not in redact(f"see\n{way(text)}\nand on")


_BODY = "MIIEvQIBADANBgkq…, b3BlbnNzaC1rZXkt… (its body)"


@every_row(
    "line",
    [
        "- item\n-- signed\n+1, *bold* and _so_",
        "GET /search?q=%C3%A9t%C3%A9&next=%2Fhome%3Fa%3D1 200",
        "if (a &amp;&amp; b &lt; c) return &quot;x&quot;;",
        r"C:\new\u0041 and \/home\/me\/project and \x41\x42",
        "密码：请输入；👩\u200d💻 and naïve",
        "say('the session ' + 'is wrong') or f('tok' + 'en: none')",
        "role: 'admin' | 'viewer', ['ghp_' + name, 'token' + '=']",
        "- 'password'\n- 'rotates'\n- 'weekly'",
        "docker run --env-file a.env\\\n    --rm image\\\n    && true",
        "printf '%20s %5d %2$s' \x1b[31mred\x1b[0m",
    ],
)
def test_what_is_spelled_so_and_no_secret_stays(line: str) -> None:
    assert redact(line) == line
