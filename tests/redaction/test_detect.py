"""Which rules would still replace something, and how often."""

from hypothesis import given, settings
from hypothesis import strategies as st
from support.rounds import rounds

from gitmem.redaction.redact import following, redact, rules_that_see
from gitmem.redaction.user_rules import Setting

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


def test_each_rule_is_counted() -> None:
    text = f"[REDACTED:github] {TOKEN} {TOKEN} <private>x</private> ACME-1"
    with following((Setting("ticket", ("ACME-1",), ("ACME-1",)),)):
        assert rules_that_see(text) == {"github": 2, "private": 1, "ticket": 1}


@settings(max_examples=rounds(5))
@given(st.text(max_size=200))
def test_no_rule_sees_anything_in_what_was_redacted(text: str) -> None:
    assert not rules_that_see(redact(f"{text} {TOKEN}"))
