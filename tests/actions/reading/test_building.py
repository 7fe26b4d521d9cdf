"""A large memory is indexed by a process that nobody waits for."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench import histories
from harness import make_repository
from search.builders import session
from support import saved_session, workspace_at

from gitmem.actions import answers
from gitmem.actions.checking.memory import index as index_findings
from gitmem.actions.forgetting.forget import sessions_named
from gitmem.actions.reading import catch_up
from gitmem.actions.reading.catch_up import build_index, caught_up_index
from gitmem.actions.reading.find import Results, search
from gitmem.actions.reading.status import status
from gitmem.errors import Busy
from gitmem.model.session import Session
from gitmem.search.folder import locked
from gitmem.search.index import Extent
from gitmem.search.learning import BATCH
from gitmem.server import results
from gitmem.workspace import Workspace

SIZE = 3 * BATCH
BEGAN = datetime(2024, 1, 1, tzinfo=UTC)


def begun(number: int) -> Session:
    at = BEGAN + timedelta(minutes=number)
    made = session(f"{at:%Y-%m-%d_%H-%M}_cursor_{number:08x}", goal=f"quokka w{number}")
    return replace(made, started_at=at, updated_at=at)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    make_repository(folder)
    histories.extend(folder, map(begun, range(SIZE)))
    return folder


@pytest.fixture
def workspace(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(catch_up, "MOST_AWAITED", BATCH)
    subprocess.run(["cp", "-R", str(made), str(tmp_path / "large")], check=True)
    return workspace_at(tmp_path / "large")


def builder(workspace: Workspace) -> subprocess.Popen[bytes]:
    """The process that a search starts."""
    run = [sys.executable, "-m", "gitmem.hook", "index"]
    return subprocess.Popen([*run, str(workspace.repository.common_dir)])


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_begun(workspace: Workspace) -> bool:
    return workspace.open_index().tip is not None


def is_built(workspace: Workspace) -> bool:
    return status(workspace).indexed


def found(there: Results) -> list[str]:
    return [each.hit.session_id for each in there.found]


def killed_halfway(workspace: Workspace) -> Extent:
    """How far a builder came that was killed."""
    process = builder(workspace)
    until(lambda: is_begun(workspace))
    process.send_signal(signal.SIGKILL)
    process.wait()
    extent = workspace.open_index().extent
    assert extent
    return extent


def test_who_searches_a_large_memory_is_answered_at_once_and_told(
    workspace: Workspace,
) -> None:
    first = search(workspace, "quokka w7")
    assert first.extent == Extent(0, SIZE)
    until(lambda: is_built(workspace))
    later = search(workspace, "quokka w7")
    assert (found(later)[0], later.extent) == (begun(7).id, None)


def test_the_newest_sessions_are_found_first(workspace: Workspace) -> None:
    extent = killed_halfway(workspace)
    assert extent.of == SIZE
    with locked(workspace.index_lock):
        newest = search(workspace, f"quokka w{SIZE - 1}")
        oldest = search(workspace, "w0")
    assert (found(newest)[0], newest.extent) == (begun(SIZE - 1).id, extent)
    assert begun(0).id not in found(oldest)


def test_a_killed_builder_is_taken_over_where_it_was(workspace: Workspace) -> None:
    extent = killed_halfway(workspace)
    assert search(workspace, "quokka w1").extent == extent

    def is_built_from_there() -> bool:
        now = workspace.open_index().extent
        assert now is None or now.sessions >= extent.sessions
        return is_built(workspace)

    until(is_built_from_there)
    built = [found(search(workspace, f"quokka w{n}")) for n in range(0, SIZE, 100)]
    subprocess.run(["rm", "-r", str(workspace.index_folder)], check=True)
    caught_up_index(workspace)
    assert built == [
        found(search(workspace, f"quokka w{n}")) for n in range(0, SIZE, 100)
    ]


def test_searches_at_the_same_time_have_it_built_once(workspace: Workspace) -> None:
    for _ in range(3):
        assert search(workspace, "quokka w7").extent
    until(lambda: is_built(workspace))
    ids = [begun(number).id for number in range(0, SIZE, 100)]
    index = workspace.open_index()
    assert [index.lookup(f"client-{each}") for each in ids] == [[each] for each in ids]


def test_the_command_line_and_the_tool_say_so(workspace: Workspace) -> None:
    killed_halfway(workspace)
    ocm = [sys.executable, "-m", "gitmem", "search", f"quokka w{SIZE - 1}"]
    with locked(workspace.index_lock):
        ran = subprocess.run(
            ocm, cwd=workspace.root, capture_output=True, text=True, check=True
        )
        there = search(workspace, f"quokka w{SIZE - 1}")
        asked = [sys.executable, "-m", "gitmem", "why", "HEAD"]
        why = subprocess.run(
            asked, cwd=workspace.root, capture_output=True, text=True, check=True
        )
    told = f"The index is being built: {BATCH} of {SIZE:,} sessions so far"
    assert ran.stderr.startswith(told)
    assert why.stderr.startswith(told)
    assert begun(SIZE - 1).id in ran.stdout
    sent = results.of_search([], {}, answers.notice(there)).structured_content
    assert sent
    assert sent["notice"].startswith(told)


def test_what_is_saved_meanwhile_is_learned_next(workspace: Workspace) -> None:
    before = killed_halfway(workspace)
    saved = saved_session(workspace, goal="A zebra crossing")
    process = builder(workspace)
    until(lambda: bool(found(search(workspace, "zebra crossing"))))
    process.wait()
    there = search(workspace, "zebra crossing")
    assert (found(there), there.extent) == ([saved.session_id], None)
    assert status(workspace).sessions == before.of + 1


def test_what_is_forgotten_meanwhile_is_in_no_index(workspace: Workspace) -> None:
    killed_halfway(workspace)
    newest = begun(SIZE - 1).id
    with locked(workspace.index_lock), pytest.raises(Busy):
        sessions_named(workspace, [newest], from_history=False)


def test_status_and_doctor_say_how_far_it_is(workspace: Workspace) -> None:
    extent = killed_halfway(workspace)
    assert (status(workspace).indexed, status(workspace).indexing) == (False, None)
    with locked(workspace.index_lock):
        [finding] = index_findings(workspace)
        assert status(workspace).indexing == extent
    assert finding.what == f"the index is being built: {extent} so far"


def test_where_nothing_can_be_written_whoever_searches_waits(
    workspace: Workspace,
) -> None:
    workspace.index_lock.mkdir(parents=True)
    there = search(workspace, "quokka w7")
    assert (found(there)[0], there.extent) == (begun(7).id, None)


def test_a_builder_that_finds_another_at_work_leaves_it_to_that(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.search.folder.LOCK_WAIT", 0.05)
    workspace.open_index()
    with locked(workspace.index_lock):
        build_index(workspace)
    assert not is_begun(workspace)
