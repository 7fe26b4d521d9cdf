"""A search that asks for meaning as well, and one that cannot."""

import subprocess
import sys
from pathlib import Path

import pytest
from harness import git
from meanings import saved_model
from support import saved_session, workspace_at

from gitmem.actions.reading.find import NO_HITS, search
from gitmem.search.semantic import SETTING
from gitmem.workspace import Workspace

QUERY = "automobile vehicle lunch"
ROOT = Path(__file__).parents[3]


@pytest.fixture
def workspace(repository: Path) -> Workspace:
    return workspace_at(repository)


@pytest.fixture
def meant(workspace: Workspace) -> str:
    """The session that QUERY means; another shares as many words with it."""
    saved_session(workspace, goal="the cat slept over lunch", slug="cat")
    goal = "the car was mended at lunch"
    saved = saved_session(workspace, goal=goal, slug="car")
    assert saved.session_id
    return saved.session_id


def found(workspace: Workspace, text: str) -> list[str]:
    return [each.hit.session_id for each in search(workspace, text).found]


def test_meaning_is_asked_where_a_model_is_set(
    workspace: Workspace, meant: str, tmp_path: Path
) -> None:
    assert found(workspace, QUERY) == []
    git(workspace.root, "config", SETTING, str(saved_model(tmp_path / "model")))
    assert found(workspace, QUERY) == [meant]


def test_what_words_answer_is_left_to_them(
    workspace: Workspace, meant: str, tmp_path: Path
) -> None:
    before = found(workspace, "lunch")
    git(workspace.root, "config", SETTING, str(saved_model(tmp_path / "model")))
    assert meant in before
    assert found(workspace, "lunch") == before


def test_filters_hold_for_what_is_meant(
    workspace: Workspace, meant: str, tmp_path: Path
) -> None:
    git(workspace.root, "config", SETTING, str(saved_model(tmp_path / "model")))
    assert found(workspace, f"{QUERY} in cursor") == [meant]
    assert found(workspace, f"{QUERY} in codex") == []


@pytest.mark.usefixtures("meant")
@pytest.mark.parametrize("named", ["/not/there", "somebody/never-seen", "", "\x01"])
def test_a_model_that_is_not_there_is_not_in_the_way(
    workspace: Workspace, named: str
) -> None:
    git(workspace.root, "config", SETTING, named)
    assert found(workspace, QUERY) == []


@pytest.mark.usefixtures("meant")
def test_a_library_that_is_not_there_is_not_in_the_way(
    workspace: Workspace, tmp_path: Path
) -> None:
    git(workspace.root, "config", SETTING, str(tmp_path))
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r});"
        "sys.modules['huggingface_hub'] = sys.modules['model2vec'] = None;"
        "from gitmem.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "search", QUERY],
        cwd=workspace.root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (f"{NO_HITS}\n", "")


def test_where_nearly_nothing_speaks_for_a_session_meaning_does_not_count(
    workspace: Workspace, meant: str, tmp_path: Path
) -> None:
    git(workspace.root, "config", SETTING, str(saved_model(tmp_path / "model")))
    for more, answer in (("", [meant]), (" on six other long forgotten things", [])):
        assert found(workspace, QUERY + more) == answer
