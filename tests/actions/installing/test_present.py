"""Which assistants are configured: those that are found, or those that are named."""

from pathlib import Path

import pytest
from support.installing import outcomes
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import Outcome, carry_out
from gitmem.errors import InvalidInput


@pytest.fixture(autouse=True)
def programs(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, once the repository is there."""
    assert repository.exists()
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def names(folder: Path, *named: str) -> list[str]:
    return [each.name for each in planned(workspace_at(folder), named).assistants]


def test_none_is_found_where_there_is_none(repository: Path) -> None:
    assert names(repository) == []
    results = list(carry_out(planned(workspace_at(repository)).steps))
    assert outcomes(results) == {Outcome.DONE}
    assert (repository / ".git" / "ocm" / "run").exists()
    assert not (repository / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("trace", "name"),
    [
        *(("CLAUDE.md", "claude-code"), (".mcp.json", "claude-code")),
        *((".claude/", "claude-code"), (".cursor/", "cursor")),
    ],
)
def test_work_tree_shows_who_uses_it(repository: Path, trace: str, name: str) -> None:
    path = repository / trace
    path.mkdir() if trace.endswith("/") else path.touch()
    assert names(repository) == [name]


def test_the_home_shows_who_uses_it(repository: Path, sealed_environment: Path) -> None:
    (sealed_environment / ".cursor").mkdir()
    assert names(repository) == ["cursor"]


@pytest.mark.parametrize(
    ("command", "name"),
    [*(("claude", "claude-code"), ("cursor", "cursor")), ("cursor-agent", "cursor")],
)
def test_a_command_on_the_path_is_found(
    repository: Path, programs: Path, command: str, name: str
) -> None:
    (programs / command).write_text("#!/bin/sh\n")
    (programs / command).chmod(0o755)
    assert names(repository) == [name]


def test_those_that_are_named_are_all_that_is_configured(repository: Path) -> None:
    (repository / ".cursor").mkdir()
    assert names(repository, "Claude") == ["claude-code"]
    assert names(repository, "cursor", "claude-code", "cursor") == [
        *("claude-code", "cursor")
    ]


@every_row("name", ["aider", "nonsense", "x y"])
def test_one_that_cannot_be_configured_is_refused(repository: Path, name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        names(repository, name)
    assert "claude-code, cursor" in (caught.value.hint or "")
