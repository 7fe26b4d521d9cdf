"""Values of JSON have exactly the types of their class."""

from dataclasses import dataclass

import pytest

from gitmem.text.shape import value_of


@dataclass(frozen=True)
class Counted:
    count: int
    is_done: bool


def test_a_value_has_the_types_of_its_class() -> None:
    counted = value_of(Counted, {"count": 1, "is_done": True})
    assert counted == Counted(1, is_done=True)


@pytest.mark.parametrize(
    "data",
    [
        {"count": True, "is_done": True},
        {"count": 1, "is_done": 1},
        {"count": 1.0, "is_done": True},
        {"count": None, "is_done": True},
    ],
)
def test_no_other_type_counts_as_one(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no Counted"):
        value_of(Counted, data)
