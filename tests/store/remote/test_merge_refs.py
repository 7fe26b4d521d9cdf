"""Two histories of our refs become one, without asking anybody."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.harness import NOON, git, lose, make_repository
from support.histories import Clones, buried, documents, named, path, session
from support.rounds import every_row, rounds

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.values import Change, Content, Oid
from gitmem.redaction.redact import redact
from gitmem.store.remote.merge_refs import MergeResult
from gitmem.store.trees import conversation_tree
from gitmem.store.trees.session_tree import REF

ONE, TWO, THREE, FOUR = (session(number, goal="begun") for number in range(4))
LATER = NOON + timedelta(hours=1)
NEWER = replace(ONE, goal="go on", updated_at=LATER)
NOTHING: dict[str, Change] = {}


def test_where_one_side_only_goes_on_its_commit_is_the_answer(clones: Clones) -> None:
    begun = clones.commit(documents(ONE))
    newer = clones.commit(documents(TWO, NEWER), begun)
    both = {ONE.id: Change.MODIFIED, TWO.id: Change.CREATED}
    taken = clones.take(begun, newer)
    assert taken == MergeResult(REF, begun, newer, newer, newer, both, NOTHING)
    taken = clones.take(newer, begun)
    assert taken == MergeResult(REF, newer, begun, newer, newer, NOTHING, both)
    assert clones.take(newer, newer) == replace(taken, theirs=newer, leaving=NOTHING)
    new = dict.fromkeys(both, Change.CREATED)
    assert clones.take(newer, None) == replace(taken, theirs=None, leaving=new)
    assert clones.take(None, newer).commit == newer
    assert clones.take(None, None).commit is None


def test_changes_of_both_come_together(clones: Clones, repository: Path) -> None:
    begun = clones.commit(documents(ONE, TWO, THREE))
    ours = clones.commit({**documents(NEWER), path(TWO): None}, begun)
    theirs = clones.commit({**documents(FOUR), path(THREE): None}, begun)
    taken = clones.take(ours, theirs)
    assert clones.parents(taken.commit) == [ours, theirs]
    assert taken.arriving.keys() == {TWO.id, FOUR.id}
    assert taken.leaving.keys() == {ONE.id, THREE.id}
    assert clones.tree(taken.commit) == clones.tree(
        clones.commit(documents(NEWER, TWO, THREE, FOUR))
    )
    told = git(repository, "log", "-1", "--format=%an %ae %ai%n%B", str(taken.commit))
    assert told.splitlines() == [
        "Ada ada@example.com 2026-02-23 12:00:00 +0000",
        "merge: 2 sessions from there, 2 sessions from here",
    ]
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""


@every_row("there", [NEWER, named(ONE, "b-path"), ONE])
def test_a_named_session_stays_one(clones: Clones, there: Session) -> None:
    begun = clones.commit(documents(ONE))
    here = named(ONE, "a-path")
    ours = clones.commit(documents(here), begun)
    theirs = clones.commit(documents(there, TWO), begun)
    taken = clones.take(ours, theirs)
    found = clones.sessions(taken.commit)
    assert found.keys() == {ONE.id, TWO.id}
    assert found[ONE.id].goal == there.goal
    assert found[ONE.id].session_id == here.session_id
    assert ONE.session_id in found[ONE.id].former_ids
    assert clones.tree(clones.take(theirs, ours).commit) == clones.tree(taken.commit)


def test_a_conversation_that_began_twice_has_the_least_path(clones: Clones) -> None:
    """Its first record may be earlier than what hooks saw; an old path may return."""
    imported = replace(ONE, id=ONE.id.replace("12-00", "11-59"), goal="imported")
    begun = clones.commit(documents(TWO))
    ours = clones.commit(documents(ONE), begun)
    theirs = clones.commit(documents(imported), begun)
    taken = clones.take(ours, theirs)
    assert clones.sessions(taken.commit).keys() == {imported.id, TWO.id}
    assert clones.tree(clones.take(theirs, ours).commit) == clones.tree(taken.commit)
    returned = clones.commit(documents(ONE), taken.commit or "")
    again = clones.take(taken.commit, returned)
    assert clones.tree(again.commit) == clones.tree(taken.commit)


def test_a_document_of_another_conversation_is_untrusted(clones: Clones) -> None:
    other = replace(ONE, client_session_id="f" * 8, goal="something else")
    ours = clones.commit(documents(ONE))
    theirs = clones.commit(documents(other, TWO))
    taken = clones.take(ours, theirs)
    assert clones.sessions(taken.commit) == {ONE.id: ONE, TWO.id: TWO}
    [stranger] = taken.strangers
    assert (stranger.path, stranger.what) == (
        path(ONE),
        "of another conversation than its name says",
    )


def test_ours_stays_if_theirs_is_too_long(
    clones: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(SESSION), "most_bytes", 2_000)
    short, long = (replace(ONE, work_summary=("word " * n,)) for n in (200, 300))
    begun = clones.commit(documents(short))
    for base in ([], [begun]):
        ours = clones.commit(documents(replace(short, goal="mine")), *base)
        theirs = clones.commit(documents(replace(long, goal="theirs")), *base)
        for one, other in ((ours, theirs), (theirs, ours), (begun, theirs)):
            taken = clones.take(one, other)
            assert clones.tree(taken.commit) == clones.tree(one)


def test_an_older_format_is_read_and_gets_ours(clones: Clones) -> None:
    begun = clones.commit(documents(ONE))
    older = clones.commit({"format": None}, begun)
    newer = clones.commit(documents(TWO), begun)
    for taken in (clones.take(None, older), clones.take(newer, older)):
        assert clones.git.read_tree(clones.tree(taken.commit) or "").keys() == {
            "format",
            "sessions",
        }


def test_a_newer_format_is_refused(clones: Clones) -> None:
    begun = clones.commit(documents(ONE))
    newer = clones.commit({"format": redact("3\n")}, begun)
    with pytest.raises(FormatTooNew):
        clones.take(begun, newer)


def test_what_cannot_be_read_is_refused(clones: Clones, repository: Path) -> None:
    begun = clones.commit(documents(ONE))
    newer = clones.commit(documents(TWO), begun)
    git(repository, "tag", "--annotate", "--message=no commit", "tag", newer)
    blob = git(repository, "rev-parse", f"{newer}:{path(TWO)}")
    for theirs in ("0" * 39 + "1", git(repository, "rev-parse", "tag"), blob):
        with pytest.raises(Damaged):
            clones.take(begun, theirs)
    lose(repository, blob)
    clones.git.close_packs()
    with pytest.raises(Damaged):
        clones.take(begun, newer)


def test_the_branch_of_a_project_does_not_become_a_memory(clones: Clones) -> None:
    ours = clones.commit(documents(ONE))
    theirs = git(clones.folder, "rev-parse", "HEAD")
    with pytest.raises(Damaged, match="not written by gitmem"):
        clones.take(ours, theirs)


def test_after_history_was_rewritten_by_chance_nothing_is_lost(clones: Clones) -> None:
    begun = clones.commit(documents(ONE))
    followed = clones.commit(documents(TWO), begun)
    ours = clones.commit(documents(THREE), followed)
    theirs = clones.commit(documents(FOUR), begun)
    taken = clones.take(ours, theirs, followed)
    assert clones.parents(taken.commit) == [ours, theirs]
    assert len(clones.sessions(taken.commit)) == 4


def test_rewritten_history_leaves_our_commits(clones: Clones) -> None:
    followed = clones.commit(documents(ONE, TWO))
    ours = clones.commit(documents(THREE), followed)
    theirs = clones.commit({**documents(TWO), **BURIED})
    taken = clones.take(ours, theirs, followed)
    assert clones.parents(taken.commit) == [theirs]
    assert clones.sessions(taken.commit).keys() == {TWO.id, THREE.id}
    assert taken.leaving.keys() == {THREE.id}
    assert clones.take(followed, theirs, followed).commit == theirs
    unheard_of = clones.take(ours, theirs)
    assert clones.parents(unheard_of.commit) == [theirs]
    heard_of = clones.commit({**documents(THREE), **BURIED}, ours)
    assert clones.parents(clones.take(heard_of, theirs).commit) == [theirs]


BURIED: Mapping[str, Content] = buried(ONE, with_history=True)


@pytest.mark.endurance
def test_own_commits_do_not_restore_the_forgotten(clones: Clones) -> None:
    begun = clones.commit(documents(TWO))
    ours = clones.commit(documents(THREE), clones.commit(documents(ONE), begun))
    theirs = clones.commit({**documents(FOUR), **BURIED}, begun)
    for followed in (begun, theirs, None):
        taken = clones.take(ours, theirs, followed)
        assert clones.parents(taken.commit) == [theirs]
        assert clones.sessions(taken.commit).keys() == {TWO.id, THREE.id, FOUR.id}


def said(**texts: str) -> dict[str, Content]:
    names = {"one": ONE, "two": TWO, "three": THREE}
    return {
        path(names[name], "conversations"): redact(text) for name, text in texts.items()
    }


def test_longer_version_of_a_conversation_stays(repository: Path) -> None:
    clones = Clones(repository, conversation_tree.REF)
    begun = clones.commit(said(one="a", two="a", three="a"))
    ours = clones.commit(said(one="abc", two="b", three="c"), begun)
    theirs = clones.commit(said(one="ab", two="c"), begun)
    taken = clones.take(ours, theirs)
    expected = clones.commit(said(one="abc", two="c", three="c"))
    assert clones.tree(taken.commit) == clones.tree(expected)
    assert clones.tree(clones.take(theirs, ours).commit) == clones.tree(expected)
    told = git(repository, "log", "-1", "--format=%s", str(taken.commit))
    assert told == "merge: 1 conversation from there, 2 conversations from here"


def test_conversations_of_forgotten_sessions_are_left_out(repository: Path) -> None:
    memory = Clones(repository).commit(
        {**documents(TWO), **buried(ONE, with_history=True)}
    )
    clones = Clones(repository, conversation_tree.REF)
    begun = clones.commit(said(one="a"))
    ours = clones.commit(said(two="b"), begun)
    theirs = clones.commit(said(one="longer"), begun)
    kept = clones.commit(said(two="b"))
    for followed in (begun, ours):
        taken = clones.take(ours, theirs, followed, memory)
        assert clones.tree(taken.commit) == clones.tree(kept)
        assert clones.parents(taken.commit) == [ours, theirs]
    taken = clones.take(begun, theirs, None, memory)
    assert clones.tree(taken.commit) == clones.tree(clones.commit({}))
    clones.git.update_ref(REF, None, memory, "test")
    assert clones.tree(clones.take(ours, theirs).commit) == clones.tree(kept)


CHANGES = st.dictionaries(
    st.integers(0, 5),
    st.sampled_from(["gone", "forgotten", "more", "a-name", "b-name"]),
    max_size=4,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("merging"))


@settings(max_examples=rounds(2))
@given(
    begun=st.none() | st.sets(st.integers(0, 5)),
    sides=st.tuples(CHANGES, CHANGES, CHANGES),
)
@example(begun={0, 1}, sides=({0: "gone", 1: "more"}, {0: "more", 1: "more"}, {}))
@example(begun=None, sides=({0: "more", 1: "more"}, {0: "more", 2: "more"}, {}))
def test_clones_converge_in_any_order(
    folder: Path, begun: set[int] | None, sides: tuple[dict[int, str], ...]
) -> None:
    """Without a beginning, histories have no commit in common."""
    clones = Clones(folder)
    base = clones.commit(documents(*map(session, begun))) if begun is not None else None
    one, two, three = (
        clones.commit(changed(side, number), *filter(None, [base]))
        for number, side in enumerate(sides)
    )

    def met(ours: Oid, theirs: Oid) -> Oid:
        together = clones.take(ours, theirs).commit
        assert together
        assert clones.take(together, theirs).commit == together
        assert clones.take(theirs, together).commit == together
        swapped = clones.take(theirs, ours).commit
        assert clones.tree(swapped) == clones.tree(together)
        return together

    met(one, two)
    all_met = met(met(one, two), three)
    assert clones.tree(all_met) == clones.tree(met(met(three, two), one))
    sessions = clones.sessions(all_met).values()
    assert known(sessions) == expected(begun or set(), sides)
    assert len(sessions) == len(known(sessions))


def changed(side: dict[int, str], where: int) -> dict[str, Content]:
    changes: dict[str, Content] = {}
    for number, how in side.items():
        known = session(number)
        later = known.started_at + timedelta(hours=1)
        newer = replace(known, work_summary=(f"{where}",), updated_at=later)
        changes[path(known)] = None
        if how == "forgotten":
            changes |= buried(known)
        elif how == "more":
            changes |= documents(newer)
        elif how != "gone":
            changes |= documents(named(newer, how))
    return changes


def expected(begun: set[int], sides: Iterable[dict[int, str]]) -> dict[str, set[str]]:
    """By conversation, what was added: what was forgotten is gone, and nothing else."""
    found: dict[str, set[str]] = {}
    for number in range(6):
        how = [side.get(number) for side in sides]
        added = {f"{i}" for i, each in enumerate(how) if each not in (None, "gone")}
        is_somewhere = added or (number in begun and None in how)
        if "forgotten" not in how and is_somewhere:
            found[session(number).client_session_id] = added
    return found


def known(sessions: Iterable[Session]) -> dict[str, set[str]]:
    return {each.client_session_id: {*each.work_summary} for each in sessions}


def test_a_newcomer_reads_nothing_because_of_a_tombstone(
    clones: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = clones.commit({**documents(ONE), **buried(TWO)})

    def read(*_: object) -> Session:
        raise AssertionError("of 20,000 documents that took 14 s")

    monkeypatch.setattr(type(SESSION), "parse", read)
    assert clones.take(None, theirs).commit == theirs
