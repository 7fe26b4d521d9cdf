"""What a batch has in memory is what libgit2 would have written, object by object."""

from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.harness import NOON, git, make_repository, pack_objects
from support.rounds import every_row, few, rounds

from gitmem.errors import Damaged
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.odb.objects import GitObject, ObjectFormat, ObjectType
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature, TreeChanges
from gitmem.redaction.redact import redact

NAMES = st.sampled_from(["a", "a.b", "a0", "a-", "b", "b.md", "ä", "z"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
TEXTS = st.none() | st.text("xyz\n", max_size=5).map(redact)
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))
CHANGES = st.dictionaries(PATHS, TEXTS, max_size=5).filter(
    lambda changes: not any(a.startswith(f"{b}/") for a in changes for b in changes)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repository(tmp_path_factory.mktemp("batch"))


def commits(git: Repository, steps: list[TreeChanges], when: datetime) -> list[Oid]:
    made: list[Oid] = []
    tree: Oid | None = None
    for changes in steps:
        tree = git.write_tree(tree, changes)
        by, message = Signature("Ä B", "a@b.example", when), redact("why: x\n\nÖ")
        made.append(git.create_commit(tree, made[-1:], message, by))
    return made


@settings(max_examples=rounds(5))
@given(steps=st.lists(CHANGES, min_size=1, max_size=4), zone=ZONES)
def test_a_batch_names_objects_as_libgit2_does(
    folder: Path, steps: list[TreeChanges], zone: timezone
) -> None:
    repository, when = open_repository(folder), NOON.astimezone(zone)
    expected = commits(repository, steps, when)
    with repository.batch() as batch:
        assert commits(batch, steps, when) == expected
        for commit in expected:
            tree = repository.tree_of(commit)
            assert batch.tree_of(commit) == tree
            assert tree
            assert batch.read_tree(tree) == repository.read_tree(tree)


def test_what_lies_beside_in_a_tree_stays_as_it_is(repository: Path) -> None:
    (repository / "run").write_text("#!/bin/sh\n")
    (repository / "run").chmod(0o755)
    (repository / "link").symlink_to("run")
    Path(repository, "sub").mkdir()
    Path(repository, "sub", "x").write_text("x")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=more")
    opened = open_repository(repository)
    base = git(repository, "rev-parse", "HEAD^{tree}")
    with opened.batch() as batch:
        tree = batch.write_tree(base, {"sub/new": redact("new")})
    assert git(repository, "fsck", "--strict", "--no-dangling") == ""
    before, after = (git(repository, "ls-tree", "-r", each) for each in (base, tree))
    new = git(repository, "rev-parse", f"{tree}:sub/new")
    lines = [*before.splitlines(), f"100644 blob {new}\tsub/new"]
    assert sorted(after.splitlines()) == sorted(lines)


@every_row("path", [".git", "a/.Git/x", "../x", "./x", "a//x", "a/", "", "a\0b"])
def test_only_pushable_objects_are_written(repository: Path, path: str) -> None:
    with pytest.raises(Damaged), open_repository(repository).batch() as batch:
        batch.write_tree(None, {path: redact("x")})


def test_an_exception_leaves_no_object(repository: Path) -> None:
    opened = open_repository(repository)
    with suppress(Damaged), opened.batch() as batch:
        batch.write_tree(None, {"a": redact("a")})
        raise Damaged("It cannot be read.")
    counts = git(repository, "count-objects", "-v")
    assert "count: 3" in counts
    assert "packs: 0" in counts


@few(1, "named_by", [*ObjectFormat])
@few(2, "length", [0, 15, 16, 2_047, 2_048, 40_000])
def test_git_reads_what_a_pack_has(
    tmp_path: Path, length: int, named_by: ObjectFormat
) -> None:
    git(tmp_path, "init", "--quiet", f"--object-format={named_by}")
    contents = [f"{number:03}".encode() + b"x" * length for number in range(30)]
    packs = tmp_path / ".git" / "objects" / "pack"
    blobs = [GitObject(ObjectType.BLOB, content, named_by) for content in contents]
    pack_objects(tmp_path, blobs)
    [index] = packs.glob("*.idx")
    listed = git(tmp_path, "verify-pack", "--verbose", str(index))
    assert f"non delta: {len(contents)} objects" in listed
    assert git(tmp_path, "cat-file", "-p", blobs[7].oid) == contents[7].decode()
