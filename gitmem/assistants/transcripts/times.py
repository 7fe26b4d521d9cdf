"""Times as transcripts tell them."""

import re
from datetime import datetime

from gitmem.text.calendar import read_time
from gitmem.text.patterns import pattern

_MOMENT = pattern(
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[-+]\d\d:?\d\d)?",
    re.ASCII,
)


def moment(value: object) -> datetime | None:
    """The first time in a text, in whole seconds; naive where it names no offset.

    None where there is none, or one that cannot be: no calendar has it, or it comes
    too near to the first and last years for another time zone.
    """
    found = _MOMENT.search(value) if isinstance(value, str) else None
    try:
        return read_time(found.group()) if found else None
    except ValueError:
        return None


def aware_moment(value: object) -> datetime | None:
    """The same, and None also where it names no offset."""
    at = moment(value)
    return at if at and at.tzinfo else None
