"""Which statement a newer one corrects."""

from datetime import timedelta

from support.harness import NOON
from support.rounds import every_row

from gitmem.actions.remembering.corrections import Claim, corrections
from gitmem.actions.remembering.marks import corrected_mark, marked_texts
from gitmem.text.code_names import names_in


def corrected(*statements: str) -> dict[int, int]:
    """Places of the statements that no longer hold, with that of what holds now.

    A statement that begins with `failed:` is one of that kind.
    """
    claims = []
    for number, statement in enumerate(statements):
        kind, text = "decision", statement
        if statement.startswith("failed: "):
            kind, text = statement.split(": ", 1)
        at = NOON + timedelta(days=number)
        claims.append(Claim(f"s{number}#d1", text, at, kind, names_in(text)))
    return {
        int(reference[1:-3]): int(claim.reference[1:-3])
        for reference, claim in corrections(reversed(claims)).items()
    }


@every_row(
    ("older", "newer"),
    [
        ("Retries are safe for refunds.", "Retries are not safe for refunds."),
        ("The cache is Redis.", "The cache is Memcached."),
        ("The port is 8080.", "The port is 7070 now, no longer 9090."),
        ("Der Port ist 8080.", "Der Port ist jetzt 7070 statt 9090."),
        ("Migrate from MySQL to Postgres.", "Migrate from Postgres to MySQL."),
        ("Prefer tabs over spaces.", "Prefer spaces over tabs."),
        ("Logs are kept for 30 days.", "Logs are kept for 90 days."),
        ("Jenkins does the deploys.", "We no longer use Jenkins for deploys."),
        ("`push` in queue.py waits.", "queue.py: we went back to polling."),
        (
            "src/queue.py uses one lock.",
            "queue.py: two locks instead of one, for speed.",
        ),
        ("Cache invoices in Redis.", "failed: Caching invoices in Redis: stale."),
        ("failed: Caching invoices in Redis.", "Cache invoices in Redis, for an hour."),
        ("Wir nutzen Jenkins zum Bauen.", "Wir nutzen Jenkins nicht mehr zum Bauen."),
        ("缓存使用 Redis。", "缓存不再使用 Redis。"),
    ],
)
def test_the_newer_one_corrects_the_older_one(older: str, newer: str) -> None:
    assert corrected(older, newer) == {0: 1}


@every_row(
    ("older", "newer"),
    [
        (
            "We must not call `queue.py` from tests.",
            "We must not call `queue.py` from tests. We will not use threads there.",
        ),
        (
            "Never push to main on Fridays. We now keep `queue.py` simple.",
            "Never push to main on Fridays.",
        ),
        ("Use tabs in Go.", "Use tabs in Make."),
        ("Tests need Postgres 16.", "Tests need Docker."),
        ("Ada likes tea.", "Ada likes coffee."),
        ("The staging port is 80.", "The production port is 81."),
        ("Never commit generated files.", "Generated files are never committed."),
        ("failed: Exponential backoff.", "Linear backoff instead of exponential."),
        ("failed: Caching invoices in Redis.", "Do not cache invoices in Redis."),
        ("queue.py logs in JSON.", "queue.py has two locks."),
    ],
)
def test_what_may_both_hold_is_no_correction(older: str, newer: str) -> None:
    assert corrected(older, newer) == {}


def test_what_was_corrected_twice_names_what_holds() -> None:
    assert corrected("The cache is A.", "The cache is B.", "The cache is C.") == {
        0: 2, 1: 2
    }  # fmt: skip
    assert corrected("Use tabs.", "Do not use tabs.", "Use the tabs.") == {1: 2}


def test_an_author_says_what_is_corrected() -> None:
    old = Claim("m-1", "We deploy by hand.", NOON)
    new = Claim("m-2", "A robot does it.", NOON, corrects=frozenset(["m-1"]))
    assert corrections([new, old]) == {"m-1": new}
    assert corrected_mark(new) == "(until 2026-02-23; now: A robot does it.)"


def test_clones_agree_on_what_was_said_in_one_second() -> None:
    one, other = Claim("m-1", "Use tabs.", NOON), Claim("m-2", "Avoid tabs.", NOON)
    assert corrections([one, other]) == corrections([other, one]) == {}
    later = Claim("m-0", "We no longer use tabs.", NOON)
    assert corrections([one, later]) == corrections([later, one]) == {"m-1": later}


def test_of_statements_about_one_file_the_older_ones_say_that_they_are() -> None:
    said = [
        ("decision", "queue.py batches by fifty."),
        ("constraint", "Nothing in queue.py may block."),
        ("decision", "src/queue.py hands its rows to the writer."),
        ("decision", "Sign the wheels."),
    ]
    claims = [
        Claim(f"s{n}#d1", text, NOON + timedelta(days=n), kind, names_in(text))
        for n, (kind, text) in enumerate(said)
    ]
    mark = f"({NOON.date()}, past where newer ones differ)"
    assert marked_texts(claims) == {said[0][1]: f"{mark} {said[0][1]}"}
