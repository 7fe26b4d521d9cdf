"""What was said is kept apart, redacted, and under the name of its session."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.conversations import keep
from support.harness import NOON, git, lose
from support.histories import Clones, session
from support.rounds import few

from gitmem.documents.conversation import conversation
from gitmem.documents.conversation.conversation import Speaker, Turn, parse
from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import FILE_MODE, TreeEntry
from gitmem.redaction.redact import redact
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.conversation_tree import REF, ConversationTree
from gitmem.store.trees.document_tree import tree_at_tip

SESSION = session(0)
LATER = replace(SESSION, id=SESSION.id.replace("12-00", "12-01"))
"""The same session, as a clone has it that heard of the conversation later."""
TURNS = (
    Turn(Speaker.PERSON, "make it fast", NOON),
    Turn(Speaker.ASSISTANT, "It is fast now.\n\n## Goal"),
)


def tree(repository: Path) -> ConversationTree:
    return tree_at_tip(CONVERSATION, open_repository(repository))


def said(repository: Path, session: Session = SESSION) -> Sequence[Turn]:
    return parse(tree(repository).text_like(session.id) or "")


def path_of(session: Session) -> str:
    return f"conversations/2026/02/23/{session.id}.md"


def test_a_conversation_is_kept_in_a_commit_of_its_own_ref(repository: Path) -> None:
    assert (tree(repository).commit, tree(repository).text_like(SESSION.id)) == (
        None,
        None,
    )
    assert keep(repository, SESSION, TURNS)
    assert said(repository) == TURNS
    assert git(repository, "ls-tree", "-r", "--name-only", REF).splitlines() == [
        path_of(SESSION),
        "format",
    ]
    told = git(repository, "log", "--format=%s %ai", REF)
    assert told == f"conversation: {SESSION.id} 2026-02-23 12:00:00 +0000"
    assert git(repository, "rev-parse", REF) == tree(repository).commit
    assert git(repository, "rev-parse", f"{REF}@{{0}}") == tree(repository).commit
    assert git(repository, "fsck", "--strict") == ""
    assert SessionStore(open_repository(repository)).memory().commit is None


def test_same_text_commits_once(repository: Path) -> None:
    assert keep(repository, SESSION, TURNS)
    assert not keep(repository, SESSION, iter(TURNS))
    assert not keep(repository, SESSION, TURNS)
    assert keep(repository, SESSION, (*TURNS, TURNS[0]))
    assert said(repository) == (*TURNS, TURNS[0])
    assert git(repository, "rev-list", "--count", REF) == "2"


def test_a_part_of_a_conversation_takes_nothing_of_it_away(repository: Path) -> None:
    keep(repository, SESSION, TURNS)
    for known in (SESSION, LATER):
        for part in (TURNS[:1], TURNS[1:]):
            assert not keep(repository, known, part)
        assert said(repository, known) == TURNS


def test_no_cut_keeps_a_secret(repository: Path) -> None:
    secret = "ghp_" + "Ab1Cd2Ef3Gh4" * 3
    text = f"{secret} <private>{secret}</private> "
    for cut in (conversation.TURN_LENGTH, 2 * conversation.TURN_LENGTH):
        text += "word " * ((cut - len(text) - 10) // 5) + secret + " "
    assert keep(repository, SESSION, [Turn(Speaker.PERSON, text)])
    kept = tree(repository).text_like(SESSION.id) or ""
    assert kept.startswith("## Person\n\n[REDACTED:github] [REDACTED] word")
    assert secret[:8] not in git(repository, "log", "-p", REF)


def test_endless_text_is_cut(repository: Path) -> None:
    endless = (Turn(Speaker.ASSISTANT, "word " * 1_000_000) for _ in range(10_000))
    assert keep(repository, SESSION, endless)
    kept = said(repository)
    length = sum(len(turn.text) for turn in kept)
    assert 0.99 * conversation.LENGTH <= length < 1.01 * conversation.LENGTH


def test_a_session_with_another_id_has_its_conversation(repository: Path) -> None:
    keep(repository, SESSION, TURNS)
    assert said(repository, LATER) == TURNS
    more = (*TURNS, TURNS[0])
    assert keep(repository, LATER, more)
    assert not keep(repository, LATER, more)
    names = git(repository, "ls-tree", "-r", "--name-only", REF).splitlines()
    assert names == [path_of(SESSION), "format"]
    assert said(repository) == said(repository, LATER) == more


@few(1, "how", ["link", "gone", "oversized"])
def test_unreadable_conversation_is_stored_anew(repository: Path, how: str) -> None:
    other = replace(SESSION, id=session(1).id)
    keep(repository, SESSION, TURNS)
    keep(repository, other, TURNS)
    spoil(repository, how)
    assert tree(repository).text_like(SESSION.id) is None
    assert said(repository, other) == TURNS
    assert keep(repository, SESSION, TURNS[:1])
    assert said(repository) == TURNS[:1]


def spoil(repository: Path, how: str) -> None:
    """Put something else where the conversation of SESSION is."""
    clones = Clones(repository)
    blob = clones.blob(b"/etc/passwd" if how == "link" else b"x" * 31_000_000)
    entry = TreeEntry(blob, 0o120000 if how == "link" else FILE_MODE)
    tip = git(repository, "rev-parse", REF)
    commit = clones.commit({path_of(SESSION): entry}, tip)
    git(repository, "update-ref", REF, commit)
    if how == "gone":
        lose(repository, blob)


@pytest.mark.parametrize(("written", "error"), [("3\n", FormatTooNew), ("x", Damaged)])
def test_another_format_is_refused_and_nothing_is_written(
    repository: Path, written: str, error: type[Exception]
) -> None:
    commit = Clones(repository).commit({"format": redact(written)})
    git(repository, "update-ref", REF, commit)
    with pytest.raises(error):
        keep(repository, SESSION, TURNS)
    with pytest.raises(error):
        tree(repository).text_like(SESSION.id)
    assert git(repository, "rev-parse", REF) == commit
