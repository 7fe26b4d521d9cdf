"""Which assistants are configured: those that are found, or those that are named."""

from pathlib import Path

import pytest
from support.installing import outcomes, put
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import StepOutcome, carry_out
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
    assert outcomes(results) == {StepOutcome.DONE}
    assert (repository / ".git" / "ocm" / "run").exists()
    assert not (repository / ".mcp.json").exists()


@every_row(
    ("trace", "name"),
    [
        *(("CLAUDE.md", "claude-code"), (".mcp.json", "claude-code")),
        *((".claude/", "claude-code"), (".cursor/", "cursor")),
        *(("../bin/claude", "claude-code"), ("../bin/cursor", "cursor")),
        *(("../bin/cursor-agent", "cursor"), ("~/.cursor/", "cursor")),
    ],
)
def test_a_trace_or_a_program_shows_who_uses_it(
    repository: Path, sealed_environment: Path, trace: str, name: str
) -> None:
    is_of_home = trace.startswith("~/")
    folder = sealed_environment if is_of_home else repository
    path = folder / trace.removeprefix("~/")
    path.mkdir() if trace.endswith("/") else put(path, b"#!/bin/sh\n")
    assert names(repository) == [name]
    path.rmdir() if trace.endswith("/") else path.unlink()


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
