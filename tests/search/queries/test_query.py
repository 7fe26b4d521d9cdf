import json
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search.builders import NOW, TOOLS
from support.rounds import few

from gitmem.search.queries.context import HELD
from gitmem.search.queries.query import (
    MOST_CHARACTERS,
    MOST_WORDS,
    Query,
    parse,
    understood,
    with_also,
)
from gitmem.search.words import tokens


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
def test_assistant_is_a_filter_only_if_meant(text: str, tool: str | None) -> None:
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


TRICKY = """
retry backoff tokenBudget 3.11.4 src/a.py a\\b in on from the since before between and
to last this march may 5 15 2026 2026-03-01 2026-03-01..2026-03-05 10:00 today monday q1
weekend early few a couple weeks ago hours recently cursor codex session sessions main
tool:zed branch branch:x feat/x "two words" "x 'y z' “p q” -no -"n o" - -- ; , . a1b2c3d
defaced don't 東京 é 😀
"""
PIECES = st.sampled_from(TRICKY.split())


def is_in_order(words: Iterable[str], within: Iterable[str]) -> bool:
    rest = iter(within)
    return all(word in rest for word in words)


@given(st.lists(PIECES | st.text(max_size=5), max_size=20).map(" ".join))
def test_words_keep_their_order(text: str) -> None:
    assert is_in_order(read(text).words, tokens(text.replace(HELD, " ")))


@given(st.text(alphabet=st.characters()))
def test_no_text_is_a_wrong_query(text: str) -> None:
    query = read(text)
    assert all(word in text or not text.isascii() for word in query.words)


@given(st.lists(st.text("bghkmnpvz", min_size=3, max_size=9), min_size=1, max_size=9))
def test_what_holds_no_filter_is_words_alone(words: list[str]) -> None:
    told = understood(read(" ".join(words)))
    assert told == {"words": [*dict.fromkeys(words)]}


HOSTILE = """
a_ in_ last_ 1_ x/ 東 today_ q1_ 2025_ 'a_ "a “a_ ‘a_ -a_ -"a branch_ on_a/b_ tool:x_
a.b \\a a1b2c3d_ monday_ a@b from_monday_to_ between_march_and_ 2026-03-01T10:00_ 1.1.
mid_ ;_ ;today 'a_b' - a.com/ more_than_a_couple_of_weeks_ cursor_session_ in_cursor_
"""


@few(10, "piece", HOSTILE.split())
def test_a_hostile_query_is_read_quickly(piece: str) -> None:
    text = piece.replace("_", " ") * MOST_CHARACTERS
    began = time.process_time()
    read(text)
    assert time.process_time() - began < 0.1


def test_most_queries_load_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; from datetime import *;"
        "from gitmem.search.queries.query import parse;"
        "parse('retry in cursor since march 15', now=datetime(2026, 3, 20, tzinfo=UTC),"
        " tools={'cursor': 'cursor'}); print(sorted(sys.modules))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert "gitmem.search.queries.query" in loaded
    assert "dateutil" not in loaded
    assert "tantivy" not in loaded


def test_what_was_understood_can_be_told() -> None:
    query = read(
        'backoff "token refresh" -oauth in codex on branch fix/auth last week a1b2c3d'
        " src/auth.py"
    )
    told = understood(query)
    assert json.loads(json.dumps(told)) == {
        "words": ["backoff", "token", "refresh", "a1b2c3d", "src", "auth", "py"],
        "phrases": ["token refresh"],
        "without": ["oauth"],
        "after": "2026-03-13T15:00:00+00:00",
        "tool": "codex",
        "branch": "fix/auth",
        "paths": ["src/auth.py"],
        "commits": ["a1b2c3d"],
    }
    assert [*told] == [
        *("words", "phrases", "without", "after", "tool", "branch", "paths", "commits")
    ]


def test_other_wordings_are_read_for_their_words_alone() -> None:
    wordings = ["the splash screen in cursor", "MOTD", "motd yesterday", "?!", "MOTD"]
    query = with_also(read("startup banner last week"), wordings)
    assert query.also == (
        ("splash", "screen", "cursor"),
        ("MOTD",),
        ("motd", "yesterday"),
    )
    assert replace(query, also=()) == read("startup banner last week")
    assert understood(query)["also"] == [
        "splash screen cursor",
        "MOTD",
        "motd yesterday",
    ]


def test_of_what_is_not_there_nothing_is_told() -> None:
    assert understood(read("...")) == {}


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
    "text", ["cache in cursor", "in cursor about caches", "cache in cursor last week"]
)
def test_assistant_before_the_end_is_a_filter(text: str) -> None:
    tools = {"cursor": "cursor"}
    assert parse(text, now=NOW, tools=tools).tool == "cursor"
