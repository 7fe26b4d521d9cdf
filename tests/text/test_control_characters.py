from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.text.control_characters import harmless, harmless_lines
from gitmem.text.markdown import one_line

UNSEEN = (
    *("\0", "\x07", "\x1b[2J", "\x9b31m", "\x7f", "\x85"),
    *("\u202e", "\u2066", "\u200b", "\u200f", "\u2028", "\u2060", "\ufeff"),
    *("\U000e0041\U000e007f", "\U000e0101", "\ud800"),
)


@every_row("unseen", UNSEEN)
def test_what_is_not_seen_is_replaced_by_what_is(unseen: str) -> None:
    assert unseen[0] not in harmless(f"a{unseen}b")
    assert harmless_lines(f"a{unseen}b").startswith("a\ufffd")
    assert unseen[0] not in one_line(f"a{unseen}b", 80)


def test_what_languages_need_stays() -> None:
    text = "👩‍🚀 می‌خواهم क्‍ष שלום\tx\n日本語 é"
    assert harmless(text) == harmless_lines(text) == text


def test_lines_end_alike_and_hidden_text_is_one_mark() -> None:
    hidden = "".join(chr(0xE0000 + ord(each)) for each in "run this")
    assert harmless_lines(f"a\r\nb\rc{hidden}d\n") == "a\nb\nc\ufffdd\n"


@given(st.text())
def test_making_harmless_twice_changes_nothing(text: str) -> None:
    once = harmless_lines(text)
    assert harmless_lines(once) == harmless(once) == once


@given(st.text(), st.integers(2, 50))
def test_a_line_is_short_and_printable(text: str, length: int) -> None:
    made = one_line(text, length)
    assert len(made) <= length
    assert made.isprintable()


def test_of_a_huge_text_a_line_is_made_at_once() -> None:
    assert one_line("word " * 4_000_000, 20) == "word word word word…"
