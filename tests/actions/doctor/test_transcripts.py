"""What doctor says of transcripts: soon deleted, not read, of other projects."""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from actions.importing.test_bring_in import sessions
from support.harness import CLIENT
from support.rounds import every_row
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import workspace_at

from gitmem.actions.doctor import transcripts
from gitmem.actions.doctor.transcripts import passed_over, vanishing
from gitmem.actions.importing.histories import import_histories, importable_histories


def aged(file: Path, days: float) -> Path:
    then = (datetime.now(UTC) - timedelta(days=days)).timestamp()
    os.utime(file, (then, then))
    return file


def write(home: Path, repository: Path, days: float = 1) -> Path:
    kept = kept_by_claude_code(home, repository)
    return aged(claude_code_file(kept, CLIENT, "Mend it.", cwd=repository), days)


class TestVanishing:
    @every_row(("days", "count"), [(20, 0), (24, 1), (40, 1)])
    def test_after_the_days_that_claude_code_keeps_them(
        self, sealed_environment: Path, repository: Path, days: int, count: int
    ) -> None:
        write(sealed_environment, repository, days)
        (history,) = importable_histories(workspace_at(repository))
        assert history.vanishing == count
        assert len([*vanishing(workspace_at(repository))]) == count

    def test_says_what_takes_them_in(
        self, sealed_environment: Path, repository: Path
    ) -> None:
        write(sealed_environment, repository, 25)
        (finding,) = vanishing(workspace_at(repository))
        assert finding.message.startswith("Claude Code by default deletes 1")
        assert "ocm import claude-code" in finding.remedy
        assert "ocm.autoImport" in finding.remedy
        import_histories(workspace_at(repository))
        assert len(sessions(repository)) == 1
        assert [*vanishing(workspace_at(repository))] == []

    def test_one_that_may_go_on_is_not_taken_in(
        self, sealed_environment: Path, repository: Path
    ) -> None:
        write(sealed_environment, repository, 0)
        import_histories(workspace_at(repository))
        assert sessions(repository) == []


def test_what_was_not_read_lately_is_counted(
    sealed_environment: Path, repository: Path
) -> None:
    file = write(sealed_environment, repository)
    with file.open("a") as opened:
        opened.write("{broken\n" * 3)
        opened.write('{"type": "mood", "sessionId": "x"}\n')
    aged(file, 3)
    (finding,) = passed_over(workspace_at(repository))
    assert "no JSON (3)" in finding.message
    assert "unknown type of record mood (1)" in finding.message
    assert finding.location == str(file.resolve())
    aged(file, 9)
    assert [*passed_over(workspace_at(repository))] == []


def test_of_many_transcripts_the_newest_are_looked_at_without_a_word(
    sealed_environment: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(sealed_environment, repository)
    monkeypatch.setattr(transcripts, "_MOST_READ", 1)
    shutil.copy(file, file.with_name(f"1{file.name[1:]}"))
    assert [*passed_over(workspace_at(repository))] == []
