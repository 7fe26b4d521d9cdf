"""A dry run foretells exactly what the import then does."""

from pathlib import Path
from typing import Any

import pytest
from actions.importing.test_bring_in import OTHER, SECRET, written
from actions.importing.test_foreign import WRITERS
from support.events import event, note
from support.harness import CLIENT, git
from support.transcripts import claude_code_file
from support.workspaces import workspace_at

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport, as_json
from gitmem.assistants.readers import READERS
from gitmem.documents.event import Prompt
from gitmem.store.session_store import SessionStore


def reports(repository: Path, *, is_dry: bool) -> dict[str, Any]:
    """What an import of all assistants says."""
    workspace, said = workspace_at(repository), {}
    rehearsal = SessionStore(workspace.repository.rehearsed()) if is_dry else None
    for reader in READERS:
        wanted, report = (
            ImportRequest(reader=reader, rehearsal=rehearsal),
            ImportReport(),
        )
        files = wanted_files(workspace, wanted)
        bring_in(workspace, wanted, files, report, lambda _done, _total: None)
        said[reader.tool] = as_json(report)
    return said


def foretold(repository: Path) -> dict[str, Any]:
    """Raises AssertionError where an import does not come to what was foretold."""
    workspace_at(repository).current_sessions()
    before = git(repository, "for-each-ref"), git(repository, "count-objects", "-v")
    planned = reports(repository, is_dry=True)
    after = git(repository, "for-each-ref"), git(repository, "count-objects", "-v")
    assert before == after
    assert reports(repository, is_dry=False) == planned
    return planned


def outcomes(said: dict[str, Any]) -> list[str]:
    return [each["outcome"] for one in said.values() for each in one["sessions"]]


@pytest.mark.endurance
def test_all_readers_come_to_what_was_foretold(
    sealed_environment: Path, repository: Path, tmp_path: Path
) -> None:
    """New ones, one id of several clients, those that are in, those that went on."""
    for write in WRITERS.values():
        write(str(repository), sealed_environment, repository)
    assert {"new", "already"} <= set(outcomes(foretold(repository)))
    assert set(outcomes(foretold(repository))) == {"already"}
    written(repository, f"Go on with {SECRET}.", "And test it.", edits=["b.py"])
    written(repository, "Elsewhere.", client=OTHER, cwd=tmp_path / "gone")
    assert sorted({*outcomes(foretold(repository))}) == ["already", "completed"]
    git(repository, "update-ref", "-d", "refs/ocm/conversations")
    assert set(outcomes(foretold(repository))) == {"already", "completed"}


def test_so_do_copies_and_what_hooks_saw(repository: Path) -> None:
    note(repository, event(Prompt, text="Mend it."), event(Prompt, text="Test it."))
    file = written(repository, "Mend it.")
    (file.parent / "copy").mkdir()
    (file.parent / "copy" / file.name).write_bytes(file.read_bytes())
    claude_code_file(file.parent / "more", CLIENT, "One more.", cwd=repository)
    said = foretold(repository)["claude-code"]
    assert len(said["sessions"]) == 3
