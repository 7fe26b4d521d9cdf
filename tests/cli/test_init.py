"""`ocm init`: the plan, what came of it, and a server that starts from anywhere."""

import json
import os
import subprocess
from pathlib import Path
from typing import Literal

import pytest
from cli.running import Ocm, on_a_terminal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import Implementation
from support.harness import git
from support.installing import python_with_gitmem, times, tree
from support.mcp_client import ask, written
from support.rounds import few

from gitmem.assistants.known import CONFIGURED, targets_of

BOTH = ("--team", "--assistant", "claude", "--assistant", "cursor")
FILES = [
    *(".mcp.json", ".claude/settings.json", "AGENTS.md"),
    *(".cursor/mcp.json", ".cursor/hooks.json"),
    *(each.path for each in targets_of(CONFIGURED) if "/skills/" in each.path),
]


@pytest.fixture(autouse=True)
def no_assistants(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the system's own programs, and gitmem."""
    assert repository.exists()
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


class TestWhatIsPrinted:
    def test_the_plan_comes_first_then_every_step(self, ocm: Ocm) -> None:
        listed = ocm("init", *BOTH, "--dry-run").out.split("\n\n")[1]
        assert [line.split()[0] for line in listed.splitlines()] == (
            ["create"] * 3 + ["change"] + ["create"] * (len(FILES) + 2)
        )
        assert all(f"  create  {path}" in listed for path in FILES)
        out = ocm("init", *BOTH, "--verbose").out
        steps = [line for line in out.splitlines() if line.startswith("done ")]
        assert all(any(path in line for line in steps) for path in FILES)
        last = out.rpartition("\n\n")[2]
        assert last.startswith("To commit it: git add .mcp.json ")
        assert "/skills/" not in last
        assert "whether you trust this folder" in last
        assert last.endswith("`ocm doctor` whether everything works.\n")

    def test_nothing_is_to_be_committed_unless_said(
        self, ocm: Ocm, repository: Path
    ) -> None:
        ran = ocm("init", "--yes", "--assistant", "claude", "--assistant", "codex")
        assert "`--team`: files to commit" in ran.out
        assert "git add" not in ran.out
        assert git(repository, "status", "--porcelain") == ""
        approved = json.loads((repository / ".claude/settings.local.json").read_text())
        assert approved["enabledMcpjsonServers"] == ["opencodememory"]

    def test_skipped_and_failed_have_reasons(self, ocm: Ocm, repository: Path) -> None:
        (repository / ".mcp.json").write_text("{\n  'single': 1\n}")
        (repository / "AGENTS.md").mkdir()
        ran = ocm("init", *BOTH)
        assert ran.status == 1
        lines = ran.out.splitlines()
        failed = lines.index(
            "failed   Claude Code starts the MCP server as .mcp.json says"
        )
        assert lines[failed + 1].startswith("         .mcp.json: line 2")
        skipped = lines.index("skipped  AGENTS.md tells assistants when to save")
        assert lines[skipped + 1] == "         AGENTS.md is a folder"
        assert "the next conversation is saved" not in ran.out
        assert "run `ocm init` again" in lines[-1]

    def test_no_assistant_says_how_to_name_one(
        self, ocm: Ocm, repository: Path
    ) -> None:
        ran = ocm("init")
        assert ran.status == 0
        assert "ocm init --assistant claude-code" in ran.out
        assert (repository / ".git" / "ocm" / "run").exists()

    def test_a_bare_repository_is_told_where_to_run_it(
        self, ocm: Ocm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        git(tmp_path, "init", "--quiet", "--bare", "bare.git")
        monkeypatch.chdir(tmp_path / "bare.git")
        ran = ocm("init", *BOTH)
        assert ran.status == 0
        assert "this repository is bare: run `ocm init` in a work tree" in ran.out
        assert "the next conversation is saved" not in ran.out
        assert "--assistant" not in ran.out
        assert "trust this folder" not in ran.out

    def test_hostile_names_are_escaped(self, ocm: Ocm, repository: Path) -> None:
        (repository / "AGENTS.md").write_text("\x1b]0;title\x07\x9b31m # Mine")
        shown = ocm("init", "--assistant", "claude").out + ocm("init", "--dry-run").out
        assert "\x1b]" not in shown


class TestJson:
    def test_it_has_its_keys(self, ocm: Ocm) -> None:
        first = ocm("init", "--json", *BOTH).json
        assert list(first) == [
            *("project", "root", "assistants", "form", "asked_about", "steps"),
            *("server", "rules", "hooks", "sharing", "history"),
        ]
        assert first["assistants"] == ["claude-code", "cursor"]
        assert Path(first["rules"]).read_text().startswith("## openCodeMemory")
        assert (Path(first["hooks"]) / "claude-code" / "settings.json").is_file()
        assert first["server"][1] == "serve"
        step = first["steps"][-1]
        assert list(step) == [
            *("what", "done", "outcome", "reason", "advice", "changes", "removals")
        ]
        assert {step["outcome"] for step in first["steps"]} == {"done"}
        second = ocm("init", "--json", *BOTH).json
        assert {step["outcome"] for step in second["steps"]} == {"already"}
        assert not any(step["done"] for step in second["steps"])

    def test_the_command_is_the_ocm_that_runs(
        self, ocm: Ocm, monkeypatch: pytest.MonkeyPatch, program: Path
    ) -> None:
        monkeypatch.setattr("sys.argv", [str(program.with_name("git-ocm"))])
        assert ocm("init", "--json").json["server"] == [str(program), "serve"]


class TestTheRulesForTools:
    def test_they_are_offered_until_present(self, ocm: Ocm, repository: Path) -> None:
        local = repository / ".claude" / "settings.local.json"
        assert "  ocm init --allow-tools\n" in ocm("init", *BOTH).out
        assert not local.exists()
        allowed = ocm("init", "--yes", *BOTH).out
        assert "Claude Code starts the server and runs gitmem's tools" in allowed
        assert "--allow-tools" not in allowed
        assert "mcp__opencodememory__ocm__checkpoint" in local.read_text()
        assert ocm("init", "--json", *BOTH).json["asked_about"] == []
        ocm("uninstall")
        assert not local.exists()

    @pytest.mark.endurance
    @few(1, ("answer", "agrees"), [("\n", True), ("n\n", False)])
    def test_on_a_terminal_it_asks_once(
        self, repository: Path, answer: str, *, agrees: bool
    ) -> None:
        command = ["init", "--assistant", "claude"]
        said, status = on_a_terminal(repository, command, answer)
        assert status == (0 if agrees else 130)
        assert said.count("[y]") == 2  # the letter, and the default
        assert "runs gitmem's tools" in said
        local = repository / ".claude" / "settings.local.json"
        assert local.exists() == agrees

    def test_an_answer_may_be_a_word_and_is_asked_for_again(
        self, repository: Path
    ) -> None:
        command = ["init", "--assistant", "claude"]
        said, status = on_a_terminal(repository, command, "what\nyes\ny\n")
        assert "please answer y, t, e or n" in said
        assert status == 0
        assert (repository / ".git" / "ocm" / "installed.json").exists()


class TestAnEarlierProgram:
    SERVER = '{"mcpServers": {"opencodememory": {"url": "http://127.0.0.1:1/mcp"}}}'

    def test_it_is_named_and_replaced_when_told(
        self, ocm: Ocm, repository: Path
    ) -> None:
        file = repository / ".mcp.json"
        file.write_text(self.SERVER)
        named = ocm("init", "--assistant", "claude").out
        assert "ocm-session-memory, has an openCodeMemory set up" in named
        assert "server in .mcp.json" in named
        assert "To take it out: ocm init --replace\n" in named
        assert file.read_text() == self.SERVER
        ocm("init", "--assistant", "claude", "--replace", "--dry-run")
        assert file.read_text() == self.SERVER
        ran = ocm("init", "--assistant", "claude", "--replace")
        assert "skipped" not in ran.out
        assert "ocm/run" in file.read_text()

    @pytest.mark.endurance
    def test_who_says_no_is_not_asked_again(self, repository: Path) -> None:
        (repository / ".mcp.json").write_text(self.SERVER)
        command = ["init", "--assistant", "claude"]
        assert "Take it out" in on_a_terminal(repository, command, "n\ny\n")[0]
        assert "Take it out" not in on_a_terminal(repository, command, "y\n")[0]
        assert (repository / ".mcp.json").read_text() == self.SERVER


class TestADryRun:
    def test_it_writes_nothing_at_all(
        self, ocm: Ocm, tmp_path: Path, sealed_environment: Path
    ) -> None:
        before = times(tmp_path), tree(sealed_environment)
        for more in ([], ["--json"], ["--local"]):
            assert ocm("init", *BOTH, "--dry-run", *more).status == 0
        named = ("--assistant", "claude", "--dry-run", "--allow-tools")
        assert "mcp__" not in ocm("init", *named).out
        tools = ocm("init", *named, "--verbose").out
        assert '+      "mcp__opencodememory__ocm__search_sessions",' in tools
        assert (times(tmp_path), tree(sealed_environment)) == before
        assert ocm("uninstall", "--dry-run").status == 0
        assert (times(tmp_path), tree(sealed_environment)) == before

    def test_git_can_apply_what_it_shows(
        self, ocm: Ocm, repository: Path, tmp_path: Path
    ) -> None:
        (repository / "AGENTS.md").write_text("# Mine, without an end")
        steps = ocm("init", *BOTH, "--dry-run", "--json").json["steps"]
        assert {step["outcome"] for step in steps} == {"planned"}
        diffs = [
            change["diff"]
            for step in steps
            for change in step["changes"]
            if change["path"].removeprefix(f"{repository}/") in FILES
        ]
        assert len(diffs) == len(FILES)
        shown = ocm("init", *BOTH, "--dry-run", "--verbose").out
        assert all(diff in shown for diff in diffs)
        (tmp_path / "clone").mkdir()
        (tmp_path / "clone" / "AGENTS.md").write_text("# Mine, without an end")
        subprocess.run(
            ["git", "apply", "-"],
            cwd=tmp_path / "clone",
            input="".join(diffs).encode(),
            check=True,
        )
        ocm("init", *BOTH)
        for path in FILES:
            assert (tmp_path / "clone" / path).read_text() == (
                (repository / path).read_text()
            )


class TestTheServer:
    """Started by the very command in the file, as from a desktop: with no more than
    the system's own PATH."""

    @pytest.fixture(autouse=True)
    def configured(
        self,
        ocm: Ocm,
        repository: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        python = python_with_gitmem(tmp_path)
        monkeypatch.setattr("sys.executable", str(python))
        assert ocm("init", *BOTH).status == 0
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--message=memory")

    @pytest.mark.endurance
    @pytest.mark.anyio
    @pytest.mark.parametrize(
        ("file", "start", "variables"),
        [
            (".mcp.json", "linked/sub", {}),
            (".mcp.json", "/", {"CLAUDE_PROJECT_DIR": "linked"}),
            (".cursor/mcp.json", "/", {}),
        ],
    )
    async def test_it_starts_in_the_work_tree_that_is_meant(
        self, tmp_path: Path, file: str, start: str, variables: dict[str, str]
    ) -> None:
        linked = tmp_path / "linked"
        git(tmp_path / "repository", "worktree", "add", "--quiet", str(linked))
        (linked / "sub").mkdir()
        named = {name: str(tmp_path / value) for name, value in variables.items()}
        assert await self.saved(tmp_path / start, linked, file, named)

    def test_bare_repository_in_a_clone_is_not_asked(self, repository: Path) -> None:
        git(repository, "init", "--quiet", "--bare", "fixture.git")
        (repository / "fixture.git" / "ocm").mkdir()
        planted = repository / "fixture.git" / "ocm" / "run"
        planted.write_text("#!/bin/sh\necho planted\n")
        planted.chmod(0o755)
        for path in (".mcp.json", ".cursor/mcp.json"):
            servers = json.loads((repository / path).read_text())["mcpServers"]
            server = servers["opencodememory"]
            done = subprocess.run(
                [server["command"], *server["args"]],
                cwd=repository / "fixture.git",
                env={"PATH": "/usr/bin:/bin"},
                capture_output=True,
                check=False,
            )
            assert b"planted" not in done.stdout

    @pytest.mark.anyio
    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    async def test_in_a_clone_without_gitmem_it_has_no_tools(
        self, repository: Path, tmp_path: Path, mode: Literal["auto", "legacy"]
    ) -> None:
        git(tmp_path, "clone", "--quiet", str(repository), "clone")
        entry = json.loads((tmp_path / "clone" / ".mcp.json").read_text())
        server = entry["mcpServers"]["opencodememory"]
        parameters = StdioServerParameters(
            command=server["command"], args=server["args"], cwd=tmp_path / "clone"
        )
        async with Client(stdio_client(parameters), mode=mode) as client:
            assert (await client.list_tools()).tools == []

    async def saved(
        self, start: Path, work_tree: Path, path: str, variables: dict[str, str]
    ) -> bool:
        """Whether a checkpoint reaches the work tree's repository."""
        entry = json.loads((work_tree / path).read_text())["mcpServers"]
        server = entry["opencodememory"]
        own = {
            name: value.replace("${workspaceFolder}", str(work_tree))
            for name, value in server.get("env", {}).items()
        }
        parameters = StdioServerParameters(
            command=server["command"],
            args=server["args"],
            cwd=start,
            env={
                **{name: os.environ[name] for name in ("HOME", "OCM_HOME", "PATH")},
                **own,
                **variables,
            },
        )
        async with Client(
            stdio_client(parameters), client_info=Implementation(name="x", version="1")
        ) as client:
            result = await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
        is_there = Path(result["markdown_path"]).is_relative_to(work_tree)
        return is_there and "Stop the leak." in written(result)


def test_a_teammate_without_ocm_notices_nothing_of_the_hooks(
    ocm: Ocm, repository: Path, tmp_path: Path
) -> None:
    ocm("init", *BOTH)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=ours")
    git(tmp_path, "clone", "--quiet", str(repository), "clone")
    clone = tmp_path / "clone"
    hooks = json.loads((clone / ".claude" / "settings.json").read_text())["hooks"]
    commands = {
        hook["command"]
        for groups in hooks.values()
        for group in groups
        for hook in group["hooks"]
    }
    of_cursor = json.loads((clone / ".cursor" / "hooks.json").read_text())["hooks"]
    commands |= {hook["command"] for hooks in of_cursor.values() for hook in hooks}
    assert len(commands) > 2
    (clone / "sub").mkdir()
    for command in commands:
        for folder in (clone, clone / "sub", tmp_path):
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=folder,
                env={"PATH": "/usr/bin:/bin", "CLAUDE_PROJECT_DIR": str(folder)},
                input=b"{}",
                capture_output=True,
                check=True,
            )
            assert (done.stdout, done.stderr) == (b"", b"")
    assert git(clone, "status", "--porcelain") == ""


class TestOfTheUser:
    USER = ("init", "--user", "--assistant", "claude")

    def test_it_says_what_is_active(self, ocm: Ocm, repository: Path) -> None:
        told = ocm(*self.USER).out
        assert "you, in all folders and work trees" in told
        assert "give assistants memory everywhere in this repository.\n" in told
        assert "trust this folder" not in told
        assert git(repository, "config", "ocm.everywhere") == "true"
        again = ocm("init")
        assert "Nothing is left to do." in again.out
        assert git(repository, "status", "--porcelain") == ""
        form = ocm("init", "--local", "--assistant", "claude", "--json").json["form"]
        assert form == {"project": True, "user": True, "all": False}

    @pytest.mark.endurance
    @few(1, ("answer", "is_for_all"), [("\n", False), ("y\n", True)])
    def test_on_a_terminal_it_asks_whether_for_all(
        self, repository: Path, answer: str, *, is_for_all: bool
    ) -> None:
        said, status = on_a_terminal(repository, [*self.USER], f"{answer}y\n")
        assert (status, "not this one alone? [y/N]" in said) == (0, True)
        said_globally = "everywhere" in (Path.home() / ".gitconfig").read_text()
        assert said_globally == is_for_all

    def test_what_makes_no_sense_is_refused(self, ocm: Ocm, repository: Path) -> None:
        for options in ("--all-repositories", "--user --local", "--user --team"):
            assert ocm("init", *options.split()).status == 2
        assert not (repository / ".git" / "ocm").exists()

    def test_it_is_taken_back_in_any_folder(
        self, ocm: Ocm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = (Path.home() / ".gitconfig").read_text()
        assert ocm(*self.USER, "--all-repositories").status == 0
        left = ocm("uninstall").out
        assert "Your own settings serve all repositories, this one too." in left
        monkeypatch.chdir(tmp_path)
        assert ocm("uninstall", "--user", "--purge").status == 2
        ran = ocm("uninstall", "--user")
        assert ran.status == 0
        assert "unset   git config --global ocm.everywhere" in ran.out
        assert not (Path.home() / ".claude").exists()
        assert (Path.home() / ".gitconfig").read_text() == before
        again = ocm("uninstall", "--user", "--json").json["steps"]
        assert {step["outcome"] for step in again} == {"already"}
