"""A large memory is indexed by a process that nobody waits for."""

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from bench import histories
from search.builders import session
from support.harness import make_repository
from support.workspaces import saved_session, workspace_at

from gitmem import indexing
from gitmem.actions.reading.find import Results, search
from gitmem.actions.reading.session_answers import search_notice
from gitmem.actions.status import status
from gitmem.cli.main import run
from gitmem.documents.changes import Changes
from gitmem.documents.session.session import Session
from gitmem.search.folder import locked
from gitmem.search.index import Extent
from gitmem.search.index_writer import FIRST
from gitmem.server import results
from gitmem.workspace import Workspace

SIZE = 4 * FIRST
BEGAN = datetime(2024, 1, 1, tzinfo=UTC)


def begun(number: int) -> Session:
    at = BEGAN + timedelta(hours=number)
    made = session(f"{at:%Y-%m-%d_%H-%M}_cursor_{number:08x}", goal=f"quokka w{number}")
    return replace(made, started_at=at, updated_at=at)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    make_repository(folder)
    histories.extend(folder, map(begun, range(SIZE)))
    return folder


@pytest.fixture(scope="module")
def made_halfway(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As the process that a search starts leaves it where it is killed."""
    folder = copied(made, tmp_path_factory.mktemp("halfway"))
    workspace = workspace_at(folder)
    builder = [sys.executable, "-m", "gitmem.hook", "index"]
    process = subprocess.Popen([*builder, str(workspace.repository.common_dir)])
    until(lambda: workspace.open_index().tip is not None)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return folder


@pytest.fixture(autouse=True)
def large_is_more_than_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "MOST_INDEXED_AT_ONCE", FIRST)


@pytest.fixture
def workspace(made: Path, tmp_path: Path) -> Workspace:
    return workspace_at(copied(made, tmp_path))


@pytest.fixture
def halfway(made_halfway: Path, tmp_path: Path) -> Workspace:
    return workspace_at(copied(made_halfway, tmp_path))


@pytest.fixture
def extent(halfway: Workspace) -> Extent:
    """How far the builder came."""
    extent = halfway.open_index().extent
    assert extent
    return extent


def copied(folder: Path, into: Path) -> Path:
    return Path(shutil.copytree(folder, into / "large"))


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_built(workspace: Workspace) -> bool:
    return status(workspace).indexed


def found(there: Results) -> list[str]:
    return [each.hit.public_id for each in there.results]


@pytest.mark.endurance
def test_large_memory_is_searched_at_once(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_PATIENCE", 60)
    first = search(workspace, f"quokka w{SIZE - 1}")
    assert found(first)[0] == begun(SIZE - 1).id
    until(lambda: is_built(workspace))
    later = search(workspace, "quokka w7")
    assert (found(later)[0], later.extent) == (begun(7).id, None)


@pytest.mark.endurance
def test_killed_builder_is_resumed_once(halfway: Workspace, extent: Extent) -> None:
    for _ in range(3):
        assert search(halfway, "quokka w1").extent == extent

    def is_built_from_there() -> bool:
        now = halfway.open_index().extent
        assert now is None or now.sessions >= extent.sessions
        return is_built(halfway)

    until(is_built_from_there)
    ids = [begun(number).id for number in range(0, SIZE, 50)]
    index = halfway.open_index()
    assert [index.lookup(f"client-{each}") for each in ids] == [[each] for each in ids]
    assert found(search(halfway, "quokka w1"))[0] == begun(1).id


@pytest.mark.endurance
def test_the_command_line_and_the_tool_say_so(
    halfway: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(halfway.root)
    with locked(halfway.index_lock):
        assert run(["search", f"quokka w{SIZE - 1}"]) == 0
        ran = capsys.readouterr()
        assert run(["why", "HEAD"]) == 0
        why = capsys.readouterr()
        there = search(halfway, f"quokka w{SIZE - 1}")
    told = f"The index is being built; this is from the newest {FIRST} of {SIZE:,}"
    assert ran.err.startswith(told)
    assert why.err.startswith(told)
    assert begun(SIZE - 1).id in ran.out
    sent = results.of_search([], {}, search_notice(there), 600).structured_content
    assert sent
    assert sent["notice"].startswith(told)


def test_what_was_saved_while_another_began_the_index_is_found(tmp_path: Path) -> None:
    workspace = workspace_at(make_repository(tmp_path / "small"))
    saved_session(workspace, goal="A quokka")
    older, begins = indexing._State(workspace), threading.Event()

    def changes_late(since: str | None) -> Changes:
        begins.set()
        time.sleep(0.2)
        return older.changes(since)

    other = workspace.open_index()
    writing = threading.Thread(
        target=other.catch_up, args=(older.tip, changes_late, None)
    )
    writing.start()
    begins.wait()
    saved = saved_session(workspace, goal="A zebra crossing")
    there = search(workspace, "zebra crossing")
    writing.join()
    assert found(there) == [saved.session_id]
