"""`ocm serve --http` as a program: what it prints, refuses, and how it ends."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from support.web import ask
from web.conftest import TOKEN, WITH_TOKEN
from web.test_mcp import call, client_at, session_in

OCM = (sys.executable, "-m", "gitmem")
SERVE = (*OCM, "serve", "--http", "127.0.0.1:0")


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    return file


@contextmanager
def started(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The process and its port."""
    with subprocess.Popen(
        [*SERVE, *options], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        url = process.stdout.readline()
        yield process, int(url.split(":")[2].partition("/")[0])
        process.kill()


def refused(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [*OCM, "serve", *arguments],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert not done.stdout
    return done.stderr


@pytest.mark.anyio
async def test_it_ends_at_once_though_clients_are_connected(
    repository: Path, token_file: Path
) -> None:
    with started(repository, "--token-file", str(token_file)) as (process, port):
        async with client_at(port) as session:
            await call(session, "checkpoint", goal="Write a module")
            process.send_signal(signal.SIGINT)
            assert await anyio.to_thread.run_sync(process.wait, 30) == 130
    assert "ended_at:" in session_in(repository)


def test_a_token_of_its_own_serves_this_machine(repository: Path) -> None:
    with subprocess.Popen(
        SERVE, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stderr.readline() == "Serving repository; Ctrl-C ends it.\n"
        token = process.stderr.readline().split()[-1]
        port = int(process.stdout.readline().split(":")[2].partition("/")[0])
        headers = {"Authorization": f"Bearer {token}"}
        assert ask(port, "/health", headers=headers)[0] == 200
        assert ask(port, "/health", headers=WITH_TOKEN)[0] == 401
        process.kill()


def test_other_machines_need_a_token_file(repository: Path) -> None:
    for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:80"):
        message = refused(repository, "--http", address)
        assert "--token-file FILE" in message


def test_options_of_http_need_http(repository: Path, token_file: Path) -> None:
    assert "--http" in refused(repository, "--token-file", str(token_file))
    assert "--http" in refused(repository, "127.0.0.1:80")


@pytest.mark.endurance
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.anyio
async def test_its_memory_does_not_grow_with_calls(
    repository: Path, token_file: Path
) -> None:
    async def work(rounds: int) -> None:
        async with client_at(port) as session:
            for number in range(rounds):
                await call(session, "checkpoint", decisions=[f"Decision {number}"])
                await call(session, "recall", query="decision")

    async def work_together(rounds: int) -> int:
        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(work, rounds)
        return kilobytes(process.pid)

    with started(repository, "--token-file", str(token_file)) as (process, port):
        before = await work_together(10)
        assert await work_together(25) < before * 1.4


def kilobytes(pid: int) -> int:
    """What the process holds in memory beside files."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
