"""How often a test that looks for rare moments is to try.

A crash, a race or a strange input shows itself once in many rounds. Each test names the
few that everybody can wait for; who wants to know more sets `OCM_TEST_ROUNDS`.
"""

import os


def rounds(short: int) -> int:
    """`OCM_TEST_ROUNDS` if that is set, else `short`."""
    asked = os.environ.get("OCM_TEST_ROUNDS")
    return int(asked) if asked else short
