import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from cli.running import Ocm, commit_by_hand
from support.harness import git
from support.rounds import every_row

from gitmem import errors
from gitmem.cli import failure, output
from gitmem.cli.failure import guarded

REF = "refs/ocm/sessions"


def test_outside_a_repository_the_way_on_is_told(
    ocm: Ocm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nowhere").mkdir()
    monkeypatch.chdir(tmp_path / "nowhere")
    for command in (["list"], ["init"], ["search", "x"], ["checkpoint", "--goal", "x"]):
        refused = ocm(*command)
        assert refused.status == 10
        assert "is not in a git repository" in refused.err
        assert "hint:" in refused.err
        assert "caused by:" not in refused.err
        assert ocm(*command, "--json").error["code"] == "no-repository"
    assert list((tmp_path / "nowhere").iterdir()) == []


def test_a_working_directory_that_is_gone_is_told(
    ocm: Ocm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert ocm("list").status == 10


def test_newer_format_is_refused_with_upgrade(ocm: Ocm, repository: Path) -> None:
    ocm("checkpoint", "--goal", "x")
    newer = commit_by_hand(repository, "format", "99\n")
    for command in (["list"], ["show", "last"], ["checkpoint", "--goal", "y"]):
        refused = ocm(*command, "--json")
        assert refused.status == 12
        assert "Upgrade" in refused.error["hint"]
    assert git(repository, "rev-parse", REF) == newer


def test_a_damaged_ref_is_told(ocm: Ocm, repository: Path) -> None:
    (repository / ".git" / "refs" / "ocm").mkdir()
    (repository / ".git" / REF).write_text(f"{'1' * 40}\n")
    refused = ocm("list", "--json")
    assert refused.status == 13
    assert refused.error["hint"]


def test_what_the_file_system_refuses_is_told(ocm: Ocm, repository: Path) -> None:
    (repository / ".git" / "ocm").write_text("no folder can be made here")
    refused = ocm("checkpoint", "--goal", "x", "--json")
    assert refused.status == 16
    assert refused.error["code"] == "no-permission"


def test_a_wrong_command_line_is_told_with_what_was_meant(ocm: Ocm) -> None:
    refused = ocm("shwo")
    assert refused.status == 2
    assert "'show'" in refused.err
    assert ocm("show", "--json").error["hint"].startswith("`ocm show --help`")
    assert "`ocm search --help`" in ocm("search", "--limit").err
    assert "behind --" in ocm("why", "-dash.txt").err
    assert "behind --" not in ocm("status", "-d").err


def test_causes_that_add_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> NoReturn:
        try:
            raise PermissionError(13, "Permission denied", "/x")
        except OSError as error:
            raise errors.Damaged("The index is gone.") from error

    assert guarded(fail) == 13
    assert capsys.readouterr().err == (
        "error: The index is gone.\ncaused by: Permission denied\n"
    )


@pytest.mark.parametrize("as_json", [False, True])
def test_nothing_that_is_told_of_an_error_holds_a_secret(
    capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    text = "password=hunter2hunter2"

    def fail() -> NoReturn:
        raise errors.InvalidInput(text, hint=f"`ocm share on {text}`") from (
            errors.Busy(text)
        )

    def break_down() -> NoReturn:
        raise errors.Busy("It is locked.") from ValueError(text)

    for command in (fail, break_down):
        output.choose_json(as_json)
        guarded(command)
    assert "hunter2" not in capsys.readouterr().err


def test_a_defect_leaves_a_report_without_secrets(
    capsys: pytest.CaptureFixture[str], sealed_environment: Path
) -> None:
    def fail() -> NoReturn:
        raise KeyError("password=hunter2hunter2")

    assert guarded(fail) == failure.DEFECT
    told = capsys.readouterr().err
    assert "Traceback" not in told
    (report,) = (sealed_environment / "ocm" / "crashes").iterdir()
    assert str(report) in told
    content = report.read_text()
    assert "Traceback" in content
    assert "pygit2" in content
    assert "hunter2" not in content + told
    assert stat.S_IMODE(report.stat().st_mode) == 0o600


@every_row(
    ("error", "status"),
    [
        (KeyboardInterrupt(), 130),
        (SystemExit(4), 4),
        (OSError(28, "No space left on device"), 16),
        (IsADirectoryError(21, "Is a directory", ".git/ocm/lock"), 16),
    ],
)
def test_the_exit_status_says_how_it_ended(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> NoReturn:
        raise error

    monkeypatch.setattr(failure, "abandon", lambda _: None)
    assert guarded(fail) == status


def test_error_text_is_escaped(ocm: Ocm, terminal: Callable[[int], None]) -> None:
    terminal(80)
    refused = ocm("search", "x", "--scope", "\x1b]0;title\x07")
    assert "\x1b]" not in refused.err


def test_terminal_keeps_ids_whole(ocm: Ocm, terminal: Callable[[int], None]) -> None:
    for slug in ("one-two-three-four", "five"):
        ocm("checkpoint", "--slug", slug, "--goal", slug)
    ids = [each["session_id"] for each in ocm("list", "--json").json]
    terminal(20)
    told = re.sub(r"\x1b\[[0-9;]*m", "", ocm("show", "20").err)
    assert set(ids) <= set(told.split())
    assert ocm("show", "20", "--json").error["code"] == "ambiguous"
