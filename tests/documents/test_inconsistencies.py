"""What is odd about a document is seen by its bytes."""

from hypothesis import given, settings
from hypothesis import strategies as st
from support.harness import NOON
from support.histories import session
from support.rounds import every_row, rounds
from support.strategies import sessions

from gitmem.documents.session.kind import inconsistencies
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session

ONE = session(0, goal="begun")


@settings(max_examples=rounds(3))
@given(session=sessions())
def test_a_document_that_gitmem_wrote_is_what_it_says(session: Session) -> None:
    found = inconsistencies(render(session).encode(), NOON)
    assert "is not UTF-8" not in found


@every_row(
    ("before", "after", "what"),
    [
        ("begun", "begun\r\n", ""),
        ("---\nformat", "\ufeff---\nformat", ""),
        ("begun", "\x1b[2J", "has characters that are not seen"),
        ("begun", "\u202e", "has characters that are not seen"),
        ("begun", "\ud800", "is not UTF-8"),
        ("updated_at: 2026-02-23", "updated_at: 2026-02-24", ""),
        ("updated_at: 2026", 'updated_at: "9998', "is of the future"),
        ("updated_at: 2026", "updated_at: never", ""),
        ("begun", "begun " * 200_000, "has more than 1,000,000 bytes"),
    ],
)
def test_what_is_odd_is_said(before: str, after: str, what: str) -> None:
    text = render(ONE)
    assert before in text
    content = text.replace(before, after, 1).encode("utf-8", "surrogatepass")
    found = inconsistencies(content, NOON)
    assert [what in each for each in found] == [True] * bool(what)


@given(st.binary(max_size=200))
def test_any_bytes_are_looked_at(content: bytes) -> None:
    assert isinstance(inconsistencies(content, NOON), list)
