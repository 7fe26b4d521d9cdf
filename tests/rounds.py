"""How often a test that looks for rare moments is to try, and where chance begins.

A crash, a race or a strange input shows itself once in many rounds. Each test names the
few that everybody can wait for; who wants to know more sets `OCM_TEST_ROUNDS`. What was
found is found again with the `OCM_TEST_SEED` that was printed.
"""

import os
import random
import time

# Read as this is imported: a test has none of these variables.
_ASKED = os.environ.get("OCM_TEST_ROUNDS")
_SEED = os.environ.get("OCM_TEST_SEED")


def rounds(short: int) -> int:
    """`OCM_TEST_ROUNDS` if that is set, else `short`."""
    return int(_ASKED) if _ASKED else short


def chance() -> random.Random:
    """Another one each time, unless `OCM_TEST_SEED` is set; which one is printed."""
    seed = int(_SEED) if _SEED else time.time_ns() % 1_000_000
    print(f"OCM_TEST_SEED={seed}")
    return random.Random(seed)
