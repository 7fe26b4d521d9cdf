"""`ocm space`: memories for all repositories, and for a team."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.running import Ocm
from support.harness import git, loose_object, make_repository
from support.rounds import few
from support.user_rule import HIDDEN, places_of, put_rule

from gitmem.errors import InvalidInput, NotFound, Unreachable

TEXT = "Deploys go through the staging cluster"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3  # made up


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """The repository of a team."""
    git(tmp_path, "init", "--quiet", "--bare", "hub.git")
    return tmp_path / "hub.git"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The gitmem folder of a user; `use` is another machine."""
    return use("first", tmp_path, monkeypatch)


def use(machine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OCM_HOME", str(tmp_path / machine))
    return tmp_path / machine


def folder(home: Path, name: str = "team") -> Path:
    return home / "spaces" / f"{name}.git"


def recalled(ocm: Ocm, *arguments: str) -> list[tuple[str, str]]:
    found = ocm("recall", *arguments, "--json").json
    return [(each["scope"], each["text"]) for each in found["result"]]


def test_a_team_recalls_on_another_machine_what_was_said_on_one(
    ocm: Ocm, hub: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ocm("space", "add", "team", str(hub), "--dry-run").out
    assert str(hub) in shown
    assert "who reads it" in shown
    assert not folder(home).exists()
    told = ocm("space", "add", "team", str(hub), "--yes", "--json").json
    assert (told["name"], told["shared"], told["memories"]) == ("team", True, 0)
    ocm("remember", TEXT, "--scope", "team")
    [row] = ocm("space", "list", "--json").json
    assert (row["name"], row["url"], row["memories"]) == ("team", str(hub), 1)
    assert len(row["waiting"]) == 1
    assert git(hub, "for-each-ref") == ""
    assert "team  Sent 1 memory." in ocm("sync").out
    assert ocm("space", "list", "--json").json[0]["waiting"] == []

    use("second", tmp_path, monkeypatch)
    monkeypatch.chdir(make_repository(tmp_path / "elsewhere"))
    assert recalled(ocm, "staging") == []
    added = ocm("space", "add", "team", "../hub.git", "--yes")
    assert "Fetched 1 memory." in added.out
    assert recalled(ocm, "staging") == [("team", TEXT)]
    assert recalled(ocm, "staging", "--scope", "project") == []


@pytest.mark.endurance
def test_the_space_of_the_user_goes_to_other_machines(
    ocm: Ocm, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ocm("remember", "I like short answers", "--scope", "user")
    told = ocm("space", "add", "user", str(hub), "--yes", "--json").json
    assert (told["new"], told["memories"]) == (False, 1)
    assert told["sync"]["memories"]["sent"] == 1
    use("second", tmp_path, monkeypatch)
    ocm("space", "add", "user", str(hub), "--yes")
    assert recalled(ocm, "answers") == [("user", "I like short answers")]


def test_nothing_leaves_before_somebody_said_so(
    ocm: Ocm, hub: Path, repository: Path
) -> None:
    ocm("space", "add", "team")
    ocm("remember", TEXT, "--scope", "team")
    assert ocm("space", "add", "team", str(hub)).status == InvalidInput.exit_status
    git(repository, "config", "--global", "ocm.remoteUrl", str(hub))
    assert ocm("sync", "--space", "team").status == InvalidInput.exit_status
    assert ocm("sync", "--json").json["spaces"] == []
    assert git(hub, "for-each-ref") == ""
    assert recalled(ocm, "staging") == [("team", TEXT)]


def test_a_space_that_was_declined_or_cannot_be_reached_is_not_there(
    ocm: Ocm, hub: Path
) -> None:
    gone = ocm("space", "add", "team", str(hub / "no-such"), "--yes", "--json")
    assert gone.error["code"] == Unreachable.code
    assert ocm("space", "add", "team", str(hub)).status == InvalidInput.exit_status
    assert ocm("space", "add", "team", "--dry-run").out == (
        "The space team would be added.\n"
    )
    assert ocm("space", "list").err.startswith("There are no spaces.\n")
    for name in ("project", "../team", "Team", ""):
        assert ocm("space", "add", name).status == InvalidInput.exit_status
    assert ocm("remember", TEXT, "--scope", "team").status == NotFound.exit_status


def test_a_space_has_one_remote(ocm: Ocm, hub: Path) -> None:
    ocm("space", "add", "team", str(hub), "--yes")
    assert "is there already" in ocm("space", "add", "team").out
    assert ocm("space", "add", "team", str(hub), "--yes").status == 0
    other = ocm("space", "add", "team", "https://ada:pw@example.com/x", "--yes")
    assert (other.status, "already" in other.err) == (InvalidInput.exit_status, True)


def test_removing_shows_what_goes_and_asks(ocm: Ocm, home: Path, hub: Path) -> None:
    ocm("space", "add", "team", str(hub), "--yes")
    ocm("remember", TEXT, "--scope", "team")
    assert "1 memory" in ocm("space", "remove", "team", "--dry-run").out
    assert "1 to be sent" in ocm("space", "remove", "team", "--dry-run").out
    assert ocm("space", "remove", "team").status == InvalidInput.exit_status
    assert folder(home).exists()
    told = ocm("space", "remove", "team", "--yes", "--json").json
    assert (told["removed"], told["memories"]) == (True, 1)
    assert not folder(home).exists()
    assert ocm("space", "remove", "team", "--yes").status == NotFound.exit_status
    assert ocm("space", "remove", "user", "--yes").status == NotFound.exit_status


@pytest.mark.endurance
def test_a_sync_goes_on_where_one_remote_is_gone(
    ocm: Ocm, hub: Path, tmp_path: Path
) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "other.git")
    ocm("space", "add", "a", str(hub), "--yes")
    ocm("space", "add", "b", str(tmp_path / "other.git"), "--yes")
    shutil.rmtree(hub)
    for name in "ab":
        ocm("remember", f"{TEXT} {name}", "--scope", name)
    ran = ocm("sync")
    assert ran.status == Unreachable.exit_status
    assert ran.out == "b  Sent 1 memory.\n"
    [line] = ran.err.splitlines()
    assert line.startswith("a: ")
    first, second = ocm("sync", "--json").json["spaces"]
    assert (first["name"], first["error"]["code"]) == ("a", "unreachable")
    assert (second["name"], second["error"], second["outcome"]) == ("b", None, "done")
    rows = ocm("space", "list", "--json").json
    assert [row["last"]["error"] for row in rows] == ["unreachable", None]
    assert ocm("sync", "--space", "b").out == "Nothing is new.\n"


def without_head(space: Path) -> None:
    (space / "HEAD").unlink()


def without_objects(space: Path) -> None:
    shutil.rmtree(space / "objects")
    (space / "objects").mkdir()


def with_empty_objects(space: Path) -> None:
    loose_object(space, "0" * 40)
    for each in space.glob("objects/??/*"):
        each.chmod(0o644)
        each.write_bytes(b"")


@few(
    1,
    ("damage", "is_indexed"),
    [
        (without_head, True),
        (without_objects, False),
        (with_empty_objects, True),
    ],
)
def test_what_is_damaged_is_named_and_the_rest_answers(
    ocm: Ocm, home: Path, damage: Callable[[Path], None], is_indexed: bool
) -> None:
    git(home.parent, "init", "--quiet", str(home))  # which git finds above
    for name in ("team", "user"):
        ocm("space", "add", name)
    for name, text in (
        ("team", TEXT),
        ("user", "I watch staging myself"),
        ("project", "Nobody restarts staging on Fridays, for any reason"),
    ):
        ocm("remember", text, "--scope", name)
    if is_indexed:
        assert {scope for scope, _ in recalled(ocm, "staging")} == {
            *("team", "user", "project")
        }
    damage(folder(home))
    found = ocm("recall", "staging", "--json").json
    assert {each["scope"] for each in found["result"]} == {"user", "project"}
    assert found["notice"] == "Not readable: team."
    assert "Not readable: team." in ocm("recall", "staging").err
    assert ocm("remember", f"{TEXT} again", "--scope", "team").status != 0
    [team, _] = ocm("space", "list", "--json").json
    assert team["error"]
    assert ocm("space", "remove", "team", "--yes").status == 0


def test_no_secret_reaches_a_space(
    ocm: Ocm, home: Path, hub: Path, repository: Path
) -> None:
    put_rule(repository)
    ocm("space", "add", "team", str(hub), "--yes")
    for words in (SECRET, HIDDEN):
        ocm(
            *("remember", f"The key of staging is {words}", "--scope", "team"),
            *("--why", words, "--fact", f"it is {words}", "--tag", words),
            *("--key", words),
        )
    assert len(recalled(ocm, "staging")) == 2
    ocm("sync")
    for place in (folder(home), hub):
        for words in (SECRET, HIDDEN):
            assert places_of(place, words) == []


def test_what_a_colleague_replaces_is_reviewed_in_the_space(
    ocm: Ocm,
    hub: Path,
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ocm("space", "add", "team", str(hub), "--yes")
    known = ocm("remember", TEXT, "--scope", "team", "--json").json["memory_id"]
    ocm("sync")
    use("second", tmp_path, monkeypatch)
    git(repository, "config", "user.name", "Bob")  # of whoever says something here
    git(repository, "config", "user.email", "bob@example.com")
    ocm("space", "add", "team", str(hub), "--yes")
    new = "Nothing is deployed on Fridays"
    ocm("remember", new, "--scope", "team", "--replaces", known)
    ocm("sync")
    [mine] = ocm("recall", "--json").json["result"]
    assert (mine["text"], "author" in mine) == (new, False)
    git(repository, "config", "--remove-section", "user")
    use("first", tmp_path, monkeypatch)
    assert "`ocm sync --space team --review`" in ocm("sync").err
    shown = ocm("sync", "--space", "team", "--review").out
    assert "Bob <bob@example.com> replaced the memory by m-" in shown
    found = {each["text"]: each for each in ocm("recall", "--json").json["result"]}
    assert {text: each.get("author") for text, each in found.items()} == {
        TEXT: None,
        new: "Bob",
    }
    assert ocm("sync", "--space", "team", "--refuse", known).status == 2
    done = ocm("sync", "--space", "team", "--accept", known)
    assert done.err == "Accepted: 1 memory.\n"
    assert recalled(ocm) == [("team", new)]


def test_a_memory_of_a_space_is_exported_to_the_users_folder(
    ocm: Ocm, repository: Path
) -> None:
    said = ocm("remember", "I like short answers", "--scope", "user", "--json").json
    path = Path(ocm("export", said["memory_id"]).out.strip())
    assert "I like short answers" in path.read_text()
    assert not path.is_relative_to(repository)
