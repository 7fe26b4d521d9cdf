"""Names of code in what people write, and words that are none."""

import time

from support.rounds import every_row

from gitmem.text.code_names import names_in


@every_row(
    ("text", "names"),
    [
        ("Retries live in payments/retry.py, nowhere else.", "payments/retry.py"),
        ("See retry.py:42 and `./src/app.tsx`.", "retry.py ./src/app.tsx"),
        ("parse_invoice drops OrderQueue.push()", "parse_invoice OrderQueue.push"),
        ("MAX_RETRIES stays 3; pass --dry-run", "MAX_RETRIES --dry-run"),
        ("Wir rufen `push` nicht in parseInvoice auf", "push parseInvoice"),
        ("`push(item)` and flush() block", "push flush"),
        ("the Makefile and docker/Dockerfile", "Makefile docker/Dockerfile"),
        ("commit no .env, see .github/ci.yml", ".env .github/ci.yml"),
        ("请修改pay/retry.py中的parse_invoice函数", "pay/retry.py parse_invoice"),
        ("Меняем größe/мера.py и `Ключ`", "größe/мера.py Ключ"),
        ("HTTPServer, HttpClient and Order::close", "HTTPServer HttpClient"),
        ("`Order::close`; std::move_only", "Order::close std::move_only"),
        ("$API_TOKEN='x' in config['DB_URL']", "API_TOKEN DB_URL"),
        ("__init__.py, __main__ and _private", "__init__.py __main__ _private"),
        ("retry.py's tests (tests/test_retry.py)", "retry.py tests/test_retry.py"),
    ],
)
def test_names_of_code_are_taken_from_sentences(text: str, names: str) -> None:
    assert names_in(text) == frozenset(names.split())


PLAIN = """
Use tabs and/or spaces, e.g. in CI/CD. Never both.
Version 3.11 or v2.0.1 of PostgreSQL, on macOS; see GitHub.
z.B. d.h. u.a. i.e. a.m. for our NutzerInnen and Kolleg_innen
https://example.com/a_b/c.py, www.example.com, bob@example.com
We stopped.Then it worked -- somehow. _Really_ **not** 24/7...
The APIs, URLs and IDs of HTTP2 are client/server matters
"""


def test_plain_words_are_no_names() -> None:
    assert names_in(PLAIN) == frozenset()


def test_long_texts_take_linear_time() -> None:
    pieces = ["a.", "a_", "a/", "`", "::", "aB", "--a", "a@", "http", "http://"]
    start = time.process_time()
    for piece in pieces:
        names_in(piece * 50_000)
        names_in(f"{piece} " * 10_000)
    assert time.process_time() - start < 2
