"""Real repositories in temporary folders, and git itself to look at them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.git.odb.objects import GitObject, pack_of
from gitmem.store.session_store import SessionStore

NOON = datetime(2026, 2, 23, 12, 0, tzinfo=UTC)
AS_ADA = (
    *("-c", "user.name=Ada", "-c", "user.email=ada@example.com"),
    *("-c", "maintenance.autoDetach=false"),
)
CLIENT = "0a1b2c3d-4e5f-4000-8000-000000000000"


def git(folder: Path, *arguments: str) -> str:
    """What git prints; raises when it fails."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def pack_objects(folder: Path, new: Sequence[GitObject]) -> None:
    """Write objects into a pack of their own, sound or not."""
    command = ["git", "-C", str(folder), "index-pack", "--stdin"]
    pack = pack_of(new, new[0].named_by)
    subprocess.run(command, input=pack, check=True, capture_output=True)


def write_object(folder: Path, kind: str, content: bytes) -> str:
    """Write an object that git itself may refuse to make; gives its name."""
    how = ("hash-object", "-w", "--literally", "-t", kind, "--stdin")
    command = ["git", "-C", str(folder), *how]
    done = subprocess.run(command, input=content, check=True, capture_output=True)
    return done.stdout.decode().strip()


def script(file: Path, text: str) -> Path:
    """A shell script that can be run, such as a hook."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def python_script(file: Path, code: str) -> Path:
    """A program of Python code; `#!` takes no interpreter with a blank in its path."""
    start = f"""'''exec' '{sys.executable}' "$0" "$@"\n' '''"""
    return script(file, f"{start}\n{code}")


def make_repository(folder: Path, *, commits: int = 1) -> Path:
    """A copy of one that git made: most tests want one, and git takes its time."""
    return copied(folder, _make_repository, commits)


def copied(place: Path, make: Callable[..., object], *arguments: object) -> Path:
    """Copy what `make(folder, *arguments)` put into a folder, once in this process.

    Repositories that name each other in their settings do so at their new place.
    """
    made, entries = _made_once(make, *arguments)
    place.mkdir(parents=True, exist_ok=True)
    for path, mode, content in entries:
        to = f"{place}/{path}"
        if content is None:
            Path(to).mkdir(exist_ok=True)
        elif isinstance(content, Path):
            Path(to).symlink_to(content)
        else:
            here = content.replace(os.fsencode(made), os.fsencode(place))
            _write(to, mode, here if Path(to).name == "config" else content)
    return place


def _write(path: str, mode: int, content: bytes) -> None:
    """Quickly: tests begin with some 50,000 files."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    os.write(file, content)
    os.fchmod(file, mode)
    os.close(file)


@cache
def _made_once(
    make: Callable[..., object], *arguments: object
) -> tuple[str, list[tuple[str, int, bytes | Path | None]]]:
    """Where it was made, and the path, mode and content of all; folders have None."""
    with TemporaryDirectory(prefix="gitmem-") as made:
        make(Path(made), *arguments)
        found = sorted(Path(made).rglob("*"))
        return made, [
            (
                str(path.relative_to(made)),
                path.lstat().st_mode & 0o777,
                content_of(path),
            )
            for path in found
        ]


def content_of(path: Path) -> bytes | Path | None:
    """Of a file; the target of a link, and None for a folder."""
    if path.is_symlink():
        return path.readlink()
    return path.read_bytes() if path.is_file() else None


def _make_repository(folder: Path, commits: int) -> None:
    git(folder, "init", "--quiet", "--initial-branch=main")
    for number in range(commits):
        (folder / "file.txt").write_text(f"{number}\n")
        git(folder, "add", "file.txt")
        git(folder, *AS_ADA, "commit", "--quiet", f"--message=commit {number}")
    for sample in sorted((folder / ".git" / "hooks").iterdir())[1:]:
        sample.unlink()  # most of the files, for nobody; with one it is as git's own


def lose(folder: Path, oid: str) -> None:
    """Delete an object, as if the disk had lost it."""
    loose_object(folder / ".git", oid).unlink()


def loose_object(git_dir: Path, oid: str) -> Path:
    """Return the file of an object, after packs became loose objects."""
    for pack in (git_dir / "objects" / "pack").glob("*.pack"):
        content = pack.read_bytes()
        for file in pack.parent.glob(f"{pack.stem}.*"):
            file.unlink()
        unpack = ["git", f"--git-dir={git_dir}", "unpack-objects", "-q"]
        subprocess.run(unpack, input=content, check=True)
    return git_dir / "objects" / oid[:2] / oid[2:]


def record(client: str = CLIENT, **values: Any) -> Record:
    values.setdefault("at", NOON)
    return Record(
        tool="cursor",
        project="inference",
        client_session_id=client,
        session_id=None,
        checkpoint=Checkpoint(**values),
    )


def bound_by_permissions(command: list[str]) -> list[str]:
    """The command, bound by file permissions even where root runs the tests."""
    if os.geteuid() != 0:
        return command
    return [
        "setpriv",
        "--bounding-set=-dac_override,-dac_read_search",
        "--inh-caps=-all",
        *command,
    ]


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing below `folder` can be written meanwhile."""
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*"))}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def saved(store: SessionStore, client: str = CLIENT, **values: Any) -> Session:
    """Acknowledge a checkpoint, replay, and read what is stored now."""
    receipt = store.append(record(client, **values))
    store.replay()
    session = store.session_of(receipt)
    assert session is not None
    return session
