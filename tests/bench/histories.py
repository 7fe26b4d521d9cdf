"""Memories as large as is wanted, made quickly: by `git fast-import`.

Each session is saved three times, as assistants do, and each time is a commit; what was
said in it is one more, on its own ref. A new session begins every seven minutes: some
200 a day, as in a team of fifty people.
"""

import random
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

from bench import made
from bench.data import Kept
from support.harness import git

from gitmem.documents.conversation import conversation
from gitmem.documents.kinds import CONVERSATION, MEMORY
from gitmem.documents.memory.memory import Category, Memory, ids_of
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.rendering import FORMAT, render
from gitmem.documents.session.session import Session
from gitmem.store.trees import conversation_tree
from gitmem.store.trees.document_tree import FORMAT_FILE
from gitmem.store.trees.session_tree import REF

CHECKPOINTS = 3
_FIRST = datetime(2024, 1, 1, tzinfo=UTC)
_PACE = timedelta(minutes=7)
BY = "Ada <ada@example.com>"


def sessions(first: int, count: int, tool: str = "cursor") -> Iterator[Session]:
    """So many, beginning after `first` others; each is the same every time."""
    for number, one in enumerate(made.sessions(count), first):
        yield _begun(one, number, tool)


def extend(repository: Path, added: Iterable[Session], ref: str = REF) -> None:
    """Commits for these sessions, after those that the ref leads to."""
    commits = (part for session in added for part in _saved(session, ref))
    _import(repository, chain(_on(repository, ref, FORMAT), commits))


def extend_with_said(repository: Path, added: Iterable[Kept]) -> None:
    """Commit these sessions and their conversations."""
    commits = (
        part
        for one in added
        for part in chain(_saved(one.session, REF), _said(one, conversation_tree.REF))
    )
    on = chain(
        _on(repository, REF, FORMAT),
        _on(repository, conversation_tree.REF, CONVERSATION.format),
    )
    _import(repository, chain(on, commits))


def memories(count: int) -> Iterator[Memory]:
    """Statements of two lines of documentation; every fiftieth begins a topic."""
    chance = random.Random(5)
    lines = [x for s in made.sessions(count // 10 + 1) for x in s.work_summary[:10]]
    for number in range(count):
        like = chance.choice(lines[max(0, number - 50) : number + 1])
        text = f"{lines[number]} {like} {number}"
        at = _FIRST + timedelta(minutes=number)
        yield Memory(
            id=next(ids_of(text, "")),
            text=text,
            kind=chance.choice([*Category]),
            pinned=chance.random() < 0.01,
            created_at=at,
            updated_at=at,
            author=BY,
        )


def extend_with_memories(repository: Path, added: Iterable[Memory]) -> None:
    """One commit for all of them."""
    files = (_file(MEMORY.path(each.id), MEMORY.render(each)) for each in added)
    begun = _on(repository, MEMORY.ref, MEMORY.format)
    _import(repository, chain(begun, [_commit(MEMORY.ref, "memories", _FIRST)], files))


def _begun(session: Session, number: int, tool: str) -> Session:
    at = _FIRST + number * _PACE
    return replace(
        session,
        id=f"{at:%Y-%m-%d_%H-%M}_{tool}_{number:08x}",
        tool=tool,
        client_session_id=f"{tool}-{number}",
        author=BY,
        started_at=at,
        updated_at=at,
    )


def _import(repository: Path, stream: Iterable[bytes]) -> None:
    command = ["git", "-C", str(repository), "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as importer:
        assert importer.stdin
        importer.stdin.writelines(stream)
    assert importer.returncode == 0


def _on(repository: Path, ref: str, format_: str) -> Iterator[bytes]:
    """Go on from where the ref leads, or begin with the format."""
    if git(repository, "for-each-ref", ref):
        yield f"reset {ref}\nfrom {ref}^0\n".encode()
    else:
        yield _commit(ref, "Begin", _FIRST)
        yield _file(FORMAT_FILE, f"{format_}\n")


def _saved(session: Session, ref: str) -> Iterator[bytes]:
    for number in range(1, CHECKPOINTS + 1):
        saved = _as_saved(session, number)
        message = (
            f"{saved.id.rpartition('_')[2]}: {saved.goal[:60]}\n\n"
            f"Ocm-Session: {saved.id}\nOcm-Tool: {saved.tool}\nOcm-Trigger: manual\n"
        )
        yield _commit(ref, message, saved.updated_at)
        yield _file(document_path(saved.id), render(saved))


def _said(one: Kept, ref: str) -> Iterator[bytes]:
    root = CONVERSATION.root
    yield _commit(ref, f"conversation: {one.id}\n", one.session.updated_at)
    yield _file(document_path(one.id, root), conversation.render(one.turns))


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


def _commit(ref: str, text: str, at: datetime) -> bytes:
    message, by = text.encode(), f"committer {BY} {int(at.timestamp())} +0000\n"
    return b"commit %b\n%bdata %d\n%b\n" % (
        ref.encode(), by.encode(), len(message), message,
    )  # fmt: skip


def _file(path: str, text: str) -> bytes:
    content = text.encode()
    return b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(content), content)
