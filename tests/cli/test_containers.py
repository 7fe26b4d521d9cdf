"""What is left where the home, the machine or the folder is another one."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli.running import Ocm
from hook.calls import claude, run_command
from support.auto_push import Pair, make_pair, sent_from
from support.events import event, note
from support.harness import CLIENT, git
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import workspace_at

from gitmem.actions.saving.hook_events import note_interrupted
from gitmem.documents.event import Client, Prompt, Start

GONE = "/no/such/python"


@pytest.fixture
def worked(ocm: Ocm, repository: Path) -> Path:
    """A repository with a saved session, an unsaved one, memories, a transcript."""
    assert ocm("init", "--assistant", "claude-code").status == 0
    assert ocm("checkpoint", "--goal", "Saved").status == 0
    assert ocm("remember", "It uses tabs").status == 0
    assert ocm("remember", "--scope", "user", "I like tea").status == 0
    about: dict[str, Any] = {"client": CLIENT, "root": str(repository)}
    process: dict[str, Any] = {"pid": 4242, "started": "pid:[1] 1", "transcript": ""}
    begin = event(Start, source="startup", **about), event(Client, **process, **about)
    prompts = (event(Prompt, text=text, **about) for text in ("Unsaved", "And on"))
    note(repository, *begin, *prompts)
    transcripts = kept_by_claude_code(Path.home(), repository)
    claude_code_file(transcripts, "a" * 8 + CLIENT[8:], "Kept outside", cwd=repository)
    return repository


@pytest.fixture
def another_home(tmp_path: Path) -> Path:
    home = tmp_path / "another home"
    home.mkdir()
    shutil.copy(Path.home() / ".gitconfig", home)
    return home


def move_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("OCM_HOME", str(home / "ocm"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))


def goals(ocm: Ocm) -> set[str]:
    return {session["goal"] for session in ocm("list", "--json").json}


def memories(ocm: Ocm) -> str:
    return ocm("memories").text


class TestARebuiltContainer:
    """The work tree is there as before; the home and the programs are new."""

    @pytest.fixture(autouse=True)
    def rebuilt(
        self, worked: Path, another_home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Path:
        launcher = worked / ".git" / "ocm" / "run"
        started = re.sub(r"(?m)^python=.*", f"python={GONE}", launcher.read_text())
        launcher.write_text(started)
        move_in(another_home, monkeypatch)
        return worked

    def test_has_all_that_lies_in_the_repository(self, ocm: Ocm) -> None:
        assert goals(ocm) == {"Saved", "Unsaved"}
        assert "It uses tabs" in memories(ocm)

    def test_lacks_what_lay_in_the_home(self, ocm: Ocm) -> None:
        assert "I like tea" not in memories(ocm)
        assert "no transcripts" in ocm("import").text
        assert "not in the registry" in ocm("doctor").text

    def test_works_once_init_ran_again(self, ocm: Ocm, rebuilt: Path) -> None:
        launcher = rebuilt / ".git" / "ocm" / "run"
        call = claude("UserPromptSubmit", rebuilt, "b" * 8 + CLIENT[8:])
        heard = run_command(f"'{launcher}' hook claude-code", call, rebuilt)
        assert (heard.returncode, heard.stdout, heard.stderr) == (0, b"", b"")
        assert GONE in ocm("doctor").text
        assert ocm("init", "--yes").status == 0
        assert GONE not in ocm("doctor").text

    def test_counts_no_conversation_of_the_old_one_as_cut_off(
        self, ocm: Ocm, rebuilt: Path
    ) -> None:
        assert note_interrupted(workspace_at(rebuilt)) == []
        statuses = {each["goal"]: each["status"] for each in ocm("list", "--json").json}
        assert statuses["Unsaved"] == "open"


class TestAnotherPath:
    """The same folder is mounted elsewhere, or was copied with its `.git`."""

    @pytest.fixture(autouse=True)
    def copy(
        self, worked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Path:
        copy = tmp_path / "workspaces" / "shop"
        shutil.copytree(worked, copy, symlinks=True)
        monkeypatch.chdir(copy)
        return copy

    def test_has_the_same_sessions(self, ocm: Ocm) -> None:
        assert goals(ocm) == {"Saved", "Unsaved"}
        assert ocm("search", "saved").status == 0

    def test_finds_transcripts_of_the_former_path_if_told(
        self, ocm: Ocm, worked: Path
    ) -> None:
        assert "no transcripts" in ocm("import").text
        former = ("import", "claude-code", "--moved-from", str(worked), "--json")
        outcomes = [each["goal"] for each in ocm(*former).json["sessions"]]
        assert outcomes == ["Kept outside"]

    def test_goes_on_by_itself_and_is_joined_by_a_sync(
        self,
        ocm: Ocm,
        worked: Path,
        copy: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        remote = tmp_path / "remote.git"
        git(tmp_path, "init", "--quiet", "--bare", str(remote))
        for folder, goal in ((worked, "In the original"), (copy, "In the copy")):
            monkeypatch.chdir(folder)
            git(folder, "remote", "add", "origin", str(remote))
            assert ocm("checkpoint", "--goal", goal).status == 0
            assert ocm("share", "on", "--yes").status == 0
        for folder in (worked, copy):
            monkeypatch.chdir(folder)
            assert ocm("sync").status == 0
            known = {"Saved", "Unsaved", "In the original", "In the copy"}
            assert goals(ocm) == known


class TestAnotherMachine:
    """A clone: a Codespace, a colleague, a second computer."""

    @pytest.fixture
    def there(self, tmp_path: Path) -> Pair:
        pair = make_pair(tmp_path)
        sent_from(pair.there, "Sent from the first one")
        return pair

    def test_has_what_was_sent_once_it_shares(
        self,
        ocm: Ocm,
        there: Pair,
        tmp_path: Path,
        another_home: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        assert ocm("remember", "--scope", "user", "I like tea").status == 0
        move_in(another_home, monkeypatch)
        git(tmp_path, "clone", "--quiet", str(there.remote), "clone")
        monkeypatch.chdir(tmp_path / "clone")
        assert goals(ocm) == set()
        assert ocm("init", "--yes", "--share").status == 0
        assert goals(ocm) == {"Sent from the first one"}
        assert "I like tea" not in memories(ocm)
