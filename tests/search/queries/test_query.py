import json
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from search.queries.reading import read, told
from support.rounds import every_row, few

from gitmem.search.queries.context import HELD
from gitmem.search.queries.query import (
    MOST_CHARACTERS,
    MOST_WORDS,
    none_found_with,
    relaxed,
    understood,
    with_also,
)
from gitmem.search.words import tokens


def test_words_are_distinct_and_bounded() -> None:
    assert read("retry Retry RETRY").words == ("retry",)
    many = " ".join(f"word{n}" for n in range(1000))
    assert len(read(many).words) == MOST_WORDS


@every_row("text", ["", " ", "*", '""', "()&&||", "😀", "\0", "\udcff"])
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
    shown = understood(read(" ".join(words)))
    assert shown == {"words": [*dict.fromkeys(words)]}


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
    shown = understood(query)
    assert json.loads(json.dumps(shown)) == {
        "words": ["backoff", "token", "refresh", "a1b2c3d", "src", "auth", "py"],
        "phrases": ["token refresh"],
        "without": ["oauth"],
        "after": "2026-03-13T15:00:00+00:00",
        "tool": "codex",
        "branch": "fix/auth",
        "paths": ["src/auth.py"],
        "commits": ["a1b2c3d"],
    }
    assert [*shown] == [
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


def test_filters_are_dropped_one_by_one() -> None:
    query = read('retry "token budget" -docs in codex since 2026-03-01')
    assert [dropped for _, dropped in relaxed(query)] == [
        *(("phrases",), ("after",), ("tool",), ("without",)),
        *(("phrases", "after"), ("phrases", "after", "tool")),
        ("phrases", "after", "tool", "without"),
    ]


def test_the_words_of_a_phrase_stay_words() -> None:
    less, _ = next(relaxed(read('retry "token budget"')))
    assert told(less) == ("retry token budget", "")


def test_what_was_given_is_kept() -> None:
    query = read("retry in codex yesterday")
    assert [dropped for _, dropped in relaxed(query, required=("tool",))] == [
        ("after", "before")
    ]
    assert [*relaxed(read("retry src/a.py a1b2c3d"))] == []


@every_row(
    ("text", "sentence"),
    [
        ('x "a b"', 'No session found with "a b"; without this filter:'),
        ("x in codex", "No session found with tool:codex; without this filter:"),
        (
            "x before march 15",
            "No session found with before:2026-03-15 00:00; without this filter:",
        ),
        (
            "x -docs in codex",
            "No session found with tool:codex -docs; without these filters:",
        ),
    ],
)
def test_what_was_dropped_is_said_as_in_a_query(text: str, sentence: str) -> None:
    query = read(text)
    *_, (_, dropped) = relaxed(query)
    assert none_found_with(query, dropped) == sentence
