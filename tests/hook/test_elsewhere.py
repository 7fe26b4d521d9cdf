"""Hooks of conversations that touch other repositories than that of their folder."""

from pathlib import Path

import pytest
from hook.calls import claude, install, run_command
from hook.test_background import session_when
from support.harness import git, make_repository
from support.installing import python_with_gitmem
from support.transcripts import records, written_records

from gitmem.documents.session.session import Status

ONE = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    library = make_repository(tmp_path / "library")
    git(library, "config", "ocm.everywhere", "true")
    return library


@pytest.fixture
def user_launcher(tmp_path: Path) -> Path:
    """The launcher that the user's own settings name."""
    own = make_repository(tmp_path / "own")
    run = install(own, python_with_gitmem(tmp_path))
    place = Path.home() / ".openCodeMemory" / "ocm" / "run"
    place.parent.mkdir(parents=True, exist_ok=True)
    return run.rename(place)


def hear(launcher: str, folder: Path, name: str, transcript: Path) -> None:
    call = claude(name, folder, ONE, transcript_path=str(transcript))
    call.variables["CLAUDE_PROJECT_DIR"] = str(folder)
    done = run_command(f"{launcher} hook claude-code", call, folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_end_is_told_to_each_that_took_part(
    repository: Path, library: Path, launcher: Path
) -> None:
    transcript = written_records(repository, ONE, records(library, ONE, "shared"))
    text = transcript.read_text().replace(
        f'"cwd": "{library}"', f'"cwd": "{repository}"'
    )
    transcript.write_text(text)
    for name in ("UserPromptSubmit", "SessionEnd-other"):
        call = claude(name, repository, ONE, transcript_path=str(transcript))
        run_command(f"'{launcher}' hook claude-code", call, repository)
    session = session_when(library, lambda each: each.status is Status.CLOSED)
    assert (session.goal, session.other_repositories) == ("shared", 0)
    home = session_when(repository, lambda each: each.status is Status.CLOSED)
    assert (home.files, home.other_repositories) == ((), 1)


def test_a_folder_above_is_heard_where_a_repository_agreed(
    library: Path, user_launcher: Path, tmp_path: Path
) -> None:
    closed = make_repository(tmp_path / "closed")
    registry = user_launcher.parents[1] / "registry.json"
    registry.write_text(f'[{{"root": "{library}"}}]')
    lines = [*records(library, ONE, "one"), *records(closed, ONE, "two")]
    for number, line in enumerate(lines):
        line["timestamp"] = f"2026-03-01T10:{number:02}:00.000Z"
        line |= {"uuid": f"u-{number}", "cwd": str(tmp_path)}
    transcript = written_records(tmp_path, ONE, lines)
    hear(f"'{user_launcher}' user", tmp_path, "SessionEnd-other", transcript)
    session = session_when(library, lambda each: each.status is Status.CLOSED)
    assert (session.goal, session.other_repositories) == ("one", 1)
    assert not (closed / ".git" / "ocm").exists()


@pytest.mark.parametrize("is_for_all", [False, True])
def test_elsewhere_no_process_is_started(
    user_launcher: Path, tmp_path: Path, *, is_for_all: bool
) -> None:
    started, plain = tmp_path / "started", tmp_path / "plain"
    plain.mkdir()
    python_with_gitmem(tmp_path).write_text(f"#!/bin/sh\n: >'{started}'\n")
    if is_for_all:
        git(tmp_path, "config", "--global", "ocm.everywhere", "true")
    hear(f"'{user_launcher}' user", plain, "SessionEnd-other", tmp_path / "none")
    assert started.exists() is is_for_all
