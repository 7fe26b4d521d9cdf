"""`ocm init`: whatever it finds, it adds its own and touches nothing else."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.harness import git, make_repository
from support.installing import (
    BOTH,
    installed,
    outcomes,
    put,
    result_for,
    times,
    tree,
    uninstalled,
)
from support.rounds import every_row, few
from support.workspaces import workspace_at

from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import StepOutcome, carry_out, preview
from gitmem.assistants.assistant import Server
from gitmem.assistants.known import CONFIGURED, targets_of
from gitmem.assistants.targets import SKILLS
from gitmem.resources import resource
from gitmem.text import jsonc
from gitmem.workspace import Workspace

FILES = [
    *(".mcp.json", ".claude/settings.json", "AGENTS.md"),
    *(".cursor/mcp.json", ".cursor/hooks.json"),
    *(target.path for target in targets_of(CONFIGURED) if "/skills/" in target.path),
]


def read(path: Path) -> object:
    return jsonc.parsed(path.read_text())


class TestWhatIsThereAfterwards:
    def test_each_assistant_has_server_hooks_and_rules(
        self, workspace: Workspace, repository: Path
    ) -> None:
        config = (repository / ".git" / "config").read_bytes()
        assert outcomes(installed(workspace)) == {StepOutcome.DONE}
        for path in (".mcp.json", ".cursor/mcp.json"):
            servers = json.loads((repository / path).read_text())["mcpServers"]
            server = servers["opencodememory"]
            assert server["command"] == "sh"
            is_claude = path == ".mcp.json"
            assert ("alwaysLoad" in server) is is_claude
            assert ("${" in str(server)) is not is_claude  # it would expand that
        approved = {"enabledMcpjsonServers": ["opencodememory"]}
        for path, template, more in (
            (".claude/settings.json", "hooks/claude-code/settings.json", approved),
            (".cursor/hooks.json", "hooks/cursor/hooks.json", {}),
        ):
            packaged = json.loads(resource(template).read_text())
            assert read(repository / path) == packaged | more
        rules = resource("rules/opencodememory.md").read_text()
        assert rules in (repository / "AGENTS.md").read_text()
        for path in (each for each in FILES if "/skills/" in each):
            packaged = resource(path.replace(path.split("/")[0], "rules"))
            assert (repository / path).read_bytes() == packaged.read_bytes()
        for path in FILES:
            text = (repository / path).read_text()
            of_machine = (str(repository), sys.executable, str(Path.home()))
            assert not any(each in text for each in of_machine)
        (repository / ".openCodeMemory").mkdir()
        (repository / ".openCodeMemory" / "x").touch()
        status = git(repository, "status", "--porcelain", "--untracked-files=all")
        shared = [path for path in FILES if "/skills/" not in path]
        assert sorted(status.replace("?? ", "").splitlines()) == sorted(shared)
        assert (repository / ".git" / "config").read_bytes() == config
        folder = repository / ".git" / "ocm"
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / "installed.json").stat().st_mode & 0o777 == 0o600

    def test_commands_of_ours_are_replaced_and_the_users_stay(
        self, workspace: Workspace
    ) -> None:
        mine = b"---\nname: ocm-recall\ndescription: Mine\n---\nMine.\n"
        own = put(workspace.root / ".claude/skills/ocm-recall/SKILL.md", mine)
        (skipped,) = [
            x for x in installed(workspace) if x.outcome is not StepOutcome.DONE
        ]
        assert "is there already, and is not ours" in skipped.reason
        ours = workspace.root / ".claude/skills/ocm-remember/SKILL.md"
        now = ours.read_text()
        ours.write_text(now.replace("description: ", "description: Formerly: "))
        installed(workspace)
        assert ours.read_text() == now
        uninstalled(workspace)
        assert own.read_bytes() == mine

    def test_the_launcher_runs_this_python_whatever_its_path(
        self,
        workspace: Workspace,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        python = tmp_path / 'it\'s a "python" $HOME `x`'
        python.write_text('#!/bin/sh\necho "ran: $*"\n')
        python.chmod(0o755)
        monkeypatch.setattr("sys.executable", str(python))
        installed(workspace)
        launcher = workspace.root / ".git" / "ocm" / "run"
        assert launcher.stat().st_mode & 0o777 == 0o755
        done = subprocess.run(
            [launcher, "serve"], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith("ran: ")


class TestASecondRun:
    def test_it_changes_nothing(self, workspace: Workspace, tmp_path: Path) -> None:
        put(workspace.root / "AGENTS.md", b"# Mine")
        folders = tmp_path, workspace.environment.home
        before = times(tmp_path)
        assert outcomes(preview(planned(workspace, BOTH).steps)) == {
            StepOutcome.PLANNED
        }
        assert times(tmp_path) == before
        installed(workspace)
        there = [times(each) for each in folders]
        assert outcomes(installed(workspace)) == {StepOutcome.ALREADY}
        assert outcomes(preview(planned(workspace).steps)) == {StepOutcome.ALREADY}
        assert (workspace.environment.home / "registry.lock").exists()
        assert [times(each) for each in folders] == there
        (workspace.root / ".mcp.json").unlink()
        foreseen = preview(planned(workspace, BOTH).steps)
        (left,) = [each for each in foreseen if each.outcome is StepOutcome.PLANNED]
        assert ".mcp.json" in left.step.state

    def test_what_others_have_added_since_stays_where_it_is(
        self, workspace: Workspace, repository: Path
    ) -> None:
        installed(workspace)
        settings = repository / ".claude" / "settings.json"
        settings.write_text(
            settings.read_text().replace('"hooks": {', '"model": "x",\n  "hooks": {', 1)
        )
        rules = repository / "AGENTS.md"
        rules.write_text(f"# Before\n\n{rules.read_text()}\nAfter\n")
        before = tree(repository)
        assert outcomes(installed(workspace)) == {StepOutcome.ALREADY}
        assert tree(repository) == before


class TestFilesOfTheUser:
    def test_their_own_entries_comments_and_line_ends_stay(
        self, workspace: Workspace, repository: Path
    ) -> None:
        mine = (
            '{\r\n\t// my own\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n'
            '\t\t\t{ "hooks": [{ "type": "command", "command": "say done" }] },\r\n'
            '\t\t],\r\n\t},\r\n\t"model": "x"\r\n}'
        )
        path = put(repository / ".claude" / "settings.json", mine.encode())
        installed(workspace)
        after = path.read_bytes().decode()
        assert [c for c in _lines_of(mine) if c not in _lines_of(after)] == []
        assert "\n" not in after.replace("\r\n", "")
        own = jsonc.parsed(mine)
        merged = read(path)
        assert isinstance(own, dict)
        assert isinstance(merged, dict)
        assert merged["model"] == "x"
        assert merged["hooks"]["Stop"][0] == own["hooks"]["Stop"][0]
        assert len(merged["hooks"]["Stop"]) == 2

    def test_foreign_server_is_left_alone(self, workspace: Workspace) -> None:
        by_hand = b'{"mcpServers": {"opencodememory": {"command": "/x/ocm"}}}'
        put(workspace.root / ".mcp.json", by_hand)
        result = result_for(installed(workspace), ".mcp.json says")
        assert result.outcome is StepOutcome.SKIPPED
        assert "a server opencodememory already" in result.reason
        assert (workspace.root / ".mcp.json").read_bytes() == by_hand

    @every_row(
        ("content", "reason"),
        [
            (b'{\n  "hooks": {\n', "line 3"),
            (b'{\n  "hooks": []\n}', "line 2"),
            (b"\xff\xfe{", "line 1"),
            (b"{" * 10_000, "line 1"),
        ],
    )
    def test_what_cannot_be_read_stays_and_holds_up_nothing_else(
        self, workspace: Workspace, repository: Path, content: bytes, reason: str
    ) -> None:
        path = put(repository / ".claude" / "settings.json", content)
        results = installed(workspace)
        (failed,) = [each for each in results if each.outcome is StepOutcome.FAILED]
        assert failed.reason.startswith(f".claude/settings.json: {reason}")
        assert path.read_bytes() == content
        assert (repository / "AGENTS.md").exists()
        assert (repository / ".cursor" / "hooks.json").exists()

    def test_an_update_replaces_the_rules_and_leaves_what_is_around_them(
        self, workspace: Workspace, repository: Path
    ) -> None:
        path = repository / "AGENTS.md"
        installed(workspace)
        block = path.read_text()
        older = f"# Mine\n\n{block}".replace("Name it, and go on.", "Older.")
        path.write_text(f"{older}\nMore of mine\n")
        assert result_for(installed(workspace), "AGENTS.md").outcome is StepOutcome.DONE
        assert path.read_text() == f"# Mine\n\nMore of mine\n\n{block}"
        assert outcomes(installed(workspace)) == {StepOutcome.ALREADY}

    def test_older_entries_are_replaced(
        self, workspace: Workspace, repository: Path
    ) -> None:
        installed(workspace)
        current = {path: (repository / path).read_bytes() for path in FILES}
        for path in FILES:
            file = repository / path
            file.write_text(file.read_text().replace("ocm/run", "x/ocm/run"))
        assert StepOutcome.FAILED not in outcomes(installed(workspace))
        for path in FILES:
            text = (repository / path).read_text()
            assert "x/ocm/run" not in text or not path.endswith(".json")
            if path.endswith(".json"):
                assert read(repository / path) == jsonc.parsed(current[path].decode())

    def test_unawaited_server_is_updated_and_undone(
        self, workspace: Workspace, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, mine = repository / ".mcp.json", b'{"mcpServers": {"x": {}}}\n'
        path.write_bytes(mine)
        with monkeypatch.context() as earlier:
            server = CONFIGURED[0].targets[0].content
            assert isinstance(server, Server)
            assert isinstance(server.entry, dict)
            earlier.delitem(server.entry, "alwaysLoad")
            installed(workspace, "claude-code")
            assert b"alwaysLoad" not in path.read_bytes()
        results = installed(workspace, "claude-code")
        assert result_for(results, ".mcp.json says").outcome is StepOutcome.DONE
        assert b'"alwaysLoad": true' in path.read_bytes()
        uninstalled(workspace)
        assert path.read_bytes() == mine

    def test_permissions_of_a_file_stay(self, workspace: Workspace) -> None:
        put(workspace.root / "AGENTS.md", b"# Mine\n", 0o600)
        former = os.umask(0o077)
        try:
            installed(workspace)
        finally:
            os.umask(former)
        for path in ("AGENTS.md", ".mcp.json"):  # one of theirs, and a new one
            assert (workspace.root / path).stat().st_mode & 0o777 == 0o600
        assert outcomes(installed(workspace)) == {StepOutcome.ALREADY}


def _lines_of(text: str) -> list[str]:
    return [line.rstrip(",") for line in text.splitlines()]


class TestPlacesThatAreNotOurs:
    def test_a_link_inside_of_the_work_tree_is_written_through(
        self, workspace: Workspace, repository: Path
    ) -> None:
        (repository / "OTHER.md").write_text("# Mine\n")
        (repository / "AGENTS.md").symlink_to("OTHER.md")
        installed(workspace)
        assert (repository / "AGENTS.md").readlink() == Path("OTHER.md")
        assert (repository / "AGENTS.md").read_text().startswith("# Mine\n\n<!-- ocm:")
        assert outcomes(installed(workspace)) == {StepOutcome.ALREADY}

    OBSTACLES: Mapping[str, Callable[[Path, Path], object]] = {
        "leads out of the work tree": lambda path, there: path.symlink_to(there),
        "link to nothing": lambda path, _: path.symlink_to("nowhere"),
        "cannot be read": lambda path, _: path.symlink_to(path.name),
        "leads into the repository": lambda path, _: path.symlink_to(".git/config"),
        "is a folder": lambda path, _: path.mkdir(),
        "no regular file": lambda path, _: os.mkfifo(path),
        "more than 5 MB": lambda path, _: path.write_bytes(b" " * 5_000_001),
    }

    @few(3, "reason", OBSTACLES)
    def test_they_are_left_with_a_reason(
        self, reason: str, workspace: Workspace, repository: Path, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "there").write_text("{}")
        self.OBSTACLES[reason](repository / ".mcp.json", outside / "there")
        before = tree(outside), (repository / ".git" / "config").read_bytes()
        results = installed(workspace)
        (skipped,) = [each for each in results if each.outcome is StepOutcome.SKIPPED]
        assert skipped.reason.startswith(".mcp.json")
        assert reason in skipped.reason
        assert outcomes(results) == {StepOutcome.DONE, StepOutcome.SKIPPED}
        assert (tree(outside), (repository / ".git" / "config").read_bytes()) == before

    def test_a_folder_that_is_a_link_or_a_file_is_not_entered(
        self, workspace: Workspace, repository: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "outside").mkdir()
        (repository / ".claude").symlink_to(tmp_path / "outside")
        (repository / ".cursor").write_text("a file")
        results = installed(workspace)
        assert not list((tmp_path / "outside").iterdir())
        skipped = [each for each in results if each.outcome is StepOutcome.SKIPPED]
        assert len(skipped) == 3 + len(SKILLS)


class TestWhere:
    def test_linked_work_tree_root_is(self, repository: Path, tmp_path: Path) -> None:
        git(repository, "worktree", "add", "--quiet", str(tmp_path / "linked"))
        installed(workspace_at(tmp_path / "linked"))
        assert (tmp_path / "linked" / ".mcp.json").exists()
        assert not (repository / ".mcp.json").exists()
        assert (repository / ".git" / "ocm" / "run").exists()
        assert git(repository, "status", "--porcelain") == ""
        registry = Path.home() / "ocm" / "registry.json"
        before = registry.read_bytes()
        installed(workspace_at(repository))
        assert registry.read_bytes() == before

    def test_bare_repository_gets_no_files(
        self, repository: Path, tmp_path: Path
    ) -> None:
        git(repository, "clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
        results = installed(workspace_at(tmp_path / "bare.git"))
        skipped = result_for(results, "in a work tree")
        assert skipped.outcome is StepOutcome.SKIPPED
        assert "bare" in skipped.reason
        assert (tmp_path / "bare.git" / "ocm" / "run").exists()
        assert not (tmp_path / "bare.git" / "AGENTS.md").exists()

    @pytest.mark.endurance
    def test_submodule_roots_are_configured(
        self, repository: Path, tmp_path: Path
    ) -> None:
        outer = make_repository(tmp_path / "outer")
        allowed = ("-c", "protocol.file.allow=always")
        git(outer, *allowed, "submodule", "--quiet", "add", str(repository), "inner")
        (tmp_path / "work").mkdir()
        git(tmp_path / "work", "init", "-q", f"--separate-git-dir={tmp_path}/apart")
        for folder, common_dir in (
            (outer / "inner", outer / ".git" / "modules" / "inner"),
            (tmp_path / "work", tmp_path / "apart"),
        ):
            assert outcomes(installed(workspace_at(folder))) == {StepOutcome.DONE}
            assert (folder / ".mcp.json").exists()
            assert (common_dir / "ocm" / "run").exists()


class TestTheRegistry:
    def test_two_at_once_are_both_in_it(
        self, workspace: Workspace, tmp_path: Path
    ) -> None:
        other = workspace_at(make_repository(tmp_path / "other"))
        plans = [planned(each, BOTH) for each in (workspace, other)]
        for plan in plans:
            assert outcomes(list(carry_out(plan.steps))) == {StepOutcome.DONE}
        registry = workspace.environment.home / "registry.json"
        projects = [item["project"] for item in json.loads(registry.read_text())]
        assert projects == ["repository", "other"]

    def test_one_that_cannot_be_read_is_put_aside(self, workspace: Workspace) -> None:
        registry = workspace.environment.home / "registry.json"
        registry.parent.mkdir(parents=True)
        registry.write_text('[{"project": ')
        assert outcomes(installed(workspace)) == {StepOutcome.DONE}
        assert json.loads(registry.read_text())[0]["project"] == "repository"
        aside = registry.with_name("registry.json.unreadable")
        assert aside.read_text() == '[{"project": '


def test_of_two_blocks_that_a_merge_left_one_stays(workspace: Workspace) -> None:
    installed(workspace)
    rules = workspace.root / "AGENTS.md"
    block = rules.read_text()
    rules.write_text(f"# Ours\n\n{block.replace('saves', 'saved')}\n{block}")
    installed(workspace)
    assert rules.read_text() == f"# Ours\n\n{block}"
    assert StepOutcome.DONE not in outcomes(installed(workspace))
    uninstalled(workspace)
    assert rules.read_text() == "# Ours\n"
