"""How long an assistant waits for the MCP server, beside the SDK's bare one.

    python tests/bench/start_bench.py [--rounds 15]

Every round starts each server in turn, as a client does: the time from the start of the
process to the answer to `initialize`, and to the answers to what Claude Code asks for
before it has the tools. The project is a repository with twenty sessions.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from harness import make_repository
from support import saved_session, workspace_at

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


def times(server: tuple[str, ...], project: Path) -> Iterator[float]:
    """Milliseconds until each request was answered, counted from the start."""
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
            yield 1000 * (time.perf_counter() - began)
            if not number:
                done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
                process.stdin.write(f"{json.dumps(done)}\n")
        process.stdin.close()


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
        for _ in range(rounds):
            for name, server in SERVERS.items():
                taken[name].append([*times(server, project)])
    report(taken)


def report(taken: dict[str, list[list[float]]]) -> None:
    for name, rows in taken.items():
        columns = zip(*rows, strict=True)
        for what, column in zip(("initialize", *LISTS), columns, strict=True):
            tenths = quantiles(column, n=10)
            print(f"{name:28} {what:15} {median(column):6.0f} {tenths[-1]:6.0f}")
    bare, ours = ([row[0] for row in rows] for rows in taken.values())
    pairs = [one / floor for floor, one in zip(bare, ours, strict=True)]
    print(f"initialize: {median(ours) / median(bare):.2f} times, ", end="")
    print(f"and round by round {median(pairs):.2f} times")


if __name__ == "__main__":
    main()
