from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.search.queries.context import TAKEN
from gitmem.search.queries.dates import beginning, take_dates
from gitmem.search.queries.periods import Period

ZONE = timezone(timedelta(hours=2))
NOW = datetime(2026, 3, 20, 15, 0, tzinfo=ZONE)  # a Friday


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@every_row(
    ("text", "after", "before"),
    [
        ("Yesterday", "2026-03-19", "2026-03-20"),
        ("before today", None, "2026-03-20"),
        ("a month ago", "2026-02-01", "2026-03-01"),
        ("2 years ago", "2024-01-01", "2025-01-01"),
        ("this week", "2026-03-16", "2026-03-23"),
        ("until 15 march", None, "2026-03-15"),
        ("after March 15th", "2026-03-16", None),
        ("since the 15th of march", "2026-03-15", None),
        ("on jan 5, 2025", "2025-01-05", "2025-01-06"),
        ("in 2026-02", "2026-02-01", "2026-03-01"),
        ("from january 2024", "2024-01-01", "2024-02-01"),
        ("on may 5", "2025-05-05", "2025-05-06"),
        ("last march", "2025-03-01", "2025-04-01"),
        ("past fortnight", "2026-03-06T15:00", None),
        ("on wed", "2026-03-18", "2026-03-19"),
        ("march 1-15", "2026-03-01", "2026-03-16"),
        ("jan 2025 - feb 2025", "2025-01-01", "2025-03-01"),
        ("since 2026-03-01T10:00Z", "2026-03-01T12:00", None),
        ("before 2026-03-01 10:00 -05:00", None, "2026-03-01T17:00"),
        ("2026-03-01 10:00", "2026-03-01T09:00", "2026-03-01T11:00"),
    ],
)
def test_a_date_in_words_is_a_period(
    text: str, after: str | None, before: str | None
) -> None:
    expected = Period(after and day(after), before and day(before))  # type: ignore[arg-type]  # None stays None
    assert take_dates(text, NOW) == (expected, TAKEN)


@every_row(
    "text",
    [
        "feb 30",
        "march forward",
        "2026-02-23_14-32_cursor_tei",
        "release-2026-02-03.tar",
        "early yesterday-branch",
        "last-week.md",
        "in the march update",
        "in dec format",
        "2026-03-01T99:00",
        "#3 days ago",
        "9999999 days ago",
    ],
)
def test_what_is_no_date_stays_in_the_query(text: str) -> None:
    assert take_dates(text, NOW) == (Period(), text)


@given(st.text())
def test_no_text_is_a_wrong_date(text: str) -> None:
    take_dates(text, NOW.astimezone(UTC))


@every_row(
    ("text", "expected"),
    [
        ("yesterday", "2026-03-19"),
        ("  3   days ago ", "2026-03-17"),
        ("last year", "2025-01-01"),
    ],
)
def test_a_date_alone_has_a_beginning(text: str, expected: str) -> None:
    assert beginning(text, NOW) == day(expected)


@every_row(
    "text", ["before march", "between march and may", "yesterday the cache", "", "x"]
)
def test_what_ends_or_says_more_is_no_beginning(text: str) -> None:
    assert beginning(text, NOW) is None
