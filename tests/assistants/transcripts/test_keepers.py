"""The readers by name."""

import pytest

from gitmem.assistants.transcripts.readers import KEEPERS, keeper_named
from gitmem.errors import InvalidInput


def test_every_reader_is_found_by_its_name() -> None:
    names = [keeper.tool for keeper in KEEPERS]

    assert names == ["claude-code", "codex", "specstory", "aider"]
    assert tuple(map(keeper_named, names)) == KEEPERS


def test_the_refusal_of_an_unknown_name_says_which_are_known() -> None:
    with pytest.raises(InvalidInput) as refused:
        keeper_named("emacs")

    assert refused.value.hint == "There are: claude-code, codex, specstory, aider."
