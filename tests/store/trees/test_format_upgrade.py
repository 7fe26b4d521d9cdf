"""A memory of format 1 is read, and moved to format 2 by whoever writes first."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.harness import git, make_repository, record
from support.histories import Clones
from support.workspaces import workspace_at

from gitmem.actions.reading.documents import read_conversation
from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.documents.session.session import Session
from gitmem.git.values import Content
from gitmem.lookup import find_id
from gitmem.redaction.redact import redact
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import REF
from gitmem.store.trees.tombstones import subject_path

OLD = Path(__file__).parents[2] / "fixtures" / "format-1"
NAMED = "2026-02-23_14-32_cursor_tei-migration"
FORMER = "2026-02-23_14-32_cursor_0a1b2c3d"
CLIENT = "0a1b2c3d-4e5f-4000-8000-000000000000"
PATHS = [
    "format",
    "sessions/2026/02/23/2026-02-23_13-32_cursor_8cd41886e7a4fa3b.md",
    "sessions/2026/02/23/2026-02-23_14-00_cursor_e447c19d7563debc.md",
    "sessions/2026/02/23/2026-02-23_16-00_codex_6c0728c15e0afd95.md",
]


def old_files(root: str) -> Iterator[tuple[str, Content]]:
    yield "format", redact("1\n")
    for file in sorted((OLD / root).rglob("*.md")):
        yield file.relative_to(OLD).as_posix(), redact(file.read_text())


def old_memory(folder: Path) -> Path:
    make_repository(folder)
    clones = Clones(folder)
    for kind in (SESSION, CONVERSATION):
        commit = clones.commit_of(
            clones.git.write_tree(None, dict(old_files(kind.root)))
        )
        git(folder, "update-ref", kind.ref, commit)
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return old_memory(tmp_path / "one")


def save(repository: Path, client: str = "c-9") -> None:
    new = record(client, goal="new", decisions=("new",))
    workspace_at(repository).store.append(new)
    workspace_at(repository).store.replay()


def paths(repository: Path, commit: str = REF) -> list[str]:
    return git(repository, "ls-tree", "-r", "--name-only", commit).splitlines()


def sessions(repository: Path) -> dict[str, Session]:
    tree = tree_at_tip(SESSION, workspace_at(repository).repository)
    return {session.session_id: session for session in tree.newest()}


def test_an_old_memory_is_read_and_stays(memory: Path) -> None:
    before = git(memory, "rev-parse", REF)
    workspace = workspace_at(memory)
    assert find_id(workspace, SESSION, "tei-migration") == NAMED
    assert find_id(workspace, SESSION, FORMER) == NAMED
    assert sessions(memory)[NAMED].goal == "Serve embeddings from TEI."
    assert git(memory, "rev-parse", REF) == before


def test_whoever_writes_moves_every_document(memory: Path) -> None:
    before = sessions(memory)
    save(memory)
    assert paths(memory, f"{REF}~1") == PATHS
    assert git(memory, "show", f"{REF}:format") == "2"
    after = sessions(memory)
    assert after.keys() > before.keys()
    assert {name: after[name].goal for name in before} == {
        name: session.goal for name, session in before.items()
    }
    kept = f"{REF}~2:sessions/2026/02/23/{NAMED}.md"
    assert git(memory, "show", f"{REF}:{PATHS[1]}") == git(memory, "show", kept)
    assert git(memory, "fsck", "--strict", "--no-dangling") == ""


def test_every_name_goes_on_naming_the_session(memory: Path) -> None:
    save(memory)
    workspace = workspace_at(memory)
    [document_id] = [Path(path).stem for path in PATHS if "8cd418" in path]
    for name in (NAMED, FORMER, CLIENT, "tei-migration", NAMED[:-3], document_id):
        assert find_id(workspace, SESSION, name) == document_id
    save(memory, CLIENT)
    assert sessions(memory)[NAMED].decisions[1:] == ("new",)


def test_what_was_said_is_found(memory: Path) -> None:
    save(memory)
    assert "server is slow" in read_conversation(workspace_at(memory), NAMED).text


def test_clones_make_the_same_commit(memory: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(memory, other)
    git(other, "config", "user.name", "Bob")
    save(memory)
    save(other, "c-8")
    assert git(memory, "rev-parse", f"{REF}~1") == git(other, "rev-parse", f"{REF}~1")


def test_an_old_clone_merges_with_a_new_one(memory: Path) -> None:
    clones, old = Clones(memory), git(memory, "rev-parse", REF)
    save(memory)
    new = git(memory, "rev-parse", REF)
    later = clones.commit(
        {
            "sessions/2026/02/23/2026-02-23_17-00_cursor_x.md": redact(
                "---\ntool: cursor\nclient_session_id: c-7\n"
                "started_at: 2026-02-23T17:00:00+00:00\n---\n\n## Goal\n\nlater\n"
            )
        },
        old,
    )
    taken = clones.take(new, later)
    goals = {session.goal for session in clones.sessions(taken.commit).values()}
    assert {"new", "later", "Look at the profile."} < goals
    assert len(goals) == 5
    assert taken.strangers == ()


def test_a_tombstone_of_format_1_holds(memory: Path) -> None:
    """It stands for the conversation, so what an old clone brings stays out."""
    clones, old = Clones(memory), git(memory, "rev-parse", REF)
    grave = redact("2026-02-24T09:00:00+01:00\n")
    gone: dict[str, Content] = {
        f"sessions/2026/02/23/{NAMED}.md": None,
        **{subject_path(subject): grave for subject in (f"cursor\0{CLIENT}", NAMED)},
    }
    forgotten = clones.commit(gone, old)
    git(memory, "update-ref", REF, forgotten)
    save(memory)
    taken = clones.take(git(memory, "rev-parse", REF), old)
    assert NAMED not in {
        each.session_id for each in clones.sessions(taken.commit).values()
    }
    save(memory, CLIENT)
    assert NAMED not in sessions(memory)
