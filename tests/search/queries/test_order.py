"""Questions about order, and queries that only look like them."""

import time

from search.queries.reading import read
from support.rounds import every_row

from gitmem.search.queries.query import MOST_CHARACTERS


def listed(queries: str) -> list[str]:
    return [" ".join(each.split()) for each in queries.split(";")]


ORDER = listed(
    """
continue; ok, let's continue; could you carry on please; continue where we left off;
continue the last session; continue working on this; keep going; resume;
resume what we were doing; hey, where did we leave off; where was I;
where did we get to; where are we at; What’s next?; what comes next?;
what should I do next; what's left; what's still to do; what's on my todo list;
my pending to-dos; show me my last session; summary of the last session; last time;
what have we done so far; the last thing I worked on; what happened last time;
remind me what we did last time; catch me up; give me a recap; what's the status;
where do things stand; hi! where were we, and what's next?; back to work;
what did we do last time and what is left to do; how far did we get
"""
)

FILTERED = listed(
    """
what did we do yesterday; where did we leave off on 2026-03-13; continue from yesterday;
what happened yesterday; where did we leave off in codex; resume my last cursor session;
what did we do on branch feat/login; where did we leave off author:ada;
what did we do last time -docs
"""
)

WORDS = listed(
    """
continue button does nothing on checkout; continue-on-error in the workflow;
git rebase --continue; resume upload after network loss; pick up the lock file;
what's next.js doing with our fonts; next; next session token; last session cookie;
previous session restored after logout; latest tag of the image;
where did we leave the api key; what did we do about the flaky test;
what was I thinking with the parser; what happens next to expired rows;
what's left join; pending payments; todo app with vue; status;
what's the status of the deploy; keep going after the first error;
unfinished work queue drains; catch up on missed events; continue "login flow";
continue src/login.py; resume a1b2c3d; yesterday; show me all sessions from last week
"""
)


@every_row("text", ORDER)
def test_a_question_about_order_is_understood(text: str) -> None:
    query = read(text)
    assert query.about_order
    assert query.words == ()


@every_row("text", FILTERED)
def test_so_it_is_beside_a_filter(text: str) -> None:
    query = read(text)
    assert query.about_order
    assert any((query.after, query.before, query.tool, query.branch, query.author)) or (
        query.without
    )


@every_row("text", WORDS)
def test_what_asks_for_anything_else_is_words(text: str) -> None:
    assert not read(text).about_order


@every_row("piece", ["what did we do and ", "continue ", "last ", "the "])
def test_a_long_text_is_no_such_question_and_is_read_quickly(piece: str) -> None:
    began = time.process_time()
    assert not read(piece * (MOST_CHARACTERS // len(piece))).about_order
    assert time.process_time() - began < 0.1
