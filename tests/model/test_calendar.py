"""Times that no document can tell become the nearest that one can."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.calendar import in_calendar

ZONES = st.timezones() | st.integers(-14, 14).map(
    lambda hours: timezone(timedelta(hours=hours))
)


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
