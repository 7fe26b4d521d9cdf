"""A tree that came from elsewhere may hold anything; only what is ours is taken."""

import time
from collections import Counter

import pytest
from support.harness import git
from support.histories import Clones, documents, path, session
from support.rounds import every_row

from gitmem.documents.session.rendering import DOCUMENT_LIMIT
from gitmem.errors import Damaged
from gitmem.git.values import Oid, TreeEntry
from gitmem.redaction.redact import redact
from gitmem.store.remote import untrusted
from gitmem.store.remote.untrusted import Stranger
from gitmem.store.trees.session_tree import sessions_at

ONE, TWO = session(0), session(1)
NAME = f"{ONE.id}.md".encode()
DAY = ("2026", "02", "23")

FILE, EXECUTABLE, LINK, SUBMODULE = "100644", "100755", "120000", "160000"
TREE = "40000"
Entry = tuple[str, bytes, Oid]


def day(clones: Clones, *entries: Entry, folders: tuple[str, ...] = DAY) -> Oid:
    """A history whose only day has these."""
    tree = clones.raw_tree(*entries)
    for name in reversed(folders):
        tree = clones.raw_tree((TREE, name.encode(), tree))
    return root(clones, (TREE, b"sessions", tree))


def root(clones: Clones, *entries: Entry) -> Oid:
    marked = (FILE, b"format", clones.blob(b"2\n"))
    return clones.commit_of(clones.raw_tree(marked, *entries))


@every_row(
    ("mode", "name", "what"),
    [
        (LINK, NAME, "a symbolic link"),
        (SUBMODULE, NAME, "a submodule"),
        (FILE, b"..", "in the wrong place"),
        (FILE, NAME.replace(b"02-23", b"02-24"), "in the wrong place"),
        (FILE, b"x" * 10_000, "in the wrong place"),
        (TREE, NAME, "a folder"),
    ],
)
def test_what_no_gitmem_writes_is_named_and_left_there(
    clones: Clones, mode: str, name: bytes, what: str
) -> None:
    ours = clones.commit(documents(TWO))
    oid = clones.raw_tree() if mode == TREE else clones.blob(b"/etc/passwd")
    theirs = day(clones, (mode, name, oid))
    for before, kept in ((ours, {TWO.id}), (None, set[str]())):
        taken = clones.take(before, theirs)
        assert clones.sessions(taken.commit).keys() == kept
        shown = name.decode("utf-8", "backslashreplace")
        [stranger] = taken.strangers
        assert stranger == Stranger(f"sessions/2026/02/23/{shown}"[:200], what)
        stranger.path.encode()
        listed = git(clones.folder, "ls-tree", "-r", "-t", str(taken.commit))
        assert len(listed.splitlines()) == (6 if kept else 1)


@every_row(
    ("mode", "name"),
    [
        *((TREE, b"conversations"), (TREE, b".git"), (FILE, b"README.md")),
        *((FILE, b"forgotten"), (LINK, b"forgotten"), (SUBMODULE, b"sessions")),
    ],
)
def test_root_has_only_our_files(clones: Clones, mode: str, name: bytes) -> None:
    ours = clones.commit(documents(TWO))
    theirs = root(
        clones, (mode, name, clones.raw_tree() if mode == TREE else clones.blob(b""))
    )
    taken = clones.take(ours, theirs)
    assert [each.path for each in taken.strangers] == [name.decode()]
    assert clones.tree(taken.commit) == clones.tree(ours)


def test_what_stands_in_the_way_of_ours_takes_nothing_away(clones: Clones) -> None:
    ours = clones.commit(documents(ONE, TWO))
    blob = clones.blob(b"/etc/passwd")
    big = clones.blob(b"x" * (DOCUMENT_LIMIT + 1))
    for theirs in (
        day(clones, (LINK, NAME, blob), (FILE, f"{TWO.id}.md".encode(), big)),
        day(clones, (LINK, b"23", blob), folders=DAY[:2]),
        root(clones, (SUBMODULE, b"sessions", blob)),
    ):
        on_top = clones.commit_of(clones.tree(theirs) or "", ours)
        for there in (theirs, on_top):
            taken = clones.take(ours, there)
            assert clones.tree(taken.commit) == clones.tree(ours)
            assert taken.strangers


def test_an_executable_document_is_taken_as_a_plain_one(clones: Clones) -> None:
    begun = clones.commit(documents(ONE))
    blob = git(clones.folder, "rev-parse", f"{begun}:{path(ONE)}")
    theirs = day(clones, (EXECUTABLE, NAME, blob))
    for ours in (None, begun):
        taken = clones.take(ours, theirs)
        assert clones.tree(taken.commit) == clones.tree(begun)
        assert taken.strangers == ()


@pytest.mark.endurance
def test_a_tree_that_repeats_itself_is_opened_once(clones: Clones) -> None:
    def repeated(tree: Oid, names: list[bytes]) -> Oid:
        return clones.raw_tree(*((TREE, name, tree) for name in names))

    numbers = [b"%02d" % number for number in range(100)]
    years = [b"%04d" % number for number in range(10_000)]
    tree = clones.raw_tree((FILE, NAME, clones.blob(b"")))
    for names in (numbers, numbers, years):
        tree = repeated(tree, names)
    theirs = root(clones, (TREE, b"sessions", tree))
    ours = sessions_at(clones.git, clones.commit(documents(ONE, TWO)))
    began = time.process_time()
    taken = clones.take(None, theirs)
    assert ours.differing_ids(sessions_at(clones.git, theirs)) == {ONE.id, TWO.id}
    assert time.process_time() - began < 2
    assert taken.more_strangers + len(taken.strangers) == 1 + 99 + 99 + 9_999


def test_a_day_with_too_many_names_is_held_back_and_no_other(
    clones: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(untrusted, "MOST_OF_FOLDER", 3)
    ours, others = clones.commit(documents(ONE)), [*map(session, range(1, 8))]
    for theirs, names in (
        (clones.commit(documents(*others)), 4),
        (clones.commit(documents(*others), ours), 5),
    ):
        taken = clones.take(ours, theirs)
        what = f"{names} names, where at most 3 are taken"
        assert taken.strangers == (Stranger("sessions/2026/02/23", what),)
        there = {each.id for each in others[4:]}
        assert clones.sessions(taken.commit).keys() == {ONE.id, *there}


@pytest.mark.parametrize(
    ("most", "held_back", "left"),
    [
        ("MOST_TEXTS", "sessions/2026/02/24", {"sessions": 5, "forgotten": 5}),
        ("MOST_TOMBSTONES", "forgotten/04", {"sessions": 10, "forgotten": 4}),
    ],
)
def test_what_is_too_much_for_one_sync_is_held_back(
    clones: Clones,
    monkeypatch: pytest.MonkeyPatch,
    most: str,
    held_back: str,
    left: dict[str, int],
) -> None:
    """Nine names, those of folders among them."""
    monkeypatch.setattr(untrusted, most, 9)
    buried = {f"forgotten/{n:02}/{n:062}": redact("x\n") for n in range(5)}
    theirs = clones.commit({**documents(*map(session, range(10))), **buried})
    taken = clones.take(None, theirs)
    assert taken.strangers == (Stranger(held_back, "more than is taken at once"),)
    listed = git(clones.folder, "ls-tree", "-r", "--name-only", str(taken.commit))
    kinds = Counter(path.partition("/")[0] for path in listed.splitlines())
    assert kinds == {"format": 1, **left}


def test_what_is_no_document_is_in_no_tree_that_we_read(clones: Clones) -> None:
    one, other = clones.blob(b"1"), clones.blob(b"2")
    for oids in ((one, other), (clones.raw_tree(),), ("0" * 39 + "1",)):
        with pytest.raises(Damaged):
            clones.take(None, day(clones, *((FILE, NAME, oid) for oid in oids)))


def test_clones_with_strangers_of_their_own_come_to_rest(clones: Clones) -> None:
    begun = clones.commit(documents(ONE))
    link = clones.raw_tree((LINK, NAME, clones.blob(b"/etc/passwd")))
    ours, theirs = (
        clones.commit({name: TreeEntry(clones.blob(b"a"), 0o100644)}, begun)
        for name in ("README.md", "sessions/b")
    )
    ours = clones.commit({"sessions/2026/02/24": TreeEntry(link, 0o040000)}, ours)
    there = clones.take(ours, theirs).commit
    assert {str(each.path) for each in clones.take(ours, theirs).strangers} == {
        "sessions/b"
    }
    assert clones.tree(there) == clones.tree(begun)
    assert clones.take(theirs, there).commit == there
