"""What vanished from the memory is named by doctor, and brought back by restore."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from support.clones import Clone, documents, make_clones, remote_in, travel
from support.harness import NOON, copied, git, record
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor.finding import Finding
from gitmem.actions.doctor.memory import RESTORE, changed_refs, vanished
from gitmem.actions.forgetting import forget, sessions_named
from gitmem.actions.restoring import (
    candidates,
    candidates_named,
    restore,
)
from gitmem.documents.kinds import SESSION
from gitmem.errors import Ambiguous, NotFound
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.repository import Repository
from gitmem.git.values import FILE_MODE, Content, TreeEntry
from gitmem.redaction.redact import redact
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_versions import VersionSource
from gitmem.store.trees.session_tree import REF, SessionTree, sessions_at
from gitmem.store.trees.tombstones import tombstones_of
from gitmem.workspace import Workspace

GOALS = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Team:
    """Two clones with the same three sessions, and what is at the remote."""

    place: Path
    one: Clone
    other: Clone

    def attack(self, changes: Mapping[str, Content]) -> None:
        """A child of the remote's tip with these changes, pushed by somebody."""
        workspace = self.other.workspace()
        git(self.other.folder, "fetch", "--quiet", "origin", f"+{REF}:refs/attack")
        new = workspace.repository
        tip = git(self.other.folder, "rev-parse", "refs/attack")
        tree = new.write_tree(new.tree_of(tip), changes)
        commit = new.create_commit(tree, [tip], redact("hm\n"), author(new, NOON))
        git(self.other.folder, "push", "--quiet", "origin", f"{commit}:{REF}")

    def newcomer(self) -> Clone:
        """A fresh clone that takes part."""
        folder = self.place / "newcomer"
        git(self.place, "clone", "--quiet", str(remote_in(self.place)), str(folder))
        git(folder, "config", "ocm.remote", "origin")
        clone = Clone(folder)
        travel(clone.workspace())
        return clone


@pytest.fixture
def team(tmp_path: Path) -> Team:
    copied(tmp_path, _make_team)
    return Team(tmp_path, Clone(tmp_path / "0"), Clone(tmp_path / "1"))


def _make_team(place: Path) -> None:
    one, other = make_clones(place, 2)
    for number, goal in enumerate(GOALS):
        at = NOON + timedelta(hours=number)
        made = record(f"client-{number}", goal=goal, decisions=(goal,), at=at)
        one.workspace().store.append(made)
    travel(one.workspace())
    travel(other.workspace())


def findings(workspace: Workspace) -> dict[str, Finding]:
    return {each.about: each for each in vanished(workspace)}


def goals(clone: Clone) -> set[str]:
    return {each.goal for each in clone.memory().newest()}


def restored(workspace: Workspace, *names: str) -> list[str]:
    return restore(workspace, candidates_named(workspace, names).lost)


def all_gone(memory: SessionTree) -> dict[str, Content]:
    return {memory.path(each): None for each in memory.ids()}


def at_remote(team: Team) -> tuple[Repository, str]:
    remote = open_repository(remote_in(team.place))
    return remote, git(remote_in(team.place), "rev-parse", REF)


def of(memory: SessionTree, goal: str) -> str:
    [found] = [each.id for each in memory.newest() if each.goal == goal]
    return found


def test_a_newcomer_to_an_emptied_memory_brings_it_back(team: Team) -> None:
    before = documents(team.one.memory())
    team.attack(all_gone(team.one.memory()))
    clone = team.newcomer()
    assert goals(clone) == set()
    workspace = clone.workspace()
    [finding] = findings(workspace).values()
    assert finding.about == "history"
    assert all(each in finding.message for each in before)
    assert "ocm restore" in finding.remedy
    found = candidates(workspace, with_forgotten=False)
    assert {each.session_id for each in found.lost} == before.keys()
    assert {each.source for each in found.lost} == {VersionSource.HISTORY}
    assert restore(workspace, found.lost) == sorted(before)
    assert documents(clone.memory()) == before
    assert findings(workspace) == {}
    assert candidates(workspace, with_forgotten=False).lost == ()
    travel(workspace)
    fresh = Clone(Path(shutil.move(clone.folder, team.place / "elsewhere")))
    assert documents(team.newcomer().memory()) == documents(fresh.memory()) == before


@few(1, "text", ["", "pwned\n", "---\nformat: gitmem/1\n---\n"])
def test_blanked_document_gets_back_what_it_had(team: Team, text: str) -> None:
    memory = team.one.memory()
    session_id = of(memory, "second")
    team.attack({memory.path(session_id): redact(text)})
    workspace = team.newcomer().workspace()
    [finding] = findings(workspace).values()
    assert session_id in finding.message
    assert restored(workspace, session_id) == [session_id]
    session = workspace.store.memory().document(session_id)
    assert session
    assert (session.goal, session.decisions) == ("second", ("second",))
    assert session.client_session_id == "client-1"
    assert findings(workspace) == {}


def test_lists_that_were_emptied_are_told_and_whole_again(team: Team) -> None:
    memory = team.one.memory()
    session_id = of(memory, "first")
    text = memory.text(session_id) or ""
    short = text.replace("## Architecture Decisions\n\n- first\n", "")
    assert short != text
    team.attack({memory.path(session_id): redact(short)})
    workspace = team.newcomer().workspace()
    finding = findings(workspace)["history-more"]
    assert (finding.grade, session_id in finding.message) == ("warning", True)
    [one] = candidates(workspace, with_forgotten=False).lost
    assert one.is_here
    restore(workspace, [one])
    session = workspace.store.memory().document(session_id)
    assert session
    assert session.decisions == ("first",)
    assert findings(workspace) == {}


def test_document_under_the_name_of_another_conversation_is_never_restored(
    team: Team,
) -> None:
    memory = team.one.memory()
    session_id = of(memory, "first")
    text = (memory.text(session_id) or "").replace("client-0", "other-id")
    team.attack({memory.path(session_id): redact(text.replace("first", "pwned"))})
    workspace = team.newcomer().workspace()
    finding = findings(workspace)["history"]
    assert session_id in finding.message
    restored(workspace, session_id)
    found = {each.goal for each in workspace.store.memory().newest()}
    assert found == {*GOALS}
    assert findings(workspace) == {}


def test_a_ref_that_was_set_back_is_seen(team: Team) -> None:
    folder, before = team.one.folder, documents(team.one.memory())
    git(folder, "update-ref", REF, f"{REF}~2")
    workspace = team.one.workspace()
    shutil.rmtree(folder / ".git/ocm/journal")
    [finding] = changed_refs(workspace)
    assert (finding.about, finding.grade) == (REF, "problem")
    assert "was rewritten: 2 sessions gone" in finding.message
    found = candidates(workspace, with_forgotten=False)
    assert {each.source for each in found.lost} == {VersionSource.REFLOG}
    restore(workspace, found.lost)
    assert documents(team.one.memory()) == before


def test_lost_acknowledged_checkpoint_is_seen(repository: Path) -> None:
    workspace = workspace_at(repository)
    for number in range(2):
        at = NOON + timedelta(minutes=number)
        made = record(decisions=(f"decision {number}",), at=at)
        workspace.store.append(made)
        workspace.store.replay()
    tip = git(repository, "rev-parse", f"{REF}~1")
    git(repository, "update-ref", "-d", REF)  # its reflog goes, too
    git(repository, "update-ref", REF, tip)
    assert findings(workspace)["journal-more"].remedy == RESTORE
    assert restore(workspace, candidates(workspace, with_forgotten=False).lost)
    [session] = workspace.store.memory().newest()
    assert session.decisions == ("decision 0", "decision 1")
    assert findings(workspace) == {}


@pytest.mark.endurance
def test_sessions_that_got_their_names_are_not_lost(repository: Path) -> None:
    workspace = workspace_at(repository)
    for slug in (None, "tame-the-walrus"):
        saved_session(workspace, client_session_id="client", goal="go", slug=slug)
    saved_session(workspace, client_session_id="other", goal="go", slug="other-one")
    said = git(repository, "log", "--format=", "--patch", REF).splitlines()
    assert len({line for line in said if line.startswith("+session_id:")}) == 3
    assert findings(workspace) == {}
    assert candidates(workspace, with_forgotten=True).lost == ()


class TestForgotten:
    def test_comes_back_by_name_and_in_every_clone(self, team: Team) -> None:
        workspace = team.other.workspace()
        session_id = of(team.other.memory(), "second")
        forget(workspace, sessions_named(workspace, [session_id], from_history=False))
        travel(workspace)
        newcomer = team.newcomer()
        assert session_id not in newcomer.memory().ids()
        assert findings(newcomer.workspace()) == {}
        assert restored(newcomer.workspace(), session_id) == [session_id]
        travel(newcomer.workspace())
        for clone in (team.other, team.one, newcomer):
            travel(clone.workspace())
            assert goals(clone) == {*GOALS}
            clone.workspace().current_sessions()
        assert documents(team.one.memory()) == documents(newcomer.memory())

    @few(1, "with_history", [False, True])
    def test_by_forged_tombstones_comes_back_in_bulk_if_asked_for(
        self, team: Team, *, with_history: bool
    ) -> None:
        memory = team.one.memory()
        before = documents(memory)
        forged: dict[str, Content] = all_gone(memory)
        for session in memory.newest():
            subjects = SESSION.subject(session), *SESSION.names(session)
            forged |= tombstones_of(memory, subjects, NOON, with_history=with_history)
        team.attack(forged)
        clone = team.newcomer()
        workspace = clone.workspace()
        left_out = candidates(workspace, with_forgotten=False)
        assert (left_out.lost, left_out.forgotten) == ((), 3)
        found = candidates(workspace, with_forgotten=True)
        assert restore(workspace, found.lost) == sorted(before)
        travel(workspace)
        for other in (team.other, team.one, clone):
            travel(other.workspace())
            other.workspace().current_sessions()
            assert documents(other.memory()) == before
        assert documents(sessions_at(*at_remote(team))) == before

    @pytest.mark.endurance
    def test_with_its_history_comes_from_a_backup(self, team: Team) -> None:
        session_id = of(team.one.memory(), "second")
        joined = team.newcomer()
        workspace = team.other.workspace()
        named = sessions_named(workspace, [session_id], from_history=True)
        forget(workspace, named, TransportOptions(60.0))
        travel(joined.workspace())
        assert session_id not in joined.memory().ids()
        git(joined.folder, "reflog", "expire", "--expire=all", "--all")
        [one] = candidates_named(joined.workspace(), [session_id]).lost
        assert one.source is VersionSource.BACKUP
        assert restore(joined.workspace(), [one]) == [session_id]
        travel(joined.workspace())
        travel(team.other.workspace())
        assert goals(team.other) == goals(joined) == {*GOALS}

    @pytest.mark.endurance
    def test_with_history_is_gone_where_it_was_forgotten(self, team: Team) -> None:
        workspace = team.other.workspace()
        session_id = of(team.other.memory(), "second")
        named = sessions_named(workspace, [session_id], from_history=True)
        forget(workspace, named, TransportOptions(60.0))
        with pytest.raises(NotFound, match="No earlier state of a session"):
            candidates_named(workspace, [session_id])


def test_what_was_said_comes_back_too(tmp_path: Path) -> None:
    one, other = make_clones(tmp_path, 2, said=True)
    one.import_conversations("client", "Stop the double charge")
    for clone in (one, other):
        travel(clone.workspace())
    [session] = other.memory().newest()
    workspace = other.workspace()
    forget(workspace, [session])
    assert workspace.conversations.text_like(session.id) is None
    restored(workspace, session.id)
    assert "double charge" in (workspace.conversations.text_like(session.id) or "")


def test_what_comes_back_is_redacted_by_the_rules_of_today(team: Team) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    memory = team.one.memory()
    session_id = of(memory, "first")
    text = (memory.text(session_id) or "").replace("- first", f"- use {secret}")
    (team.other.folder / "blob").write_text(text)
    blob = git(team.other.folder, "hash-object", "-w", "blob")
    team.attack({memory.path(session_id): TreeEntry(blob, FILE_MODE)})
    team.attack({memory.path(session_id): None})
    workspace = team.newcomer().workspace()
    restored(workspace, session_id)
    back = workspace.store.memory().text(session_id) or ""
    assert secret not in back
    assert "- use" in back


@pytest.mark.endurance
def test_names_are_ids_beginnings_and_slugs(team: Team) -> None:
    memory = team.one.memory()
    team.attack(all_gone(memory))
    workspace = team.newcomer().workspace()
    document_id = of(memory, "first")
    session = memory.document(document_id)
    assert session
    for known in (document_id, session.session_id):
        for name in (known, known[:16], known.rpartition("_")[2]):
            [one] = candidates_named(workspace, [name]).lost
            assert one.session_id == document_id
    with pytest.raises(Ambiguous):
        candidates_named(workspace, [document_id[:10]])


@pytest.mark.endurance
def test_former_session_id_is_a_name(repository: Path) -> None:
    workspace = workspace_at(repository)
    names = [
        saved_session(workspace, client_session_id="client", goal="go", slug=slug)
        for slug in (None, "tame-the-walrus")
    ]
    workspace.store.replay()
    [session] = workspace.store.memory().newest()
    forget(workspace, [session])
    assert len({saved.session_id for saved in names}) == 2
    for saved in names:
        [lost] = candidates_named(workspace, [saved.session_id or ""]).lost
        assert lost.session_id == session.id
    assert restored(workspace, "tame-the-walrus") == [session.id]
