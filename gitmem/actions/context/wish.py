"""What a context is asked for."""

from collections.abc import Sequence

from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.text.counting import CONTEXT_BUDGET

LEAST_BUDGET = 100
PARTS = ("conversation", "state", "rules", "files", "task", "timeline")
_MOST_FILES = 20


@frozen(kw_only=True)
class Wish:
    task: str = ""
    files: tuple[str, ...] = ()
    budget: int = CONTEXT_BUDGET
    parts: tuple[str, ...] = PARTS
    around: str = ""
    """The session whose neighbours the timeline has; "" for the one that fits best."""


def wish(
    task: str = "",
    files: Sequence[str] = (),
    budget: int = CONTEXT_BUDGET,
    parts: Sequence[str] = (),
    around: str = "",
) -> Wish:
    """Read what a caller asks for; no parts are all of them. Raises InvalidInput."""
    if budget < LEAST_BUDGET:
        raise InvalidInput(
            f"The budget must be at least {LEAST_BUDGET} tokens, not {budget}."
        )
    if unknown := [part for part in parts if part not in PARTS]:
        raise InvalidInput(f"parts must be of {', '.join(PARTS)}, not {unknown[0]!r}.")
    return Wish(
        task=task.strip(),
        files=tuple(dict.fromkeys(files))[:_MOST_FILES],
        budget=budget,
        parts=tuple(parts) or PARTS,
        around=around,
    )
