"""The server as clients start it: a process of its own, on its standard streams."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from support.harness import git
from support.mcp_client import (
    MODES,
    SERVE,
    ask,
    refusal,
    server_process,
    variables,
    written,
)
from support.workspaces import saved_session, workspace_at

import gitmem
from gitmem.cli.failure import BROKEN_PIPE
from gitmem.git.odb.packs import own_packs

pytestmark = pytest.mark.anyio

MESSAGES = """\
{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
"capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
not even JSON
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ocm__checkpoint",\
"arguments":{"goal":5}}}
"""


@pytest.mark.endurance
@pytest.mark.parametrize("mode", MODES)
async def test_two_processes_serve_one_repository(
    mode: str, repository: Path, sealed_environment: Path
) -> None:
    async with (
        server_process(repository, sealed_environment, mode, "cursor-vscode") as cursor,
        server_process(repository, sealed_environment, mode, "claude-code") as claude,
    ):
        assert claude.server_info is not None
        assert claude.server_info.name == "opencodememory"
        assert claude.server_info.version == gitmem.__version__
        saved = await ask(cursor, "checkpoint", goal="Stop the leak.", slug="leak")
        (hit,) = await ask(claude, "search_sessions", query="leak")
        assert hit["markdown_path"] == saved["markdown_path"]
        assert "Stop the leak." in written(hit)
        await refusal(claude, "checkpoint", goal="x" * 1_000_000)
        async with anyio.create_task_group() as calls:
            for number in range(3):
                for client in (cursor, claude):
                    calls.start_soon(save_step, client, number)
        assert git(repository, "rev-list", "--count", "refs/ocm/sessions") == "7"
    assert git(repository, "status", "--porcelain") == ""


@pytest.mark.endurance
async def test_bare_repository_is_packed_by_the_server(
    repository: Path, tmp_path: Path, sealed_environment: Path
) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), str(bare))
    git(bare, "config", "gc.autoPackLimit", "3")
    async with server_process(bare, sealed_environment, MODES[0], "cursor") as cursor:
        await ask(cursor, "checkpoint", goal="Stop the leak.")
        await ask(cursor, "checkpoint", work_completed=["It leaks no more."])
    assert is_packed_soon(bare)


def is_packed_soon(bare: Path) -> bool:
    """By a process that survives the server."""
    deadline = time.monotonic() + 20
    while len(own_packs(bare)) != 1 and time.monotonic() < deadline:
        time.sleep(0.02)
    return len(own_packs(bare)) == 1


async def save_step(client: Client, number: int) -> None:
    await ask(client, "checkpoint", work_completed=[f"step {number}"])


@pytest.mark.endurance
def test_first_requests_load_little(
    repository: Path, tmp_path: Path, sealed_environment: Path
) -> None:
    saved_session(workspace_at(repository), goal="Stop the leak.")
    imports = tmp_path / "imports"
    with (
        imports.open("w") as log,
        subprocess.Popen(
            [sys.executable, "-X", "importtime", "-m", "gitmem", "serve"],
            cwd=repository,
            env=variables(sealed_environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as server,
    ):

        def answer(request: str) -> Any:
            assert server.stdin
            assert server.stdout
            server.stdin.write(f"{request}\n")
            server.stdin.flush()
            return json.loads(server.stdout.readline())["result"]

        told = answer(MESSAGES.splitlines()[0])
        at_first = loaded(imports)
        listed = answer('{"jsonrpc":"2.0","id":1,"method":"resources/list"}')
        time.sleep(0.3)  # git is asked what differs
    assert told["serverInfo"]["version"] == gitmem.__version__
    assert not at_first & {"anyio", "mcp", "pydantic", "yaml", "gitmem.workspace"}
    assert len(listed["resources"]) == 1
    assert "gitmem.workspace" in loaded(imports)
    assert not loaded(imports) & {"pygit2", "tantivy", "typer"}


def loaded(imports: Path) -> set[str]:
    lines = imports.read_text().splitlines()
    return {line.rpartition("|")[2].strip() for line in lines}


def begun(folder: Path, home: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=variables(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_stdout_is_the_protocol_alone(tmp_path: Path, sealed_environment: Path) -> None:
    with begun(tmp_path, sealed_environment, *SERVE) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(MESSAGES)
        server.stdin.flush()
        answers = [server.stdout.readline() for _ in range(2)]
        rest, complaints = server.communicate(timeout=30)
    assert [json.loads(answer)["id"] for answer in answers] == [0, 1]
    assert "`goal` should be a valid string." in answers[1]
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert "Traceback" not in rest + complaints
    assert server.returncode == 0


def test_client_that_left_without_its_answers_is_no_defect(
    tmp_path: Path, sealed_environment: Path
) -> None:
    with begun(tmp_path, sealed_environment, "-m", "gitmem", "serve") as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        server.stdout.close()
        server.stdin.write(MESSAGES)
        server.stdin.close()
        complaints = server.stderr.read()
    assert complaints == ""
    assert server.returncode == BROKEN_PIPE
