"""The readers by name."""

import pytest

from gitmem.actions.importing.import_transcripts import READERS, reader_named
from gitmem.errors import InvalidInput


def test_every_reader_is_found_by_its_name() -> None:
    names = [reader.tool for reader in READERS]

    assert names == ["claude-code", "codex", "specstory", "aider"]
    assert tuple(map(reader_named, names)) == READERS


def test_the_refusal_of_an_unknown_name_says_which_are_known() -> None:
    with pytest.raises(InvalidInput) as refused:
        reader_named("emacs")

    assert refused.value.hint == "There are: claude-code, codex, specstory, aider."
