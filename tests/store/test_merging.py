"""Two histories of our refs become one, without asking anybody."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from harness import NOON, git

from gitmem.model.document import render
from gitmem.model.redaction import redact, seal
from gitmem.model.session import Session
from gitmem.store.committing import author
from gitmem.store.libgit2 import Libgit2Repository, open_repository
from gitmem.store.memory import REF, Memory
from gitmem.store.merging import Taken, taken_in
from gitmem.store.repository import Content, Oid

FORMAT = {"format": redact("1\n")}


class Clone:
    """Histories of a ref, side by side in one repository."""

    def __init__(self, folder: Path, ref: str = REF) -> None:
        self.git: Libgit2Repository = open_repository(folder)
        self.ref = ref

    def commit(self, changes: Mapping[str, Content], *parents: Oid) -> Oid:
        base = self.git.tree_of(parents[0]) if parents else None
        changes = changes if parents else {**FORMAT, **changes}
        tree = self.git.write_tree(base, changes)
        by = author(self.git, NOON)
        return self.git.create_commit(tree, [*parents], redact("changes\n"), by)

    def take(
        self,
        ours: Oid | None,
        theirs: Oid | None,
        followed: Oid | None = None,
        memory: Oid | None = None,
    ) -> Taken:
        tip = self.git.resolve_ref(self.ref)
        if tip and ours is None:
            self.git.delete_ref(self.ref)
        elif ours and ours != tip:
            assert self.git.update_ref(self.ref, tip, ours, "test")
        return taken_in(self.git, self.ref, theirs, followed, NOON, memory)

    def tree(self, commit: Oid | None) -> Oid | None:
        return self.git.tree_of(commit) if commit else None

    def ids(self, commit: Oid | None) -> set[str]:
        return set(Memory(self.git, commit).ids())

    def parents(self, commit: Oid | None) -> list[str]:
        line = git(self.git.common_dir, "log", "-1", "--format=%P", str(commit))
        return line.split()


@pytest.fixture
def clone(repository: Path) -> Clone:
    return Clone(repository)


def session(number: int, goal: str = "", slug: str = "") -> Session:
    began = NOON + timedelta(days=number // 5, minutes=number)
    client = f"{number:08x}-0000-4000-8000-000000000000"
    return Session(
        id=f"{began:%Y-%m-%d_%H-%M}_cursor_{slug or f'{number:08x}'}",
        tool="cursor",
        project="inference",
        client_session_id=client,
        started_at=began,
        updated_at=began + timedelta(minutes=len(goal)),
        goal=goal,
    )


def path(session: Session, root: str = "sessions") -> str:
    return f"{root}/{session.id[:10].replace('-', '/')}/{session.id}.md"


def documents(*sessions: Session) -> dict[str, Content]:
    return {path(each): seal(each, render) for each in sessions}


ONE, TWO, THREE = (session(number, goal="begun") for number in range(3))
NEWER = replace(ONE, goal="go on")
RENAMED = replace(
    ONE, id=ONE.id.rpartition("_")[0] + "_fast-path", former_ids=(ONE.id,)
)


def test_where_one_side_only_goes_on_it_is_taken(clone: Clone) -> None:
    begun = clone.commit(documents(ONE))
    newer = clone.commit(documents(TWO, NEWER), begun)
    assert clone.take(begun, newer) == Taken(
        *(REF, begun, newer, newer, frozenset((TWO.id, ONE.id)), frozenset())
    )
    assert clone.take(newer, begun) == Taken(
        *(REF, newer, begun, newer, frozenset(), frozenset((TWO.id, ONE.id)))
    )
    assert clone.take(None, newer).commit == newer
    assert clone.take(newer, newer) == Taken(
        *(REF, newer, newer, newer, frozenset(), frozenset())
    )
    alone = clone.take(newer, None)
    assert (alone.commit, alone.leaving) == (newer, frozenset((TWO.id, ONE.id)))
    assert clone.take(None, None).commit is None


def test_what_each_side_changed_is_put_together_after_both(
    clone: Clone, repository: Path
) -> None:
    begun = clone.commit(documents(ONE, TWO, session(9)))
    ours = clone.commit({**documents(NEWER), path(TWO): None}, begun)
    theirs = clone.commit({**documents(THREE), path(session(9)): None}, begun)
    taken = clone.take(ours, theirs)
    assert taken.commit
    assert clone.parents(taken.commit) == [ours, theirs]
    assert taken.arriving == {THREE.id, session(9).id}
    assert taken.leaving == {ONE.id, TWO.id}
    assert clone.tree(taken.commit) == clone.tree(clone.commit(documents(NEWER, THREE)))
    assert clone.tree(clone.take(theirs, ours).commit) == clone.tree(taken.commit)
    told = git(repository, "log", "-1", "--format=%an %ae%n%B", taken.commit)
    assert told.splitlines() == [
        "Ada ada@example.com",
        "merge: 2 sessions from there, 2 sessions from here",
    ]
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""
