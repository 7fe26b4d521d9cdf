"""From a line, a file or a commit to the session that made it, or to nobody."""

from datetime import timedelta
from itertools import chain
from pathlib import Path

import pytest
from support.commits import committed, imported, remembered
from support.harness import CLIENT, NOON, git, record
from support.rounds import every_row, few
from support.workspaces import workspace_at

from gitmem.actions.linking.why import Origin, why
from gitmem.documents.session.checkpoint import Rewrite
from gitmem.errors import InvalidInput, NotFound
from gitmem.git.values import Commit
from gitmem.workspace import Workspace


def asked(workspace: Workspace, what: str, folder: str = "") -> Origin:
    return why(workspace, what, workspace.root / folder)


def sessions(origin: Origin) -> list[str]:
    return [source.entry.session.session_id for source in origin.sources]


def test_line_leads_to_commit_and_session(
    workspace: Workspace, repository: Path
) -> None:
    one = committed(repository, "a.py", "1\n2\n", "first")
    two = committed(repository, "a.py", "1\nzwei\n", "second")
    first = remembered(workspace, "c-1", one)
    second = remembered(workspace, "c-2", two)
    assert sessions(asked(workspace, "a.py:1")) == [first]
    origin = asked(workspace, "a.py:2")
    (source,) = origin.sources
    assert (source.entry.session.session_id, source.lines) == (second, 1)
    assert source.commits == (Commit(two, f"subject of {two[:4]}"),)
    assert source.entry.markdown_path is not None
    assert "Goal of c-2" in source.entry.markdown_path.read_text()
    assert origin.commit == Commit(two, "second")
    assert (origin.path, origin.unlinked) == ("a.py", {})


def test_lines_are_grouped_by_session(workspace: Workspace, repository: Path) -> None:
    one = committed(repository, "a.py", "1\n" * 3)
    two = committed(repository, "a.py", "1\n" * 3 + "2\n" * 4)
    three = committed(repository, "a.py", "1\n" * 3 + "2\n" * 4 + "3\n")
    four = committed(repository, "a.py", "1\n" * 3 + "2\n" * 4 + "3\n4\n")
    few = remembered(workspace, "c-1", one)
    many = remembered(workspace, "c-2", two, three)
    (repository / "a.py").write_text("0\n" + (repository / "a.py").read_text())
    origin = asked(workspace, "a.py")
    assert [(s.entry.session.session_id, s.lines) for s in origin.sources] == [
        (many, 5),
        (few, 3),
    ]
    assert origin.unlinked == {four: 1}
    assert (origin.blame.lines, origin.blame.uncommitted) == (10, 1)
    assert sessions(asked(workspace, "a.py:2-4")) == [few]
    blame = asked(workspace, "a.py:1").blame
    assert (blame.groups, blame.uncommitted) == ((), 1)


def test_commit_is_found_by_any_name(workspace: Workspace, repository: Path) -> None:
    one = committed(repository, "a.py", "1\n")
    git(repository, "branch", "feature/x")
    git(repository, "tag", "--annotate", "--message=t", "v1")
    committed(repository, "a.py", "2\n")
    session = remembered(workspace, "c-1", one)
    for name in (one, one[:4], "HEAD~1", "feature/x", "v1", "HEAD^"):
        origin = asked(workspace, name)
        assert (sessions(origin), origin.path) == ([session], None)
        assert origin.commit == Commit(one, "work")


def test_similar_commit_name_is_no_link(workspace: Workspace, repository: Path) -> None:
    one = committed(repository, "a.py", "1\n")
    other = "0" if one[12] != "0" else "1"
    remembered(workspace, "c-1", one[:11], one[:12] + other, one[1:13])
    assert asked(workspace, "HEAD").sources == ()
    longer = remembered(workspace, "c-2", one[:20])
    assert sessions(asked(workspace, "HEAD")) == [longer]


@pytest.mark.endurance
def test_all_sessions_of_a_commit_are_named(
    workspace: Workspace, repository: Path
) -> None:
    one = committed(repository, "a.py", "1\n2\n")
    two = committed(repository, "a.py", "1\n2\n3\n")
    older = remembered(workspace, "c-1", one)
    both = remembered(workspace, "c-2", one, two, at=NOON + timedelta(hours=1))
    origin = asked(workspace, "a.py")
    assert [(s.lines, s.shared_with) for s in origin.sources] == [
        (3, (older,)),
        (2, (both,)),
    ]
    assert sessions(asked(workspace, one)) == [both, older]


def test_sessions_of_one_name_are_both_named(
    workspace: Workspace, repository: Path
) -> None:
    one = committed(repository, "a.py", "1\n2\n")
    names = {
        remembered(workspace, client, one) for client in ("0a1b2c3d-1", "0a1b2c3d-2")
    }
    origin = asked(workspace, "a.py")
    assert len(names) == 1
    ids = {source.entry.session.id for source in origin.sources}
    assert {*chain(*(source.shared_with for source in origin.sources))} == ids


@pytest.mark.endurance
def test_amended_commit_has_its_present_name(
    workspace: Workspace, repository: Path
) -> None:
    one = committed(repository, "a.py", "1\n")
    session = remembered(workspace, CLIENT, one)
    git(repository, "commit", "--quiet", "--amend", "--message=amended")
    two = git(repository, "rev-parse", "HEAD")
    assert asked(workspace, "a.py").sources == ()
    rewrite = Rewrite(old=one[:12], new=Commit(two[:12], "amended"))
    workspace.store.append(record(CLIENT, rewritten=(rewrite,)))
    origin = asked(workspace, "a.py:1")
    assert sessions(origin) == [session]
    assert origin.sources[0].commits == (Commit(two, "amended"),)
    assert asked(workspace, one).sources == ()


def test_decisions_are_those_on_the_file(
    workspace: Workspace, repository: Path
) -> None:
    one = committed(repository, "src/a.py", "1\n")
    about = ("a.py stays small", "src/a.py: no cache")
    remembered(workspace, "c-1", one, decisions=(*about, "lib/a.py goes", "No cache"))
    assert asked(workspace, "src/a.py").sources[0].decisions == about
    assert asked(workspace, "HEAD").sources[0].decisions == about


def test_path_is_relative_to_the_current_folder(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    one = committed(repository, "src/deep/a.py", "1\n")
    session = remembered(workspace, "c-1", one)
    for what, folder in (
        ("a.py", "src/deep"),
        ("deep/a.py:1", "src"),
        ("../src/deep/a.py", "src"),
        (str(repository / "src/deep/a.py"), ""),
    ):
        origin = asked(workspace, what, folder)
        assert (origin.path, sessions(origin)) == ("src/deep/a.py", [session])
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = workspace_at(tmp_path / "linked" / "src")
    assert sessions(why(linked, "deep/a.py", tmp_path / "linked" / "src")) == [session]


def test_link_is_followed_within_the_work_tree(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    session = remembered(workspace, "c-1", committed(repository, "src/a.py", "1\n"))
    (repository / "link.py").symlink_to("src/a.py")
    (repository / "folder").symlink_to("src")
    (tmp_path / "outside.py").write_text("1\n")
    (repository / "out.py").symlink_to(tmp_path / "outside.py")
    (repository / "loop.py").symlink_to("loop.py")
    for what in ("link.py", "folder/a.py"):
        assert sessions(asked(workspace, what)) == [session]
    for what in ("out.py", "loop.py", "../outside.py"):
        with pytest.raises(NotFound):
            asked(workspace, what)


def test_path_wins_over_revision(workspace: Workspace, repository: Path) -> None:
    committed(repository, "a", "1\n2\n")
    git(repository, "branch", "a")
    committed(repository, "a:2", "other\n")
    assert asked(workspace, "a").path == "a"
    assert asked(workspace, "a:2").path == "a:2"
    assert asked(workspace, "a:1").path == "a"
    assert asked(workspace, "main").path is None


@few(2, "name", ["-L1", "--help", "a b\n'\".py", "n\udcff.py", "*"])
def test_any_file_name_is_accepted(
    workspace: Workspace, repository: Path, name: str
) -> None:
    session = remembered(workspace, "c-1", committed(repository, name, "1\n2\n"))
    for what in (name, f"{name}:2"):
        assert sessions(asked(workspace, what)) == [session]


@every_row(
    "what",
    [
        *("", "nope.txt", "nope.txt:3", "file.txt:", "file.txt:x", "file.txt:1-"),
        *("file.txt:-1", "file.txt:1:2", ".", "..", ".git", "/etc/passwd", "\0"),
        *("x" * 5000, "HEAD:file.txt", "--output=x", f"file.txt:{'9' * 5000}"),
    ],
)
def test_neither_file_nor_commit_is_not_found(workspace: Workspace, what: str) -> None:
    with pytest.raises(NotFound):
        asked(workspace, what)


@every_row("lines", ["0", "2", "1-2", "1-0", "999999999"])
def test_missing_lines_are_refused_by_number(workspace: Workspace, lines: str) -> None:
    with pytest.raises(InvalidInput, match=r"file\.txt has 1 line\."):
        asked(workspace, f"file.txt:{lines}")


def test_in_a_bare_repository_commits_can_be_asked_about(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    session = remembered(workspace, "c-1", committed(repository, "a.py", "1\n"))
    git(tmp_path, "clone", "--quiet", "--mirror", str(repository), "bare.git")
    bare = workspace_at(tmp_path / "bare.git")
    assert sessions(why(bare, "HEAD", tmp_path / "bare.git")) == [session]
    with pytest.raises(NotFound):
        why(bare, "a.py", tmp_path / "bare.git")


@pytest.mark.endurance
def test_hundreds_of_commits_at_once(workspace: Workspace, repository: Path) -> None:
    stream, text = "", ""
    for number in range(300):
        text += f"{number}\n"
        stream += (
            f"commit refs/heads/main\ncommitter A <a@b> {number} +0000\ndata 0\n\n"
            f"M 100644 inline many.txt\ndata {len(text)}\n{text}\n"
        )
    imported(repository, stream)
    git(repository, "reset", "--quiet", "--hard")
    names = git(repository, "log", "--format=%H").splitlines()
    for number in range(0, 300, 10):
        remembered(workspace, f"c-{number}", *names[number : number + 9])
    origin = asked(workspace, "many.txt")
    assert len(origin.sources) == 30
    assert {source.lines for source in origin.sources} == {9}
    assert (len(origin.unlinked), origin.blame.lines) == (30, 300)
