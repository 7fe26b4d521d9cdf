"""What was forgotten stays so, in whatever order clones hear of it."""

from dataclasses import replace
from datetime import timedelta

from support.harness import NOON, git
from support.histories import Clones, buried, documents, named, path, session
from support.rounds import every_row

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.session import Session
from gitmem.git.values import Oid
from gitmem.redaction.redact import redact, seal
from gitmem.store.trees.session_tree import is_conversation_forgotten, sessions_at
from gitmem.store.trees.tombstones import (
    Tombstone,
    is_forgotten,
    read_tombstone,
    tombstone_path,
    with_history,
)

ONE, TWO = session(0, goal="a-secret-plan"), session(1)
NAMELESS = replace(TWO, client_session_id="")


def test_tombstone_tells_conversation_and_ids_by_digest(clones: Clones) -> None:
    known_as = named(ONE, "fast-path")
    memory = sessions_at(clones.git, clones.commit(buried(known_as)))
    assert is_conversation_forgotten(memory, ONE.tool, ONE.client_session_id)
    assert is_forgotten(memory, ONE.id)
    assert is_forgotten(memory, known_as.session_id)
    assert not is_conversation_forgotten(memory, "codex", ONE.client_session_id)
    assert not is_conversation_forgotten(memory, ONE.tool, TWO.client_session_id)
    assert not is_conversation_forgotten(memory, ONE.tool, "")
    assert not is_forgotten(memory, TWO.id)
    assert tombstone_path(SESSION, known_as) == tombstone_path(SESSION, ONE)
    assert with_history(memory) == set()
    rewritten = buried(known_as, with_history=True)
    commit = clones.commit(rewritten)
    assert with_history(sessions_at(clones.git, commit)) == {*rewritten}
    names = git(clones.folder, "ls-tree", "-r", "--name-only", commit).split()
    texts = {git(clones.folder, "show", f"{commit}:{name}") for name in names}
    assert texts == {"2", "2026-02-23T12:00:00+00:00\nhistory"}
    for word in (ONE.id, ONE.client_session_id, ONE.goal, ONE.tool):
        assert word not in " ".join(names)


@every_row("text", ["", "\n\n", "yesterday\nhistory", "\N{BELL}" * 20])
def test_any_text_is_a_tombstone(text: str) -> None:
    found = read_tombstone(text)
    assert found == Tombstone(None, with_history="history" in text)


def both_ways(clones: Clones, ours: Oid, theirs: Oid) -> Oid:
    """The tree in which both orders end."""
    trees = {
        clones.tree(clones.take(*order).commit)
        for order in ((ours, theirs), (theirs, ours))
    }
    [tree] = trees
    assert tree
    return tree


@every_row(
    "there",
    [
        replace(ONE, work_summary=("gone on with",)),
        named(ONE, "fast-path"),
        replace(ONE, id=ONE.id.replace("02-23", "02-24")),
    ],
)
@every_row("begins_together", [True, False])
def test_a_forgotten_session_does_not_come_back(
    clones: Clones, there: Session, *, begins_together: bool
) -> None:
    parents = [clones.commit(documents(ONE, TWO))] if begins_together else []
    gone = {path(ONE): None, **buried(ONE)}
    ours = clones.commit({**documents(TWO), **gone}, *parents)
    theirs = clones.commit({path(ONE): None, **documents(TWO, there)}, *parents)
    expected = clones.commit({**documents(TWO), **buried(ONE), **buried(there)})
    assert both_ways(clones, ours, theirs) == clones.tree(expected)


def test_a_session_without_a_client_id_does_not_come_back(clones: Clones) -> None:
    ours = clones.commit(buried(NAMELESS))
    theirs = clones.commit(documents(NAMELESS, ONE))
    expected = clones.commit({**documents(ONE), **buried(NAMELESS)})
    assert both_ways(clones, ours, theirs) == clones.tree(expected)


@every_row("quote", ["'{}'", '"{}"  # mine'])
def test_edited_header_is_understood(clones: Clones, quote: str) -> None:
    client = ONE.client_session_id
    edited = seal(
        ONE,
        lambda _: (
            f"---\nclient_session_id: {quote.format(client)}\n"
            f"tool: cursor\n---\n## Goal\n\n{client}\n"
        ),
    )
    ours, theirs = clones.commit(buried(ONE)), clones.commit({path(ONE): edited})
    assert both_ways(clones, ours, theirs) == clones.tree(ours)


def test_removed_tombstones_come_back(clones: Clones) -> None:
    ours = clones.commit({**documents(TWO), **buried(ONE)})
    gone = dict.fromkeys(buried(ONE))
    for changes in ({**gone}, {**gone, **documents(ONE)}, documents(ONE)):
        taken = clones.take(ours, clones.commit(changes, ours))
        assert clones.tree(taken.commit) == clones.tree(ours)
        assert clones.parents(taken.commit) == [taken.theirs]


def test_of_two_tombstones_the_one_that_tells_more_stays(clones: Clones) -> None:
    later = NOON + timedelta(days=1)
    begun = clones.commit(documents(TWO))
    plain, with_history, again = (
        clones.commit(buried(ONE, with_history=much, when=when), begun)
        for when, much in ((NOON, False), (later, True), (later, False))
    )
    assert both_ways(clones, plain, with_history) == clones.tree(with_history)
    assert both_ways(clones, again, with_history) == clones.tree(with_history)
    assert both_ways(clones, plain, again) == clones.tree(plain)


def test_too_long_or_misplaced_tombstones_are_not_taken_over(clones: Clones) -> None:
    begun = clones.commit(documents(ONE))
    name = tombstone_path(SESSION, ONE)
    theirs = clones.commit(
        {name: redact("x" * 201), f"{name}x": redact("x"), "forgotten/x": redact("x")},
        begun,
    )
    taken = clones.take(begun, theirs)
    assert clones.tree(taken.commit) == clones.tree(begun)
    assert len(taken.strangers) == 3
