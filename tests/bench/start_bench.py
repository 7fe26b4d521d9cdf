"""How long an assistant waits for the MCP server, beside the SDK's bare one.

    python tests/bench/start_bench.py [--rounds 15]

Every round starts each server in turn, as a client does: the time from the start of the
process to the answer to `initialize`, and then to each list that Claude Code asks for
before it has the tools. The project is a repository with twenty sessions. Processor
time is that of the server until `initialize` is answered; other work hardly sways it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measures import median_and_tenth
from support.harness import make_repository
from support.workspaces import saved_session, workspace_at

BARE = """\
from mcp.server.mcpserver import MCPServer
MCPServer("bare", version="1").run("stdio")
"""
SERVERS = {
    "the SDK's server, no tools": ("-c", BARE),
    "ocm serve": ("-m", "gitmem", "serve"),
}
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"roots": {}},
    "clientInfo": {"name": "claude-code", "version": "2.1.330"},
}
LISTS = ("tools/list", "prompts/list", "resources/list")
COLUMNS = ("processor", "initialize", *LISTS)


def times(server: tuple[str, ...], project: Path) -> Iterator[float]:
    """Milliseconds for each of the columns."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-EP", *server],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin
        assert process.stdout
        requests = {"initialize": INITIALIZE, **{each: {} for each in LISTS}}
        for number, (method, given) in enumerate(requests.items()):
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": given}
            process.stdin.write(f"{json.dumps(asked)}\n")
            assert "result" in json.loads(process.stdout.readline()), method
            answered = 1000 * (time.perf_counter() - began)
            if not number:
                yield processor_time(process.pid)
                done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
                process.stdin.write(f"{json.dumps(done)}\n")
            yield answered
        process.stdin.close()


def processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description="See the head of this file.")
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        project = make_repository(Path(folder) / "project")
        workspace = workspace_at(project)
        for number in range(20):
            saved_session(workspace, goal="Measure.", client_session_id=f"{number}")
        taken: dict[str, list[list[float]]] = {name: [] for name in SERVERS}
        for _ in range(rounds + 1):
            for name, server in SERVERS.items():
                taken[name].append([*times(server, project)])
    report({name: rows[1:] for name, rows in taken.items()})  # the first one compiles


def report(taken: dict[str, list[list[float]]]) -> None:
    for number, column in enumerate(COLUMNS):
        spreads = [
            median_and_tenth([row[number] for row in rows]) for rows in taken.values()
        ]
        for name, (median, tenth) in zip(taken, spreads, strict=True):
            print(f"{name:28} {column:15} {median:6.0f} ms {tenth:6.0f}")
        (bare, _), (ours, _) = spreads
        print(f"{column:15} in times of the SDK's server: {ours / bare:.2f}")
    print("median and 90th percentile")


if __name__ == "__main__":
    main()
