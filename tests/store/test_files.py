"""Files that are replaced: whole, or not at all."""

from pathlib import Path

import pytest

from gitmem.store.files import replace_file


def test_what_cannot_be_put_in_place_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path / "settings.json", b"{}")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]
