"""The user's own rules: which hold, what they hide, and that they break nothing."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.redaction.redact import follow, following, redact, redact_own
from gitmem.redaction.user_rules import (
    Setting,
    UserRule,
    problems,
    rules_of,
    settings_of,
)

TICKET = Setting("ticket", (r"ACME-\d{6}",), ("see ACME-123456",))


def rule(*patterns: str, sample: str, name: str = "own") -> UserRule:
    [made] = rules_of([Setting(name, patterns, (sample,))])
    return made


def test_what_a_rule_finds_is_replaced_by_its_name() -> None:
    with following((TICKET,)):
        assert redact("fixed ACME-123456.") == "fixed [REDACTED:ticket]."
    assert redact("fixed ACME-123456.") == "fixed ACME-123456."


def test_several_patterns_make_one_rule_and_a_group_is_all_that_goes() -> None:
    found = rule(r"pin (?P<secret>\d{4})", r"\d+-EMCA", sample="pin 1234")
    assert found.applied("her pin 0815, his pin 4711, 3-EMCA") == (
        "her pin [REDACTED:own], his pin [REDACTED:own], [REDACTED:own]"
    )
    found = rule(r"ACME-\d+", r"\d+-EMCA", sample="ACME-1")
    assert found.applied("ACME-12-EMCA") == "[REDACTED:own]"


def test_settings_are_rules_by_their_names() -> None:
    entries = [
        ("ocm.redact.ticket.pattern", r"ACME-\d{6}"),
        ("user.name", "A"),
        ("ocm.redact.Bird.v1.sample", "tern"),
        ("ocm.redact.ticket.sample", "see ACME-123456"),
        ("ocm.redact.ticket.pattern", r"ACME-\d{6}"),
        ("ocm.redact.pattern", "x"),
    ]
    assert settings_of(entries) == (
        Setting("", ("x",), ()),
        Setting("Bird.v1", (), ("tern",)),
        TICKET,
    )


@every_row(
    ("name", "patterns", "samples", "words"),
    [
        ("", ["x+y"], ["xy"], "name"),
        ("my rule", ["x+y"], ["xy"], "name"),
        ("own", [], ["xy"], "no pattern"),
        ("own", ["x+y"], [], "no sample"),
        ("own", ["x+y"], ["xy", "zzz"], "does not find its sample 2"),
        ("own", ["x+y", "(x"], ["xy"], "pattern 2 is no regular expression"),
        ("own", ["(?=x)"], ["xy"], "pattern 1 is no regular expression"),
        ("own", ["x{1,100}{1,100}{1,100}"], ["xy"], "pattern 1 is no regular"),
        ("own", ["\ud800"], ["xy"], "pattern 1 is no regular expression"),
        ("own", [r"x\Cy"], ["xzy"], r"\C"),
        ("own", ["x" * 1001], ["x" * 1001], "longer than 1000"),
        ("own", [""], ["xy"], "where nothing is"),
        ("own", ["(xy)?"], ["xy"], "where nothing is"),
        ("own", [r"\b"], ["xy"], "where nothing is"),
        ("own", ["(?m)^"], ["xy"], "where nothing is"),
        ("own", [r"\w+"], ["xy"], "most of an ordinary text"),
        ("own", ["(?s).+"], ["xy"], "most of an ordinary text"),
        ("own", ["[aeiou]"], ["a"], "most of an ordinary text"),
    ],
)
def test_a_rule_that_does_not_prove_itself_counts_for_nothing(
    name: str, patterns: list[str], samples: list[str], words: str
) -> None:
    setting = Setting(name, tuple(patterns), tuple(samples))
    [problem] = problems([setting, TICKET])
    assert problem.name == name
    assert words in problem.reason
    assert rules_of([setting]) == ()
    assert not any(value in problem.reason for value in samples if len(value) > 1)


def test_settings_are_never_revealed(capfd: pytest.CaptureFixture[str]) -> None:
    setting = Setting("own", (r"s3cret(?<=x)",), ("s3cret",))
    [problem] = problems([setting])
    told = f"{setting} {problem} {capfd.readouterr()}"
    assert "s3cret" not in told


@every_row(
    ("pattern", "text"),
    [
        (r"\d\b", "1234567890" * 5),
        (r"^\w", "abcdefghijkl"),
        (r"REDACTED\S", "REDACTED: [REDACTED:own] [REDACTED:xyz]"),
        (r"own\W+\w", "own: own: own: own: own: own: own: own: own: own: own: own: x"),
        (r"\S+@\S+", "[REDACTED]someone@somewhere [REDACTED:jwt]@x x@[REDACTED:jwt]"),
        (r"\]\w", "[REDACTED]aaaaaaaaaaaaa"),
    ],
)
def test_second_time_changes_nothing(pattern: str, text: str) -> None:
    with following((Setting("own", (pattern,), (text,)),)):
        once = redact(text)
        assert once != "[REDACTED]"  # all of it went: it did not come to rest
        assert redact(once) == once


@every_row(
    ("pattern", "piece"),
    [
        ("(x+x+)+y", "x"),
        ("(a|a?)+b", "a"),
        ("a.*b|a!", "a!"),
        (r"\[R.*!|q", "[REDACTED:own]q"),
    ],
)
def test_no_pattern_wears_us_out(pattern: str, piece: str) -> None:
    found = rule(pattern, sample="xxy aab a! zq q")
    began = process_time()
    clean = found.applied(piece * (50_000 // len(piece)))
    assert process_time() - began < 2
    assert found.applied(clean) == clean


def test_of_a_text_that_is_full_of_it_the_rest_goes() -> None:
    found = rule("a!", sample="a!")
    clean = found.applied("a! " * 100_000)
    assert clean.count("[REDACTED:own]") == 201
    assert "a!" not in clean


PIECES = [
    *("[REDACTED:own]", "[REDACTED", "]", "own", "a1", "1", " ", ":", "é", "\n", "x"),
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.sampled_from([r"1\b", r"a1+", r"own.", r"\]x", r"(?P<secret>1)[^1]", r"é\W"]),
)
def test_any_text_comes_to_rest(text: str, pattern: str) -> None:
    with following((Setting("own", (pattern,), ("a1 own: ]x é  1x",)),)):
        assert redact(redact(text)) == redact(text)


def test_rules_are_of_one_repository_at_a_time() -> None:
    other = Setting("other", ("EMCA",), ("EMCA",))
    with following((TICKET,)):
        with following((other,)):
            assert redact("ACME-123456 EMCA") == "ACME-123456 [REDACTED:other]"
        assert redact("ACME-123456 EMCA") == "[REDACTED:ticket] EMCA"
        follow(())
        assert redact("ACME-123456 EMCA") == "ACME-123456 EMCA"


def test_what_is_gitmems_own_is_not_the_users_to_hide() -> None:
    with following((Setting("digit", (r"\b\d\b",), ("1",)),)):
        assert redact("1") == "[REDACTED:digit]"
        assert redact_own("1\n") == "1\n"


@pytest.mark.endurance
def test_rules_by_the_thousand_are_proven_once() -> None:
    many = tuple(
        Setting(f"r{n}", (f"tok{n}-[0-9]+",), (f"tok{n}-1",)) for n in range(1_000)
    )
    times = []
    with following(many):
        for _ in range(2):
            begun = process_time()
            assert redact("see tok7-123") == "see [REDACTED:r7]"
            times.append(process_time() - begun)
    assert times[1] < times[0] / 3
