"""Questions about order, and queries that only look like them.

Both lists were written before the code that tells them apart.
"""

import time

import pytest
from search.queries.reading import read

from gitmem.search.queries.query import MOST_CHARACTERS

ORDER = """
continue
Continue!
please continue
continue please
ok, let's continue
can we continue?
could you carry on please
continue where we left off
continue from where we left off
let's continue where we stopped
continue the last session
continue my previous session
continue session
continue with the work
continue working on this
keep going
go on
resume
resume work
resume the last session
resume where I left off
resume what we were doing
pick up where we left off
let's pick up where I left off
can you pick up where you left off?
Where did we leave off?
where did I leave off last time
hey, where did we leave off
where were we?
where was I
where did we stop
where did we get to
where are we at
what's next
What’s next?
whats next
what is next
what next
what comes next?
what's the next step
next steps
what should I do next
what should we work on next?
what do we do now
what's left
what is left to do?
what's still to do
what remains to be done
what's pending
is anything pending
what is still open
what's on my todo list
open todos
my pending to-dos
unfinished work
last session
the last session
show me my last session
previous session
latest session
most recent conversation
what was the last session about
summary of the last session
last time
what did we do
what did we do last time
What did we do last time?
what have we done so far
what was I working on
what were we working on?
what were we doing
what was I doing
what did I work on last
what did we last work on
what have I been working on lately
what was the last thing we did
the last thing I worked on
what happened last time
what happened in the last session
remind me what we did last time
remind me where we left off
tell me what I was working on
catch me up
bring me up to speed
give me a recap
what's the status
where do things stand
hi! where were we, and what's next?
what did we do last time and what is left to do
start where we left off
back to work
how far did we get
what had we been working on
what should I work on next
what todos are left
summarize the last session
""".strip().splitlines()

FILTERED = """
what did we do yesterday
what did I do on monday?
what did we work on last week
what was I working on yesterday afternoon
where did we leave off on friday
where did we stop yesterday?
continue where we left off yesterday
continue from yesterday
continue yesterday's session
pick up yesterday's work
what happened yesterday
what did I do today
what did we do in march
what did we do yesterday in cursor
what was I doing in claude code
where did we leave off in codex
continue the codex session
resume my last cursor session
last claude code session
what did I do with codex last week
what did we do on branch feat/login
continue on the feat/login branch
where did we leave off author:ada
what did we do last time -docs
what should I work on today
what did we accomplish last week
summarise what we did yesterday
""".strip().splitlines()

WORDS = """
continue button does nothing on checkout
continue-on-error in the workflow
continue with google login
continue statement skips the last row
git rebase --continue
--continue
continue.md
continue in the background when the tab closes
resume upload after network loss
resume token of the change stream
resume download
resume parser
pause and resume training
pick up the lock file
pick up new config without restart
what's next.js
what's next.js doing with our fonts
next
next page link
next step button is disabled
next session token
what comes next in the pipeline
what is next tick
what should happen next when the queue is full
last login time is wrong
last session cookie
last time the job ran
last modified header
last commit of the build
last row is missing
previous session restored after logout
session
session expires too early
session resume ticket
latest tag of the image
latest sessions table is slow
where did we leave the api key
where did we put the config file
where was the memory leak
where are we storing tokens
where are we logging errors
what did we do about the flaky test
what did we do to fix the login bug
what did we decide about caching
what were we using for queues
what was I thinking with the parser
what happened to the login page
what happens next to expired rows
what have we done with the retries
what's left join
what is left padding
what is pending in the queue
pending payments
pending tasks stay in celery
open tasks endpoint
todo app with vue
todo
status
status page of the service
status code 500
what's the status of the deploy
keep going after the first error
go on vet
carry on luggage validation
unfinished work queue drains
recap email template
catch up on missed events
continue "login flow"
continue src/login.py
resume a1b2c3d
yesterday
last week
show me all sessions from last week
""".strip().splitlines()


@pytest.mark.parametrize("text", ORDER)
def test_a_question_about_order_is_understood(text: str) -> None:
    query = read(text)
    assert query.about_order
    assert query.words == ()


@pytest.mark.parametrize("text", FILTERED)
def test_so_it_is_beside_a_filter(text: str) -> None:
    query = read(text)
    assert query.about_order
    assert any((query.after, query.before, query.tool, query.branch, query.author)) or (
        query.without
    )


@pytest.mark.parametrize("text", WORDS)
def test_what_asks_for_anything_else_is_words(text: str) -> None:
    assert not read(text).about_order


@pytest.mark.parametrize("piece", ["what did we do and ", "continue ", "last ", "the "])
def test_a_long_text_is_no_such_question_and_is_read_quickly(piece: str) -> None:
    began = time.process_time()
    assert not read(piece * (MOST_CHARACTERS // len(piece))).about_order
    assert time.process_time() - began < 0.1
