"""Measures pages: what `ocm view` takes in processor time, beside `ocm list`.

    python tests/bench/view_bench.py [--size 10000] [--rounds 8]

The server is a process of its own, measured by /proc; commands by their children's use.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import histories
from bench.measures import table
from support.harness import git, make_repository
from support.workspaces import workspace_at

from gitmem.indexing import build_index
from gitmem.resources import module_command

OCM = module_command("gitmem")
PAGES = {
    "first page": "/",
    "list": "/sessions",
    "search": "/search?q=retry+key",
    "memories": "/memories",
}
_TIMES = 10
"""Requests of a page, which together take many clock ticks."""


class Server:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout
        link = urlsplit(process.stdout.readline().strip())
        self._stat = Path(f"/proc/{process.pid}")
        self._connection = HTTPConnection(link.netloc)
        self._cookie = ""
        self._cookie = self.get(f"{link.path}?{link.query}").partition(";")[0]

    def get(self, path: str) -> str:
        """Ask for a page; the cookie that it sets."""
        self._connection.request("GET", path, headers={"Cookie": self._cookie})
        response = self._connection.getresponse()
        response.read()
        return response.getheader("Set-Cookie") or ""

    @property
    def milliseconds(self) -> float:
        """Its processor time so far."""
        fields = (self._stat / "stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) * 1000 / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> int:
        lines = (self._stat / "status").read_text().splitlines()
        [resident] = [line for line in lines if line.startswith("VmRSS")]
        return int(resident.split()[1]) // 1024


@contextmanager
def served(repository: Path) -> Iterator[Server]:
    command = [*OCM, "view", "--no-open"]
    with subprocess.Popen(
        command,
        cwd=repository,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        yield Server(process)
        process.terminate()


def until_first_page(repository: Path) -> float:
    with served(repository) as server:
        server.get("/")
        return server.milliseconds


def until_listed(repository: Path) -> float:
    before = _of_children()
    subprocess.run([*OCM, "list"], cwd=repository, check=True, capture_output=True)
    return (_of_children() - before) * 1000


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def page_milliseconds(server: Server, path: str) -> float:
    server.get(path)
    before = server.milliseconds
    for _ in range(_TIMES):
        server.get(path)
    return (server.milliseconds - before) / _TIMES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=8)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        repository = make_repository(Path(scratch, "pages"))
        name, _, email = histories.BY.rstrip(">").partition(" <")
        git(repository, "config", "user.name", name)
        git(repository, "config", "user.email", email)
        histories.extend(repository, histories.sessions(0, arguments.size))
        histories.extend_with_memories(repository, histories.memories(300))
        git(repository, "gc", "--quiet")
        build_index(workspace_at(repository))
        measure(repository, arguments.rounds)


def measure(repository: Path, rounds: int) -> None:
    commands: dict[str, Callable[[Path], float]] = {
        "`ocm list`": until_listed,
        "`ocm view`, first page": until_first_page,
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(command(repository))
    rows = [[name, f"{median(times):.0f}"] for name, times in taken.items()]
    with served(repository) as server:
        rows += (
            [name, f"{page_milliseconds(server, path):.0f}"]
            for name, path in PAGES.items()
        )
        rows.append(["MB of the server", str(server.megabytes)])
    table("Pages, processor time", ["", "ms"], rows)


if __name__ == "__main__":
    main()
