"""What was forgotten is in no document, journal or commit, and does not come back."""

import subprocess
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from cli.running import commit_by_hand
from support.conversations import keep
from support.events import event, note
from support.harness import CLIENT, NOON, git, record, saved

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import End, Prompt, Start
from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.session import Session
from gitmem.git.libgit2.repository import open_repository
from gitmem.store.forgetting.removal import Removal
from gitmem.store.journal.journal import journal_name
from gitmem.store.session_store import SessionStore, prepared
from gitmem.store.trees import conversation_tree
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import REF, is_conversation_forgotten

OTHER = "0b0b0b0b-4e5f-4000-8000-000000000000"
RARE = "xylotomous"
"""A word that is nowhere but in what is forgotten."""
LATER = NOON + timedelta(hours=1)


def removal_of(*sessions: Session, from_history: bool = False) -> Removal:
    return Removal(SESSION, sessions, LATER, from_history)


def journal(repository: Path) -> str:
    files = (repository / ".git/ocm/journal").iterdir()
    return "".join(f"{path.name}: {path.read_text()}\n" for path in files)


def reachable(repository: Path) -> bytes:
    """Every object that a ref or a reflog leads to, as git has it."""
    listed = git(repository, "rev-list", "--all", "--reflog", "--objects")
    names = "\n".join(line.split(" ", 1)[0] for line in listed.splitlines())
    read = ["git", "-C", str(repository), "cat-file", "--batch"]
    done = subprocess.run(read, input=names.encode(), capture_output=True, check=True)
    return done.stdout + listed.encode()


def test_tombstone_reveals_nothing(store: SessionStore, repository: Path) -> None:
    session = saved(store, goal=f"a {RARE} goal", slug=RARE)
    other = saved(store, OTHER, goal="something else")
    store.remove(removal_of(session))
    assert [*store.memory().ids()] == [other.id]
    assert is_conversation_forgotten(store.memory(), "cursor", CLIENT)
    files = git(repository, "ls-tree", "-r", "--name-only", REF)
    assert RARE not in files
    assert RARE not in git(repository, "log", "-1", "--format=%B", REF)
    assert "Ocm-" not in git(repository, "log", "-1", "--format=%B", REF)


def test_what_was_said_goes_under_all_the_names_of_the_session(
    store: SessionStore, repository: Path
) -> None:
    session = saved(store, goal="a goal")
    keep(repository, session, [Turn(Speaker.PERSON, RARE)])
    session = saved(store, slug="named")
    store.remove(removal_of(session))
    tip = git(repository, "ls-tree", "-r", "--name-only", conversation_tree.REF)
    assert tip == "format"
    assert (
        tree_at_tip(CONVERSATION, open_repository(repository)).text_like(session.id)
        is None
    )


def test_ended_one_leaves_no_journal(store: SessionStore, repository: Path) -> None:
    note(repository, event(End, tool="cursor"))
    store.remove(removal_of(saved(store, goal=RARE)))
    note(repository, event(End, tool="cursor"))
    store.replay()
    assert RARE not in journal(repository)
    assert ".mark" not in journal(repository)


def test_forgotten_gets_no_document(store: SessionStore, repository: Path) -> None:
    note(repository, event(Start, 60, tool="cursor"))
    store.remove(removal_of(saved(store, goal="a goal")))
    tip = store.memory().commit
    note(repository, event(Prompt, 60, tool="cursor", text=RARE))
    for tool in ("cursor", "unknown"):
        store.append(replace(record(goal=RARE), tool=tool))
        store.replay()
    assert store.memory().commit == tip
    assert not [*store.journal.unreplayed()]
    assert RARE not in journal(repository)
    assert len(store.journal.lines(journal_name(CLIENT))) == 1, "it is known to be open"


def test_import_restores_nothing_forgotten(store: SessionStore) -> None:
    store.remove(removal_of(saved(store, goal="a goal")))
    turns = [Turn(Speaker.PERSON, RARE)]
    [imported] = store.import_conversations(
        [prepared(record(goal="a goal"), NOON, turns)]
    )
    assert imported.is_forgotten
    assert imported.after is None
    assert not [*store.memory().ids()]


@pytest.mark.parametrize("from_history", [False, True])
def test_a_document_at_a_former_id_stays_where_it_is_of_another(
    store: SessionStore, repository: Path, *, from_history: bool
) -> None:
    other = saved(store, OTHER, goal="another", slug="fast")
    keep(repository, other, [Turn(Speaker.PERSON, "go on")])
    claiming = replace(saved(store, goal="a goal"), former_ids=(other.id,))
    store.remove(removal_of(claiming, from_history=from_history))
    assert store.memory().document(other.id) == other
    assert tree_at_tip(CONVERSATION, open_repository(repository)).text_like(other.id)
    assert saved(store, OTHER, goal="goes on").id == other.id


def test_with_history_no_commit_has_it(store: SessionStore, repository: Path) -> None:
    before = saved(store, OTHER, goal="before", at=NOON)
    first = store.memory().commit
    session = saved(store, goal=f"a {RARE} goal", at=NOON)
    keep(repository, session, [Turn(Speaker.PERSON, RARE)])
    session = saved(store, slug=f"{RARE}-work", at=NOON + timedelta(minutes=1))
    after = saved(store, OTHER, goal="after", at=NOON + timedelta(minutes=2))
    document = git(repository, "rev-parse", f"{REF}:{document_path(session.id)}")
    store.remove(removal_of(session, from_history=True))
    found = reachable(repository)
    for word in (RARE, CLIENT, CLIENT[:8], session.id, *session.former_ids):
        assert word.encode() not in found
    assert git(repository, "log", "--format=%s", REF).splitlines() == [
        "Sessions were forgotten",
        "0b0b0b0b: before",
    ]
    assert git(repository, "rev-parse", f"{REF}~1") == first
    assert [*store.memory().ids()] == [after.id] == [before.id]
    git(repository, "fsck", "--strict")
    assert RARE in git(repository, "cat-file", "-p", document), "as we say it is"
    git(repository, "reflog", "expire", "--expire=now", "--all")
    git(repository, "gc", "--quiet", "--prune=now")
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "cat-file", "-e", document)


def test_commits_of_both_sides_of_a_merge_stay_as_far_as_they_are_clean(
    store: SessionStore, repository: Path
) -> None:
    saved(store, OTHER, goal="ours")
    ours = store.memory().commit
    assert ours
    tree = git(repository, "rev-parse", f"{ours}^{{tree}}")
    theirs = git(repository, "commit-tree", tree, "-m", "theirs")
    merge = ("commit-tree", tree, "-p", ours, "-p", theirs)
    session = saved(store, goal=RARE)
    by_name = git(repository, *merge, "-m", f"Merge, and {session.id}")
    git(repository, "update-ref", REF, by_name)
    store.remove(removal_of(session, from_history=True))
    parents = git(repository, "log", "-1", "--format=%P", REF).split()
    assert {*parents} == {ours, theirs}
    assert session.id.encode() not in reachable(repository)


def test_an_earlier_forgetting_can_be_done_in_history_later(
    store: SessionStore, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = saved(store, goal=RARE)
    path = document_path(session.id)
    document = git(repository, "show", f"{REF}:{path}")
    commit_by_hand(repository, path, f"{RARE} " * 200)  # more than gitmem reads
    commit_by_hand(repository, path, document)
    monkeypatch.setattr(type(SESSION), "most_bytes", 2_000)
    store.remove(removal_of(session))
    assert RARE.encode() in reachable(repository)
    store.remove(removal_of(session, from_history=True))
    assert RARE.encode() not in reachable(repository)


def test_history_loses_a_conversation(store: SessionStore, repository: Path) -> None:
    turns = [Turn(Speaker.PERSON, RARE)]
    days = [NOON, NOON + timedelta(days=1)]
    made = store.import_conversations(
        [prepared(record(goal=RARE, at=day), day, turns) for day in days]
    )
    first, second = (each.after for each in made)
    assert first
    assert second
    store.remove(removal_of(first, second))
    assert RARE.encode() in reachable(repository)
    store.remove(removal_of(first, from_history=True))
    assert RARE.encode() not in reachable(repository)


def test_removing_twice_changes_nothing(store: SessionStore) -> None:
    session = saved(store, goal="a goal")
    for from_history in (False, True):
        store.remove(removal_of(session, from_history=from_history))
        tip = store.memory().commit
        later = replace(removal_of(session, from_history=from_history), when=NOON)
        store.remove(later)
        assert store.memory().commit == tip


def test_another_session_of_the_name_stays(store: SessionStore) -> None:
    session = saved(store, goal="one", slug="fast")
    other = saved(store, OTHER, goal="two", slug="fast")
    assert other.session_id == session.session_id
    store.remove(removal_of(session, from_history=True))
    assert [*store.memory().ids()] == [other.id]
    assert store.memory().document(other.id) == other
