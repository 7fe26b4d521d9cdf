"""Conversations that a real start of another one takes in, where that is wanted."""

import os
import time
from pathlib import Path

from hook.calls import claude, install, log_of, run_command
from support.auto_push import soon
from support.harness import git
from support.installing import python_with_gitmem
from support.rounds import few
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import workspace_at

OTHER = "ffffffff-4e5f-4000-8000-000000000001"


@few(1, "wanted", [True, False])
def test_what_is_over_is_imported_as_a_conversation_begins(
    repository: Path, sealed_environment: Path, tmp_path: Path, *, wanted: bool
) -> None:
    kept = kept_by_claude_code(sealed_environment, repository)
    file = claude_code_file(kept, OTHER, "Mend the parser.", cwd=repository)
    os.utime(file, (time.time() - 10 * 86_400,) * 2)
    git(repository, "config", "ocm.autoImport", str(wanted).lower())
    run = f"'{install(repository, python_with_gitmem(tmp_path))}' hook claude-code"
    run_command(run, claude("SessionStart-startup", repository), repository)

    def goals() -> list[str | None]:
        return [x.goal for x in workspace_at(repository).store.memory().newest()]

    assert soon(goals) if wanted else goals() == []
    assert goals() == ["Mend the parser."] * wanted
    assert log_of(repository) == ""
