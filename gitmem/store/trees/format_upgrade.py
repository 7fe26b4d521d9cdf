"""Documents of format 1, moved to where format 2 has them.

Format 1 named the file of a session after its session id, which changed with the slug.
The first command that writes moves the files, in one commit that depends on the commit
before it alone: clones that have the same documents make the same commit.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce
from typing import TypeVar

from gitmem.documents.kinds import KINDS, SESSION
from gitmem.documents.session.identity import (
    digest_in,
    new_id,
    subject_digest,
    tool_in,
)
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Signature
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.trees.document_tree import FORMAT_FILE, AnyTree, DocumentTree
from gitmem.store.trees.last_tips import note_move

D = TypeVar("D")
_AUTHOR = "gitmem", "gitmem@localhost"
"""The user's name would make another commit in each clone."""
_NEVER = datetime.fromtimestamp(0, UTC)


def upgrade(git: Repository, ref: str) -> None:
    """Move a ref of ours on to the format of today, and those of what belongs to it."""
    for kind in KINDS.values():
        if ref == kind.ref or (kind.parent and ref == kind.parent.ref):
            with suppress(Damaged, FormatTooNew):  # whoever reads it says so
                tree = DocumentTree(kind, git, git.resolve_ref(kind.ref))
                if is_old(tree):
                    _upgrade(git, tree)


def _upgrade(git: Repository, tree: AnyTree) -> None:
    sessions = DocumentTree(SESSION, git, git.resolve_ref(SESSION.ref))
    before, ref = tree.commit, tree.kind.ref
    now = upgraded(git, tree, tree.ids(), sessions).commit
    if now and git.update_ref(ref, before, now, f"format {tree.kind.format}"):
        note_move(git, ref, before, now)


def is_old(tree: AnyTree) -> bool:
    """Return whether an earlier gitmem wrote a tree; others are no memory."""
    is_earlier = tree.format < int(tree.kind.format)
    return is_earlier and tree.file(FORMAT_FILE) is not None


def upgraded(
    git: Repository,
    tree: DocumentTree[D],
    ids: Iterable[str],
    sessions: DocumentTree[Session],
) -> DocumentTree[D]:
    """Return documents in the format of today, in a commit after theirs.

    `ids` are those that are trusted; `sessions` those that conversations belong to.
    """
    kind = tree.kind
    moves = _moves(tree, ids, sessions) if kind.parent else _session_moves(tree, ids)
    changes: dict[str, Content] = {FORMAT_FILE: redact_own(f"{kind.format}\n")}
    changes.update(moves)
    commit = tree.commit or ""
    when = datetime.fromtimestamp(git.committed_at(commit), UTC)
    with git.batch() as batch:
        message, by = redact_own(f"Format {kind.format}\n"), Signature(*_AUTHOR, when)
        new_tree = batch.write_tree(tree.tree, changes)
        now = batch.create_commit(new_tree, [commit], message, by)
    return tree.at(now)


def _session_moves(tree: AnyTree, ids: Iterable[str]) -> Iterator[tuple[str, Content]]:
    """Yield each old path, and each new one with its file; a digest has one."""
    sessions: dict[str, list[Session]] = {}
    for session in filter(None, map(tree.readable, ids)):
        sessions.setdefault(SESSION.subject(session), []).append(session)
        yield tree.path(session.id), None
    for versions in sessions.values():
        yield _joined(tree, versions)


def _joined(tree: AnyTree, versions: list[Session]) -> tuple[str, Content]:
    session = reduce(SESSION.merge, versions)
    document_id, text = with_present_id(session).id, tree.text(session.id) or ""
    if len(versions) == 1 and SESSION.is_authentic(document_id, text):
        # The same blob: redacted anew it would differ between clones.
        return tree.path(document_id), tree.entry(session.id)
    with_id = replace(session, id=document_id)
    return tree.path(document_id), seal(with_id, SESSION.render)


def with_present_id(session: Session) -> Session:
    """Return a session under the id that it has in the format of today."""
    subject, tool = SESSION.subject(session), tool_in(session.id)
    if digest_in(session.id) == subject_digest(subject):
        return session
    try:
        return replace(session, id=new_id(session.started_at, tool, subject))
    except OverflowError:  # anybody can write a time beyond the calendar
        return replace(session, id=new_id(_NEVER, tool, subject))


def _moves(
    tree: AnyTree, ids: Iterable[str], sessions: DocumentTree[Session]
) -> Iterator[tuple[str, Content]]:
    """Yield the same for conversations, by the names of their sessions."""
    ids_by_name = {
        name: session.id
        for session in sessions.newest()
        for name in SESSION.names(session)
    }
    for name in ids:
        if (document_id := ids_by_name.get(name, name)) != name:
            yield tree.path(document_id), tree.entry(name)
            yield tree.path(name), None
