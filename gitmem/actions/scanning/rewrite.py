"""Redact present documents and conversations again, by the rules of today.

Earlier commits stay; `ocm forget --history` rewrites those.
"""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.errors import Damaged
from gitmem.redaction.redact import Redacted, redact, redact_own, seal
from gitmem.store.lock import locked
from gitmem.store.readable_copies import copy_names, remove_copies
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.committing import RefUpdate, author, commit_on, in_some_try
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import tombstones_of
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.git.values import Content


def redact_stored(workspace: Workspace, ids: Collection[str]) -> None:
    """Redact these sessions at the tips and in backups, and remove their copies.

    The index is rebuilt: an updated one keeps deleted words in its files. Raises Busy
    while others write, and NoPermission; running it again continues.
    """
    kinds: tuple[Kind[Any], ...] = (SESSION, CONVERSATION)
    with locked(workspace.store.lock):
        for kind in kinds:
            for ref in refs_of(workspace.repository, kind):
                attempt = partial(_redact_ref, workspace, ref, kind, ids)
                in_some_try(workspace.repository, ref, attempt)
    sessions = filter(None, map(workspace.store.memory().readable, ids))
    names = {name for session in sessions for name in copy_names(SESSION, session)}
    for folder in workspace.copy_folders():
        remove_copies(folder, names.__contains__, workspace.environment.variables)
    workspace.recreate_index()


def _redacted(kind: Kind[Any], session_id: str, text: str) -> Redacted:
    if kind is CONVERSATION:
        return redact(text)
    return seal(SESSION.parse(session_id, text), SESSION.render)


def _redact_ref(
    workspace: Workspace, ref: str, kind: Kind[Any], ids: Collection[str]
) -> bool | None:
    """Commit the redacted texts to `ref`; return None if it moved meanwhile."""
    git = workspace.repository
    tree = DocumentTree(kind, git, git.resolve_ref(ref))
    changes: dict[str, Content] = {}
    for session_id in ids:
        with suppress(Damaged):  # what cannot be read stays as it is
            before = tree.text(session_id)
            if before and (after := _redacted(kind, session_id, before)) != before:
                changes[tree.path(session_id)] = after
                if tree.kind.parent is None:
                    changes |= _gone_by_own_rules(
                        tree, session_id, before, after, workspace.now()
                    )
    if not changes:
        return True
    message = redact_own(f"redact: {counted(len(changes), kind.name)}\n")
    commit = commit_on(git, tree, changes, message, author(git, workspace.now()))
    move = RefUpdate(ref, tree.commit, commit, "redact")
    return True if move.is_made(git) else None


def _gone_by_own_rules(
    memory: SessionTree, session_id: str, before: str, after: str, when: datetime
) -> "dict[str, Content]":
    """Return tombstones of items that only the user's own rules redact.

    Other clones lack those rules, and would add the items again.
    """
    was, now = (
        dict(SESSION.items(SESSION.parse(session_id, text))) for text in (before, after)
    )
    remaining = {*now.values()}
    subjects = [
        subject
        for subject, item in was.items()
        if item not in remaining and redact_own(item) == item
    ]
    return {**tombstones_of(memory, subjects, when, with_history=False)}
