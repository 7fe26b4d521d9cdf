"""Whose a commit is, and that sessions list commits under their present names."""

import random
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support.events import event, note, now
from support.harness import CLIENT, NOON, git
from support.rounds import rounds
from support.workspaces import saved_session, workspace_at

from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.commits import commits_rewritten, maker_of, record_commits
from gitmem.actions.saving.hook_events import note_work_tree_state
from gitmem.documents.event import Committed, Edit, End, Event, Prompt, Start, Trigger
from gitmem.documents.session.session import Status
from gitmem.git.values import Commit
from gitmem.workspace import Workspace

OTHER = "ffffffff-4e5f-4000-8000-000000000000"


def see(workspace: Workspace, kind: type[Event], **values: Any) -> None:
    here = {"at": now(), "root": str(workspace.root)}
    note(workspace.repository.common_dir.parent, event(kind, **{**here, **values}))


def begin(workspace: Workspace, client: str = CLIENT, edits: str = "") -> None:
    see(workspace, Start, client=client)
    for path in edits.split():
        see(workspace, Edit, path=path, client=client)


def commit(workspace: Workspace, *paths: str, subject: str = "work") -> str:
    """The commit's full name."""
    for path in paths:
        (workspace.root / path).write_text(f"{subject}\n")
    git(workspace.root, "add", *paths)
    git(workspace.root, "commit", "--quiet", "--allow-empty", f"--message={subject}")
    return git(workspace.root, "rev-parse", "HEAD")


def maker(workspace: Workspace, oid: str) -> str | None:
    details = workspace.repository.commit_details(oid)
    assert details is not None
    found = maker_of(workspace, details)
    return found.client_session_id if found else None


def in_shell_of(client: str, workspace: Workspace) -> Workspace:
    return workspace_at(workspace.root, CLAUDE_CODE_SESSION_ID=client)


def listed(workspace: Workspace, client: str = CLIENT) -> list[str]:
    """Subjects of the commits that the session lists; their names must be there."""
    [session] = [
        each
        for each in workspace.current_sessions().newest()
        if each.client_session_id == client
    ]
    for each in session.commits:
        assert git(workspace.root, "log", "-1", "--format=%s", each.sha) == each.subject
    return [each.subject for each in session.commits]


def traces(workspace: Workspace) -> dict[str, bytes]:
    folder = workspace.repository.common_dir / "ocm"
    return {str(p): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class TestMaker:
    def test_whoever_edited_a_file_of_it(self, workspace: Workspace) -> None:
        begin(workspace, edits="a.py b.py")
        begin(workspace, OTHER, edits="c.py")
        assert maker(workspace, commit(workspace, "b.py", "by-hand.txt")) == CLIENT
        assert maker(workspace, commit(workspace, "c.py")) == OTHER

    def test_nobody_where_two_did_or_none(self, workspace: Workspace) -> None:
        begin(workspace, edits="a.py")
        begin(workspace, OTHER)
        assert maker(workspace, commit(workspace, "by-hand.txt")) is None
        assert maker(workspace, commit(workspace)) is None
        begin(workspace, OTHER, edits="a.py b.py")
        assert maker(workspace, commit(workspace, "a.py")) is None
        both = commit(workspace, "a.py", "b.py", subject="more")
        assert maker(workspace, both) is None

    def test_only_one_that_may_use_the_shell(self, workspace: Workspace) -> None:
        see(workspace, Start, tool="cursor")
        made = commit(workspace, "by-hand.txt")
        assert maker(workspace, made) == CLIENT
        see(workspace, Start, tool="cursor", client=OTHER)
        assert maker(workspace, made) is None

    def test_one_named_by_its_shell_is_not_assumed(self, workspace: Workspace) -> None:
        begin(workspace)
        assert maker(workspace, commit(workspace, "by-hand.txt")) is None

    def test_the_one_in_whose_shell_it_is(self, workspace: Workspace) -> None:
        begin(workspace, edits="a.py")
        begin(workspace, OTHER, edits="b.py")
        made = commit(workspace, "b.py", "generated.txt")
        assert maker(in_shell_of(CLIENT, workspace), made) == CLIENT
        assert maker(in_shell_of(OTHER, workspace), made) == OTHER

    def test_shared_shell_is_the_journals_one(self, workspace: Workspace) -> None:
        begin(workspace)
        nested = workspace_at(
            workspace.root, CLAUDE_CODE_SESSION_ID=CLIENT, CODEX_SESSION_ID="unknown"
        )
        assert maker(nested, commit(workspace, "x")) == CLIENT
        begin(workspace, "unknown", edits="y")
        assert maker(nested, commit(workspace, "x")) is None
        assert maker(nested, commit(workspace, "y")) == "unknown"

    def test_unseen_one_counts_edits_only(self, workspace: Workspace) -> None:
        begin(workspace)
        elsewhere = in_shell_of(OTHER, workspace)
        assert maker(elsewhere, commit(workspace, "x")) is None
        see(workspace, Edit, path="y")
        assert maker(elsewhere, commit(workspace, "y")) == CLIENT

    def test_one_that_only_a_tool_call_made_known(self, workspace: Workspace) -> None:
        saved_session(workspace, goal="g", client_session_id=OTHER)
        made = commit(workspace, "x")
        assert maker(in_shell_of(OTHER, workspace), made) == OTHER
        assert maker(workspace, made) is None

    def test_one_that_ended_meanwhile_but_none_before(
        self, workspace: Workspace
    ) -> None:
        begin(workspace, edits="a.py")
        made = commit(workspace, "a.py")
        see(workspace, End, at=now() + timedelta(seconds=1))
        assert maker(in_shell_of(CLIENT, workspace), made) == CLIENT
        see(workspace, End, at=now() - timedelta(minutes=1))
        assert maker(workspace, made) is None
        assert maker(in_shell_of(CLIENT, workspace), made) is None

    def test_none_that_was_silent_for_a_day(self, workspace: Workspace) -> None:
        long_ago = now() - timedelta(hours=24)
        see(workspace, Start, at=long_ago)
        see(workspace, Edit, path="a.py", at=long_ago)
        assert maker(workspace, commit(workspace, "a.py")) is None

    def test_none_in_another_work_tree(
        self, workspace: Workspace, tmp_path: Path
    ) -> None:
        begin(workspace, edits="a.py")
        git(workspace.root, "worktree", "add", "--quiet", str(tmp_path / "linked"))
        linked = workspace_at(tmp_path / "linked")
        made = commit(linked, "a.py")
        assert maker(linked, made) is None
        assert maker(in_shell_of(CLIENT, linked), made) == CLIENT

    @pytest.mark.endurance
    def test_a_merge_is_only_that_of_its_shell(self, workspace: Workspace) -> None:
        git(workspace.root, "switch", "--quiet", "--create", "theirs")
        commit(workspace, "a.py", subject="theirs")
        git(workspace.root, "switch", "--quiet", "main")
        commit(workspace, "b.py", subject="ours")
        begin(workspace, edits="a.py")
        git(workspace.root, "merge", "--quiet", "theirs")
        merge = git(workspace.root, "rev-parse", "HEAD")
        assert maker(workspace, merge) is None
        assert maker(in_shell_of(CLIENT, workspace), merge) == CLIENT


class TestCommitsMade:
    def test_it_is_saved_with_its_files(self, workspace: Workspace) -> None:
        begin(workspace, edits="a.py")
        oid = commit(workspace, "a.py", subject="Write a.py")
        for _ in range(2):
            [session] = record_commits(workspace, oid)
            assert session.commits == (Commit(oid[:12], "Write a.py"),)
            assert [file.path for file in session.files] == ["a.py"]
            assert session.trigger is Trigger.GIT_COMMIT
            assert (session.status, session.git_sha_end) == (Status.OPEN, oid)

    def test_of_nobodys_there_is_no_trace(self, workspace: Workspace) -> None:
        record_commits(workspace, commit(workspace, "x"))
        assert not (workspace.root / ".git" / "ocm").exists()
        begin(workspace, edits="a.py")
        before = traces(workspace)
        assert record_commits(workspace, commit(workspace, "x")) == []
        assert record_commits(workspace, "0" * 40) == []
        assert traces(workspace) == before
        assert git(workspace.root, "for-each-ref", "refs/ocm") == ""

    def test_quick_ones_are_noted_together(self, workspace: Workspace) -> None:
        begin(workspace, edits="a.py")
        begin(workspace, OTHER, edits="b.py")
        first = commit(workspace, "a.py", subject="one")
        commit(workspace, "by-hand.txt", subject="nobody's")
        commit(workspace, "b.py", subject="theirs")
        amend(workspace, "theirs, better")
        commit(workspace, "a.py", subject="two")
        assert len(record_commits(workspace, first)) == 2
        assert listed(workspace) == ["one", "two"]
        assert listed(workspace, OTHER) == ["theirs, better"]

    def test_those_of_other_shells_do_not_count(self, workspace: Workspace) -> None:
        begin(workspace, edits="one.py")
        begin(workspace, OTHER, edits="two.py")
        first = commit(workspace, "one.py", subject="one")
        commit(workspace, "two.py", subject="two")
        record_commits(in_shell_of(CLIENT, workspace), first)
        assert (listed(workspace), listed(workspace, OTHER)) == (["one"], ["two"])

    def test_what_took_its_place_is_noted_instead(self, workspace: Workspace) -> None:
        begin(workspace)
        first = commit(workspace, "a.py", subject="one")
        amend(workspace, "better")
        commit(workspace, "a.py", subject="two")
        record_commits(in_shell_of(CLIENT, workspace), first)
        assert listed(workspace) == ["better", "two"]

    def test_what_came_in_otherwise_is_not(
        self, workspace: Workspace, tmp_path: Path
    ) -> None:
        begin(workspace)
        first = commit(workspace, "a.py", subject="one")
        git(tmp_path, "clone", "--quiet", str(workspace.root), "clone")
        commit(workspace_at(tmp_path / "clone"), "theirs", subject="theirs")
        git(workspace.root, "pull", "--quiet", str(tmp_path / "clone"))
        commit(workspace, "b.py", subject="two")
        record_commits(in_shell_of(CLIENT, workspace), first)
        assert listed(workspace) == ["one", "two"]

    def test_without_a_reflog_there_is_the_one(self, workspace: Workspace) -> None:
        git(workspace.root, "config", "core.logAllRefUpdates", "false")
        (workspace.root / ".git" / "logs" / "HEAD").unlink()
        begin(workspace)
        first = commit(workspace, "a.py", subject="one")
        commit(workspace, "b.py", subject="two")
        record_commits(in_shell_of(CLIENT, workspace), first)
        assert listed(workspace) == ["one"]

    def test_an_end_that_came_first_stays_the_end(self, workspace: Workspace) -> None:
        begin(workspace, edits="a.py")
        oid = commit(workspace, "a.py")
        see(workspace, End, at=now() + timedelta(seconds=1))
        [session] = record_commits(in_shell_of(CLIENT, workspace), oid)
        assert (len(session.commits), session.status) == (1, Status.CLOSED)
        assert maker(workspace, oid) is None

    def test_no_secret_of_a_subject_is_kept(self, workspace: Workspace) -> None:
        secret = "ghp_" + "a1B2" * 9
        begin(workspace, edits="a.py")
        record_commits(workspace, commit(workspace, "a.py", subject=f"Use {secret}"))
        assert not any(secret.encode() in text for text in traces(workspace).values())
        tip = git(workspace.root, "log", "-p", "refs/ocm/sessions")
        assert "Use " in tip
        assert secret not in tip


def amend(workspace: Workspace, subject: str) -> dict[str, str]:
    old = git(workspace.root, "rev-parse", "HEAD")
    git(workspace.root, "commit", "--quiet", "--amend", f"--message={subject}")
    return {old: git(workspace.root, "rev-parse", "HEAD")}


def saved(workspace: Workspace, *subjects: str) -> list[str]:
    """Commits of a conversation; their full names."""
    begin(workspace, edits="a.py")
    names = [commit(workspace, "a.py", subject=each) for each in subjects]
    for name in names:
        record_commits(workspace, name)
    return names


class TestRewritten:
    def test_present_name_replaces_the_former(self, workspace: Workspace) -> None:
        saved(workspace, "one", "two")
        [session] = commits_rewritten(workspace, amend(workspace, "two, better"))
        assert listed(workspace) == ["one", "two, better"]
        assert session.git_sha_end == git(workspace.root, "rev-parse", "HEAD")

    def test_several_may_become_one(self, workspace: Workspace) -> None:
        names = saved(workspace, "one", "two", "three")
        new = commit(workspace, subject="all")
        [session] = commits_rewritten(workspace, dict.fromkeys(names[1:], new))
        assert [each.subject for each in session.commits] == ["one", "all"]

    def test_what_no_session_lists_leaves_no_trace(self, workspace: Workspace) -> None:
        begin(workspace, edits="a.py")
        commit(workspace, "by-hand")
        before = traces(workspace)
        assert commits_rewritten(workspace, amend(workspace, "by hand")) == []
        assert traces(workspace) == before

    def test_names_that_lead_nowhere_change_nothing(self, workspace: Workspace) -> None:
        [name] = saved(workspace, "one")
        commits_rewritten(workspace, {name: "f" * 40})
        commits_rewritten(workspace, {"f" * 40: name})
        assert listed(workspace) == ["one"]

    @pytest.mark.endurance
    def test_other_machines_sessions_are_followed(self, workspace: Workspace) -> None:
        saved(workspace, "one")
        for path in (workspace.root / ".git" / "ocm" / "journal").iterdir():
            path.unlink()
        commits_rewritten(workspace, amend(workspace, "better"))
        assert listed(workspace) == ["better"]

    def test_closed_session_stays_as_it_was(self, workspace: Workspace) -> None:
        sha = commit(workspace, "a.py", subject="one")[:12]
        see(workspace, Committed, at=NOON, sha=sha, subject="one")
        see(workspace, End, at=NOON)
        workspace.store.replay()
        [after] = commits_rewritten(workspace, amend(workspace, "better"))
        assert listed(workspace) == ["better"]
        assert (after.status, after.trigger) == (Status.CLOSED, Trigger.SESSION_END)
        assert after.updated_at == after.ended_at == NOON

    @pytest.mark.endurance
    def test_no_other_session_takes_its_new_name(self, workspace: Workspace) -> None:
        begin(workspace, OTHER)
        note_work_tree_state(workspace, OTHER, "claude-code")
        saved(workspace, "one")
        commits_rewritten(workspace, amend(workspace, "better"))
        other = capture(workspace, OTHER, Trigger.SESSION_END)
        assert other is None or other.commits == ()

    @pytest.mark.endurance
    def test_hundreds_are_one_checkpoint(self, workspace: Workspace) -> None:
        saved(workspace, "one", "two")
        count = int(git(workspace.root, "rev-list", "--count", "refs/ocm/sessions"))
        pairs = {f"{number:040x}": f"{number + 1:040x}" for number in range(500)}
        commits_rewritten(workspace, pairs | amend(workspace, "better"))
        after = git(workspace.root, "rev-list", "--count", "refs/ocm/sessions")
        assert int(after) == count + 1
        assert listed(workspace) == ["one", "better"]


def test_last_name_stays_in_any_order(workspace: Workspace) -> None:
    """A commit, amended twice: five processes, none of which waits for another."""
    names = [commit(workspace, "a.py", subject="one")]
    for subject in ("two", "three"):
        names += amend(workspace, subject).values()
    pairs = [{names[0]: names[1]}, {names[1]: names[2]}]
    news_of_all: list[str | dict[str, str]] = [*names, *pairs]
    orders = list(permutations(news_of_all))
    for number, news in enumerate(
        random.Random(0).sample(orders, min(rounds(2), len(orders)))
    ):
        client = f"client-{number}"
        see(workspace, Prompt, client=client, text="Do it")
        shell = in_shell_of(client, workspace)
        for each in news:
            if isinstance(each, str):
                record_commits(shell, each)
            else:
                commits_rewritten(shell, each)
        assert listed(workspace, client) == ["three"], news


def test_a_root_commit_is_listed_without_hooks(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--template=", "new")
    workspace = workspace_at(tmp_path / "new")
    saved_session(workspace, client_session_id=CLIENT, goal="Begin")
    commit(workspace, "a.py", subject="root")
    saved_session(workspace, client_session_id=CLIENT, goal="Begin", decisions=["d"])
    assert listed(workspace) == ["root"]


def test_what_a_commit_changed_is_kept_with_its_session(workspace: Workspace) -> None:
    begin(workspace, edits="a.py")
    oid = commit(workspace, "a.py")
    [session] = record_commits(workspace, oid)
    assert [patch.sha for patch in session.patches] == [oid[:12]]
    git(workspace.root, "commit", "--amend", "--quiet", "--message=amended")
    amended = git(workspace.root, "rev-parse", "HEAD")
    [session] = commits_rewritten(workspace, {oid: amended})
    assert [patch.sha for patch in session.patches] == [oid[:12], amended[:12]]
