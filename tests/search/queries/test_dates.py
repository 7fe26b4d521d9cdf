from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.search.queries.context import TAKEN
from gitmem.search.queries.dates import Period, beginning, take_dates

ZONE = timezone(timedelta(hours=2))
NOW = datetime(2026, 3, 20, 15, 0, tzinfo=ZONE)  # a Friday


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@every_row(
    ("text", "after", "before"),
    [
        ("Yesterday", "2026-03-19", "2026-03-20"),
        ("before today", None, "2026-03-20"),
        ("this week", "2026-03-16", None),
        ("this month", "2026-03-01", None),
        ("this year", "2026-01-01", None),
        ("this hour", "2026-03-20T15:00", None),
        ("in the last 3 months", "2025-12-20T15:00", None),
        ("past year", "2025-03-20T15:00", None),
        ("until march 15", None, "2026-03-15"),
        ("after March 15th", "2026-03-16", None),
        ("on january 5, 2025", "2025-01-05", "2025-01-06"),
        ("in may", "2025-05-01", "2025-06-01"),
        ("in december 2024", "2024-12-01", "2025-01-01"),
        ("in 2026-02", "2026-02-01", "2026-03-01"),
        ("after:2026-03-01", "2026-03-02", None),
        ("before:2026-03-01", None, "2026-03-01"),
        ("on:2026-03-01", "2026-03-01", "2026-03-02"),
        ("2026-03-01", "2026-03-01", "2026-03-02"),
        ("since 2026-03-01T10:00Z", "2026-03-01T12:00", None),
        ("before 2026-03-01 10:00 -05:00", None, "2026-03-01T17:00"),
        ("2026-03-01 10:00", "2026-03-01", "2026-03-02"),
        ("on Thursday", "2026-03-19", "2026-03-20"),
        ("on friday", "2026-03-20", "2026-03-21"),
        ("last friday", "2026-03-13", "2026-03-14"),
        ("since monday", "2026-03-16", None),
        ("before monday morning", None, "2026-03-16"),
        ("yesterday evening", "2026-03-19", "2026-03-20"),
        ("this morning", "2026-03-20", "2026-03-21"),
        ("day before yesterday", "2026-03-18", "2026-03-19"),
        ("3 days ago", "2026-03-17", "2026-03-18"),
        ("two weeks ago", "2026-03-03", "2026-03-10"),
        ("since two weeks ago", "2026-03-06", None),
        ("2 hours ago", "2026-03-20", "2026-03-21"),
        ("last two weeks", "2026-03-06T15:00", None),
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
        "before february 30",
        "march forward",
        "2026-02-23_14-32_cursor_tei",
        "release-2026-02-03.tar",
        "early yesterday-branch",
        "last-week.md",
        "in the march update",
        "in march forward",
        "march 15",
        "2026-03",
        "2026-03-01T99:00",
        "last 9999 years",
        "9999 years ago",
        "the last day of school",
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
        ("  2026-03-17 ", "2026-03-17"),
        ("march 15", "2026-03-15"),
    ],
)
def test_a_date_alone_has_a_beginning(text: str, expected: str) -> None:
    assert beginning(text, NOW) == day(expected)


@every_row("text", ["before march", "yesterday the cache", "", "x"])
def test_what_ends_or_says_more_is_no_beginning(text: str) -> None:
    assert beginning(text, NOW) is None
