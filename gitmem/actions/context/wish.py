"""What a context is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from gitmem.errors import InvalidInput
from gitmem.text.counting import CONTEXT_BUDGET

LEAST_BUDGET = 100
PARTS = ("conversation", "state", "rules", "files", "task", "timeline")
_MOST_FILES = 20


@dataclass(slots=True, eq=False, repr=False)
class ContextRequest:
    """What a context is asked for; no parts are all of them. Raises InvalidInput."""

    task: str = ""
    files: Sequence[str] = ()
    budget: int = CONTEXT_BUDGET
    parts: Sequence[str] = ()
    around: str = ""
    """The session whose neighbours the timeline has; "" for the one that fits best."""

    def __post_init__(self) -> None:
        if self.budget < LEAST_BUDGET:
            raise InvalidInput(
                f"The budget must be at least {LEAST_BUDGET} tokens, not {self.budget}."
            )
        if unknown := [part for part in self.parts if part not in PARTS]:
            part_names = ", ".join(PARTS)
            raise InvalidInput(f"parts must be of {part_names}, not {unknown[0]!r}.")
        self.task = self.task.strip()
        self.files = list(dict.fromkeys(self.files))[:_MOST_FILES]
        self.parts = tuple(self.parts) or PARTS
