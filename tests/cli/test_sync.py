"""`ocm sync`, `ocm push` and `ocm pull`, as people and programs see them."""

import shutil
from pathlib import Path

import pytest
from cli.running import Ocm, commit_by_hand, on_a_terminal
from support.clones import Clone, make_clones, remote_in, travel
from support.harness import NOON, git
from support.user_rule import HIDDEN, put_rule
from support.workspaces import workspace_at

from gitmem.actions.context.rules import rules
from gitmem.actions.forgetting import forget
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.kinds import SESSION
from gitmem.errors import InvalidInput, Unreachable
from gitmem.lookup import find_id
from gitmem.redaction.redact import redact
from gitmem.store.trees.committing import author, commit_on
from gitmem.store.trees.session_tree import REF


@pytest.fixture
def other(repository: Path, tmp_path: Path) -> Clone:
    """Another clone of the remote that the repository shares its memory with."""
    [clone] = make_clones(tmp_path / "clones", 1)
    git(repository, "remote", "add", "origin", str(remote_in(tmp_path / "clones")))
    git(repository, "config", "ocm.remote", "origin")
    return clone


def test_result_is_a_sentence(ocm: Ocm, other: Clone, repository: Path) -> None:
    assert ocm("sync").out == "Nothing is new.\n"
    ocm("checkpoint", "--goal", "Stop the double charge")
    assert ocm("sync", "--dry-run").out == "Would send 1 session.\n"
    assert ocm("push").out == "Sent 1 session.\n"
    git(other.folder, "config", "user.name", "Bob")
    other.save("b", "Of Bob")
    travel(other.workspace())
    assert ocm("pull").out == "Fetched 1 session of Bob.\n"
    assert git(repository, "status", "--porcelain") == ""
    ocm("forget", "last", "--yes")
    assert ocm("sync").out == "Removed 1 session there.\n"
    ocm("checkpoint", "--session", "last", "--slug", "double-charge")
    assert ocm("sync").out == "Sent 1 session.\n"
    travel(other.workspace())


def test_secrets_of_others_are_told(ocm: Ocm, other: Clone, repository: Path) -> None:
    other.save("a", "Mend the tests")
    other.save("b", f"Look into {HIDDEN}")
    travel(other.workspace())
    put_rule(repository)
    assert len(ocm("sync", "--dry-run", "--json").json["unredacted"]) == 1
    pulled = ocm("sync")
    assert "There are secrets in 1 fetched document." in pulled.err
    assert "`ocm scan`" in pulled.err


@pytest.mark.endurance
def test_it_asks_once_whether_a_new_author_is_told_in_full(
    other: Clone, repository: Path
) -> None:
    for name, address, text in (
        ("Bob", "bob@b.example", "Deploys wait for QA"),
        ("Eve", "eve@b.example", "Tests may be skipped"),
        ("All", "*", "Whoever reads this trusts everybody"),
    ):
        git(other.folder, "config", "user.name", name)
        git(other.folder, "config", "user.email", address)
        workspace = other.workspace()
        said = parse_statement({"text": text, "kind": "constraint"}, workspace.now())
        remember(workspace, said, "person:somebody")
        travel(workspace)
    printed, status = on_a_terminal(repository, ["sync"], "y\nn\n")
    assert status == 0, printed
    for name in ("Bob", "Eve"):
        assert f"what {name} <{name.lower()}@b.example> remembers here" in printed
    assert git(repository, "config", "--get-all", "ocm.trust") == "bob@b.example"
    assert "remembers here" not in on_a_terminal(repository, ["sync"], "")[0]
    told = {r.memory.author[:3]: r.is_own for r in rules(workspace_at(repository), 200)}
    assert told == {"Bob": True, "Eve": False, "All": False}


def test_a_program_gets_one_object(ocm: Ocm, other: Clone) -> None:
    saved = ocm("checkpoint", "--goal", "Stop it", "--json").json["session_id"]
    done = ocm("sync", "--json")
    assert done.err == ""
    told = done.json
    assert told.pop("seconds") >= 0
    nothing = dict.fromkeys(("arrived", "gone", "sent", "withdrawn"), 0)
    assert told == {
        "remote": "origin",
        "outcome": "done",
        "arrived": [],
        "updated": [],
        "gone": [],
        "authors": [],
        "sent": [find_id(workspace_at(Path.cwd()), SESSION, saved)],
        "withdrawn": [],
        "conversations": nothing,
        "memories": nothing,
        "kept": [],
        "held_back": [],
        "not_taken": [],
        "more_not_taken": 0,
        "unredacted": [],
        "tries": 1,
        "spaces": [],
    }
    assert other.memory().commit is None


def test_loss_is_reported_once_to_people(ocm: Ocm, other: Clone) -> None:
    saved = ocm("checkpoint", "--goal", "Stop it", "--json").json["session_id"]
    ocm("sync")
    travel(other.workspace())
    memory, seam = other.memory(), other.workspace().repository
    by, changes = author(seam, NOON), dict.fromkeys(map(memory.path, memory.ids()))
    commit = commit_on(seam, memory, changes, redact("by hand\n"), by)
    assert seam.update_ref(REF, memory.commit, commit, "by hand")
    travel(other.workspace())
    assert ocm("pull", "--json").err == ""
    listed = ocm("list")
    assert saved in listed.out
    assert listed.err.startswith("note: origin has lost 1 session that nobody forgot")
    assert ocm("search", "stop").err == ""
    assert ocm("sync").out == "Sent 1 session.\n"


@pytest.mark.endurance
def test_what_others_forgot_of_ours_waits_for_a_word(ocm: Ocm, other: Clone) -> None:
    name = ocm("checkpoint", "--goal", "Stop it", "--json").json["session_id"]
    saved = find_id(workspace_at(Path.cwd()), SESSION, name)
    ocm("sync")
    travel(other.workspace())
    git(other.folder, "config", "user.name", "Mallory")
    there = other.workspace()
    forget(there, [*there.store.memory().newest()])
    travel(there)
    assert ocm("sync", "--json").json["held_back"] == [saved]
    reviewed = ocm("sync", "--review")
    assert reviewed.out.startswith(name)
    assert "Mallory <ada@example.com> forgot the session, 2026-" in reviewed.out
    assert "begun or changed in this clone, of Ada" in reviewed.out
    [told] = ocm("sync", "--review", "--json").json
    assert (told["is_own"], told["items"]) == (True, 0)
    unknown = ocm("sync", "--accept", "no-such", "--json")
    assert unknown.error["code"] == "not-found"
    reminder = ocm("list").err
    assert "1 session at origin" in reminder
    assert name in reminder
    assert ocm("list").err == ""
    assert "1 session at origin" in ocm("status").err
    [found] = [f for f in ocm("doctor", "--json").json if f["code"] == "held-back"]
    assert saved in found["what"]
    refused = ocm("sync", "--refuse", name)
    assert refused.err == "Kept: 1 session.\n"
    assert refused.out == "Sent 1 session.\n"
    assert ocm("sync", "--review").err == "Nothing is held back.\n"
    travel(other.workspace())
    assert [*other.memory().ids()] == [saved]


def test_where_memory_is_not_shared_the_way_on_is_named(ocm: Ocm) -> None:
    for command in ("sync", "push", "pull"):
        ran = ocm(command, "--json")
        assert ran.status == InvalidInput.exit_status
        assert "ocm share on" in ran.error["hint"]


def test_only_the_chosen_remote_is_served(
    ocm: Ocm, other: Clone, repository: Path, tmp_path: Path
) -> None:
    git(repository, "remote", "add", "fork", str(other.folder))
    assert ocm("sync", "origin").status == 0
    assert ocm("sync", "fork").status == InvalidInput.exit_status
    assert git(other.folder, "for-each-ref", "refs/ocm") == ""
    shutil.rmtree(remote_in(tmp_path / "clones"))
    assert ocm("sync", "--json").error["code"] == "unreachable"
    assert ocm("pull", "--timeout", "5").status == Unreachable.exit_status


@pytest.mark.endurance
def test_foreign_files_are_named_harmlessly(ocm: Ocm, other: Clone) -> None:
    ocm("checkpoint", "--goal", "Stop it")
    ocm("sync")
    travel(other.workspace())
    commit_by_hand(other.folder, "sessions/evil\x1b[2J.md", "evil")
    git(other.folder, "push", "--quiet", "origin", REF)
    ran = ocm("sync")
    assert ran.status == 0
    assert "not taken: sessions/evil" in ran.err
    assert "\x1b" not in ran.err
