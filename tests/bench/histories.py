"""Memories as large as is wanted, made quickly: by `git fast-import`.

Each session is saved three times, as assistants do, and each time is a commit. A new
session begins every seven minutes: some 200 a day, as in a team of fifty people.
"""

import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench import made

from gitmem.model.document import FORMAT, render
from gitmem.model.identity import document_path
from gitmem.model.session import Session
from gitmem.store.trees.day_tree import FORMAT_FILE
from gitmem.store.trees.memory import REF

CHECKPOINTS = 3
_FIRST = datetime(2024, 1, 1, tzinfo=UTC)
_PACE = timedelta(minutes=7)


def sessions(first: int, count: int, tool: str = "cursor") -> Iterator[Session]:
    """So many, beginning after `first` others; each is the same every time."""
    for number, one in enumerate(made.sessions(count), first):
        at = _FIRST + number * _PACE
        yield replace(
            one,
            id=f"{at:%Y-%m-%d_%H-%M}_{tool}_{number:08x}",
            tool=tool,
            client_session_id=f"{tool}-{number}",
            author="Ada <ada@example.com>",
            started_at=at,
            updated_at=at,
        )


def extend(repository: Path, added: Iterable[Session], ref: str = REF) -> None:
    """Commits for these sessions, after those that the ref leads to."""
    importer = subprocess.Popen(
        ["git", "-C", str(repository), "fast-import", "--quiet"], stdin=subprocess.PIPE
    )
    assert importer.stdin
    for part in _stream(added, ref, is_new=not _is_there(repository, ref)):
        importer.stdin.write(part)
    importer.stdin.close()
    assert importer.wait() == 0


def _is_there(repository: Path, ref: str) -> bool:
    asked = ["git", "-C", str(repository), "show-ref", "--quiet", "--verify", ref]
    return subprocess.run(asked, check=False).returncode == 0


def _stream(added: Iterable[Session], ref: str, *, is_new: bool) -> Iterator[bytes]:
    if not is_new:
        yield f"reset {ref}\nfrom {ref}^0\n".encode()
    for session in added:
        for number in range(1, CHECKPOINTS + 1):
            saved = _as_saved(session, number)
            yield _commit(saved, ref)
            yield _file(document_path(saved.id), render(saved))
            if is_new:
                yield _file(FORMAT_FILE, f"{FORMAT}\n")
                is_new = False


def _as_saved(session: Session, number: int) -> Session:
    """As much of the session as its first checkpoints told."""

    def begun(items: tuple[str, ...]) -> tuple[str, ...]:
        return items[: len(items) * number // CHECKPOINTS]

    return replace(
        session,
        updated_at=session.started_at + timedelta(minutes=20 * number),
        work_completed=begun(session.work_completed),
        decisions=begun(session.decisions),
        work_summary=begun(session.work_summary),
        files=session.files[: len(session.files) * number // CHECKPOINTS],
    )


def _commit(session: Session, ref: str) -> bytes:
    message = (
        f"{session.id.rpartition('_')[2]}: {session.goal[:60]}\n\n"
        f"Ocm-Session: {session.id}\nOcm-Tool: {session.tool}\nOcm-Trigger: manual\n"
    ).encode()
    when = f"{int(session.updated_at.timestamp())} +0000"
    by = f"committer {session.author} {when}\n"
    return b"commit %b\n%bdata %d\n%b" % (
        ref.encode(), by.encode(), len(message), message,
    )  # fmt: skip


def _file(path: str, text: str) -> bytes:
    content = text.encode()
    return b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(content), content)
