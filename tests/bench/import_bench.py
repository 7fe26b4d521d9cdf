"""Importing transcripts: the command from its start to its end, against floors.

    python tests/bench/import_bench.py FOLDER [MEGABYTES]

FOLDER has transcripts of Claude Code (`*.jsonl`). They are copied under other ids and
on other days until there are MEGABYTES of them, 140 by default, and imported into a new
repository. The floors are reading the same bytes, and parsing the same lines. Beside
each time is what one sync took right after it: how busy the disk was.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measures import milliseconds
from support.harness import git

ROOT = Path(__file__).parents[2]
_DAY = re.compile(rb'"timestamp":"(\d{4}-\d\d-\d\d)')
_FOLDER = re.compile(rb'"cwd":"([^"]+)"')
_UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def main() -> None:
    source = Path(sys.argv[1])
    megabytes = int(sys.argv[2] if len(sys.argv) > 2 else 140)
    originals = [file.read_bytes() for file in sorted(source.rglob("*.jsonl"))]
    with tempfile.TemporaryDirectory() as place:
        made = copies(originals, Path(place) / "transcripts")
        measure(Path(place), source, of_size(made, megabytes * 1_000_000))


def measure(place: Path, source: Path, made: Iterator[Path]) -> None:
    files = list(made)
    size = sum(file.stat().st_size for file in files)
    print(f"{size / 1e6:,.1f} MB in {len(files):,} transcripts")
    told("read", size, lambda: [len(file.read_bytes()) for file in files])
    told("json.loads of each line", size, lambda: parse(files))
    repository = place / "repository"
    repository.mkdir(parents=True)
    git(repository, "init", "--quiet")
    command = [sys.executable, "-m", "gitmem", "import", "claude-code"]
    command += [str(place / "transcripts"), *moved_from(source)]

    def ocm(*more: str) -> None:
        environment = {**os.environ, "HOME": str(place), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [*command, *more],
            check=True,
            cwd=repository,
            env=environment,
            text=True,
            capture_output=True,
        )
        lines = done.stdout.splitlines()
        print("   ", next(line for line in lines if " transcripts of " in line))

    told("ocm import --dry-run", size, lambda: ocm("--dry-run"))
    told("ocm import", size, ocm)
    told("ocm import, all in already", size, ocm)
    objects = git(repository, "count-objects", "-v").splitlines()
    kept = sum(file.stat().st_size for file in repository.rglob("*") if file.is_file())
    print(f"  {objects[0]}, {objects[3]}, {kept / 1e6:,.1f} MB with the index")
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    print(f"  at most {most:,.0f} MB of memory so far")


def told(what: str, size: int, work: Callable[[], object]) -> None:
    seconds = milliseconds(work) / 1000
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 10_000)
        file.flush()
        disk = milliseconds(lambda: os.fsync(file.fileno()))
    speed = f"{size / seconds / 1e6:8,.1f} MB/s"
    print(f"  {what:<28} {seconds:7.2f} s {speed}, one sync {disk:,.1f} ms")


def parse(files: list[Path]) -> None:
    for file in files:
        with file.open("rb") as opened:
            for line in opened:
                json.loads(line)


def moved_from(source: Path) -> Iterator[str]:
    """Every folder in which one of the conversations was held."""
    heads = (file.read_bytes() for file in source.rglob("*.jsonl"))
    for folder in {found[1] for head in heads if (found := _FOLDER.search(head))}:
        yield from ("--moved-from", os.fsdecode(folder))


def of_size(files: Iterator[Path], size: int) -> Iterator[Path]:
    for file in files:
        yield file
        size -= file.stat().st_size
        if size <= 0:
            return


def copies(originals: Sequence[bytes], target: Path) -> Iterator[Path]:
    """Transcripts without end, one a day and each with an id of its own."""
    target.mkdir(parents=True)
    for number in count():
        content = originals[number % len(originals)]
        client_id = str(UUID(int=(number << 96) | 7))
        own = _UUID.search(content[content.index(b'"sessionId"') :])
        assert own
        shifted = _DAY.sub(_days_before(number), content)
        file = target / f"{client_id}.jsonl"
        file.write_bytes(shifted.replace(own[0], client_id.encode()))
        yield file


def _days_before(number: int) -> Callable[[re.Match[bytes]], bytes]:
    def moved(found: re.Match[bytes]) -> bytes:
        day = date.fromisoformat(found[1].decode()) - timedelta(days=number)
        return b'"timestamp":"' + day.isoformat().encode()

    return moved


if __name__ == "__main__":
    main()
