"""No text takes the rules more than linear time, whatever it is made of.

The hostile texts are put together from what the rules look for: samples of secrets,
cut off anywhere, in each other, again and again, with long runs of a few letters in
between. Many short texts take hardly more than all of them as one.
"""

import re
from time import process_time

import pytest
from redaction.test_secrets import SAMPLES, Chance
from support.rounds import every_row, rounds

from gitmem.redaction.engine import RULES
from gitmem.redaction.letters import finder, in_ascii
from gitmem.redaction.redact import redact

FILLERS = ["a", "A1", "0", "f", "/", "-", "_", ".", " ", "\n", "\\", "\\n", '"', "'"]
FILLERS += ["=", ":", "@", "%", "$", "<", "é", "key=", "token: ", "--", "://a:", "IiIi"]
LINE = "The reader in src/gitmem/model/session_reader.py failed on line {}: no end.\n"
SECONDS_A_MEGABYTE = 3
"""Of the processor. What costs most is text made of nothing but secrets."""


def hostile(seed: int, size: int) -> str:
    r = Chance(seed)
    pieces: list[str] = []
    for _ in range(r.randint(1, 3)):
        text, _ = SAMPLES[r.choice(sorted(SAMPLES))](r)
        start = r.choice([0, 0, r.randrange(len(text))])
        pieces.append(text[start : r.randint(start + 1, len(text))])
        pieces.append(r.choice(FILLERS) * r.choice([0, 1, 2, 40, 4000]))
    r.shuffle(pieces)
    once = r.choice([0, 0, 1])
    head, unit = "".join(pieces[:once]), "".join(pieces[once:]) or "a"
    return (head + unit * (size // len(unit) + 1))[:size]


def seconds(text: str) -> float:
    begun = process_time()
    redact(text)
    return process_time() - begun


WORST = [
    "token=",
    "secret=token=pwd=",
    'credentials: "a password=',
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n",
    "password=",
    'password="',
    "password=x1!y2@z ",
    "token=a1b2c3d4e5 ",
    "token = " + "a" * 40 + "1234! ",
    "a:a@",
    "://a:",
    "<private>",
    "<private a='",
    "<private>x</private>",
    "eyJ",
    "eyJabcdefghij.",
    "a",
    "-",
    "--a-",
    "curl -u a:",
    "machine a ",
    "LS0tLS1CRUdJTi" + "A" * 60,
    "Private-Lines: 1\nAAAA ",
    "SG." + "a" * 20 + ".",
    "\\",
    " ",
]


def assert_linear(piece: str, size: int) -> None:
    seconds_a_character = 8e-6  # where every other word is a secret
    for text in (piece * size, piece + "a" * size, piece + "a." * size):
        allowed = seconds_a_character * size + 0.05
        assert any(seconds(text[:size]) < allowed for _ in range(3))


@every_row("piece", WORST)
def test_hostile_text_costs_little_more_than_plain_text(piece: str) -> None:
    assert_linear(piece, 5_000)


@pytest.mark.slow
@pytest.mark.parametrize("piece", WORST)
def test_a_hostile_megabyte_costs_little_more_than_a_plain_one(piece: str) -> None:
    assert_linear(piece, 1_000_000)


def test_lines_one_by_one_cost_little_more_than_all_together() -> None:
    """A text costs some 20 µs by itself, about as much as five lines."""
    lines = [LINE.format(number) for number in range(100)]
    assert any(sum(map(seconds, lines)) < 9 * seconds("".join(lines)) for _ in range(5))


def test_a_hostile_text_costs_little() -> None:
    for seed in range(10):
        assert seconds(hostile(seed, 5_000)) < 0.005 * SECONDS_A_MEGABYTE + 0.3, seed


@every_row(
    "line",
    [
        *("a,password\n", "| a | password |\n|---|---|\n", "a  password\n"),
        *("password,token\nabc1,def2\n", "x" * 301 + ", password\n"),
    ],
)
def test_lines_that_may_be_the_heads_of_tables_are_read_once(line: str) -> None:
    few, many = (seconds(line * count) for count in (50, 500))
    assert many < 20 * few + 0.1


def test_all_clues_of_a_text_are_found_in_one_pass() -> None:
    clues = [rule.clue or f"(?i){rule.head}" for rule in RULES]
    find = finder(zip(clues, range(len(clues)), strict=True))
    for seed in range(30):
        text = hostile(seed, 1_000)
        found = [n for n, clue in enumerate(clues) if re.search(clue, text, re.ASCII)]
        assert find(in_ascii(text)) == found, seed


@pytest.mark.endurance
def test_a_hostile_text_of_twice_the_size_costs_twice_as_much() -> None:
    """In one of three tries: what else the machine does may slow down either."""
    for seed in range(rounds(40)):
        texts = [hostile(seed, size) for size in (40_000, 160_000)]
        tries = (map(seconds, texts) for _ in range(3))
        assert any(is_linear(*measured) for measured in tries), seed


def is_linear(small: float, large: float) -> bool:
    return large < 0.16 * SECONDS_A_MEGABYTE + 0.3 and large < 6 * small + 0.1
