"""Redaction: what passes it, what it cuts out, and that there is no way round it."""

import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.harness import NOON
from support.rounds import every_row
from support.strategies import session

from gitmem.documents.session.session import Reference, Session, Status
from gitmem.git.values import Change, FileChange
from gitmem.redaction.redact import (
    Redacted,
    following,
    redact,
    rules_that_see,
    seal,
)
from gitmem.redaction.user_rules import Setting

HIDDEN = "tr0ub4dor&3x"
SECRET = f"password='{HIDDEN}'"
SESSION = session()


def test_redacted_text_cannot_be_made_by_hand() -> None:
    sealed = redact("clean")
    assert type(sealed) is Redacted
    changed = (sealed + "x", sealed.upper(), sealed[:], str(sealed))
    assert {type(each) for each in changed} == {str}
    assert copy.copy(sealed) is copy.deepcopy(sealed) is sealed
    for make in (lambda: Redacted("x"), lambda: pickle.loads(pickle.dumps(sealed))):
        with pytest.raises(TypeError):
            make()


@every_row(
    ("text", "kept"),
    [
        ("a <private>b</private> c", "a [REDACTED] c"),
        ("a <PRIVATE>b\nb</Private > c", "a [REDACTED] c"),
        ("a <private>b <private>c</private> d</private> e", "a [REDACTED] e"),
        ("a <private>b", "a [REDACTED]"),
        ("a <private>b <private>c</private> d", "a [REDACTED]"),
        ("a <private reason='x > y' k=v>b</private> c", "a [REDACTED] c"),
        ("a <private>b</private><private>c</private>", "a [REDACTED][REDACTED]"),
        ("a </private> b", "a </private> b"),
        ("ssh -i <private key file> host", "ssh -i <private key file> host"),
        ("std::vector<privateer> v", "std::vector<privateer> v"),
    ],
)
def test_private_text_is_cut_out(text: str, kept: str) -> None:
    assert redact(text) == kept


HOSTILE = st.lists(
    st.sampled_from(
        [
            "<private>", "</private>", "<private a='", "password", "token", "=", ": ",
            "--", '"', "'", "\\", "\n", " ", "https://u:", "@h", "eyJhbGciOi", ".",
            "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----",
            "AKIA", "Bearer ", "Authorization: ", "[REDACTED]", "[REDACTED:jwt]",
            "q7Zr2Xw9Kb4Nm8Lp", "MIIEvQIBADANBgkq", ";pwd=", "curl -u a:", "\ud800",
            "\x00", "hunter2", "EXAMPLE", "xxx", "(", "$", "sk-", "\\n",
        ]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@given(st.text(st.characters(), max_size=300) | HOSTILE)
def test_any_text_passes_and_a_second_pass_changes_nothing(text: str) -> None:
    assert redact(redact(text)) == redact(text)


def test_what_each_rule_would_still_replace_is_counted() -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    text = f"[REDACTED:github] {token} {token} <private>x</private> ACME-1"
    with following((Setting("ticket", ("ACME-1",), ("ACME-1",)),)):
        assert rules_that_see(text) == {"github": 2, "private": 1, "ticket": 1}
        assert not rules_that_see(redact(text))


def test_seal_looks_into_every_field_of_a_session() -> None:
    dirty = replace(
        SESSION,
        goal=SECRET,
        branch=SECRET,
        work_completed=("fine", SECRET),
        files=(FileChange(SECRET, Change.CREATED),),
        references=(Reference(f"https://u:{HIDDEN}@h/", SECRET),),
        extra_body=f"## Notes\n{SECRET}\n",
    )
    sealed = seal(dirty, repr)
    assert type(sealed) is Redacted
    assert HIDDEN not in sealed
    assert sealed.count("[REDACTED:") == 7


def test_seal_changes_nothing_in_a_clean_session() -> None:
    dirty = replace(SESSION, goal="Ship it.", status=Status.CLOSED)
    assert seal(dirty, repr) == repr(dirty)


def test_seal_looks_into_json_and_judges_a_text_by_its_key() -> None:
    mark = "[REDACTED:assignment]"
    value = {
        "password": HIDDEN,
        "next": [{"api_key": "q7Zr2Xw9Kb4N", SECRET: 1}, None, True, 2.5],
        "token": "your token",
        "when": NOON,
    }
    expected = {
        "password": mark,
        "next": [{"api_key": mark, f"password='{mark}'": 1}, None, True, 2.5],
        "token": "your token",
        "when": NOON,
    }
    assert seal(value, repr) == repr(expected)


@every_row("value", [b"x", {1, 2}, object(), [("x", b"y")], Session])
def test_what_cannot_be_looked_into_is_not_sealed(value: object) -> None:
    with pytest.raises(TypeError, match="cannot be redacted"):
        seal(value, repr)


def test_text_of_nested_secrets_is_replaced() -> None:
    assert redact(("pul" + "-" + "0a1b2c3d4e" * 4) * 20) == "[REDACTED]"


def test_what_was_redacted_can_be_written_as_utf8() -> None:
    assert redact("a\ud800b\U0001f600") == "a\N{REPLACEMENT CHARACTER}b\U0001f600"
