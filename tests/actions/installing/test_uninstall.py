"""`ocm uninstall`: byte for byte as before, and what others wrote since stays."""

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.harness import git, make_repository
from support.installing import (
    installed,
    outcomes,
    put,
    result_for,
    tree,
    uninstalled,
)
from support.rounds import every_row, few, rounds
from support.workspaces import saved_session, workspace_at

from gitmem.actions.installing import uninstall
from gitmem.actions.installing.plan import StepOutcome
from gitmem.actions.reading.find import search
from gitmem.resources import resource
from gitmem.store.install_manifest import (
    installed_files,
    manifest_content,
    manifest_path,
)
from gitmem.text import jsonc
from gitmem.workspace import Workspace

SETTINGS = ".claude/settings.json"


def empty(folder: Path) -> Path:
    return make_repository(folder, commits=0)


def without_template(folder: Path) -> Path:
    """One without `info/exclude`, and without a folder for hooks."""
    make_repository(folder)
    shutil.rmtree(folder / ".git" / "info")
    shutil.rmtree(folder / ".git" / "hooks")
    return folder


def formatted_by_hand(folder: Path) -> Path:
    make_repository(folder)
    for path, content in {
        SETTINGS: b'{ // mine\r\n\t"hooks" : { "Stop": [ ], // none\r\n\t},'
        b'\r\n\t"a":[1,2 ,3]}',
        ".mcp.json": b'\xef\xbb\xbf{"mcpServers":{"x":{}}}\n\n\n',
        "AGENTS.md": b"# Mine\r\n\r\nno end of line",
        ".cursor/hooks.json": b"",
        ".cursor/mcp.json": b"/* nothing yet */",
        ".git/info/exclude": b"*.o\n*.a",
    }.items():
        put(folder / path, content)
    return folder


def with_links(folder: Path) -> Path:
    make_repository(folder)
    (folder / "OTHER.md").write_text("# Ours\n")
    (folder / "AGENTS.md").symlink_to("OTHER.md")
    (folder / "settings").mkdir()
    (folder / ".cursor").symlink_to("settings")
    return folder


def unreadable(folder: Path) -> Path:
    make_repository(folder)
    (folder / ".claude").mkdir()
    (folder / SETTINGS).write_text('{"hooks": ')
    (folder / ".mcp.json").mkdir()
    return folder


def bare(folder: Path) -> Path:
    main = make_repository(folder.with_name("main"))
    git(main, "clone", "--quiet", "--bare", ".", str(folder))
    return folder


@pytest.mark.parametrize("is_local", [False, True])
@few(2, "kind", [empty, without_template, with_links, unreadable, formatted_by_hand])
def test_everything_is_as_it_was_byte_for_byte(
    kind: Callable[[Path], Path],
    tmp_path: Path,
    sealed_environment: Path,
    is_local: bool,
) -> None:
    workspace = workspace_at(kind(tmp_path / "it"))
    before = tree(tmp_path, sealed_environment)
    installed(workspace, is_local=is_local)
    assert tree(tmp_path, sealed_environment) != before
    assert StepOutcome.FAILED not in outcomes(uninstalled(workspace))
    assert tree(tmp_path, sealed_environment) == before
    assert StepOutcome.DONE not in outcomes(uninstalled(workspace))


@pytest.mark.endurance
@given(
    json_text=st.sampled_from(["{}", '{"hooks": {}}', "[]", '{"version": 1}', "null"])
    | st.text(alphabet='{}[]":,hooks/* \n\t\r\ufeff', max_size=30),
    text=st.text(max_size=60),
)
@settings(max_examples=rounds(50))
def test_whatever_was_in_the_files_is_there_again(
    tmp_path_factory: pytest.TempPathFactory, json_text: str, text: str
) -> None:
    root = make_repository(tmp_path_factory.mktemp("any"), commits=0)
    for path in (".mcp.json", SETTINGS, ".cursor/mcp.json", ".cursor/hooks.json"):
        put(root / path, json_text.encode())
    for path in ("AGENTS.md", ".git/info/exclude"):
        put(root / path, text.encode("utf-8", "surrogatepass"))
    before = tree(root)
    workspace = workspace_at(root)
    installed(workspace)
    uninstalled(workspace)
    assert tree(root) == before


def test_also_after_an_upgrade_changed_what_is_put_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = formatted_by_hand(tmp_path / "it")
    workspace, before = workspace_at(root), tree(root)
    with monkeypatch.context() as patch:
        patch.setattr("gitmem.resources._IN_WHEEL", older_files(tmp_path / "older"))
        installed(workspace)
    assert b"Older words." in (root / "AGENTS.md").read_bytes()
    assert StepOutcome.FAILED not in outcomes(installed(workspace))
    for path in ("AGENTS.md", SETTINGS, ".cursor/hooks.json"):
        assert b"Older words." not in (root / path).read_bytes()
    uninstalled(workspace)
    assert tree(root) == before


def older_files(folder: Path) -> Path:
    """Packaged files of another version."""
    for name in ("hooks", "rules"):
        shutil.copytree(resource(name), folder / name)
    for file in folder.rglob("*.*"):
        text = file.read_text().replace("Name it, and go on.", "Older words.")
        file.write_text(text.replace('"timeout": 10', '"note": "Older words."'))
    return folder


class TestAfterOthersChangedAFile:
    def test_only_our_entries_go(self, workspace: Workspace, repository: Path) -> None:
        path = put(repository / SETTINGS, b'{\n  "model": "x" // fast\n}\n', 0o644)
        installed(workspace)
        theirs = {"hooks": [{"type": "command", "command": "say hello"}]}
        text = path.read_text()
        for each in jsonc.with_item(text, ("hooks", "SessionStart"), theirs):
            text = text[: each.offset] + each.text + text[each.offset :]
        path.write_text(text)
        result = result_for(uninstalled(workspace), SETTINGS)
        assert result.outcome is StepOutcome.DONE
        assert "nothing of ours" in result.step.state
        assert "// fast" in path.read_text()
        assert "ocm" not in path.read_text()
        assert jsonc.parsed(path.read_text()) == {
            "model": "x",
            "hooks": {"SessionStart": [theirs]},
        }

    def test_what_was_put_beside_ours_stays(self, workspace: Workspace) -> None:
        installed(workspace)
        path, rules = workspace.root / SETTINGS, workspace.root / "AGENTS.md"
        data = json.loads(path.read_text())
        theirs = {"type": "prompt", "prompt": "be kind"}
        data["hooks"]["SessionStart"][0]["hooks"].append(theirs)
        path.write_text(json.dumps(data))
        rules.write_text(f"# Before\n\n{rules.read_text()}\nAfter\n")
        (workspace.root / ".claude" / "skills" / "mine.md").touch()
        uninstalled(workspace)
        (group,) = json.loads(path.read_text())["hooks"]["SessionStart"]
        assert group["hooks"] == [theirs]
        assert rules.read_text() == "# Before\n\nAfter\n"
        (left,) = (workspace.root / ".claude" / "skills").iterdir()
        assert left.name == "mine.md"

    def test_unreadable_fails_alone(self, workspace: Workspace) -> None:
        path = put(workspace.root / SETTINGS, b'{"model": "x"}', 0o644)
        installed(workspace)
        content = path.read_text()
        path.write_text(content.replace("{", "{,", 1))
        (workspace.root / ".cursor" / "mcp.json").unlink()
        failed = result_for(uninstalled(workspace), SETTINGS)
        assert failed.outcome is StepOutcome.FAILED
        assert failed.reason.startswith(f"{SETTINGS}: line 1")
        assert not (workspace.root / ".mcp.json").exists()
        assert not (workspace.root / ".cursor").exists()
        path.write_text(content)
        assert StepOutcome.FAILED not in outcomes(uninstalled(workspace))
        assert path.read_text() == '{"model": "x"}'
        assert not (workspace.root / ".git" / "ocm").exists()


class TestWhatGitTracks:
    @pytest.fixture
    def team(self, workspace: Workspace, repository: Path) -> Path:
        """A repository whose files of gitmem are committed."""
        (repository / "AGENTS.md").write_text("# Team\n")
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--message=team")
        installed(workspace)
        put(repository / ".claude/skills/remember/SKILL.md", b"---\n# ocm:skill (x)\n")
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--message=ours")
        return repository

    @pytest.mark.parametrize("how", [{}, {"is_local": True}, {"is_local": None}])
    def test_clone_stays_as_it_was(
        self, team: Path, tmp_path: Path, how: dict[str, bool]
    ) -> None:
        git(tmp_path, "clone", "--quiet", str(team), "clone")
        clone = workspace_at(tmp_path / "clone")
        before = tree(clone.root)
        installed(clone, **how)
        assert git(clone.root, "status", "--porcelain") == ""
        assert len(uninstall.left_to_team(clone)) == 5
        assert StepOutcome.FAILED not in outcomes(uninstalled(clone))
        assert tree(clone.root).keys() == before.keys()
        assert git(clone.root, "status", "--porcelain") == ""
        assert not (clone.root / ".git" / "ocm").exists()

    def test_where_it_began_no_file_is_deleted(self, team: Path) -> None:
        uninstalled(workspace_at(team))
        assert git(team, "status", "--porcelain") == "M AGENTS.md"
        assert (team / "AGENTS.md").read_text() == "# Team\n"

    @few(1, "command", ["add .mcp.json", "add --intent-to-add .mcp.json"])
    def test_index_alone_counts(self, workspace: Workspace, command: str) -> None:
        installed(workspace)
        git(workspace.root, *command.split())
        uninstalled(workspace)
        assert (workspace.root / ".mcp.json").exists()

    def test_head_alone_counts(self, team: Path) -> None:
        git(team, "rm", "--quiet", "--cached", ".mcp.json")
        uninstalled(workspace_at(team))
        assert (team / ".mcp.json").exists()


class TestWithoutTheManifest:
    def test_a_clone_of_a_team_that_has_ours_is_cleaned(
        self, workspace: Workspace, repository: Path, tmp_path: Path
    ) -> None:
        (repository / "AGENTS.md").write_text("# Team\n")
        installed(workspace)
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--message=ours")
        git(tmp_path, "clone", "--quiet", str(repository), "clone")
        clone = workspace_at(tmp_path / "clone")
        uninstalled(clone, is_for_team=True)
        left = git(clone.root, "status", "--porcelain").splitlines()
        assert sorted(line.strip()[2:] for line in left) == [
            *(".claude/settings.json", ".cursor/hooks.json", ".cursor/mcp.json"),
            *(".mcp.json", "AGENTS.md"),
        ]
        assert (clone.root / "AGENTS.md").read_text() == "# Team\n"
        assert not (clone.root / ".mcp.json").exists()

    @pytest.mark.parametrize("is_again", [True, False])
    def test_one_that_was_moved_is_as_it_was_byte_for_byte(
        self, tmp_path: Path, *, is_again: bool
    ) -> None:
        root = formatted_by_hand(tmp_path / "before")
        before = {path.relative_to(root): x for path, x in tree(root).items()}
        installed(workspace_at(root))
        moved = workspace_at(root.rename(tmp_path / "behind"))
        if is_again:
            was_there = tree(moved.root).keys()
            installed(moved)
            assert tree(moved.root).keys() == was_there
        uninstalled(moved)
        left = tree(moved.root)
        assert {path.relative_to(moved.root): x for path, x in left.items()} == before

    @every_row(
        ("root", "path"), [("", "../victim"), ("..", "victim"), ("/", "etc/hostname")]
    )
    def test_foreign_manifest_reaches_nothing_outside(
        self,
        workspace: Workspace,
        tmp_path: Path,
        root: str,
        path: str,
    ) -> None:
        (tmp_path / "victim").write_text("x" * 100)
        installed(workspace)
        common_dir = workspace.root / ".git"
        (noted, *_) = installed_files(common_dir)
        forged = replace(noted, root=str((workspace.root / root).resolve()), path=path)
        manifest_path(common_dir).write_bytes(manifest_content([forged]))
        uninstalled(workspace)
        assert (tmp_path / "victim").read_text() == "x" * 100


def test_all_work_trees_that_were_configured_are_restored(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    linked, gone = tmp_path / "linked", tmp_path / "gone"
    for each in (linked, gone):
        git(repository, "worktree", "add", "--quiet", str(each))
    before = tree(repository, linked)
    for each in (linked, gone):
        installed(workspace_at(each))
    shutil.rmtree(gone)
    results = uninstalled(workspace)
    assert StepOutcome.FAILED not in outcomes(results)
    assert tree(repository, linked) == before
    assert result_for(results, str(linked / ".mcp.json")).outcome is StepOutcome.DONE


class TestTheMemory:
    def test_it_stays_unchanged(self, workspace: Workspace, repository: Path) -> None:
        installed(workspace)
        saved = saved_session(workspace, goal="g")
        tip = git(repository, "rev-parse", "refs/ocm/sessions")
        uninstalled(workspace)
        assert git(repository, "rev-parse", "refs/ocm/sessions") == tip
        assert saved.markdown_path
        assert saved.markdown_path.exists()
        assert list((repository / ".git" / "ocm" / "journal").iterdir())
        assert not (repository / ".git" / "ocm" / "run").exists()
        assert git(repository, "status", "--porcelain") == ""
        assert StepOutcome.DONE not in outcomes(uninstalled(workspace))

    def test_empty_index_goes(self, workspace: Workspace, repository: Path) -> None:
        before = tree(repository)
        installed(workspace)
        search(workspace, "x")
        (repository / ".git" / "ocm" / "log").touch()
        assert (repository / ".git" / "ocm-index").exists()
        uninstalled(workspace)
        assert tree(repository) == before

    def test_a_purge_leaves_nothing_of_it(
        self,
        workspace: Workspace,
        tmp_path: Path,
        sealed_environment: Path,
    ) -> None:
        git(workspace.root, "worktree", "add", "--quiet", str(tmp_path / "linked"))
        before = tree(workspace.root, tmp_path / "linked", sealed_environment)
        for number, root in enumerate((workspace.root, tmp_path / "linked")):
            installed(workspace_at(root))
            saved_session(workspace_at(root), goal="g", slug=f"number-{number}")
        git(workspace.root, "update-ref", "refs/ocm/remotes/origin/sessions", "HEAD")
        git(workspace.root, "update-ref", "refs/notes/ocm", "HEAD")
        git(workspace.root, "pack-refs", "--all")
        git(workspace.root, "update-ref", "refs/notes/other", "HEAD")
        results = uninstalled(workspace, is_purge=True)
        assert StepOutcome.FAILED not in outcomes(results)
        gone = result_for(results, "and 2 sessions with them")
        assert gone.outcome is StepOutcome.DONE
        refs = git(workspace.root, "for-each-ref", "--format=%(refname)").split()
        assert [ref for ref in refs if "ocm" in ref] == []
        assert "refs/notes/other" in refs
        objects = workspace.root / ".git" / "objects"
        after = tree(workspace.root, tmp_path / "linked", sealed_environment)
        new = after.keys() - before.keys()
        more = {path for path in new if not path.is_relative_to(objects)}
        assert {str(path.relative_to(workspace.root / ".git")) for path in more} <= {
            *("packed-refs", "refs/notes", "refs/notes/other"),
            *("logs/refs/notes", "logs/refs/notes/other"),
        }

    def test_purge_spares_tracked_copies(self, workspace: Workspace) -> None:
        saved = saved_session(workspace, goal="g")
        copy = saved.markdown_path
        assert copy
        git(workspace.root, "add", "--force", str(copy))
        saved_session(workspace, goal="other", slug="other")
        uninstalled(workspace, is_purge=True)
        assert list(copy.parent.iterdir()) == [copy]

    def test_purge_spares_documents_of_another_program(
        self, workspace: Workspace
    ) -> None:
        copy = saved_session(workspace, goal="g").markdown_path
        assert copy
        theirs = put(copy.with_name("theirs.md"), b"---\nsession_id: x\n---\n")
        uninstalled(workspace, is_purge=True)
        assert list(copy.parent.iterdir()) == [theirs]

    def test_folders_that_are_links_are_not_entered(
        self, workspace: Workspace, repository: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "outside" / "sessions").mkdir(parents=True)
        (tmp_path / "outside" / "sessions" / "x.md").touch()
        (repository / ".openCodeMemory").symlink_to(tmp_path / "outside")
        uninstalled(workspace, is_purge=True)
        assert (tmp_path / "outside" / "sessions" / "x.md").exists()


def test_main_work_tree_is_found_with_a_separate_git_dir(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    main.mkdir()
    git(main, "init", "-q", f"--separate-git-dir={tmp_path}/apart")
    git(main, "commit", "--quiet", "--allow-empty", "--message=first")
    git(main, "worktree", "add", "--quiet", str(linked))
    before = tree(tmp_path)
    installed(workspace_at(main))
    uninstalled(workspace_at(linked))
    assert tree(tmp_path) == before


def test_from_a_bare_repository_its_work_trees_are_restored(tmp_path: Path) -> None:
    root, linked = bare(tmp_path / "bare.git"), tmp_path / "linked"
    git(root, "worktree", "add", "--quiet", str(linked))
    before = tree(tmp_path)
    installed(workspace_at(linked))
    uninstalled(workspace_at(root))
    assert tree(tmp_path) == before


def test_other_repositories_stay(workspace: Workspace, tmp_path: Path) -> None:
    other = workspace_at(make_repository(tmp_path / "other"))
    for each in (workspace, other):
        installed(each)
    uninstalled(workspace)
    registry = workspace.environment.home / "registry.json"
    (left,) = json.loads(registry.read_text())
    assert left["project"] == "other"


def test_what_a_killed_init_left_goes(workspace: Workspace) -> None:
    before = tree(workspace.root)
    installed(workspace)
    settings = workspace.root / ".claude" / "settings.json"
    settings.unlink()
    gone = subprocess.Popen(["true"])
    gone.wait()
    for half in (workspace.root / ".AGENTS.md", settings.with_name(".settings.json")):
        half.with_name(f"{half.name}.{gone.pid}").write_text("half of i")
    uninstalled(workspace)
    ours = workspace.root / ".git" / "ocm"
    assert {p: c for p, c in tree(workspace.root).items() if p != ours} == before


def test_what_looks_like_left_by_a_killed_init_is_not_read(
    workspace: Workspace,
) -> None:
    """A repository can bring a link of such a name along."""
    link = workspace.root / ".AGENTS.md.999999999"
    link.symlink_to("/dev/zero")
    installed(workspace)
    uninstalled(workspace)
    assert not link.is_symlink()
