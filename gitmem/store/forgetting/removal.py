"""Sessions taken out of the memory: from its tip, or from all its history.

Backups are treated alike. A tombstone each stays where their documents were, and says
nothing of them. What was said goes first, so whatever cuts this off leaves the
documents to name what is left.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session, without_items
from gitmem.git.layout import OUR_REFS
from gitmem.git.repository import Objects, Repository
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.forgetting.rewriting import Rewriting, gone, ids_in_history
from gitmem.store.trees.backups import BACKUP, kind_of, refs_of, refs_with_backups
from gitmem.store.trees.committing import Move, author, commit_on
from gitmem.store.trees.document_tree import AnyTree, DocumentTree
from gitmem.store.trees.session_tree import SessionTree, sessions_at
from gitmem.store.trees.tombstones import item_tombstones, tombstone_path, tombstones_of

SUBJECT = "Sessions were forgotten"
_REASON = "forget"
"""For the reflogs."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Of some sessions."""

    sessions: Sequence[Session]
    when: datetime
    variables: Mapping[str, str]
    """The environment of the user."""
    from_history: bool = False


def remove(git: Repository, removal: Removal) -> bool | None:
    """Move our refs to where the sessions are not; None if a ref moved meanwhile.

    Also the backups; the memory last, as it names what is left to be done.
    """
    if not _are_moved(git, removal, refs_with_backups(git)):
        return None
    if removal.from_history:
        for ref in git.refs(OUR_REFS):
            git.forget_moves(ref)
    return True


def remove_from_backups(git: Repository, removal: Removal) -> bool | None:
    """The same for backups alone: what others forgot is in our refs no more."""
    return _are_moved(git, removal, git.refs(BACKUP)) or None


def _are_moved(git: Repository, removal: Removal, refs: Iterable[str]) -> bool:
    tips = {ref: git.resolve_ref(ref) for ref in refs}
    now = tips_without(git, removal, tips)
    moves = (Move(ref, tips[ref], now.get(ref), _REASON) for ref in tips)
    return all(move.is_made(git) for move in moves)


def remove_items(
    git: Repository, session_id: str, items: Collection[str], when: datetime
) -> bool | None:
    """Move our ref to where a document has these items no more; None if it moved.

    And the backups first. Nothing happens where there is no such session.
    """
    for ref in refs_of(git, SESSION):
        tree = sessions_at(git, git.resolve_ref(ref))
        commit = _without_items(git, tree, session_id, items, when)
        if not Move(ref, tree.commit, commit, _REASON).is_made(git):
            return None
    return True


def _without_items(
    git: Repository,
    tree: SessionTree,
    session_id: str,
    items: Collection[str],
    when: datetime,
) -> Oid | None:
    session = tree.document(session_id)
    if session is None:
        return tree.commit
    left = seal(without_items(session, items.__contains__), render)
    records = item_tombstones(tree, session, items, when)
    changes: dict[str, Content] = {tree.path(session_id): left, **records}
    message = redact_own("Items were forgotten\n")
    return commit_on(git, tree, changes, message, author(git, when))


def tips_without(
    git: Repository, removal: Removal, tips: Mapping[str, Oid | None]
) -> Mapping[str, Oid]:
    """What stands for the tips of refs of ours; nothing leads to it yet.

    A ref that is not there is left out.
    """
    known = {ref: (kind_of(ref), tip) for ref, tip in tips.items() if tip}
    named = _named(
        git, removal, [tip for kind, tip in known.values() if kind is SESSION]
    )
    with git.batch() as new:
        histories = {
            kind: Rewriting(git, new, gone(named.sessions, kind.root))
            for kind in KINDS.values()
        }
        return {
            ref: _tip_without(new, named, kind, histories[kind], tip)
            for ref, (kind, tip) in known.items()
        }


def _named(git: Repository, removal: Removal, tips: Collection[Oid]) -> Removal:
    """With every id that the conversations have in histories that are rewritten."""
    if not removal.from_history:
        return removal
    ids = ids_in_history(git, tips, removal.sessions, removal.variables)
    sessions = (
        replace(one, former_ids=tuple(ids[tombstone_path(SESSION, one)]))
        for one in removal.sessions
    )
    return replace(removal, sessions=tuple(sessions))


def _tip_without(
    new: Objects, removal: Removal, kind: Kind[Any], history: Rewriting, tip: Oid
) -> Oid:
    base = history.now(tip) if removal.from_history else tip
    tree = DocumentTree(kind, new, base)
    changes = dict(_changes(tree, removal))
    if base and not changes:
        return base
    message = redact_own(f"{SUBJECT}\n")
    return commit_on(new, tree, changes, message, author(new, removal.when))


def _changes(tree: AnyTree, removal: Removal) -> Iterator[tuple[str, Content]]:
    """Texts that go; and in the memory, tombstones that are not there yet."""
    for session in removal.sessions:
        for session_id in filter(tree.entry, session.all_ids):
            yield tree.path(session_id), None
        if tree.kind.parent is None:
            with_history = removal.from_history
            yield from tombstones_of(
                tree, session, removal.when, with_history=with_history
            ).items()
