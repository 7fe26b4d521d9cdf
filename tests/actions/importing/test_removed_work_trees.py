"""Conversations of removed work trees, and of projects that are merely gone."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from actions.importing.test_bring_in import OTHER, imported, sessions
from support.harness import CLIENT, NOON, git, make_repository
from support.rounds import every_row
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import workspace_at

from gitmem.actions.importing.removed_work_trees import removed_trees
from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.transcripts import CommandRun, PrintedCommit, Transcript
from gitmem.work_trees import repository_folders


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "shop")


def held_in(folder: Path | str, *edits: Path, **values: Any) -> Transcript:
    seen = tuple(
        HookEvent(
            kind=EventKind.EDIT,
            client_session_id=CLIENT,
            folder=str(folder),
            path=str(path),
        )
        for path in edits
    )
    about = {"tool": "codex", "client_session_id": CLIENT, "events": seen}
    times = {"began_at": NOON, "ended_at": NOON}
    return Transcript(folder=str(folder), **(about | times | values))


def is_ours(shop: Path, folder: Path | str, **values: Any) -> bool:
    workspace = workspace_at(shop)
    here, read = repository_folders(workspace), held_in(folder, **values)
    trees = removed_trees(here, read, workspace.repository)
    ours = [tree for tree, is_ours in trees.items() if is_ours]
    return here.joined(ours).holds(str(folder))


@every_row(
    "name",
    [
        *("shop.worktrees/issue-12", "shop-worktrees/issue-12/src", "worktrees/shop/x"),
        *("home/.codex/worktrees/1a2b/shop", "home/.claude-worktrees/shop/calm-owl"),
        *(
            "home/.cursor/worktrees/shop/x1",
            "shop.worktree/a",
            "shop/.claude/worktrees/x",
        ),
    ],
)
def test_the_name_of_the_repository_is_enough(
    shop: Path, tmp_path: Path, name: str
) -> None:
    assert is_ours(shop, tmp_path / name)
    (tmp_path / name).mkdir(parents=True)  # something stands there now
    assert is_ours(shop, tmp_path / name) is name.startswith("shop/")


@every_row(
    "name",
    [
        *("shop-admin", "shop_admin/src", "shop.old", "shop", "shopping.worktrees/x"),
        *(
            "payroll.worktrees/shop",
            "home/.codex/worktrees/1a2b/payroll",
            "worktrees/x",
        ),
        *("shop.worktrees", "elsewhere/shop-admin", "shop.git", "my-shop.worktrees/x"),
    ],
)
def test_a_project_that_is_merely_gone_is_none(
    shop: Path, tmp_path: Path, name: str
) -> None:
    if name == "shop":
        name = "other/shop"
    assert not is_ours(shop, tmp_path / name, branch="main")
    assert not is_ours(shop, tmp_path / name, branch="develop")


def test_records_show_that_a_folder_beside_was_one(shop: Path, tmp_path: Path) -> None:
    commit = git(shop, "rev-parse", "HEAD").strip()
    git(shop, "branch", "feature/issue-13")
    tree = tmp_path / "shop-issue-13"
    printed = CommandRun(
        "git commit -m x", f"[x {commit[:9]}] x", str(tree), NOON, NOON
    )
    added = CommandRun("git worktree add ../shop-issue-13", "", str(shop), NOON, NOON)
    for values in (
        *({"branch": "feature/issue-13"}, {"base": commit}, {"runs": (printed,)}),
        *({"runs": (added,)}, {"commits": (PrintedCommit(commit[:9], "x"),)}),
    ):
        assert is_ours(shop, tree, **values), values
    for values in (
        *({"branch": "issue-13"}, {"base": "1" * 40}, {"branch": "main"}),
        *(
            {"commits": (PrintedCommit("1234567", "x"),)},
            {"base": "1" * 40, "branch": "x"},
        ),
    ):
        assert not is_ours(shop, tree, **values), values


def test_a_repository_of_the_same_name_keeps_its_work_trees(
    shop: Path, tmp_path: Path
) -> None:
    """Also where only what was checked out shows it."""
    trees = tmp_path / ".codex" / "worktrees"
    assert not is_ours(shop, trees / "1a2b" / "shop", base="1" * 40)
    make_repository(trees / "3c4d" / "shop")
    assert not is_ours(shop, trees / "1a2b" / "shop")
    make_repository(tmp_path / "shop.worktrees" / "a")
    assert not is_ours(shop, tmp_path / "shop.worktrees" / "b")


def test_what_git_still_lists_is_one_by_any_name(shop: Path, tmp_path: Path) -> None:
    git(shop, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    shutil.rmtree(tmp_path / "elsewhere")
    assert is_ours(shop, tmp_path / "elsewhere" / "src")


class TestFiles:
    def write(self, home: Path, cwd: Path, *edits: Path, client: str = CLIENT) -> None:
        kept = kept_by_claude_code(home, cwd)
        claude_code_file(kept, client, "Fix it.", cwd=cwd, edits=edits)

    def files(self, shop: Path) -> list[str]:
        return [file.path for session in sessions(shop) for file in session.files]

    def test_have_paths_in_the_work_tree(
        self, sealed_environment: Path, shop: Path, tmp_path: Path
    ) -> None:
        tree = tmp_path / "shop.worktrees" / "issue-12"
        self.write(sealed_environment, tree, tree / "src" / "a.py")
        imported(shop)
        assert self.files(shop) == ["src/a.py"]

    @every_row("name", ["shop.worktrees", "trees"])
    def test_have_them_with_a_common_parent_that_is_named(
        self, sealed_environment: Path, shop: Path, tmp_path: Path, name: str
    ) -> None:
        if name == "trees":  # only what stands in it shows what it was
            (shop / "src").mkdir(exist_ok=True)
        tree = tmp_path / name / "issue-12"
        self.write(sealed_environment, tree, tree / "src" / "a.py")
        imported(shop, moved_from=[tmp_path / name])
        assert self.files(shop) == ["src/a.py"]

    def test_that_were_edited_from_the_main_work_tree_are_taken_or_counted(
        self, sealed_environment: Path, shop: Path, tmp_path: Path
    ) -> None:
        edits = [tmp_path / "shop-worktrees" / "a" / f"{n}.py" for n in range(3)]
        edits += [tmp_path / "shop-admin" / "b.py", tmp_path / "shop-admin" / "c.py"]
        self.write(sealed_environment, shop, *edits, client=OTHER)
        report = imported(shop)
        assert self.files(shop) == ["0.py", "1.py", "2.py"]
        assert report.left_out == {str(tmp_path / "shop-admin"): 2}
