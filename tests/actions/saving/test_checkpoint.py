"""Saving: whose session it is, what git knows about it, what comes back."""

import os
import time
from contextlib import nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from shutil import which
from subprocess import CalledProcessError
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st
from support.events import event, note
from support.harness import git, make_repository
from support.rounds import every_row
from support.strategies import texts
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reading.documents import list_sessions, read_document
from gitmem.actions.reading.find import search
from gitmem.actions.saving.checkpoint import Saved
from gitmem.actions.saving.conversation import Caller, Conversation
from gitmem.actions.saving.hook_events import FILES_LIMIT
from gitmem.documents.event import End, Event, Prompt, Start
from gitmem.documents.kinds import SESSION
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Busy, Damaged, GitmemError, InvalidInput, NotFound
from gitmem.git.values import Change, Commit, FileChange
from gitmem.lookup import find
from gitmem.store.session_store import SessionStore
from gitmem.workspace import Workspace

_FAILS_AFTER_MOVING_A_REF = """#!/bin/sh
case "$*" in
*" update-ref "*) '{real}' "$@"; status=$?; echo >"$0.moved"; exit $status ;;
*" for-each-ref "*)
    test -e "$0.moved" && echo >>"$0.moved"
    test "$(cat "$0.moved" 2>/dev/null | wc -l)" -gt {good} && exit 128 ;;
esac
exec '{real}' "$@"
"""


def checkpoint(
    workspace: Workspace, caller: Caller | None = None, **arguments: Any
) -> Saved:
    own = caller or Caller("cursor", own_conversation="own-conversation")
    return saved_session(workspace, own, **arguments)


def session(workspace: Workspace, saved: Saved) -> Session:
    return find(workspace, SESSION, saved.session_id or "")


@pytest.mark.parametrize("zone", ["A+24:59:59", "<+2545>-25:45", "No/Where"])
def test_a_zone_that_no_time_can_tell_stops_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        saved = checkpoint(workspace, goal="g")
        told = datetime.fromisoformat("2026-01-01 12:00")
        assert workspace.local(told).utcoffset() == timedelta()
    time.tzset()
    assert session(workspace, saved).started_at.utcoffset() == timedelta()


def test_the_work_tree_and_its_settings_stay_as_they_were(
    workspace: Workspace, repository: Path
) -> None:
    config = (repository / ".git" / "config").read_bytes()
    saved = checkpoint(workspace, goal="  g \n", work_completed=[" a ", "", " \n"])
    assert git(repository, "status", "--porcelain") == ""
    assert (repository / ".git" / "config").read_bytes() == config
    after = session(workspace, saved)
    assert (after.goal, after.work_completed) == ("g", ("a",))


def test_facts_come_from_git(workspace: Workspace, repository: Path) -> None:
    (repository / "server.py").write_text("one\ntwo\n")
    checkpoint(workspace, goal="g")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "serve: answer")
    (repository / "file.txt").write_text("changed\n")
    after = session(workspace, checkpoint(workspace, work_completed=["a"]))
    head = git(repository, "rev-parse", "HEAD")
    assert after.branch == "main"
    assert (after.git_sha_start, after.git_sha_end) == (
        git(repository, "rev-parse", "HEAD~"),
        head,
    )
    assert after.files == (
        FileChange("server.py", Change.CREATED),
        FileChange("file.txt", Change.MODIFIED),
    )
    assert after.commits == (Commit(head[:12], "serve: answer"),)
    assert after.diff_summary == (
        "1 file created, 1 file modified. +3 / -1 lines."
        " Key changes: file.txt +1 / -1, server.py +2 / -0."
    )


def test_commits_on_a_new_branch_count(workspace: Workspace, repository: Path) -> None:
    checkpoint(workspace, goal="g")
    git(repository, "switch", "--quiet", "--create", "feature")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "on the feature")
    identity = ("-c", "user.name=Ben", "-c", "user.email=ben@example.com")
    (repository / "theirs.py").write_text("x")
    git(repository, "add", ".")
    git(repository, *identity, "commit", "-qm", "theirs")
    after = session(workspace, checkpoint(workspace, work_completed=["a"]))
    assert [commit.subject for commit in after.commits] == ["on the feature"]
    assert (after.branch, after.files) == ("feature", ())


def test_during_a_rebase_the_branch_is_the_one_that_is_rebased(
    workspace: Workspace, repository: Path
) -> None:
    git(repository, "switch", "-qc", "feature")
    git(repository, "commit", "-q", "--allow-empty", "-m", "Begin")
    with pytest.raises(CalledProcessError):
        git(repository, "rebase", "-q", "--force-rebase", "--exec", "false", "main")
    assert not workspace.repository.head().branch
    assert session(workspace, checkpoint(workspace, goal="g")).branch == "feature"


def test_too_many_changed_files_are_counted(
    workspace: Workspace, repository: Path
) -> None:
    for number in range(FILES_LIMIT + 1):
        (repository / f"{number}.txt").touch()
    after = session(workspace, checkpoint(workspace, goal="g"))
    assert after.files == ()
    assert after.diff_summary == f"{FILES_LIMIT + 1:,} files changed."


def test_a_clock_that_jumps_back_loses_nothing(workspace: Workspace) -> None:
    later = workspace.now() + timedelta(hours=1)
    record = Record(
        tool="cursor",
        project="p",
        client_session_id="own-conversation",
        session_id=None,
        checkpoint=Checkpoint(at=later, goal="g", work_pending=("old",)),
    )
    workspace.store.append(record)
    after = session(workspace, checkpoint(workspace, work_pending=["new"]))
    moment = later + timedelta(seconds=1)
    assert (after.work_pending, after.updated_at) == (("new",), moment)


def test_what_is_seen_meanwhile_hides_no_goal(workspace: Workspace) -> None:
    def commits_more(_: Conversation) -> bool:
        time.sleep(1 - time.time() % 1)
        at, root = workspace.now(), str(workspace.root)
        asked = event(Prompt, 0, "own", tool="cursor", at=at, root=root, text="Ask it.")
        note(workspace.root, asked)
        return bool(workspace.current_sessions())

    caller = Caller("cursor", own_conversation="own", takes=commits_more)
    assert session(workspace, checkpoint(workspace, caller, goal="g")).goal == "g"


def test_a_session_goes_on_by_every_name_it_has(workspace: Workspace) -> None:
    first = checkpoint(workspace, Caller("cursor"), goal="g", client_session_id="c-1")
    provisional = first.session_id or ""
    named = checkpoint(workspace, session_id=provisional, slug="tei-migration")
    for name in (provisional, named.session_id, "c-1", "last", provisional[:7]):
        again = checkpoint(workspace, session_id=name, work_completed=[f"by {name}"])
        assert again.session_id == named.session_id


def test_a_conversation_that_a_hook_saw_begin_is_found(workspace: Workspace) -> None:
    see(workspace, Start, "hooked-1", minute=1)
    see(workspace, Start, "hooked-2", minute=2)
    saved = checkpoint(workspace, Caller("cursor"), goal="g")
    assert session(workspace, saved).client_session_id == "hooked-2"
    see(workspace, End, "hooked-2", minute=3)
    saved = checkpoint(workspace, Caller("cursor"), goal="h")
    assert session(workspace, saved).client_session_id == "hooked-1"
    saved = checkpoint(workspace, Caller("codex"), goal="i")
    assert not session(workspace, saved).client_session_id.startswith("hooked")
    see(workspace, Start, "hooked-3", minute=4)  # may be named, without a session yet
    saved = checkpoint(workspace, session_id="hooked-3", goal="g")
    assert session(workspace, saved).client_session_id == "hooked-3"


def test_yesterdays_conversation_is_another(workspace: Workspace) -> None:
    at, root = workspace.now() - timedelta(days=1), str(workspace.root)
    note(workspace.root, event(Start, client="killed", at=at, root=root, tool="cursor"))
    saved = checkpoint(workspace, Caller("cursor"), goal="g")
    assert session(workspace, saved).client_session_id != "killed"


def see(workspace: Workspace, kind: type[Event], client_id: str, minute: int) -> None:
    at, root = workspace.now().replace(minute=minute), str(workspace.root)
    note(workspace.root, event(kind, client=client_id, at=at, root=root, tool="cursor"))


def test_conversations_whose_ids_are_secrets_stay_apart(workspace: Workspace) -> None:
    ids = []
    for letter in "ab":
        secret = "ghp_" + f"A{letter}1Cd2Ef3Gh4" * 3
        see(workspace, Start, clean_client_id(secret), minute=1)
        saved = checkpoint(workspace, Caller("cursor"), session_id=secret, goal=letter)
        ids.append(saved.session_id)
    assert len(set(ids)) == 2


def test_client_metadata_names_the_conversation(workspace: Workspace) -> None:
    codex = Caller("codex", meta={"x-codex-turn-metadata": {"session_id": "turn"}})
    saved = checkpoint(workspace, codex, goal="g")
    assert session(workspace, saved).client_session_id == "turn"


@pytest.mark.endurance
def test_a_client_id_that_no_file_can_hold_is_stood_for(workspace: Workspace) -> None:
    for wild in ("\ud800x", "a\nb", "x" * 100_000):
        codex = Caller("codex", meta={"sessionId": wild})
        one = session(workspace, checkpoint(workspace, codex, goal=f"g{len(wild)}"))
        again = session(workspace, checkpoint(workspace, codex, work_completed=["a"]))
        assert one.id == again.id
        assert len(one.client_session_id) == 64


def test_a_held_lock_keeps_no_checkpoint_out_of_the_journal(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint(workspace, goal="g")
    monkeypatch.setattr(SessionStore.replay, "__defaults__", (0.05,))
    lock = FileLock(workspace.repository.common_dir / "ocm" / "lock")
    with lock, pytest.raises(Busy, match="safe in the journal"):
        checkpoint(workspace, work_completed=["a"])
    after = next(workspace.current_sessions().newest())
    assert after.work_completed == ("a",)


@pytest.mark.parametrize(("good", "raised"), [(1, True), (2, False)])
def test_what_is_saved_is_said_to_be_where_git_fails_after_it(
    tmp_path: Path, good: int, raised: bool
) -> None:
    """Or it would be saved a second time; without a copy where that cannot be made."""
    repository = tmp_path / "long"
    git(tmp_path, "init", "--quiet", "--object-format=sha256", str(repository))
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    script = _FAILS_AFTER_MOVING_A_REF.format(real=which("git"), good=good)
    program.write_text(script)
    program.chmod(0o755)
    workspace = workspace_at(repository, PATH=f"{program.parent}:{os.environ['PATH']}")
    fails = pytest.raises(Damaged, match="safe in the journal")
    with fails if raised else nullcontext():
        assert checkpoint(workspace, goal="g").markdown_path is None
    [kept] = workspace_at(repository).store.memory().newest()
    assert kept.goal == "g"


WRONG: list[tuple[dict[str, Any], type[GitmemError], str]] = [
    ({"session_id": "2026-01-01_00-00_cursor_none"}, NotFound, "2026-01-01"),
    ({"session_id": "a/b"}, InvalidInput, "a/b"),
    ({"session_id": "a\x1b[31m"}, InvalidInput, "x1b"),
    ({"session_id": "x" * 500}, NotFound, "xxx"),
    ({"slug": "one-two-three-four-five"}, InvalidInput, "four words"),
    ({"slug": "日本語"}, InvalidInput, "letters or digits"),
    ({"slug": "x" * 61}, InvalidInput, "longer"),
    ({"slug": "key-" + "0a1b2c3d" * 4}, InvalidInput, "secret"),
    ({"tool": "sk-" + "ant-" + "a1" * 11}, InvalidInput, "assistant"),
    ({"status": "done"}, InvalidInput, "frozen"),
    ({"client_session_id": "a\nb"}, InvalidInput, "printable"),
    ({"goal": 7}, InvalidInput, "goal"),
    ({"work_completed": "not a list"}, InvalidInput, "work_completed"),
    ({"work_pending": [{"a": 1}]}, InvalidInput, "work_pending"),
    ({"plan_files": [{"header": "x"}]}, InvalidInput, "plan_files"),
    ({"plan_files": [{"path": ""}]}, InvalidInput, "plan_files"),
    ({"references": [{"url": "x", "titel": "y"}]}, InvalidInput, "references"),
    ({"gaol": "x"}, InvalidInput, "gaol"),
    ({"goal": "x" * 5_000_000}, InvalidInput, "5,000,000"),
    ({"work_summary": ["x"] * 20_001}, InvalidInput, "items"),
]


@every_row(("arguments", "error", "words"), WRONG)
def test_what_is_wrong_is_said_and_nothing_is_written(
    workspace: Workspace,
    repository: Path,
    arguments: dict[str, Any],
    error: type[GitmemError],
    words: str,
) -> None:
    with pytest.raises(error, match=words):
        checkpoint(workspace, **{"goal": "g", **arguments})
    assert git(repository, "for-each-ref", "refs/ocm") == ""
    assert workspace.store.journal.names() == []


SLUGS = st.sampled_from(
    ["tei-migration", "key-" + "0a1b2c3d" * 4, "a b", "x" * 99, "ü"]
)
IDS = st.sampled_from(["c-1", "ghp_" + "Ab1Cd2Ef3Gh4" * 3, "a/b", "x" * 199, "日本"])


@given(slug=SLUGS, client=IDS, tool=SLUGS | IDS, text=texts(min_size=1), meta=IDS)
def test_whatever_is_accepted_can_be_listed_found_and_read(
    tmp_path_factory: pytest.TempPathFactory,
    slug: str,
    client: str,
    tool: str,
    text: str,
    meta: str,
) -> None:
    workspace = workspace_at(make_repository(tmp_path_factory.mktemp("r"), commits=0))
    caller = Caller("codex", meta={"sessionId": meta})
    try:
        saved = checkpoint(workspace, caller, goal=f"x {text}", slug=slug, tool=tool)
        checkpoint(workspace, caller, client_session_id=client, decisions=[text])
    except InvalidInput:
        return
    listed = [each.session.session_id for each in list_sessions(workspace).sessions]
    assert saved.session_id in listed
    for session_id in listed:
        assert read_document(workspace, session_id).text.encode()
    search(workspace, text)
    assert list(workspace.store.journal.pending()) == []


def test_each_linked_work_tree_has_its_own_copy_of_one_memory(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = workspace_at(tmp_path / "linked")
    saved = checkpoint(linked, Caller("cursor"), goal="from the linked work tree")
    assert (saved.markdown_path or Path()).is_relative_to(tmp_path / "linked")
    assert session(workspace, saved).goal == "from the linked work tree"
    assert git(tmp_path / "linked", "status", "--porcelain") == ""
    assert linked.project == workspace.project


def test_bare_repository_has_the_copy_inside(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "bare.git")
    saved = checkpoint(workspace_at(tmp_path / "bare.git"), goal="g")
    inside = tmp_path / "bare.git" / "ocm" / "sessions"
    assert (saved.markdown_path or Path()).parent == inside


def test_a_link_in_the_repository_leads_no_copy_outside(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (repository / ".openCodeMemory").symlink_to(tmp_path / "outside")
    saved = checkpoint(workspace, goal="g")
    assert list((tmp_path / "outside").iterdir()) == []
    assert (saved.markdown_path or Path()).is_relative_to(repository / ".git")


def test_tracked_file_is_kept(workspace: Workspace, repository: Path) -> None:
    saved = checkpoint(workspace, goal="g")
    name = f".openCodeMemory/sessions/{saved.session_id}.md"
    git(repository, "add", "--force", name)
    git(repository, "commit", "--quiet", "-m", "somebody tracks a copy")
    again = checkpoint(workspace, goal="h")
    assert git(repository, "status", "--porcelain") == ""
    assert (again.markdown_path or Path()).is_relative_to(repository / ".git")


@pytest.mark.parametrize(
    "command",
    ["update-index --split-index", "sparse-checkout init --cone --sparse-index"],
)
def test_an_index_that_only_git_can_read_is_no_obstacle(
    workspace: Workspace, repository: Path, command: str
) -> None:
    (repository / "folder").mkdir()
    (repository / "folder" / "inside.txt").write_text("x")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "a folder")
    git(repository, *command.split())
    saved = checkpoint(workspace, goal="g")
    assert saved.markdown_path is not None
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "made since")
    checkpoint(workspace, work_completed=["a"])
    assert "made since" in read_document(workspace, "last").text


def test_our_copies_are_no_work(workspace: Workspace, repository: Path) -> None:
    checkpoint(workspace, goal="g")
    (repository / ".git" / "info" / "exclude").write_text("")
    assert session(workspace, checkpoint(workspace, work_completed=["a"])).files == ()


def test_the_project_is_named_after_its_remote(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "some-folder")
    assert workspace_at(folder).project == "some-folder"
    git(folder, "remote", "add", "origin", "git@example.com:team/inference.git")
    assert workspace_at(folder).project == "inference"
