"""Blocks of ours at the end of texts that belong to the user."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.errors import InvalidInput
from gitmem.store.install_manifest import spans_of, without_spans
from gitmem.text.insertion import (
    MARKDOWN,
    SHELL,
    blocks_in,
    inserted,
    with_block,
    without_block,
)

BODY = "## Memory\n\nSave often.\n"
BLOCK = f"{MARKDOWN.begin}\n{BODY}{MARKDOWN.end}\n"
CRLF_BLOCK = BLOCK.replace("\n", "\r\n")


@every_row(
    ("before", "after"),
    [
        ("", BLOCK),
        ("\ufeff", "\ufeff" + BLOCK),
        ("# Rules\n", "# Rules\n\n" + BLOCK),
        ("# Rules", "# Rules\n\n" + BLOCK),
        ("# Rules\n\n", "# Rules\n\n" + BLOCK),
        ("a\r\nb", "a\r\nb\r\n\r\n" + CRLF_BLOCK),
        ("a\r\n\r\n", "a\r\n\r\n" + CRLF_BLOCK),
        (f"{MARKDOWN.end}\n", f"{MARKDOWN.end}\n\n{BLOCK}"),
        (
            f"> {MARKDOWN.begin}\n  {MARKDOWN.begin}\n",
            f"> {MARKDOWN.begin}\n  {MARKDOWN.begin}\n\n{BLOCK}",
        ),
    ],
)
def test_block_ends_the_file_after_an_empty_line(before: str, after: str) -> None:
    assert inserted(before, with_block(before, BODY, MARKDOWN)) == after


def test_a_block_of_a_script_is_a_comment() -> None:
    text = inserted("#!/bin/sh\n", with_block("#!/bin/sh\n", "echo", SHELL))
    assert text == f"#!/bin/sh\n\n{SHELL.begin}\necho\n{SHELL.end}\n"
    assert SHELL.begin.startswith("# ")
    assert SHELL.end.startswith("# ")


def test_the_same_block_is_not_put_in_again() -> None:
    assert with_block(BLOCK, BODY, MARKDOWN) == ()
    assert with_block(CRLF_BLOCK, BODY.rstrip("\n"), MARKDOWN) == ()


def test_a_begin_without_an_end_is_named() -> None:
    text = f"{MARKDOWN.end}\none\n{MARKDOWN.begin}\r\ntwo\n"
    for look in (blocks_in, without_block):
        with pytest.raises(InvalidInput, match=r"^line 3: "):
            look(text, MARKDOWN)


def test_text_after_a_lost_begin_is_not_of_the_block() -> None:
    text = f"{MARKDOWN.begin}\nof the user\n{BLOCK}"
    assert blocks_in(text, MARKDOWN) == [BODY]
    assert without_block(text, MARKDOWN) == f"{MARKDOWN.begin}\nof the user\n"


@every_row(
    ("before", "after"),
    [
        (f"a\n\n{BLOCK}", "a\n"),
        (f"a\n{BLOCK}b\n", "a\nb\n"),
        (f"a\n\n{BLOCK}b\n", "a\n\nb\n"),
        (f"a\r\n\r\n{CRLF_BLOCK}\r\nb\r\n", "a\r\n\r\nb\r\n"),
        (BLOCK.rstrip("\n"), ""),
        (f"a\n\n{BLOCK}b\n\n{BLOCK}", "a\n\nb\n"),
        ("a\n", "a\n"),
    ],
)
def test_removed_block_keeps_its_surroundings_apart(before: str, after: str) -> None:
    assert without_block(before, MARKDOWN) == after


LINES = st.sampled_from(
    ["", "a", " ", "```", MARKDOWN.end, "> " + MARKDOWN.begin, "\u2028", "\x0c", "\r"]
)
TEXTS = st.builds(
    lambda mark, lines, line_end, last: mark + line_end.join(lines) + last,
    st.sampled_from(["", "\ufeff"]),
    st.lists(LINES, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\r\n"]),
)
BODIES = st.lists(LINES.filter(lambda line: line not in (MARKDOWN.end, "\r")))


@given(TEXTS, BODIES.map("\n".join))
@example("", "")
def test_a_block_comes_out_as_it_went_in(text: str, body: str) -> None:
    insertions = with_block(text, body, MARKDOWN)
    after = inserted(text, insertions)
    assert after.startswith(text)
    assert with_block(after, body, MARKDOWN) == ()
    assert without_spans(after, spans_of(insertions)) == text
    rest = without_block(after, MARKDOWN)
    assert rest.rstrip("\r\n") == text.rstrip("\r\n")
    if text.endswith("\n") and not text.endswith(("\n\n", "\n\r\n")):
        assert rest == text


def test_insertions_stand_one_upon_the_other() -> None:
    first = with_block("a\n", "one", MARKDOWN)
    text = inserted("a\n", first)
    both = (*first, *with_block(text, "two", SHELL))
    assert without_spans(inserted("a\n", both), spans_of(both)) == "a\n"
