"""A fresh clone of a repository whose memory is shared, and what `ocm init` offers."""

import time
from pathlib import Path

import pytest
from cli.running import Ocm, Ran, on_a_terminal
from support.auto_push import Pair, make_pair, sent_from
from support.harness import git
from support.rounds import few
from support.workspaces import saved_session, workspace_at

OFFER = "There is a memory at origin.\nTo take part in it: ocm init --share\n"
BRANCH = "refs/heads/ocm/sessions"


@pytest.fixture
def there(tmp_path: Path) -> Pair:
    """A remote that has the memory of somebody, and says what people may leave out."""
    pair = make_pair(tmp_path)
    sent_from(pair.there, "Stop the leak in the pump")
    git(pair.remote, "config", "uploadpack.allowFilter", "true")
    return pair


@pytest.fixture
def clone(there: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return cloned(there, tmp_path, monkeypatch)


def cloned(
    there: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *how: str
) -> Path:
    url = f"file://{there.remote}"
    git(tmp_path, "clone", "--quiet", *how, url, "clone")
    monkeypatch.chdir(tmp_path / "clone")
    return tmp_path / "clone"


def setting(clone: Path, key: str) -> list[str]:
    return workspace_at(clone).repository.config_values(key)


def goals(ran: Ran) -> list[str]:
    return [each["goal"] for each in ran.json]


@pytest.mark.endurance
def test_a_memory_at_the_remote_is_offered(ocm: Ocm, clone: Path) -> None:
    assert ocm("init").out.endswith(OFFER)
    assert ocm("init", "--dry-run").out.endswith(OFFER)
    assert "Would be shared with" in ocm("init", "--share", "--dry-run").out
    told = ocm("init", "--share", "--dry-run", "--json").json["sharing"]
    assert (told["shared"], told["sync"]) == (False, None)
    assert ocm("init", "--json").json["sharing"] == {
        "remote": "origin",
        "ref": "refs/ocm/sessions",
        "command": "ocm init --share",
    }
    assert setting(clone, "ocm.remote") == []
    assert git(clone, "for-each-ref", "refs/ocm") == ""


@few(
    1,
    "how",
    [
        (),
        ("--depth=1",),
        ("--filter=blob:none",),
        pytest.param(("--bare",), marks=pytest.mark.slow),
        pytest.param(("--filter=blob:none", "--depth=1"), marks=pytest.mark.slow),
    ],
    ids=lambda how: " ".join(how) or "whole",
)
def test_who_takes_part_finds_the_sessions_of_others(
    ocm: Ocm,
    there: Pair,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: tuple[str, ...],
) -> None:
    clone = cloned(there, tmp_path, monkeypatch, *how)
    ran = ocm("init", "--share")
    assert ran.status == 0, ran.err
    assert "This memory is shared with origin now." in ran.out
    assert ocm("init", "--json").json["sharing"] is None
    assert ocm("init", "--share").status == 0
    assert setting(clone, "ocm.remote") == ["origin"]
    assert goals(ocm("search", "leak in the pump", "--json")) == [
        "Stop the leak in the pump"
    ]
    saved_session(workspace_at(clone), goal="Paint the fence green")
    assert ocm("sync").status == 0
    assert (
        len(git(there.remote, "ls-tree", "-r", "refs/ocm/sessions").split(".md")) == 3
    )
    sent_from(there.there, "Mow the lawn")
    git(clone, "fetch", "--quiet")
    if any("--filter" in option for option in how):  # texts were left out there, too
        assert ocm("status").status == 0
        found = [each for each in ocm("doctor", "--json").json if each["mend"]]
        assert "problem" not in {e["grade"] for e in found if e["group"] == "Sharing"}
        assert ocm("pull").status == 0
    assert goals(ocm("search", "mow the lawn", "--json")) == ["Mow the lawn"]


@pytest.mark.endurance
@pytest.mark.parametrize("filter_", ["blob:limit=10", "tree:0"])
def test_texts_that_a_clone_left_out_are_said_to_be_so(
    ocm: Ocm,
    there: Pair,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    filter_: str,
) -> None:
    clone = cloned(there, tmp_path, monkeypatch, f"--filter={filter_}")
    git(clone, "fetch", "--quiet", "origin", "refs/ocm/*:refs/ocm/*")
    for command in (["list"], ["search", "leak"]):
        ran = ocm(*command)
        assert ran.status != 0 or "left out objects of the memory" in ran.err
    objects = next(e for e in ocm("doctor", "--json").json if e["code"] == "objects")
    assert objects["grade"] == "problem"
    words = objects["mend"].split("`")[1].replace("REMOTE", "origin").replace("'", "")
    git(clone, *words.split()[1:])
    assert goals(ocm("list", "--all", "--json")) == ["Stop the leak in the pump"]


@pytest.mark.endurance
def test_memory_on_a_branch_is_shared(ocm: Ocm, there: Pair, clone: Path) -> None:
    git(there.remote, "update-ref", BRANCH, "refs/ocm/sessions")
    git(there.remote, "update-ref", "-d", "refs/ocm/sessions")
    assert ocm("init", "--json").json["sharing"]["ref"] == BRANCH
    assert ocm("init", "--share").status == 0
    assert setting(clone, "ocm.remoteRef") == [BRANCH]
    assert workspace_at(clone).store.memory().commit


def test_without_a_remote_it_says_what_is_missing(ocm: Ocm) -> None:
    ran = ocm("init", "--share")
    assert ran.status == 2
    assert "no remote" in ran.err


@pytest.mark.endurance
@pytest.mark.usefixtures("there")
def test_who_says_no_is_not_asked_again(ocm: Ocm, clone: Path) -> None:
    said, status = on_a_terminal(clone, ["init"], "y\nn\n")
    assert "There is a memory at origin." in said
    assert "Share this memory with origin?" in said
    assert "not asked again" in said
    assert status == 0
    assert "memory at origin" not in ocm("init").out
    assert setting(clone, "ocm.remote") == []
    assert ocm("init", "--share").status == 0
    assert setting(clone, "ocm.remote") == ["origin"]


@pytest.mark.parametrize("url", ["/no/such/place", "https://127.0.0.1:1/x", "-x"])
def test_silent_remote_is_ignored(ocm: Ocm, repository: Path, url: str) -> None:
    git(repository, "config", "remote.origin.url", url)
    started = time.monotonic()
    ran = ocm("init", "--json")
    assert (ran.status, ran.err, ran.json["sharing"]) == (0, "", None)
    assert time.monotonic() - started < 5


@pytest.mark.slow
def test_one_that_never_answers_is_waited_for_five_seconds(
    ocm: Ocm, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ssh").write_text("#!/bin/sh\nexec sleep 30\n")
    (tmp_path / "ssh").chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(tmp_path / "ssh"))
    git(repository, "remote", "add", "origin", "ssh://nobody.invalid/x")
    started = time.monotonic()
    assert ocm("init").status == 0
    assert 4 < time.monotonic() - started < 12
