"""The commits of a range lead to the sessions that made them, or to nobody."""

from pathlib import Path

import pytest
from support.commits import committed, remembered
from support.harness import git
from support.rounds import every_row
from support.user_rule import HIDDEN, put_rule
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reviewing.branch_story import (
    BranchStory,
    branch_story,
    range_named,
)
from gitmem.git.values import CommitPatch
from gitmem.workspace import Workspace


def story_of(workspace: Workspace, target: str) -> BranchStory:
    commit_range = range_named(workspace, target, workspace.root)
    assert commit_range
    return branch_story(workspace, commit_range)


@pytest.fixture
def branch(repository: Path) -> list[str]:
    """The names of three commits on a branch that left main."""
    git(repository, "checkout", "--quiet", "-b", "feature")
    return [
        committed(repository, "src/a.py", "1\n" * 30, "first"),
        committed(repository, "src/b.py", "2\n" * 10, "second"),
        committed(repository, "docs/c d.md", "3\n" * 60, "third\n\nwith a body"),
    ]


def test_sessions_stand_in_the_order_of_their_commits(
    workspace: Workspace, branch: list[str]
) -> None:
    later = remembered(workspace, "c-1", branch[1])
    earlier = remembered(workspace, "c-2", branch[0], "0" * 12)
    story = story_of(workspace, "main..HEAD")
    assert [
        (source.entry.session.session_id, source.lines, source.paths)
        for source in story.sessions
    ] == [(earlier, 30, ("src/a.py",)), (later, 10, ("src/b.py",))]
    assert [commit.oid for commit in story.commits] == branch
    assert [(c.oid, c.subject) for c in story.unlinked] == [(branch[2], "third")]
    assert (story.lines, story.lines_by_tool) == (100, {"cursor": 40, "": 60})


def test_commit_of_two_sessions_counts_once_for_their_assistant(
    workspace: Workspace, branch: list[str]
) -> None:
    remembered(workspace, "c-1", *branch)
    remembered(workspace, "c-2", branch[0])
    story = story_of(workspace, "main..feature")
    assert [source.lines for source in story.sessions] == [100, 30]
    assert story.lines_by_tool == {"cursor": 100}


def test_a_session_has_its_lines_of_a_commit_that_it_made_in_part(
    workspace: Workspace, branch: list[str]
) -> None:
    blob = git(workspace.root, "rev-parse", f"{branch[0]}:src/a.py")[:12]
    patch = CommitPatch(branch[0][:12], "", (f"{blob}:1-4,9-9",))
    remembered(workspace, "c-1", branch[0], patches=(patch,))
    (source,) = story_of(workspace, "main..HEAD").sessions
    assert (source.lines, source.paths) == (5, ("src/a.py",))


def test_ends_are_those_of_git(
    workspace: Workspace, repository: Path, branch: list[str]
) -> None:
    git(repository, "checkout", "--quiet", "main")
    committed(repository, "main.txt", "m\n")
    assert [*map(len, (branch, story_of(workspace, "main..feature").commits))] == [3, 3]
    assert len(story_of(workspace, "feature..").commits) == 1
    assert len(story_of(workspace, "..feature").commits) == 3
    assert len(story_of(workspace, "feature..main").commits) == 1
    main = git(repository, "merge-base", "main", "feature")
    three_dots = range_named(workspace, "main...feature", repository)
    assert three_dots
    assert three_dots.base == main


def test_a_branch_is_known_whatever_the_rules_hide_of_its_name(
    repository: Path,
) -> None:
    put_rule(repository)
    git(repository, "checkout", "--quiet", "-b", f"fix/{HIDDEN}")
    committed(repository, "a.py", "1\n")
    workspace = workspace_at(repository)
    tried = saved_session(workspace, goal="Try it", work_completed=["Tried it"])
    story = story_of(workspace, "main..")
    assert [x.entry.session.session_id for x in story.sessions] == [tried.session_id]


def test_merges_tell_nothing_of_their_own(
    workspace: Workspace, repository: Path, branch: list[str]
) -> None:
    git(repository, "checkout", "--quiet", "main")
    committed(repository, "main.txt", "m\n")
    git(repository, "checkout", "--quiet", "feature")
    git(repository, "merge", "--quiet", "--no-edit", "main")
    assert [c.oid for c in story_of(workspace, "main..").commits] == branch


@every_row(
    "target",
    [
        *("..", "...", "main..nope", "nope..HEAD", "../x.py", "main", ""),
        *("x" * 5000, "x/" * 3000, "a\0b", "~", "/", "//etc"),
    ],
)
def test_other_targets_are_no_range(workspace: Workspace, target: str) -> None:
    assert range_named(workspace, target, workspace.root) is None


def test_file_comes_first(workspace: Workspace, repository: Path) -> None:
    (repository / "main..HEAD").write_text("1\n")
    assert range_named(workspace, "main..HEAD", repository) is None


def test_any_path_and_message_are_read(workspace: Workspace, repository: Path) -> None:
    before = git(repository, "rev-parse", "HEAD")
    odd = committed(repository, "a\n1\t2\tb.txt", "1\n2\n", f"1\t2\tx\n{'0' * 40}")
    (repository / "binary").write_bytes(b"\0\1\n" * 50)
    git(repository, "add", "binary")
    git(repository, "commit", "--quiet", "--message=binary")
    git(repository, "commit", "--quiet", "--allow-empty", "--message=empty")
    commits = story_of(workspace, f"{before}..HEAD").commits
    assert [(c.oid == odd, c.lines, [*c.insertions]) for c in commits] == [
        (True, 2, ["a\n1\t2\tb.txt"]),
        (False, 0, ["binary"]),
        (False, 0, []),
    ]
    assert commits[0].message.startswith(f"1\t2\tx\n{'0' * 40}")


def test_a_folder_has_the_story_of_its_commits(
    workspace: Workspace, repository: Path, branch: list[str]
) -> None:
    session = remembered(workspace, "c-1", *branch)
    (repository / "untracked").mkdir()
    for target, folder in (("src", "src"), ("src/", "src"), ("docs/../src", "src")):
        story = story_of(workspace, target)
        assert (story.range.folder, story.lines) == (folder, 40)
        assert [commit.oid for commit in story.commits] == branch[:2]
        (source,) = story.sessions
        assert (source.entry.session.session_id, source.lines) == (session, 40)
        assert source.paths == ("src/a.py", "src/b.py")
    assert len(story_of(workspace, ".").commits) == len(branch) + 1
    for target in ("untracked", "src/a.py", "..", "nowhere"):
        assert range_named(workspace, target, repository) is None


def test_sessions_without_a_commit_come_last(
    workspace: Workspace, repository: Path, branch: list[str]
) -> None:
    work = {"at": workspace.now(), "tried": ("A lock.",)}
    maker = remembered(workspace, "c-1", branch[0], branch="feature", **work)
    tried = remembered(workspace, "c-2", branch="feature", **work)
    remembered(workspace, "c-3", branch="main", **work)
    remembered(workspace, "c-4", branch="feature-2", **work)

    def sessions(target: str) -> list[tuple[str, int]]:
        story = story_of(workspace, target)
        return [
            (source.entry.session.session_id, len(source.commits))
            for source in story.sessions
        ]

    assert sessions("main..feature") == [(maker, 1), (tried, 0)]
    without = sorted([(maker, 0), (tried, 0)])
    assert sorted(sessions("feature~1..feature")) == without
    assert sessions("main..feature~1") == [(maker, 1)]
    assert sessions("src") == [(maker, 1)]
    git(repository, "checkout", "--quiet", "--detach", "feature")
    git(repository, "update-ref", "refs/remotes/origin/feature", "feature")
    git(repository, "branch", "-D", "feature")
    assert sessions("main..HEAD") == [(maker, 1), (tried, 0)]


def test_a_session_from_before_the_branch_is_of_another_of_its_name(
    workspace: Workspace, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered(workspace, "c-1", branch="feature", tried=("A lock.",))
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2040-01-01T00:00:00Z")
    committed(repository, "main.txt", "m\n")
    git(repository, "checkout", "--quiet", "-b", "feature")
    committed(repository, "a.py", "1\n")
    assert story_of(workspace, "main..feature").sessions == ()
