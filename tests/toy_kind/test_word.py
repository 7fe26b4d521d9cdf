"""What another kind gets for free, shown by a toy one."""

from datetime import timedelta
from pathlib import Path

import pytest
from remote.clones import make_clones
from support.clones import travel
from support.harness import NOON, git
from support.workspaces import saved_session, workspace_at
from toy_kind.word import WORDS, Defined, Word

from gitmem.actions import any_kind
from gitmem.actions.reading.find import search
from gitmem.actions.remembering.named import find_document_of_kind, forget
from gitmem.documents.kinds import KINDS
from gitmem.errors import NotFound
from gitmem.git.libgit2.repository import open_repository
from gitmem.store.document_store import ChangeStore
from gitmem.store.forgetting.removal import Removal
from gitmem.workspace import Workspace

REF, TREE = "w-0123456789ab", "w-fedcba987654"
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"  # made up

Store = ChangeStore[Word, Defined]


@pytest.fixture
def store(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setitem(KINDS, WORDS.name, WORDS)
    return ChangeStore(open_repository(repository), WORDS)


def define(store: Store, word: str, means: str, minute: int = 0) -> None:
    store.append(Defined(word, NOON + timedelta(minutes=minute), means))


def test_a_change_is_acknowledged_then_committed(
    store: Store, repository: Path
) -> None:
    define(store, REF, "a name of a commit")
    define(store, REF, "it can move", minute=1)
    define(store, TREE, "a folder", minute=2)
    assert store.memory().document(REF) is None
    store.replay()
    assert store.memory().document(REF) == Word(
        REF, NOON, ("a name of a commit", "it can move")
    )
    assert [each.id for each in store.memory().newest()] == [TREE, REF]
    subjects = git(repository, "log", "--format=%s", WORDS.ref).splitlines()
    assert subjects == [
        "define: a folder", "define again: it can move", "define: a name of a commit"
    ]  # fmt: skip


def test_what_was_acknowledged_survives_a_kill_and_is_committed_once(
    store: Store, repository: Path
) -> None:
    define(store, REF, "a name")
    other: Store = ChangeStore(open_repository(repository), WORDS)
    other.replay()
    tip = other.memory().commit
    for mark in (repository / ".git/ocm/journal/word").glob("*.mark"):
        mark.unlink()
    store.replay()
    assert store.memory().commit == tip


def test_no_secret_reaches_journal_or_commit(store: Store, repository: Path) -> None:
    define(store, REF, f"the token {SECRET}")
    store.replay()
    found = git(repository, "log", "-p", WORDS.ref)
    assert "the token" in found
    assert SECRET not in found
    journals = (repository / ".git/ocm/journal/word").glob("*.jsonl")
    assert not any(SECRET in journal.read_text() for journal in journals)


@pytest.mark.parametrize("from_history", [False, True])
def test_what_is_forgotten_stays_so(
    store: Store, repository: Path, from_history: bool
) -> None:
    define(store, REF, "a name")
    define(store, TREE, "a folder")
    store.replay()
    word = store.memory().document(REF)
    store.remove(Removal(WORDS, [word], NOON, from_history))
    assert store.journal.lines(REF) == []
    define(store, REF, "a name", minute=5)
    store.replay()
    assert [each.id for each in store.memory().newest()] == [TREE]
    changed = git(repository, "log", "--format=", "--name-only", WORDS.ref)
    assert (REF in changed) is not from_history


def test_two_clones_end_with_the_same_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, WORDS.name, WORDS)
    clones = make_clones(tmp_path, 2, said=False)
    here, there = (ChangeStore(open_repository(each.folder), WORDS) for each in clones)
    define(here, REF, "a name")
    define(there, REF, "it can move", minute=1)
    define(there, TREE, "a folder")
    for each in (here, there):
        each.replay()
    for clone in (*clones, *clones):
        travel(clone.workspace())
    both = Word(REF, NOON, ("a name", "it can move"))
    assert [each.memory().document(REF) for each in (here, there)] == [both, both]
    assert here.memory().tree == there.memory().tree

    there.remove(Removal(WORDS, [there.memory().document(TREE)], NOON))
    there.remove(Removal(WORDS, [both], NOON))
    for clone in reversed(clones):
        travel(clone.workspace())
    assert here.memory().document(TREE) is None
    assert here.memory().document(REF) == both  # begun here: held back until accepted


def test_it_is_named_listed_found_and_forgotten(store: Store, repository: Path) -> None:
    workspace = workspace_at(repository)
    saved_session(workspace, goal="Rename the branches")
    define(store, REF, "a name of a commit that can move")
    define(store, TREE, "a folder of blobs", minute=1)
    assert found(workspace, "") == [TREE, REF]
    assert find_document_of_kind(workspace, WORDS, "w-0123").id == REF
    assert find_document_of_kind(workspace, WORDS, "last").id == TREE
    with pytest.raises(NotFound, match="No word is named 'w-9'"):
        find_document_of_kind(workspace, WORDS, "w-9")
    assert found(workspace, "which name can move") == [REF]
    assert [
        each.hit.id for each in search(workspace, "a folder of blobs").results
    ] == []
    define(store, TREE, "has names and modes", minute=2)
    assert found(workspace, "modes") == [TREE]
    forget([find_document_of_kind(workspace, WORDS, "w-01")])
    assert found(workspace, "which name can move") != [REF]
    assert found(workspace, "") == [TREE]


def found(workspace: Workspace, text: str) -> list[str]:
    return [hit.id for hit in any_kind.documents(workspace, WORDS, text, 5)]
