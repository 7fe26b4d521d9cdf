"""Restore sessions that the memory had and lacks, in one commit.

Earlier documents merge with present ones as two clones' versions do, and are redacted
by the rules of today. A forgotten session gets a restoration newer than its tombstone,
which other clones take like any change.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from typing import Any

from gitmem.actions.lost_checkpoints import journals_of_vanished, replayed_again
from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.documents.session.identity import slug_of
from gitmem.errors import Ambiguous, Damaged, NotFound
from gitmem.frozen import frozen
from gitmem.git.values import FILE_MODE, Content, TreeEntry
from gitmem.redaction.redact import Redacted, redact, redact_own, seal
from gitmem.store.forgetting.removal import forgotten_here, note_restored
from gitmem.store.lock import locked
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.committing import RefUpdate, author, commit_on, in_some_try
from gitmem.store.trees.conversation_tree import commit_conversations
from gitmem.store.trees.document_versions import VersionSource, versions
from gitmem.store.trees.format_upgrade import with_present_id
from gitmem.store.trees.lost_sessions import Lost, lost
from gitmem.store.trees.session_tree import REF, SessionTree
from gitmem.store.trees.tombstones import (
    paths_of,
    restorations_of,
    subject_path,
    without_forgotten,
)
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_CANDIDATES = 10


@frozen
class Candidates:
    lost: tuple[Lost, ...]
    forgotten: int
    """How many forgotten sessions were left out."""


def candidates(workspace: Workspace, *, with_forgotten: bool) -> Candidates:
    """Return all that can be restored, but for what was forgotten here.

    `with_forgotten` includes what was forgotten in other clones. Raises Damaged for
    missing objects, and Unavailable without git.
    """
    lost_sessions = all_lost(workspace, workspace.current_sessions())
    forgotten = forgotten_here(workspace.repository.common_dir)
    from_elsewhere = [
        lost for lost in lost_sessions if subject_path(lost.session_id) not in forgotten
    ]
    restorable = [
        lost for lost in from_elsewhere if with_forgotten or not lost.is_forgotten
    ]
    return Candidates(tuple(restorable), len(from_elsewhere) - len(restorable))


def candidates_named(workspace: Workspace, names: Iterable[str]) -> Candidates:
    """Return sessions by id, session id, unique prefix or slug, also forgotten ones.

    Raises NotFound, Ambiguous, and as `candidates`.
    """
    memory = workspace.current_sessions()
    lost_sessions = all_lost(workspace, memory)
    names_of = cache(partial(_names_of, memory))
    meant = [
        lost
        for name in names
        for lost in _lost_with_name(lost_sessions, name, names_of)
    ]
    return Candidates(tuple(dict.fromkeys(meant)), forgotten=0)


def all_lost(workspace: Workspace, memory: SessionTree) -> list[Lost]:
    """Return what the memory lacks, forgotten sessions among it; raises as above."""
    losses = lost(workspace.repository, memory)
    ids = {loss.session_id for loss in losses}
    for name in journals_of_vanished(workspace, memory):
        session_id = workspace.store.journal.position_of(name).document_id
        if session_id and session_id not in ids:
            is_here = memory.entry(session_id) is not None
            losses.append(Lost(session_id, VersionSource.JOURNAL, (), is_here))
    return losses


def restore(workspace: Workspace, chosen: Sequence[Lost]) -> list[str]:
    """Restore sessions and their conversations; return the ids.

    What journals have beyond that is replayed. Raises Busy while others write,
    NoPermission and Damaged; running it again continues.
    """
    with locked(workspace.store.lock):
        write = partial(_documents_written, workspace, chosen)
        sessions = in_some_try(workspace.repository, REF, write)
        write_said = partial(_conversations_written, workspace, sessions)
        in_some_try(workspace.repository, CONVERSATION.ref, write_said)
        paths = {
            path for session_id in sessions for path in paths_of(SESSION, session_id)
        }
        note_restored(workspace.repository.common_dir, paths)
    replayed = replayed_again(workspace, {lost.session_id for lost in chosen})
    return sorted({*(session.id for session in sessions), *replayed})


def goals_of(workspace: Workspace, lost: Iterable[Lost]) -> list[Redacted]:
    """Return each session's goal; "" for one that only the journal knows."""
    memory = workspace.store.memory()
    earlier = (next(_earlier(memory, lost_session), None) for lost_session in lost)
    return [redact(session.goal if session else "") for session in earlier]


def _lost_with_name(
    lost_sessions: Sequence[Lost], name: str, names_of: Callable[[Lost], Sequence[str]]
) -> list[Lost]:
    meant = _matching(lost_sessions, name, names_of)
    ids = sorted({lost.session_id for lost in meant})
    if len(ids) > 1:
        message = f"{name!r} names several sessions that can be restored."
        raise Ambiguous(message, candidates=ids[:_CANDIDATES])
    if not ids:
        raise NotFound(
            f"No earlier state of a session {name!r} was found.",
            hint="`ocm restore` lists what can be restored; `ocm sync --refuse` keeps"
            " what others want to forget. What was forgotten with its history may be in"
            " a backup of another clone.",
        )
    return meant


def _matching(
    lost_sessions: Sequence[Lost],
    name: str,
    names_of: Callable[[Lost], Sequence[str]],
) -> list[Lost]:
    """Return those with this id, else name, else beginning of one, else slug."""
    tests: tuple[Callable[[Lost], bool], ...] = (
        lambda lost: lost.session_id == name,
        lambda lost: name in names_of(lost),
        lambda lost: any(
            session_name.startswith(name) for session_name in names_of(lost)
        ),
        lambda lost: name in map(slug_of, names_of(lost)),
    )
    matches = ([*filter(is_meant, lost_sessions)] for is_meant in tests)
    return next(filter(None, matches), [])


def _names_of(memory: SessionTree, lost: Lost) -> Sequence[str]:
    """Return the id of a session, and the names that its earlier documents gave it."""
    earlier = (SESSION.names(session) for session in _earlier(memory, lost))
    return (lost.session_id, *dict.fromkeys(chain.from_iterable(earlier)))


def _documents_written(
    workspace: Workspace, chosen: Sequence[Lost]
) -> list[Any] | None:
    """Commit the sessions and return them; None if the ref moved meanwhile."""
    git, memory = workspace.repository, workspace.store.memory()
    changes: dict[str, Content] = {}
    restored: list[Any] = []
    for session in _with_losses(memory, chosen):
        records = restorations_of(memory, session, workspace.now())
        if records or session != memory.readable(session.id):
            changes |= {memory.path(session.id): seal(session, SESSION.render)}
            changes |= records
            restored.append(session)
    if not restored:
        return []
    message = redact_own(f"restore: {counted(len(restored), memory.kind.name)}\n")
    with git.batch() as batch:
        by = author(git, workspace.now())
        commit = commit_on(batch, memory, changes, message, by)
    move = RefUpdate(REF, memory.commit, commit, "restore")
    return restored if move.is_made(git) else None


def _with_losses(memory: SessionTree, losses: Iterable[Lost]) -> list[Any]:
    """Merge present and earlier sessions, each once."""
    sessions: dict[str, Any] = {}
    for earlier in (session for loss in losses for session in _earlier(memory, loss)):
        identity = SESSION.identity(earlier.id)
        present_id = memory.ids_by_identity.get(identity)
        present = memory.readable(present_id) if present_id else None
        sessions[identity] = _with_earlier(
            memory, sessions.get(identity, present), earlier
        )
    return [*sessions.values()]


def _earlier(memory: SessionTree, lost: Lost) -> Iterator[Any]:
    """Yield the readable earlier documents, newest first."""
    for blob in lost.versions:
        with suppress(Damaged):
            text = memory.content(TreeEntry(blob, FILE_MODE))
            yield with_present_id(SESSION.parse(lost.session_id, text))


def _with_earlier(memory: SessionTree, now: Any | None, earlier: Any) -> Any:
    """Merge both, or keep the present one if the merge would be too large."""
    if now and SESSION.merge(now, earlier) == now:
        return now
    redacted = SESSION.parse(earlier.id, seal(earlier, SESSION.render))
    clean = without_forgotten(memory, redacted)
    if not now:
        return clean
    whole = SESSION.merge(now, clean)
    is_small = len(SESSION.render(whole).encode()) <= SESSION.most_bytes
    return whole if is_small else now


def _conversations_written(
    workspace: Workspace, sessions: Sequence[Any]
) -> bool | None:
    """Commit the longest version of each conversation; None if a ref moved."""
    git = workspace.repository
    by_identity = {SESSION.identity(session.id): session for session in sessions}
    refs = refs_of(git, CONVERSATION)
    tips = [tip for ref in refs if (tip := git.resolve_ref(ref))]
    if not (tips and by_identity):
        return True
    longest: dict[str, str] = {}
    for document_id, blob in versions(git, tips, CONVERSATION):
        identity = CONVERSATION.identity(document_id)
        if identity in by_identity:
            with suppress(Damaged):
                data = git.read_blob(blob, CONVERSATION.most_bytes)
                text = data.decode("utf-8", "replace")
                longest[identity] = max(text, longest.get(identity, ""), key=len)
    texts = [
        (by_identity[identity], redact(text)) for identity, text in longest.items()
    ]
    with git.batch() as batch:
        conversation_commit = commit_conversations(batch, texts)
    return True if conversation_commit.move.is_made(git) else None
