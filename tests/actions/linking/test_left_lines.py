"""Commits that a person makes of what a conversation left, when it has ended."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from support.events import event, note, now
from support.harness import CLIENT, git
from support.strategies import texts
from support.workspaces import workspace_at

from gitmem.actions.linking.why import why
from gitmem.actions.reviewing.branch_story import CommitRange, branch_story
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.commits import commits_rewritten, record_commits
from gitmem.documents.event import Edit, End, Event, Prompt, Start
from gitmem.documents.session.session import Session, Status
from gitmem.git.commit_changes import added_lines
from gitmem.workspace import Workspace

OTHER = "ffffffff-4e5f-4000-8000-000000000000"


def see(workspace: Workspace, kind: type[Event], client: str, **values: str) -> None:
    here = {"at": now(), "root": str(workspace.root)}
    note(
        workspace.repository.common_dir.parent, event(kind, 0, client, **here, **values)
    )


def conversation(
    workspace: Workspace, files: dict[str, str], client: str = CLIENT
) -> None:
    """A conversation writes files, commits nothing, and ends."""
    see(workspace, Start, client)
    see(workspace, Prompt, client, text=f"Write {', '.join(files)}")
    for path, content in files.items():
        (workspace.root / path).write_text(content)
        see(workspace, Edit, client, path=path)
    see(workspace, End, client)
    capture(workspace, client)


def commit(workspace: Workspace, *paths: str) -> str:
    """A person commits; gives the name of the commit."""
    git(workspace.root, "add", "--", *paths)
    git(workspace.root, "commit", "--quiet", "--message=by hand")
    head = git(workspace.root, "rev-parse", "HEAD")
    record_commits(workspace, head)
    return head


def lines_by_session(workspace: Workspace, path: str) -> dict[str, int]:
    origin = why(workspace, path, workspace.root)
    counts = {s.entry.session.client_session_id: s.lines for s in origin.sources}
    unlinked = sum(origin.unlinked.values())
    return counts | ({"": unlinked} if unlinked else {})


def session_of(workspace: Workspace, client: str = CLIENT) -> Session:
    sessions = workspace.current_sessions().newest()
    return next(s for s in sessions if s.client_session_id == client)


CODE = "def first():\n    return 1\n\n\ndef second():\n    return 2\n"


def test_all_that_a_session_left_is_its_work(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE, "b.py": "alpha = 1\n"})
    before = session_of(workspace)
    head = commit(workspace, "a.py", "b.py")
    assert lines_by_session(workspace, "a.py") == {CLIENT: 6}
    after = session_of(workspace)
    assert [commit.sha for commit in after.commits] == [head[:12]]
    assert after.patches[0].patch_id
    assert (after.status, after.updated_at) == (Status.CLOSED, before.updated_at)


def test_a_part_of_it_is_its_work(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE, "b.py": "alpha = 1\n"})
    (workspace.root / "a.py").write_text(CODE[: CODE.index("\n\n\n") + 1])
    commit(workspace, "a.py")
    (workspace.root / "a.py").write_text(CODE)
    commit(workspace, "a.py")
    assert lines_by_session(workspace, "a.py") == {CLIENT: 6}
    assert len(session_of(workspace).commits) == 2


def test_edits_on_top_are_the_persons(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE})
    (workspace.root / "a.py").write_text(CODE + "\n\ndef by_hand():\n    return 3\n")
    (workspace.root / "own.py").write_text("nobody else wrote this\n")
    head = commit(workspace, "a.py", "own.py")
    assert lines_by_session(workspace, "a.py") == {CLIENT: 6, "": 4}
    assert lines_by_session(workspace, "own.py") == {"": 1}
    git(workspace.root, "commit", "--amend", "--quiet", "--message=amended")
    amended = git(workspace.root, "rev-parse", "HEAD")
    commits_rewritten(workspace, {head: amended})
    assert lines_by_session(workspace, "a.py") == {CLIENT: 6, "": 4}
    assert lines_by_session(workspace, "own.py") == {"": 1}


def test_work_of_two_sessions_is_told_apart(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE})
    conversation(workspace, {"a.py": CODE + "third = 3\n", "b.py": "beta = 2\n"}, OTHER)
    commit(workspace, "a.py", "b.py")
    assert lines_by_session(workspace, "a.py") == {CLIENT: 6, OTHER: 1}
    assert lines_by_session(workspace, "b.py") == {OTHER: 1}


def test_who_only_commits_has_no_line_of_it(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE})
    see(workspace, Start, OTHER)
    see(workspace, Prompt, OTHER, text="Commit this please")
    in_its_shell = workspace_at(workspace.root, CLAUDE_CODE_SESSION_ID=OTHER)
    head = commit(in_its_shell, "a.py")
    for _ in range(2):
        for client in (CLIENT, OTHER):
            commits = session_of(workspace, client).commits
            assert [commit.sha for commit in commits] == [head[:12]]
        assert lines_by_session(workspace, "a.py") == {CLIENT: 6}
        assert session_of(workspace, OTHER).files == ()
        see(workspace, End, OTHER)
        capture(workspace, OTHER)


def test_who_commits_has_what_it_wrote_itself(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE})
    see(workspace, Start, OTHER)
    for path, content in {"a.py": CODE + "third = 3\n", "b.py": "beta = 2\n"}.items():
        (workspace.root / path).write_text(content)
        see(workspace, Edit, OTHER, path=path)
    commit(workspace, "a.py", "b.py")
    assert lines_by_session(workspace, "a.py") == {CLIENT: 6, OTHER: 1}
    assert lines_by_session(workspace, "b.py") == {OTHER: 1}
    files = session_of(workspace, OTHER).files
    assert [file.path for file in files] == ["a.py", "b.py"]


def test_what_is_not_committed_yet_has_its_session(workspace: Workspace) -> None:
    (workspace.root / "a.py").write_text("def zero():\n    return 0\n")
    commit(workspace, "a.py")
    conversation(workspace, {"a.py": CODE})
    (workspace.root / "a.py").write_text(CODE + "by_hand = 3\n")
    origin = why(workspace, "a.py", workspace.root)
    [source] = origin.sources
    assert (source.lines, source.evidence) == (6, "not committed yet")
    assert origin.blame.uncommitted == 7


def test_what_nobody_left_is_nobodys(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE})
    (workspace.root / "b.py").write_text(CODE)
    (workspace.root / "a.py").write_text("}\n    \nquite another file\n")
    commit(workspace, "b.py", "a.py")
    assert session_of(workspace).commits == ()
    assert lines_by_session(workspace, "b.py") == {"": 6}


def test_digests_stay_on_this_machine(workspace: Workspace, repository: Path) -> None:
    (repository / ".gitignore").write_text(".env\n")
    conversation(workspace, {"a.py": CODE, ".env": "TOKEN=guess me\n"})
    [file] = (repository / ".git" / "ocm" / "journal").glob("*.lines")
    assert file.stat().st_mode & 0o777 == 0o600
    assert ".env" not in file.read_text()
    [digest] = re.findall(r'"a.py", "lines": "([0-9a-f]{8})', file.read_text())
    everything = git(repository, "log", "--all", "--patch", "refs/ocm/sessions")
    assert digest not in everything
    assert session_of(workspace).patches == ()


@pytest.mark.parametrize("content", [b"", b"{", b'{"client_session_id": 7}', b"[]"])
def test_a_damaged_file_is_none(
    workspace: Workspace, repository: Path, content: bytes
) -> None:
    conversation(workspace, {"a.py": CODE})
    [file] = (repository / ".git" / "ocm" / "journal").glob("*.lines")
    file.write_bytes(content)
    commit(workspace, "a.py")
    assert session_of(workspace).commits == ()


@given(texts())
def test_any_patch_can_be_read(patch: str) -> None:
    added_lines(f"@@ -0,0 +1,3 @@\n+{patch}")
    added_lines(patch)


def committing(workspace: Workspace, content: str, client: str) -> None:
    """A conversation writes a file and commits it, while no other one is open."""
    see(workspace, Start, client)
    see(workspace, Prompt, client, text="Write a.py")
    with (workspace.root / "a.py").open("a") as file:
        file.write(content)
    see(workspace, Edit, client, path="a.py")
    commit(workspace, "a.py")
    see(workspace, End, client)
    capture(workspace, client)


def test_lines_of_a_squash_are_told_apart_without_its_branch(
    workspace: Workspace,
) -> None:
    root = workspace.root
    commit_of_a_person = "before = 0\n"
    (root / "a.py").write_text(commit_of_a_person)
    commit(workspace, "a.py")
    git(root, "checkout", "--quiet", "-b", "topic")
    committing(workspace, "alpha = 1\nbeta = 2\n", CLIENT)
    committing(workspace, "gamma = 3\n", OTHER)
    committing(workspace, "delta = 4\n", CLIENT)
    (root / "a.py").write_text((root / "a.py").read_text() + "by_hand = 5\n")
    commit(workspace, "a.py")
    git(root, "checkout", "--quiet", "main")
    git(root, "merge", "--squash", "--quiet", "topic")
    git(root, "commit", "--quiet", "--message=no hook sees it")
    git(root, "branch", "-D", "topic")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "--quiet", "--prune=now")
    assert lines_by_session(workspace, "a.py") == {CLIENT: 3, OTHER: 1, "": 2}
    evidence = "lines as the session left them"
    sources = why(workspace, "a.py:2", root).sources
    assert [source.evidence for source in sources] == [evidence]


def test_a_line_from_before_a_session_is_not_its_line(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace.root / "a.py").write_text("alpha = 1\n")
    with monkeypatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z")
        commit(workspace, "a.py")
    committing(workspace, "alpha = 1\n", CLIENT)
    assert lines_by_session(workspace, "a.py") == {CLIENT: 1, "": 1}


def soft_reset(root: Path, base: str) -> str:
    git(root, "reset", "--quiet", "--soft", base)
    git(root, "commit", "--quiet", "--message=both")
    return git(root, "rev-parse", "HEAD")


def test_commits_of_two_sessions_put_into_one_are_both_named(
    workspace: Workspace,
) -> None:
    root, base = workspace.root, git(workspace.root, "rev-parse", "HEAD")
    committing(workspace, "alpha = 1\nbeta = 2\ngamma = 3\n", CLIENT)
    conversation(workspace, {"a.py": "alpha = 1\nbeta = 22\ngamma = 3\n"}, OTHER)
    commit(workspace, "a.py")
    both = soft_reset(root, base)
    record_commits(workspace, both)
    assert lines_by_session(workspace, "a.py") == {CLIENT: 2, OTHER: 1}
    assert lines_by_session(workspace, "HEAD").keys() == {CLIENT, OTHER}
    story = branch_story(workspace, CommitRange(base, both))
    made = {s.entry.session.client_session_id: s.lines for s in story.sessions}
    assert made == {CLIENT: 2, OTHER: 1}
    assert story.lines_by_tool == {"claude-code": 3}


def test_a_fixup_of_several_makers_leaves_each_its_lines(workspace: Workspace) -> None:
    root, base = workspace.root, git(workspace.root, "rev-parse", "HEAD")
    committing(workspace, "alpha = 1\nbeta = 2\n", CLIENT)
    committing(workspace, "gamma = 3\n", OTHER)
    (root / "a.py").write_text((root / "a.py").read_text() + "by_hand = 4\n")
    commit(workspace, "a.py")
    former = git(root, "rev-list", f"{base}..HEAD").split()
    fixed_up = soft_reset(root, base)
    commits_rewritten(workspace, dict.fromkeys(former, fixed_up))
    assert lines_by_session(workspace, "a.py") == {CLIENT: 2, OTHER: 1, "": 1}
    story = branch_story(workspace, CommitRange(base, fixed_up))
    assert {s.entry.session.client_session_id: s.lines for s in story.sessions} == {
        CLIENT: 2,
        OTHER: 1,
    }


def test_a_line_that_was_there_before_is_not_written_once_more(
    workspace: Workspace,
) -> None:
    root, base = workspace.root, git(workspace.root, "rev-parse", "HEAD")
    committing(workspace, "alpha = 1\nbeta = 2\n", CLIENT)
    record_commits(workspace, soft_reset(root, base))
    (root / "a.py").write_text("alpha = 1\nbeta = 2\nby_hand = 3\nalpha = 1\n")
    head = commit(workspace, "a.py")
    assert head[:12] not in [commit.sha for commit in session_of(workspace).commits]


def test_part_of_a_file_is_not_told_as_the_whole(workspace: Workspace) -> None:
    conversation(workspace, {"a.py": CODE})
    (workspace.root / "a.py").write_text(CODE + "\n\ndef by_hand():\n    return 3\n")
    commit(workspace, "a.py")
    git(workspace.root, "mv", "a.py", "b.py")
    git(workspace.root, "commit", "--quiet", "--message=renamed by hand")
    [source] = why(workspace, "HEAD", workspace.root).sources
    assert source.evidence == "lines as the session left them"
    base, head = git(workspace.root, "rev-parse", "HEAD~1", "HEAD").split()
    [reviewed] = branch_story(workspace, CommitRange(base, head)).sessions
    assert (reviewed.lines, reviewed.paths) == (6, ("b.py",))


def test_a_file_without_a_commit_leads_to_who_touched_it(workspace: Workspace) -> None:
    conversation(workspace, {"xa.py": CODE}, OTHER)
    conversation(workspace, {"a.py": CODE, "sub.py": CODE})
    for is_there in (True, False):
        [source] = why(workspace, "a.py", workspace.root).sources
        session = source.entry.session
        assert (session.client_session_id, source.lines) == (CLIENT, 0)
        assert (source.commits, source.evidence) == ((), "in its list of files")
        if is_there:
            (workspace.root / "a.py").unlink()
