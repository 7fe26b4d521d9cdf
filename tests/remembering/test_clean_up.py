"""Memories that nobody asks for, and those that say the same."""

from pathlib import Path

import pytest
from cli.running import Ocm
from remembering.saying import days_ago, said_at, say, stored

from gitmem.documents.memory.memory import Category, Memory, MemoryStatus
from gitmem.store import recall_counts
from gitmem.store.recall_counts import RecallCount, count_recalls
from gitmem.workspace import Workspace


@pytest.fixture
def old(workspace: Workspace) -> Memory:
    return said_at(workspace, "The walrus sleeps.", days_ago(workspace, 100))


def test_what_nobody_recalled_is_stale(
    ocm: Ocm, workspace: Workspace, old: Memory
) -> None:
    said_at(workspace, "The seal sleeps.", days_ago(workspace, 10))
    said_at(workspace, "The bear sleeps.", days_ago(workspace, 100), pinned=True)
    (found,) = ocm("memories", "--stale", "30", "--dry-run", "--json").json["found"]
    assert (found["memory_id"], found["recalled"], found["times"]) == (old.id, None, 0)
    assert ocm("memories", "--stale", "30").status == 2
    assert ocm("memories", "--stale", "30", "--yes").status == 0
    assert ocm("show", old.id).status == 1
    assert ocm("memories", "--stale", "30", "--json").json["found"] == []


def test_what_was_recalled_is_not(ocm: Ocm, workspace: Workspace, old: Memory) -> None:
    for _ in range(2):
        assert len(ocm("recall", "walrus", "--json").json["result"]) == 1
    assert ocm("memories", "--stale", "30", "--json").json["found"] == []
    today = workspace.now().date()
    assert recall_counts.recall_counts(workspace.own_dir) == {
        old.id: RecallCount(2, today)
    }


def test_recalls_are_compacted_and_survive_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workspace: Workspace
) -> None:
    monkeypatch.setattr(recall_counts, "_MOST_BYTES", 200)
    today = workspace.now().date()
    for _ in range(9):
        count_recalls(tmp_path, ["m-0123456789ab", "m-ba9876543210"], today)
    assert len((tmp_path / "recalled").read_bytes()) <= 200
    with (tmp_path / "recalled").open("ab") as file:
        file.write(b"\xff\nm-1 never x\n\n")
    assert recall_counts.recall_counts(tmp_path) == {
        memory_id: RecallCount(9, today)
        for memory_id in ("m-0123456789ab", "m-ba9876543210")
    }


def test_duplicates_are_joined(ocm: Ocm, workspace: Workspace) -> None:
    at = [days_ago(workspace, days) for days in (9, 8, 7)]
    port = said_at(workspace, "The API listens on port 8080.", at[0])
    said_at(workspace, "The API listens on port 9090.", at[1])
    fix = {"kind": Category.FIX}
    said_at(workspace, "A restart of the server helps.", at[0], **fix)
    said_at(workspace, "The restart of the server helps!", at[1], **fix)
    words = said_at(workspace, "Retries use exponential backoff.", at[0])
    more = said_at(workspace, "Retries use exponential backoff, jitter.", at[2])
    told = ocm("memories", "--duplicates", "--dry-run", "--json").json
    assert {each["memory_id"]: each["proposal"] for each in told["found"]} == {
        words.id: "merge",
        port.id: "supersede",
    }
    assert stored(workspace, port.id).status is MemoryStatus.ACTIVE
    assert ocm("memories", "--duplicates", "--yes").status == 0
    assert stored(workspace, port.id).status is MemoryStatus.ACTIVE  # a person decides
    found = ocm("recall", "--json", "--limit", "50").json["result"]
    assert {each["text"] for each in found} == {
        "The API listens on port 8080.",
        "The API listens on port 9090.",
        "Retries use exponential backoff, jitter.",
        "The restart of the server helps!",
    }
    assert stored(workspace, more.id).status is MemoryStatus.SUPERSEDED
    (left,) = ocm("memories", "--duplicates", "--json", "--yes").json["found"]
    assert (left["memory_id"], left["opposite"]) == (port.id, True)


def test_the_command_of_a_pair_joins_it(workspace: Workspace) -> None:
    old = say(workspace, "The API listens on port 8080.").memory
    new = say(workspace, "The API listens on port 9090.").memory
    told = say(workspace, new.text, replaces=old.id)
    assert (told.action, told.memory.id) == ("superseded", new.id)
    assert stored(workspace, old.id).status is MemoryStatus.SUPERSEDED
    again = say(workspace, new.text, replaces=new.id)
    assert (again.action, again.memory.status) == ("unchanged", MemoryStatus.ACTIVE)
