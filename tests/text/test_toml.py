"""Tables of TOML files."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidInput
from gitmem.text import toml

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(st.sampled_from("abc"), TEXTS | st.lists(TEXTS)))
def test_a_table_is_read_as_it_was_written(values: dict[str, object]) -> None:
    assert tomllib.loads(toml.table(("x", "y"), values)) == {"x": {"y": values}}


def test_a_mistake_has_its_place() -> None:
    with pytest.raises(InvalidInput, match="line 2"):
        toml.parsed("a = 1\nb\n")
