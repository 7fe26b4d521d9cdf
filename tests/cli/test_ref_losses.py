"""Refs that another program deleted or rewrote are named, and brought back if asked."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.running import Ocm, on_a_terminal
from support.harness import NOON, git
from support.rewriting import REMOVED, SECRET, move_below, prune, replace_secret
from support.workspaces import saved_session, workspace_at

from gitmem.documents.kinds import refs
from gitmem.git.odb.packs import release
from gitmem.redaction.redact import redact
from gitmem.store.trees.backups import back_up
from gitmem.store.trees.conversation_tree import commit_conversations
from gitmem.store.trees.notes import REF as NOTES
from gitmem.store.trees.notes import write_notes
from gitmem.workspace import Workspace

REFS = (*refs(), NOTES)


@pytest.fixture
def workspace(ocm: Ocm, repository: Path) -> Workspace:
    """A document of each kind and a note, most of which have a secret."""
    workspace = workspace_at(repository)
    goal = f"Say {SECRET} at the door"
    saved_session(workspace, goal=goal, slug="door", client_session_id="client-1")
    session = next(workspace.store.memory().newest())
    said = commit_conversations(
        workspace.repository, [(session, redact(f"It is {SECRET}."))]
    )
    assert said.move.is_made(workspace.repository)
    assert ocm("remember", f"The word is {SECRET}").status == 0
    git(repository, "config", "ocm.notes", "true")
    note = {git(repository, "rev-parse", "HEAD"): redact("Ocm-Session: door\n")}
    author = workspace.store.author(workspace.now())
    assert write_notes(workspace.repository, note, author) == 1
    return workspace


def tips(repository: Path) -> dict[str, str]:
    listed = git(repository, "for-each-ref", "--format=%(refname) %(objectname)")
    pairs = (line.split() for line in listed.splitlines())
    return {ref: oid for ref, oid in pairs if ref in REFS}


def texts(repository: Path) -> dict[str, str]:
    """Return all files of our refs, by ref and path."""
    return {
        path: git(repository, "show", path)
        for ref in tips(repository)
        for name in git(repository, "ls-tree", "-r", "--name-only", ref).splitlines()
        if (path := f"{ref}:{name}")
    }


def delete(repository: Path) -> None:
    for ref in REFS:
        git(repository, "update-ref", "-d", ref)


def delete_and_prune(repository: Path) -> None:
    delete(repository)
    prune(repository)


def remove_files(repository: Path) -> None:
    shutil.rmtree(repository / ".git/refs/ocm")
    shutil.rmtree(repository / ".git/refs/notes")


def edit_packed_refs(repository: Path) -> None:
    git(repository, "pack-refs", "--all")
    packed = repository / ".git/packed-refs"
    lines = packed.read_text().splitlines(keepends=True)
    packed.write_text("".join(line for line in lines if "ocm" not in line))


@pytest.mark.usefixtures("workspace")
@pytest.mark.parametrize(
    "lose",
    [
        delete_and_prune,
        *(
            pytest.param(each, marks=pytest.mark.endurance)
            for each in (delete, remove_files, edit_packed_refs)
        ),
    ],
)
def test_each_ref_that_is_gone_is_named_and_comes_back(
    ocm: Ocm, repository: Path, lose: Callable[[Path], None]
) -> None:
    before = tips(repository)
    assert before.keys() == {*REFS}
    lose(repository)
    listed, doctor = ocm("list"), ocm("doctor")
    for ref in REFS:
        words = f"{ref} is not there any more: 1 "
        assert f"note: {words}" in listed.err.replace("\n", " ")
        assert f"problem  {words}" in doctor.text
    assert "`ocm restore`" in doctor.text
    ocm("doctor", "--fix")
    assert tips(repository) == {}
    assert ocm("restore").status == 0
    assert tips(repository) == before
    assert "note:" not in ocm("list").err


@pytest.mark.endurance
@pytest.mark.usefixtures("workspace")
def test_a_ref_that_was_begun_anew_comes_back(ocm: Ocm, repository: Path) -> None:
    delete_and_prune(repository)
    saved_session(workspace_at(repository), goal="more", client_session_id="client-2")
    assert "1 session gone" in ocm("doctor").text
    assert ocm("restore").status == 0
    goals = {each.goal for each in workspace_at(repository).store.memory().newest()}
    assert goals == {f"Say {SECRET} at the door", "more"}
    assert ocm("list").err == ""


@pytest.mark.usefixtures("workspace")
def test_what_was_replaced_comes_back_only_if_asked_for(
    ocm: Ocm, repository: Path
) -> None:
    before = texts(repository)
    replace_secret(repository)
    after = texts(repository)
    assert REMOVED in str(after)
    told = ocm("list").err
    for noun in ("session", "conversation", "memory"):
        assert f"was rewritten: 1 {noun} changed" in told
    ocm("doctor", "--fix")
    ran = ocm("restore")
    assert "Nothing was restored" in ran.text
    assert "ocm restore --yes" in ran.err
    assert texts(repository) == after
    assert ocm("restore", "--yes").status == 0
    assert texts(repository) == before
    assert ocm("list").err == ""


@pytest.mark.usefixtures("workspace")
def test_refs_that_went_with_secrets_need_a_yes(ocm: Ocm, repository: Path) -> None:
    (repository / "file.txt").write_text(f"{REMOVED}\n")
    git(repository, "commit", "--quiet", "--all", "--message=x")
    before = tips(repository)
    delete_and_prune(repository)
    assert "Nothing was restored" in ocm("restore").text
    assert tips(repository) == {}
    assert ocm("restore", "--yes").status == 0
    assert tips(repository) == before


@pytest.mark.endurance
@pytest.mark.usefixtures("workspace")
def test_a_no_is_remembered(ocm: Ocm, repository: Path) -> None:
    replace_secret(repository)
    git(repository, "update-ref", "-d", refs()[1])
    said, status = on_a_terminal(repository, ["restore"], "n\n")
    assert "Restore 3 refs?" in said
    assert status == 130
    assert SECRET not in str(texts(repository))
    assert ocm("list").err == ""
    assert "has everything" in ocm("restore").text


@pytest.mark.endurance
@pytest.mark.usefixtures("workspace")
def test_what_came_after_a_replacement_stays(ocm: Ocm, repository: Path) -> None:
    replace_secret(repository)
    workspace = workspace_at(repository)
    saved_session(workspace, client_session_id="client-1", decisions=["use keys"])
    assert ocm("restore", "--yes").status == 0
    [session] = workspace_at(repository).store.memory().newest()
    assert (session.goal, session.decisions) == (
        *(f"Say {SECRET} at the door", ("use keys",)),
    )


@pytest.mark.endurance
@pytest.mark.usefixtures("workspace")
def test_moved_documents_are_put_back(ocm: Ocm, repository: Path) -> None:
    before = texts(repository)
    move_below(repository, "sub/lib")
    assert "was rewritten: 1 session gone" in ocm("list").err
    assert ocm("restore").status == 0
    assert texts(repository) == before
    assert ocm("list").err == ""


@pytest.mark.endurance
@pytest.mark.usefixtures("workspace")
def test_moves_of_our_own_are_not_reported(ocm: Ocm, repository: Path) -> None:
    saved_session(workspace_at(repository), goal="more", client_session_id="client-2")
    assert ocm("forget", "door", "--history", "--yes").status == 0
    assert ocm("list").err == ""
    git(repository, "config", "ocm.conversations", "false")
    git(repository, "update-ref", "-d", refs()[1])
    assert ocm("list").err == ""


@pytest.mark.usefixtures("workspace")
def test_what_was_pruned_comes_back_from_backups(ocm: Ocm, repository: Path) -> None:
    before, found = texts(repository), workspace_at(repository).repository
    for ref in refs():
        tip = found.resolve_ref(ref)
        assert tip
        back_up(found, ref, tip, NOON)
    saved_session(workspace_at(repository), client_session_id="client-1", goal="x")
    for ref in refs():
        git(repository, "update-ref", "-d", ref)
    release(repository / ".git")
    shutil.rmtree(repository / ".git/ocm/journal")
    prune(repository)
    assert ocm("restore").status == 0
    assert texts(repository) == before
