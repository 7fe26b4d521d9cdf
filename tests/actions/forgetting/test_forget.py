"""What the user had forgotten is nowhere around the memory, and does not come back."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.conversations import keep
from support.harness import CLIENT, NOON, git, make_repository
from support.rounds import few
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import saved_id, saved_session, workspace_at

from gitmem.actions.doctor.doctor import examine
from gitmem.actions.forgetting import (
    forget,
    remains,
    sessions_named,
    words_of,
)
from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport, ImportStatus
from gitmem.actions.linking.links import turn_on
from gitmem.actions.reading.documents import list_sessions, read_document
from gitmem.actions.reading.find import search
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.sharing.share_settings import chosen_sharing
from gitmem.actions.sharing.sync import sync
from gitmem.actions.sharing.sync_steps import SyncOptions
from gitmem.assistants.readers import reader_named
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import End, Prompt, Trigger
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import digest_in
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session
from gitmem.errors import InvalidInput, NotFound, Unreachable
from gitmem.indexing import caught_up_index
from gitmem.redaction.redact import redact
from gitmem.search import index_writer
from gitmem.store.error_log import append_to_log
from gitmem.store.forgetting.removal import Removal
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.backups import BACKUP
from gitmem.store.trees.committing import commit_on
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

RARE = "xylotomous"
"""A word that is nowhere but in what is forgotten."""
LOG_BESIDE_BACKUPS = ("log", "-p", f"--exclude={BACKUP}*", "--all")
OTHER = "0b0b0b0b-4e5f-4000-8000-000000000000"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """With a memory of two sessions, which have left traces."""
    made = _made_once().name
    return Path(shutil.copytree(made, tmp_path / "repository", symlinks=True))


@cache
def _made_once() -> TemporaryDirectory[str]:
    place = TemporaryDirectory(prefix="gitmem-")
    repository = make_repository(Path(place.name))
    workspace = workspace_at(repository)
    saved_session(workspace, client_session_id=OTHER, goal="tame the walrus")
    (repository / "work.txt").write_text("1\n")
    saved_session(workspace, client_session_id=CLIENT, goal=f"saw {RARE} wood")
    git(repository, "add", "work.txt")
    git(repository, "commit", "--quiet", "--message=work")
    saved_session(workspace, client_session_id=CLIENT, slug=f"{RARE}-work")
    return place


def rare(workspace: Workspace) -> Session:
    [found] = sessions_named(workspace, [CLIENT], from_history=False)
    return found


LINE = TransportOptions(30.0)


def joined(shared: Path, folder: Path) -> Workspace:
    """Another clone, which shares its memory with the same remote."""
    other = workspace_at(make_repository(folder))
    git(other.root, "remote", "add", "origin", str(shared))
    git(other.root, "config", "ocm.remote", "origin")
    exchange(other)
    return other


def exchange(workspace: Workspace) -> None:
    sync(workspace, chosen_sharing(workspace, None), SyncOptions(), LINE)


def forget_in_history(workspace: Workspace, *sessions: Session) -> None:
    forget(workspace, sessions, LINE)


def files_with(word: str, *folders: Path) -> Iterator[Path]:
    """Files that have the word, in their names or in what they hold."""
    for folder in folders:
        for path in folder.rglob("*"):
            is_named = word.encode() in path.name.encode()
            if is_named or (path.is_file() and word.encode() in path.read_bytes()):
                yield path


def everywhere(repository: Path, home: Path) -> list[str]:
    """But for git's own objects and reflogs."""
    found = files_with(RARE, repository, home)
    return [str(p) for p in found if not {"objects", "logs"} & set(p.parts)]


def kept(repository: Path) -> bytes:
    """What objects hold that are kept against pruning, with names in trees."""
    keeps = (repository / ".git/objects/pack").glob("*.keep")
    packs = [str(path.with_suffix(".idx")) for path in keeps]
    listing = (git(repository, "verify-pack", "-v", path) for path in packs)
    names = (line.split()[0] for text in listing for line in text.splitlines())
    command = ["git", "-C", str(repository), "cat-file", "--batch"]
    given = "\n".join(names).encode()
    return subprocess.run(command, input=given, check=True, capture_output=True).stdout


def test_exactly_the_sessions_of_a_conversation_are_meant(workspace: Workspace) -> None:
    session = rare(workspace)
    made, by = workspace.store.memory(), workspace.store.author(NOON)
    twin = replace(
        session, id=f"2026-02-23_21-00_{session.tool}_{digest_in(session.id)}"
    )
    alike = replace(twin, id="2026-02-23_21-00_cursor_alike", tool="codex")
    changes = {made.path(each.id): redact(render(each)) for each in (twin, alike)}
    commit = commit_on(workspace.repository, made, changes, redact("two\n"), by)
    assert workspace.repository.update_ref(REF, made.commit, commit, "two")
    found = sessions_named(workspace, [session.id], from_history=False)
    assert {each.id for each in found} == {session.id, twin.id}


def test_no_file_around_the_memory_has_a_word_of_it(
    workspace: Workspace, repository: Path, sealed_environment: Path, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    git(repository, "worktree", "add", "--quiet", "--detach", str(linked))
    session = rare(workspace)
    keep(repository, session, [Turn(Speaker.PERSON, f"Where is {RARE} wood?")])
    read_document(workspace_at(linked), session.id)
    for folder in (
        repository / ".git/ocm/sessions",
        sealed_environment / "ocm/sessions",
    ):
        folder.mkdir(parents=True)
        (folder / f"{session.session_id}.md").write_text(RARE)
    assert turn_on(workspace).written_count
    append_to_log(
        repository / ".git", redact(f"No {session.session_id}.\nAll is well.\n")
    )
    assert search(workspace, RARE).results
    assert len(everywhere(repository, sealed_environment)) >= 7
    assert words_of(workspace, session) > 20
    forget(workspace, [session])
    assert everywhere(repository, sealed_environment) == []
    assert not [*files_with(RARE, linked)]
    assert RARE not in git(repository, "log", "-1", "--format=%B", REF)
    assert "All is well" in (repository / ".git/ocm/log").read_text()
    assert not search(workspace, RARE).results
    assert len(search(workspace, "walrus").results) == 1


@pytest.fixture
def shared(workspace: Workspace, tmp_path: Path) -> Path:
    """The repository that the memory is shared with."""
    remote = tmp_path / "remote.git"
    root = workspace.root
    git(root, "init", "--quiet", "--bare", str(remote))
    git(root, "remote", "add", "origin", str(remote))
    git(root, "config", "ocm.remote", "origin")
    git(root, "push", "--quiet", "origin", REF)
    tracking = "refs/ocm/remotes/origin/sessions"
    git(root, "update-ref", tracking, REF)
    return remote


def test_in_history_no_object_that_is_kept_has_a_word_of_it(
    workspace: Workspace, shared: Path, tmp_path: Path
) -> None:
    """Nor in another clone, once that has heard of it."""
    other = joined(shared, tmp_path / "other")
    saved_session(other, goal="beside it")
    assert RARE.encode() in kept(workspace.root)
    forget_in_history(workspace, rare(workspace))
    exchange(other)
    other.current_sessions()
    assert not any(RARE.encode() in kept(each.root) for each in (workspace, other))


def test_tracked_copy_is_left_alone(workspace: Workspace, repository: Path) -> None:
    copy = repository / f".openCodeMemory/sessions/{rare(workspace).session_id}.md"
    git(repository, "add", "--force", str(copy))
    forget(workspace, [rare(workspace)])
    assert copy.exists()


def test_notes_of_others_stay(workspace: Workspace, repository: Path) -> None:
    turn_on(workspace)
    git(repository, "notes", "--ref=ocm", "append", "--message=By hand.", "HEAD")
    forget(workspace, [rare(workspace)])
    note = git(repository, "notes", "--ref=ocm", "show", "HEAD")
    assert note == "By hand."


READERS: dict[str, Callable[[Workspace], object]] = {
    "search": lambda workspace: search(workspace, "walrus"),
    "list": list_sessions,
    "doctor": lambda workspace: examine(workspace.environment),
}


@pytest.mark.endurance
@few(1, "reader", READERS)
def test_a_tombstone_that_was_pulled_takes_the_traces_away(
    workspace: Workspace,
    repository: Path,
    tmp_path: Path,
    sealed_environment: Path,
    reader: str,
) -> None:
    """Also where the process that took it in was killed right after."""
    assert search(workspace, RARE).results
    other = make_repository(tmp_path / "other")
    git(other, "fetch", "--quiet", str(repository), f"{REF}:{REF}")
    forget(workspace_at(other), [rare(workspace_at(other))])
    git(repository, "fetch", "--quiet", str(other), f"{REF}:{REF}")
    assert everywhere(repository, sealed_environment)
    READERS[reader](workspace)
    assert everywhere(repository, sealed_environment) == []
    assert not search(workspace, RARE).results


@few(1, "way", ["sync", "list", "doctor"])
def test_what_a_colleague_forgot_is_in_no_file_of_another_clone(
    workspace: Workspace,
    shared: Path,
    tmp_path: Path,
    sealed_environment: Path,
    way: str,
) -> None:
    """Once that syncs, or reads what a plain `git fetch` brought."""
    other = joined(shared, tmp_path / "other")
    refspec = "+refs/ocm/sessions*:refs/ocm/remotes/origin/sessions*"
    git(other.root, "config", "--add", "remote.origin.fetch", refspec)
    assert search(other, RARE).results
    forget(workspace, [rare(workspace)])
    exchange(workspace)
    assert everywhere(other.root, sealed_environment)
    if way == "sync":
        exchange(other)
    else:
        git(other.root, "fetch", "--quiet")
        READERS[way](other)
    assert everywhere(other.root, sealed_environment) == []
    assert search(other, "walrus").results


def test_forgotten_while_indexing_is_not_in_the_index(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = rare(workspace)
    shutil.rmtree(workspace.index_folder)
    monkeypatch.setattr(index_writer, "SILENCE", 0.0)
    removals = iter([Removal(SESSION, [session], workspace.now())])

    def progress(_done: int, _total: int) -> None:
        for each in removals:
            workspace.store.remove(each)

    caught_up_index(workspace, progress)
    assert not [*files_with(RARE, workspace.index_folder)]
    assert next(removals, None) is None


class TestTheConversation:
    def test_is_not_saved_again_and_told_so(self, workspace: Workspace) -> None:
        session = rare(workspace)
        forget(workspace, [session])
        for key, name in (("client_session_id", CLIENT), ("session_id", session.id)):
            with pytest.raises(InvalidInput, match="forgot"):
                saved_session(workspace, None, **{key: name, "goal": "again"})
        assert len([*workspace.current_sessions().ids()]) == 1

    def test_is_not_captured_when_it_ends(self, workspace: Workspace) -> None:
        forget(workspace, [rare(workspace)])
        seen = {"at": NOON, "tool": "cursor", "client_session_id": CLIENT, "root": "/"}
        workspace.store.journal.note(Prompt(**seen, text=RARE))  # type: ignore[arg-type]
        workspace.store.journal.note(End(**seen))  # type: ignore[arg-type]
        assert capture(workspace, CLIENT, Trigger.SESSION_END) is None
        assert len([*workspace.current_sessions().ids()]) == 1

    def test_is_not_imported(self, tmp_path: Path, sealed_environment: Path) -> None:
        repository = make_repository(tmp_path / "fresh")
        workspace = workspace_at(repository)
        kept = kept_by_claude_code(sealed_environment, repository)
        claude_code_file(kept, CLIENT, "Saw wood.", cwd=repository)

        def outcomes(*, is_dry: bool = False) -> list[ImportStatus]:
            report, git = ImportReport(), workspace.repository
            rehearsal = SessionStore(git.rehearsed()) if is_dry else None
            wanted = ImportRequest(
                reader=reader_named("claude-code"), rehearsal=rehearsal
            )
            files = wanted_files(workspace, wanted)
            bring_in(workspace, wanted, files, report, lambda _done, _total: None)
            return [each.outcome for each in report.sessions]

        assert outcomes() == [ImportStatus.NEW]
        forget(workspace, [rare(workspace)])
        assert outcomes(is_dry=True) == [ImportStatus.FORGOTTEN]
        assert outcomes() == [ImportStatus.FORGOTTEN]
        assert not [*workspace.current_sessions().ids()]


class TestHistory:
    def test_no_ref_and_no_reflog_leads_to_a_word_of_it(
        self, workspace: Workspace, repository: Path
    ) -> None:
        session = rare(workspace)
        keep(repository, session, [Turn(Speaker.PERSON, RARE)])
        turn_on(workspace)
        forget_in_history(workspace, session)
        assert RARE not in git(repository, "log", "-p", "--all", "--reflog")
        assert RARE not in git(repository, "log", "-p", "refs/notes/ocm")
        assert [*files_with(RARE, repository / ".git/logs")] == []
        git(repository, "fsck", "--strict")

    def test_what_was_forgotten_before_is_found_there_by_its_id(
        self, workspace: Workspace, repository: Path
    ) -> None:
        session = rare(workspace)
        forget(workspace, [session])
        with pytest.raises(NotFound, match="already"):
            sessions_named(workspace, [session.id], from_history=False)
        [found] = sessions_named(workspace, [session.id], from_history=True)
        forget_in_history(workspace, found)
        assert RARE not in git(repository, "log", "-p", "--all", "--reflog")


class TestASharedHistory:
    @pytest.mark.endurance
    def test_is_rewritten_if_shared(self, workspace: Workspace, shared: Path) -> None:
        forget_in_history(workspace, rare(workspace))
        assert RARE not in git(shared, "log", "-p", "--all")
        assert RARE not in git(workspace.root, "log", "-p", "--all", "--reflog")
        at = [git(place, "rev-parse", REF) for place in (shared, workspace.root)]
        assert at[0] == at[1]

    def test_that_cannot_be_reached_leaves_everything_as_it_was(
        self, workspace: Workspace, shared: Path
    ) -> None:
        session, tip = rare(workspace), git(workspace.root, "rev-parse", REF)
        shared.rename(shared.with_name("elsewhere.git"))
        with pytest.raises(Unreachable, match="Nothing was forgotten"):
            forget_in_history(workspace, session)
        assert git(workspace.root, "rev-parse", REF) == tip

    def test_is_let_go_of_if_once_shared(
        self, workspace: Workspace, shared: Path
    ) -> None:
        git(workspace.root, "config", "--unset", "ocm.remote")
        sentences = remains(workspace, from_history=True)
        assert any("was shared with before" in sentence for sentence in sentences)
        forget_in_history(workspace, rare(workspace))
        assert RARE in git(shared, "log", "-p", "--all")
        assert RARE not in git(workspace.root, "log", "-p", "--all", "--reflog")

    @pytest.mark.endurance
    def test_takes_along_what_other_clones_keep_of_what_was_said(
        self, workspace: Workspace, shared: Path, tmp_path: Path
    ) -> None:
        other = joined(shared, tmp_path / "other")
        keep(other.root, rare(other), [Turn(Speaker.PERSON, RARE)])
        forget_in_history(workspace, rare(workspace))
        exchange(other)
        assert git(other.root, "log", "refs/ocm/conversations")
        assert RARE not in git(other.root, *LOG_BESIDE_BACKUPS)

    def test_is_followed_by_other_clones(
        self, workspace: Workspace, shared: Path, tmp_path: Path
    ) -> None:
        other = joined(shared, tmp_path / "other")
        assert search(other, RARE).results
        saved = saved_id(other, goal="theirs")
        forget_in_history(workspace, rare(workspace))
        exchange(other)
        assert saved in [*other.current_sessions().ids()]
        assert not search(other, RARE).results
        assert RARE not in git(other.root, *LOG_BESIDE_BACKUPS)
        assert RARE not in git(shared, "log", "-p", "--all")
