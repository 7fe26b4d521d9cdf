"""What was forgotten in one clone is gone in all, whatever they called it."""

from datetime import timedelta
from pathlib import Path

import pytest
from remote.clones import CONVERSATIONS, Clone, forget, make_clones
from support.clones import travel
from support.harness import git

from gitmem.actions.forgetting import sessions_named

CLIENT = "0a1b2c3d-4e5f-4000-8000-000000000000"


@pytest.mark.endurance
def test_conversation_follows_its_renamed_session(tmp_path: Path) -> None:
    here, there = clones = make_clones(tmp_path, 2, said=True)
    here.import_conversations(CLIENT, "Please look at it")
    sync(*clones)
    there.minutes = 5
    there.checkpoint(CLIENT, slug="named-there")
    there.import_conversations(CLIENT, "Please look at it, and at what is beside it")
    forget(here.workspace(), here.sessions_of(CLIENT), from_history=False)
    sync(*clones, *clones)
    assert here.texts() == ("", "")
    there.accept("all")  # what it had not sent yet
    sync(*clones)
    assert here.texts() == there.texts() == ("", "")


@pytest.mark.endurance
def test_conversation_of_a_removed_session_goes_too(tmp_path: Path) -> None:
    here, there = clones = make_clones(tmp_path, 2, said=True)
    there.skew = timedelta(days=1)
    for clone in clones:
        clone.import_conversations(CLIENT, "Please look at it")
    ids = {s.id for clone in clones for s in clone.sessions_of(CLIENT)}
    assert len(ids) == 2
    sync(*clones, here)
    [session] = here.sessions_of(CLIENT)
    here.put(here.memory().path(session.id), None)
    assert [*here.memory().ids()] == []
    assert session.id in git(here.folder, "ls-tree", "-r", "--name-only", CONVERSATIONS)
    named = sessions_named(here.workspace(), [session.id], from_history=True)
    forget(here.workspace(), named, from_history=True)
    sync(*clones)
    assert here.texts() == there.texts() == ("", "")
    names = git(here.folder, "log", "--all", "--name-only", "--format=")
    assert not [each for each in ids if each in names]


def sync(*clones: Clone) -> None:
    for clone in clones:
        travel(clone.workspace())
