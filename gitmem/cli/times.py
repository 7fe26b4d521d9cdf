"""Times as people read them."""

from datetime import datetime


def spoken(time: datetime, now: datetime) -> str:
    """When it was, on the clock of the place where it was, as session ids have it."""
    days = (now.astimezone(time.tzinfo).date() - time.date()).days
    if days == 0:
        return f"today {time:%H:%M}"
    if days == 1:
        return f"yesterday {time:%H:%M}"
    if 1 < days < 7:
        return f"{time:%A %H:%M}"
    if -1 < days < 300:
        return f"{time.day} {time:%B %H:%M}"
    return f"{time.day} {time:%B %Y}"
