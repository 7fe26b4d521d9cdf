"""Times that no document can tell become the nearest that one can."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.text.calendar import in_calendar, moment_at, read_time, spoken_span

ZONES = st.timezones() | st.integers(-14, 14).map(
    lambda hours: timezone(timedelta(hours=hours))
)


def test_a_time_is_read_in_whole_seconds() -> None:
    noon = datetime(2026, 2, 23, 12, 0, 7)
    assert read_time("2026-02-23T12:00:07.654321") == noon
    assert read_time("2026-02-23T12:00:07.6+00:00") == noon.replace(tzinfo=UTC)


def test_what_went_on_for_days_has_two() -> None:
    began, now = datetime(2026, 2, 20, 9, tzinfo=UTC), datetime(2026, 2, 23, tzinfo=UTC)
    assert spoken_span(began, began + timedelta(hours=1), now) == "Friday 09:00"
    ended = began + timedelta(days=2)
    assert spoken_span(began, ended, now) == "Friday 09:00 to yesterday 09:00"


@every_row("text", ["", "noon", "1969-12-31", "9999-01-01T00:00+14:00"])
def test_what_no_calendar_tells_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_time(text)


def test_a_clock_that_lost_its_time() -> None:
    zone = timezone(timedelta(hours=-5))
    lost = datetime(1969, 12, 31, 19, 0, tzinfo=zone)
    assert in_calendar(lost) == datetime(1970, 1, 2, tzinfo=UTC)
    assert in_calendar(lost).tzinfo is zone


@given(st.datetimes(datetime(2, 1, 1), datetime(9999, 12, 1), timezones=ZONES))
def test_every_time_can_be_told(moment: datetime) -> None:
    told = in_calendar(moment)
    assert 1970 <= told.year < 9999
    assert told == moment or not 1970 < moment.year < 9998


@given(st.integers(), st.integers())
def test_every_number_of_seconds_is_a_time(seconds: int, offset: int) -> None:
    told = moment_at(seconds, offset)
    assert 1970 <= told.year < 9999
    assert told.timestamp() == seconds or not 1970 < told.year < 9998


def test_an_offset_that_no_zone_has_counts_as_none() -> None:
    assert moment_at(1_700_000_000, -330).utcoffset() == timedelta(minutes=-330)
    assert moment_at(1_700_000_000, 9999).utcoffset() == timedelta()
