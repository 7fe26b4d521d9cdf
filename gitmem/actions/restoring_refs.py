"""Restore refs that other programs deleted or rewrote, or take them as they are."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from gitmem.actions.lost_checkpoints import replayed_again
from gitmem.documents.kinds import KINDS
from gitmem.errors import Busy
from gitmem.git.command import RefusedError
from gitmem.git.damage import missing_objects
from gitmem.git.odb.packs import release
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.lock import locked
from gitmem.store.removed_words import REMOVED, with_removed_words
from gitmem.store.trees.committing import RefUpdate, author
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.last_tips import note_tip
from gitmem.store.trees.ref_losses import RefLoss
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

_KINDS = {kind.ref: kind for kind in KINDS.values()}


def restore_refs(workspace: Workspace, losses: Iterable[RefLoss]) -> list[str]:
    """Bring back what other programs took from refs; return the ids.

    A deleted ref gets its history back where git has all of it. Sessions of which only
    journals know are replayed. Raises Busy, NoPermission and Damaged.
    """
    git, restored = workspace.repository, list[str]()
    for loss in losses:
        with locked(workspace.store.lock):
            commit = _commit_with(workspace, loss)
            if not RefUpdate(loss.ref, loss.tip, commit, "restore").is_made(git):
                raise Busy(f"{loss.ref} was moved by another program just now.")
            note_tip(git, loss.ref, commit)
        restored += [*loss.dropped, *loss.replaced]
        if loss.ref == REF:
            restored += replayed_again(workspace)
    return sorted(set(restored))


def may_restore_secrets(workspace: Workspace, losses: Iterable[RefLoss]) -> bool:
    """Tell whether somebody may have rewritten refs to remove words from them."""
    if any(loss.is_selective for loss in losses):
        return True
    with suppress(RefusedError):  # nothing is found, or nothing is committed
        workspace.repository.output("grep", "--quiet", "-F", "-e", REMOVED, "HEAD")
        return True
    return False


def give_up(workspace: Workspace, losses: Iterable[RefLoss]) -> None:
    """Note that the user wants refs as they are; drop the backup of objects."""
    git = workspace.repository
    for loss in losses:
        note_tip(git, loss.ref, loss.tip)
        release(git.common_dir)


def _commit_with(workspace: Workspace, loss: RefLoss) -> Oid | None:
    git, tip = workspace.repository, loss.tip
    if tip is None and loss.before and not missing_objects(git, [loss.before]):
        return loss.before
    if not loss.changes:
        return tip
    changes = {**loss.changes, **_merged(workspace, loss)}
    tree = git.write_tree(git.tree_of(tip), changes)
    message = redact_own(f"restore: {loss.ref.rpartition('/')[2]}\n")
    by = author(git, workspace.now())
    return git.create_commit(tree, [tip] if tip else [], message, by)


def _merged(workspace: Workspace, loss: RefLoss) -> dict[str, Content]:
    """Return replaced documents that changed since, with what was replaced in them."""
    git, kind = workspace.repository, _KINDS.get(loss.ref)
    if not (kind and loss.tip and loss.before and loss.replaced):
        return {}
    # A rewrite keeps the time of a commit.
    is_newer = git.committed_at(loss.tip) != git.committed_at(loss.before)
    tree = DocumentTree(kind, git, loss.tip)
    earlier_tree, merged = tree.at(loss.before), dict[str, Content]()
    for document_id in loss.replaced:
        text = tree.text(document_id) or ""
        earlier_text = earlier_tree.text(document_id) or ""
        plain = with_removed_words(text, earlier_text)
        if plain != earlier_text and (is_newer or plain != text):
            parse = partial(kind.parse, document_id)
            document = kind.merge(parse(plain), parse(earlier_text))
            merged[kind.path(document_id)] = seal(document, kind.render)
    return merged
