"""Every shape of secret is found wherever it stands, and nothing else is touched.

The samples are put together at run time, so that no scanner takes this file for a leak.
"""

import random
import re
import string
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row
from support.strategies import session

from gitmem.documents.session.session import Session
from gitmem.redaction.engine import RULES
from gitmem.redaction.redact import redact, seal
from gitmem.redaction.rule import Rule

ALNUM = string.ascii_letters + string.digits

Sample = tuple[str, str]
"""A text, and the part of it that has to go."""

LETTERS = {
    "A": ALNUM,
    "B": ALNUM + "+/",
    "E": string.ascii_letters,
    "H": "0123456789abcdef",
    "L": string.ascii_lowercase + string.digits,
    "l": string.ascii_lowercase,
    "S": "".join(sorted(set(ALNUM) - set("0OIl"))),
    "U": string.ascii_uppercase + "234567",
    "W": ALNUM + "_-",
}
_RANDOM = re.compile(rf"<(?P<letters>[{''.join(LETTERS)}])(?P<size>\d+)>")


class Chance(random.Random):
    def some(self, size: int, letters: str = ALNUM) -> str:
        return "".join(self.choices(letters, k=size))


def filled(sample: str, r: random.Random) -> Sample:
    """A sample of a rule with random letters, of which the longest run has to go.

    A run ends in two letters, as a cut at `-` or `=` would prove nothing.
    """
    runs = []

    def run(match: re.Match[str]) -> str:
        letters = LETTERS[match["letters"]]
        last = [letter for letter in "abAB22" if letter in letters][:2]
        runs.append("".join([*r.choices(letters, k=int(match["size"]) - 2), *last]))
        return runs[-1]

    text = _RANDOM.sub(run, sample)
    return text, max(runs, key=len)


def sample_of(rule: Rule) -> Callable[[random.Random], Sample]:
    return lambda r: filled(rule.sample, r)


SAMPLES = {rule.shape: sample_of(rule) for rule in RULES}

shapes = st.sampled_from(sorted(SAMPLES))
seeds = st.integers(0, 2**32)
BREAKS = [" ", "\n", "\t", '"', "'", "`", ")", ",", "|", "\\n", ">"]
begins = st.sampled_from([*BREAKS, "("])
ends = st.sampled_from([*BREAKS, ". "])
"""Not a bracket that opens: what it stands behind is called."""


@every_row("rule", RULES)
def test_a_rule_finds_its_sample_and_leaves_its_counter_sample(rule: Rule) -> None:
    for seed in range(2):
        text, hidden = sample_of(rule)(Chance(seed))
        found = redact(f"see {text}\nand on")
        assert hidden not in found
        assert f"[REDACTED:{rule.name}]" in found
        assert found.endswith("\nand on")
    text, hidden = sample_of(rule)(Chance(3))
    stays = rule.counter_sample or text[: text.index(hidden) + 5]
    assert redact(f"see {stays} there") == f"see {stays} there"


def test_a_secret_behind_an_escape_or_a_mark_is_found() -> None:
    """As a program quotes it: what stands before is no part of it."""
    for shape, sample in SAMPLES.items():
        text, hidden = sample(Chance(1))
        for before, behind in ((r"\n", r"\n"), ('"', '"'), ("(", ")"), ("|", "|")):
            assert hidden not in redact(before + text + behind), (shape, before)
        for behind in (". ", ".\n"):
            assert hidden not in redact(f"see {text}{behind}and"), (shape, behind)


@given(shapes, seeds, st.text(), begins, ends, st.text())
def test_a_secret_is_found_in_any_text(
    shape: str, seed: int, before: str, left: str, right: str, after: str
) -> None:
    text, hidden = SAMPLES[shape](Chance(seed))
    assert hidden not in redact(before + left + text + right + after)


TEXT_FIELDS = [f.name for f in fields(Session) if f.type in (str, "str", str | None)]
LIST_FIELDS = [f.name for f in fields(Session) if f.type == tuple[str, ...]]


@given(shapes, seeds, st.sampled_from(TEXT_FIELDS + LIST_FIELDS))
def test_every_session_field_is_redacted(shape: str, seed: int, field: str) -> None:
    text, hidden = SAMPLES[shape](Chance(seed))
    value = (text,) if field in LIST_FIELDS else text
    assert hidden not in seal(session(**{field: value}), repr)


TOKEN_RULES = [rule for rule in RULES if "body" in rule.pattern.groupindex]


def test_what_stands_in_the_midst_of_a_word_is_no_token() -> None:
    for rule in TOKEN_RULES:
        text, _ = sample_of(rule)(Chance(3))
        assert f":{rule.name}]" not in redact(f"Q9{text}"), rule.shape


def lines_of(name: str) -> list[str]:
    """The lines of a file beside this one, with their `\\n` as line ends."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [line.replace(r"\n", "\n") for line in text.splitlines()]


def test_what_is_no_secret_stays() -> None:
    assert [line for line in lines_of("stays.txt") if redact(line) != line] == []


def test_base64_and_hex_in_bulk_stay() -> None:
    r = Chance(7)
    for letters in (LETTERS["B"], LETTERS["H"], LETTERS["W"]):
        bulk = "\n".join(r.some(76, letters) for _ in range(300))
        assert redact(bulk) == bulk


@every_row(
    ("rule", "line"),
    [
        ("assignment", "password: <q7Zr2Xw9Kb4N>"),
        ("assignment", "export DB_PASSWORD=<q7Zr2Xw9Kb4N>"),
        ("assignment", "SECRET_KEY = '<q7Zr2Xw9Kb4N>'"),
        ("assignment", '{"api_key": "<q7Zr2Xw9Kb4N>", "n": 1}'),
        ("assignment", r"{\"password\": \"<q7Zr2Xw9Kb4N>\"}"),
        ("assignment", "password: str = '<q7Zr2Xw9Kb4N>'"),
        ("assignment", "**Password:** `<q7Zr2Xw9Kb4N>`"),
        ("assignment", "GET /?access_token=<q7Zr2Xw9Kb4N>&page=2"),
        ("assignment", "X-Api-Key: <q7Zr2Xw9Kb4N>"),
        ("assignment", "//registry/:_authToken=<q7Zr2Xw9Kb4N>"),
        ("assignment", "cmd --password=<q7Zr2Xw9Kb4N> -v"),
        ("assignment", "cmd --db-password '<q7Zr2Xw9Kb4N>' -v"),
        ("url-password", "redis://:<q7Zr2Xw9Kb4N>@cache:6379/0"),
        ("url-password", "https://me:<q7Zr2Xw9Kb4N>@host/p"),
        ("assignment", "kubernetes_secret: <q7Zr2Xw9Kb4N==>"),
        ("authorization", '"authorization": "Basic <q7Zr2Xw9Kb4N>"'),
        ("assignment", "AccountKey=<q7Zr2Xw9Kb4N==>;Suffix=x"),
    ],
)
def test_only_the_value_is_replaced(rule: str, line: str) -> None:
    """The value stands in angle brackets."""
    expected = re.sub("<.*>", f"[REDACTED:{rule}]", line)
    assert redact(re.sub("[<>]", "", line)) == expected


@every_row("escape", [r"\n", r"\t", "%22", r"\u0022", "\x1b[32m", "é", "_"])
def test_an_escape_before_a_token_hides_nothing(escape: str) -> None:
    text, hidden = SAMPLES["ghp_…, ghs_…"](Chance(1))
    assert hidden not in redact(escape + text)


SHOWN_IN_MANUALS = (
    ("AKIA" + "IOSFODNN7EXAMPLE", "aws"),
    ("gh" + "p_" + "x" * 36, "github"),
    ("sk-" + "ant-api03-" + "a" * 40, "anthropic"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "aws"),
    ("postgres://user:" + "password@localhost/db", "url-password"),
    ("redis://:" + "topsecret@localhost", "url-password"),
    ("password=" + "changeme", "assignment"),
)


@every_row(("text", "rule"), SHOWN_IN_MANUALS)
def test_what_has_the_shape_of_a_secret_counts_as_one(text: str, rule: str) -> None:
    assert redact(text).endswith(f"[REDACTED:{rule}]") or f":{rule}]@" in redact(text)


@every_row(
    "text",
    [
        'credentials: "user=admin password={}"',
        '{{"token": "use password={} please"}}',
        'token="not closed and PGPASSWORD={} psql',
    ],
)
def test_a_secret_inside_a_value_that_is_none_is_found(text: str) -> None:
    hidden = "Sup3r" + "S3cret!"
    assert hidden not in redact(text.format(hidden))
