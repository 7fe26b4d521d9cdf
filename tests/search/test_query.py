import time
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search.builders import NOW, TOOLS

from gitmem.search.query import MOST_WORDS, Query, parse


def read(text: str) -> Query:
    return parse(text, now=NOW, tools=TOOLS)


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("in cursor", "cursor"),
        ("cursor session", "cursor"),
        ("Cursor sessions about retries", "cursor"),
        ("claude code session", "claude-code"),
        ("claude-code session", "claude-code"),
        ("retries in claude", "claude-code"),
        ("retries in Claude Code", "claude-code"),
        ("with codex", "codex"),
        ("using codex yesterday", "codex"),
        ("text cursor bug", None),
        ("cursor", None),
        ("in cursors", None),
        ("in cursor.py", None),
        ("in cursor/state", None),
    ],
)
def test_an_assistant_is_a_filter_only_where_it_is_meant(
    text: str, tool: str | None
) -> None:
    assert read(text).tool == tool


def test_filters_are_taken_out_of_the_words() -> None:
    query = read("embedding latency in cursor last week")
    assert query.words == ("embedding", "latency")
    assert query.after == NOW - timedelta(days=7)
    assert query.text == "embedding latency in cursor last week"


def test_stop_words_tell_nothing() -> None:
    assert read("how did we do the retry of the upload?").words == ("retry", "upload")


def test_a_query_of_stop_words_alone_still_asks_for_them() -> None:
    assert read("to be or not to be").words == ("to", "be", "or", "not")


@pytest.mark.parametrize(
    "text", ["what did we do last week", "show me all sessions from yesterday"]
)
def test_what_surrounds_a_filter_asks_for_nothing(text: str) -> None:
    assert read(text).words == ()


def test_words_are_distinct_and_bounded() -> None:
    assert read("retry Retry RETRY").words == ("retry",)
    many = " ".join(f"word{n}" for n in range(1000))
    assert len(read(many).words) == MOST_WORDS


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("src/Inference/server.py", ("src/inference/server.py",)),
        ("look at `embedding_server.py`, please", ("embedding_server.py",)),
        ("server.py:12:3 fails", ("server.py",)),
        (".\\src\\main.rs", ("src/main.rs",)),
        ("@docs/plan.md", ("docs/plan.md",)),
        ("k8s/", ("k8s/",)),
        ("https://example.org/a.html", ()),
        ("embedding_server", ()),
        ("3/15 and 1.5 e.g.", ()),
        ("/ // .", ()),
    ],
)
def test_what_looks_like_a_path_is_one(text: str, paths: tuple[str, ...]) -> None:
    assert read(text).paths == paths


@pytest.mark.parametrize("text", ["", " ", "*", '""', "()&&||", "😀", "\0", "\udcff"])
def test_nothing_is_asked_by_punctuation(text: str) -> None:
    query = read(text)
    assert (query.words, query.paths, query.tool) == ((), (), None)


@given(st.text(alphabet=st.characters()))
def test_no_text_is_a_wrong_query(text: str) -> None:
    query = read(text)
    assert all(word in text or not text.isascii() for word in query.words)


@pytest.mark.parametrize(
    "piece",
    ["a", "in ", "last ", "1 ", "feb ", "x/", "東", "\0", '"a AND (b ', "." * 9],
)
def test_a_long_query_is_read_in_bounded_time(piece: str) -> None:
    began = time.process_time()
    read(piece * (1_000_000 // len(piece)))
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "text",
    [
        "mouse drag with cursor jump",
        "anthropic integration with claude api",
        "text in vs code editor theme",
        "kv cache in 2048 tokens",
        "batch size from 2048",
        "we may 5 times retry",
        "hex to dec 16",
    ],
)
def test_words_that_only_look_like_filters_stay_words(text: str) -> None:
    query = parse(text, now=NOW, tools={"cursor": "cursor", "claude": "claude-code"})
    assert (query.tool, query.after, query.before) == (None, None, None)
    assert len(query.words) >= 3


@pytest.mark.parametrize(
    "text",
    ["cache in cursor", "in cursor about caches", "cache in cursor last week"],
)
def test_an_assistant_before_the_end_or_another_thought_is_a_filter(text: str) -> None:
    tools = {"cursor": "cursor"}
    assert parse(text, now=NOW, tools=tools).tool == "cursor"
