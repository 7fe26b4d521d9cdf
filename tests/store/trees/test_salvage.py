"""What is salvaged from a memory of which any objects are gone."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.harness import NOON, git, lose, make_repository, record
from support.rounds import rounds
from support.workspaces import workspace_at

from gitmem.git.damage import missing_objects
from gitmem.git.values import Oid
from gitmem.store.trees.salvage import salvaged
from gitmem.store.trees.session_tree import REF, sessions_at


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A repository with three sessions of two days, and three states of each."""
    folder = make_repository(tmp_path / "whole")
    for state in range(3):
        for number in range(3):
            at = NOON + timedelta(days=number // 2, minutes=number + 10 * state)
            store = workspace_at(folder).store
            store.append(record(f"client-{number}", goal=f"goal {state}", at=at))
            store.replay()
    shutil.rmtree(folder / ".git" / "ocm")
    return folder


@pytest.mark.endurance
@settings(max_examples=rounds(4))
@given(data=st.data())
def test_all_that_can_be_read_is_there_and_nothing_else(
    memory: Path, tmp_path: Path, data: st.DataObject
) -> None:
    folder = tmp_path / "broken"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(memory, folder)
    tip = git(folder, "rev-parse", REF)
    kept = {tip, git(folder, "rev-parse", f"{tip}^{{tree}}")}
    listed = git(folder, "rev-list", "--objects", "--no-object-names", tip)
    others = sorted(set(listed.split()) - kept)
    gone = data.draw(st.sets(st.sampled_from(others), max_size=12))
    for oid in gone:
        lose(folder, oid)
    before = texts(memory, tip)
    repository = workspace_at(folder).repository
    moves = [each for each in repository.reflog(REF)[::-1] if each not in gone]
    found = salvaged(repository, None, moves)
    tree = repository.write_tree(None, found.changes)
    assert missing_objects(repository, [tree]) == frozenset()
    after = git(folder, "ls-tree", "-r", tree)
    for path, oid in before.items():
        if not gone & set(on_the_way(memory, tip, path)):
            assert f"{oid}\t{path}" in after
        elif path not in after:
            assert path in found.lost or any(
                path.startswith(each) for each in (*found.lost, *found.older)
            )


def texts(folder: Path, commit: Oid) -> dict[str, Oid]:
    memory = sessions_at(workspace_at(folder).repository, commit)
    entries = ((memory.path(each), memory.entry(each)) for each in memory.ids())
    return {path: entry.oid for path, entry in entries if entry}


def on_the_way(folder: Path, commit: Oid, path: str) -> list[Oid]:
    """The objects that lead to a file, and itself."""
    parts = path.split("/")
    names = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
    return [git(folder, "rev-parse", f"{commit}:{name}") for name in names]
