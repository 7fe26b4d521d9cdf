"""`@frozen`: dataclasses that are cheap to define."""

import pickle
from dataclasses import asdict, dataclass, field, replace

import pytest

from gitmem.frozen import frozen


@frozen
class Point:
    x: int
    y: int = 0
    secret: str = field(default="", repr=False)


@frozen(kw_only=True)
class Named(Point):
    name: str


@dataclass(frozen=True, slots=True)
class Other:
    x: int
    y: int = 0
    secret: str = field(default="", repr=False)


def test_they_are_equal_and_hashed_by_their_fields() -> None:
    assert Point(1) == Point(1, 0)
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert Point(1) != replace(Point(1), x=2)
    assert Named(1, name="a") not in (Point(1), Named(1, name="b"), Other(1))


def test_they_do_what_dataclasses_do() -> None:
    one = Named(1, name="a", secret="s")
    assert pickle.loads(pickle.dumps(one)) == one
    assert asdict(one) == {"x": 1, "y": 0, "secret": "s", "name": "a"}
    assert repr(one) == "Named(x=1, y=0, name='a')"
    assert not hasattr(one, "__dict__")


def test_the_first_instance_is_as_any_other() -> None:
    @frozen
    class Late(Point):
        z: tuple[int, ...] = field(default_factory=tuple)

        def __post_init__(self) -> None:
            made.append(self.x)

    made: list[int] = []
    with pytest.raises(TypeError, match="'x'"):
        Late()  # type: ignore[call-arg]  # that is what is tried
    assert (Late(1).z, Late(2)) == ((), Late(x=2, secret=""))
    assert made == [1, 2, 2]
