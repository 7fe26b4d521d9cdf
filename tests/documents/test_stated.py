"""What a conversation states, and what it only says."""

import time
from datetime import timedelta

from support.harness import NOON
from support.rounds import every_row

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.conversation.stated import (
    LONGEST,
    stated_in,
    stated_passages,
)
from gitmem.documents.session.statements import Statement

STATED = """
We decided to retry with exponential backoff in `payments/retry.py`.
We'll keep the tokens in session_store.py, because cookies are too small.
Let's use Decimal in money.py.
We went with SQLite in store.py over Postgres.
`fetch_page` returns None instead of raising.
Amounts in money.py are integers of cents, never floats.
Handlers in api/users.py must not open their own connection.
Never call `charge_card` outside of a transaction.
When you change schema.sql, always add a migration.
I tried a thread pool in worker.py, but it deadlocked under load.
We rolled back the cache in loader.py.
The regex in parser.py did not work for nested quotes.
I prefer dataclasses over dicts in models.py.
we will log the order number in retry.py, support asks for it
convention for this project: errors of api.py have a code
Nothing may read the clock in money.py.
the proxy was replaced, so retry.py may try it again
Ranges are welcome in package.json again.
`charge_card` takes the account as key instead.
In money.py ya no hace falta Decimal.
retry.py 改回固定间隔。
I tried COPY in load_rows and gave it up.
From now on, log through `app_logger`.
Wir haben uns entschieden, in retry.py exponentiell zu warten.
In money.py dürfen niemals Floats stehen.
Der Cache in loader.py hat nicht funktioniert.
On a décidé de garder SQLite dans store.py.
Il ne faut jamais appeler `charge_card` deux fois.
Decidimos usar Decimal en money.py.
Nunca llames a `charge_card` fuera de una transacción.
La caché de loader.py no funcionó.
Decidimos guardar os tokens em session_store.py.
Abbiamo deciso di usare SQLite in store.py.
Мы решили использовать SQLite в store.py.
В money.py нельзя использовать float.
我们决定在 retry.py 里使用指数退避。
money.py 里必须用整数，禁止用浮点数。
retry.py では指数バックオフを採用することにした。
money.py では必ず整数を使う。
retry.py 는 지수 백오프를 사용하기로 했다.
money.py 에서는 반드시 정수를 사용한다.
"""
ONLY_SAID = """
I will now read payments/retry.py instead of guessing.
Let me check retry.py, because the test must use it.
I'll update the tests in test_retry.py.
Let's run the tests in test_retry.py again.
Now let me look at `charge_card`.
Should we use Decimal in money.py instead of float?
We could keep the tokens in session_store.py instead.
What if we never call `charge_card`?
Maybe money.py must use Decimal.
Option 2: we use SQLite in store.py instead of Postgres.
If you want, we will keep SQLite in store.py.
The bug must be in retry.py.
I want to move retry.py, not copy it.
The `retry` import is no longer used.
We'll see whether retry.py must change.
Created docs/retry.md, which must be read.
All tests in test_retry.py pass.
The function `charge_card` was never called.
Tests pass and nothing must change.
We decided to do that.
Here is why we decided to use store.py:
Sollten wir in retry.py immer warten?
Vielleicht müssen wir money.py ändern.
On pourrait toujours garder store.py.
Podríamos usar siempre Decimal en money.py.
Может быть, нельзя менять money.py.
我们是否必须修改 money.py
money.py は必ず整数でしょうか。
"""


@every_row("sentence", STATED.strip().splitlines())
def test_a_sentence_that_states_something_is_a_passage(sentence: str) -> None:
    assert [*stated_passages(sentence)] == [sentence]


@every_row("sentence", ONLY_SAID.strip().splitlines())
def test_what_is_asked_supposed_or_announced_is_none(sentence: str) -> None:
    assert [*stated_passages(sentence)] == []


def test_only_a_person_needs_no_name() -> None:
    text = "Please never use emojis in commit messages."
    assert [*stated_passages(text)] == []
    assert [*stated_passages(text, is_typed=True)] == [text]
    assert [*stated_passages("Let's not change that.", is_typed=True)] == []


def test_the_sentence_before_may_have_the_name() -> None:
    lower = "that is wrong. we will round in `tax.py`. go on."
    assert [*stated_passages(lower)] == ["we will round in `tax.py`."]
    text = "The limit is in `limits.py`. We decided to leave it at 50. Tests pass."
    pair = "The limit is in `limits.py`. We decided to leave it at 50."
    assert [*stated_passages(text)] == [pair]


def test_code_tables_and_quotations_state_nothing() -> None:
    text = "We must use a.py.\n"
    assert [*stated_passages(f"```\n{text}```\n> {text}| {text}# {text}")] == []
    assert [*stated_passages(f"- **{text}**")] == [text.strip()]


def test_what_is_said_twice_is_of_who_said_it_first() -> None:
    text = "We must use a.py."
    typed = Turn(Speaker.PERSON, f"{text} Thanks!")
    answer = Turn(Speaker.ASSISTANT, text)
    other = Turn(Speaker.ASSISTANT, "We must use b.py.", NOON + timedelta(days=1))
    assert stated_in("x", [typed, answer, other], NOON) == [
        Statement("x#s1", "said", text, NOON, "Person"),
        Statement("x#s2", "said", other.text, NOON + timedelta(days=1), "Assistant"),
    ]


@every_row("piece", ["we must use ", "`a.py` ", "we tried but ", "必须", "`", "\n- "])
def test_hostile_text_takes_linear_time_and_gives_bounded_passages(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    began = time.process_time()
    passages = [*stated_passages(text, is_typed=True)]
    assert time.process_time() - began < 2
    assert all(len(each) <= LONGEST for each in passages)
