"""Restore refs that other programs deleted or rewrote, or take them as they are."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from gitmem.actions.lost_checkpoints import replayed_again
from gitmem.documents.kinds import KINDS
from gitmem.errors import Busy
from gitmem.git.command import RefusedError
from gitmem.git.odb.packs import release
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.lock import locked
from gitmem.store.trees.committing import RefUpdate, author
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.last_tips import note_tip
from gitmem.store.trees.ref_losses import RefLoss
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

_KINDS = {kind.ref: kind for kind in KINDS.values()}
_REMOVED = "***REMOVED***"
"""Written by `git filter-repo --replace-text` and BFG in place of a secret."""
_CONTEXT = 6
"""Characters beside a removed word by which its line is known."""


def restore_refs(workspace: Workspace, losses: Iterable[RefLoss]) -> list[str]:
    """Bring back what other programs took from refs; return the ids.

    A ref without documents goes back to the newest whole state, with its history.
    Sessions of which only journals know are replayed. Raises Busy, NoPermission and
    Damaged.
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
        workspace.repository.output("grep", "--quiet", "-F", "-e", _REMOVED, "HEAD")
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
    if tip is None or loss.is_empty:
        return loss.whole or tip
    changes = {**loss.earlier, **_merged(workspace, loss)}
    tree = git.write_tree(git.tree_of(tip), changes)
    message = redact_own(f"restore: {loss.ref.rpartition('/')[2]}\n")
    return git.create_commit(tree, [tip], message, author(git, workspace.now()))


def _merged(workspace: Workspace, loss: RefLoss) -> dict[str, Content]:
    """Return replaced documents that changed since, with what was replaced in them."""
    git, kind = workspace.repository, _KINDS.get(loss.ref)
    if not (kind and loss.tip and loss.whole):
        return {}
    # A rewrite keeps the time of a commit.
    is_newer = git.committed_at(loss.tip) != git.committed_at(loss.whole)
    tree = DocumentTree(kind, git, loss.tip)
    earlier_tree, merged = tree.at(loss.whole), dict[str, Content]()
    for document_id in loss.replaced:
        text = tree.text(document_id) or ""
        earlier_text = earlier_tree.text(document_id) or ""
        plain = _with_removed_words(text, earlier_text)
        if plain != earlier_text and (is_newer or plain != text):
            parse = partial(kind.parse, document_id)
            document = kind.merge(parse(plain), parse(earlier_text))
            merged[kind.path(document_id)] = seal(document, kind.render)
    return merged


def _with_removed_words(text: str, earlier: str) -> str:
    """Return a text with its removed words, as far as an earlier one has them."""
    before = earlier.splitlines()
    return "\n".join(
        next((old for old in before if _is_earlier(old, line)), line)
        for line in text.split("\n")
    )


def _is_earlier(earlier: str, line: str) -> bool:
    """Return whether a line has what another has beside the words removed from it."""
    first, *rest = line.split(_REMOVED)
    return (
        _CONTEXT <= len(line.replace(_REMOVED, "")) < len(earlier)
        and _REMOVED in line
        and earlier != line
        and earlier.startswith(first)
        and earlier.endswith(rest[-1])
        and all(piece in earlier for piece in rest)
    )
