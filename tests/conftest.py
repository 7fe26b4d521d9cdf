"""Nothing of the machine reaches a test: no settings, no home, no editor."""

import gc
import os
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

import pygit2
import pytest
from hypothesis import HealthCheck, settings
from pygit2.enums import ConfigLevel
from support.harness import make_repository
from support.rounds import rounds

import gitmem.git.libgit2.repository  # noqa: F401 - it has objects synced, as users need
from gitmem.redaction.redact import follow

sys.dont_write_bytecode = False  # else every process compiles all that it loads
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.pop("PYTHONUNBUFFERED", None)  # users have a buffer that nobody flushes
gc.set_threshold(100_000, 50, 1000)  # there is more memory than time
pygit2.settings.enable_fsync_gitdir(False)  # no power fails here, and a sync is slow
MEMORY = Path("/dev/shm")
FAST = ("assistants", "documents", "redaction", "search", "text")
"""Folders of tests that run few processes."""


def _has_room_for_programs(folder: Path) -> bool:
    """Whether 4 GB are free there, and what is put there may be run."""
    if not folder.is_dir():
        return False
    system = os.statvfs(folder)
    is_large = system.f_bavail * system.f_frsize > 4 << 30
    return is_large and not system.f_flag & os.ST_NOEXEC


if _has_room_for_programs(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # no disk to wait for
    tempfile.tempdir = str(MEMORY)
settings.register_profile(
    "default",
    max_examples=rounds(4),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("default")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave other folders unread, which takes longer than the fast tests run."""
    is_fast_alone = config.option.markexpr == "fast"
    return True if is_fast_alone and not _is_fast(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        is_long = any(map(item.get_closest_marker, ("slow", "endurance", "servers")))
        if _is_fast(item.path) and not is_long:
            item.add_marker("fast")


def _is_fast(path: Path) -> bool:
    folders = path.relative_to(Path(__file__).parent).parts
    return not folders or folders[0] in FAST


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: some tests wait for processes that they start."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """What stays to the end, thousands of tests, need not be gone through again."""
    gc.freeze()


_NUMBERS = count()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all tests: pytest looks through all its folders before it makes another."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def sealed_environment(homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, a known git identity, and nothing that could redirect us.

    Nor are there rules for secrets that another test had for its repository.
    """
    home = homes / f"home{next(_NUMBERS)}"
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("GIT_", "OCM_", "CLAUDE", "CODEX", "COPILOT", "GEMINI")):
            monkeypatch.delenv(name)
    (home / ".gitconfig").write_text(
        "[user]\nname = Ada\nemail = ada@example.com\n[init]\ndefaultBranch = main\n"
        "[maintenance]\nautoDetach = false\n"  # it would go on while a test looks
    )
    pygit2.settings.search_path[ConfigLevel.GLOBAL] = str(home)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("OCM_HOME", str(home / "ocm"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_EDITOR", "false")
    monkeypatch.setenv("GIT_PAGER", "cat")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr(os, "fsync", lambda _: None)  # as with libgit2, above
    follow(())
    return home


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository")


@pytest.fixture(autouse=True, scope="session")
def git_is_there() -> None:
    subprocess.run(["git", "--version"], check=True, capture_output=True)
