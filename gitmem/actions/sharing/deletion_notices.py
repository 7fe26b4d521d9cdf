"""What others deleted and nobody was told yet, in sentences."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from gitmem.actions.sharing.sync_status import last_sync
from gitmem.documents.kinds import CONVERSATION, KINDS, SESSION, changed_kinds, refs
from gitmem.errors import RemoteChanged
from gitmem.git.damage import BRING_LEFT_OUT, left_out
from gitmem.git.repository import Repository
from gitmem.store.remote.held_back import Unsaid, read_unsaid, write_unsaid
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.text.counting import counted, shortlist
from gitmem.workspace import Workspace

_NAMED = 3


def notices(workspace: Workspace, *, again: bool = False) -> list[str]:
    """Return new deletions by others, a sentence each, and mark them reported.

    `again` repeats what waits for a decision.
    """
    unsaid = read_unsaid(workspace.own_dir)
    with_held = again or not unsaid.is_held_said
    sentences = [*_sentences(workspace.repository, unsaid, with_held=with_held)]
    if sentences:
        reported = replace(unsaid, lost=(), is_held_said=True)
        write_unsaid(workspace.own_dir, reported)
    last = last_sync(workspace)
    if last and last.error == RemoteChanged.code:
        sentences.append(f"{last.words} {last.hint}")
    if missing := left_out(workspace.repository, refs()):
        sentences.append(f"{missing}. {BRING_LEFT_OUT}")
    return sentences


def counted_documents(ids: Collection[str]) -> str:
    """Return `2 sessions`, or `2 documents` where they are of several kinds."""
    kinds = {kind.name for kind in KINDS.values() for x in ids if kind.is_id(x)}
    kinds -= {CONVERSATION.name}  # which have the ids of their sessions
    return counted(len(ids), kinds.pop() if len(kinds) == 1 else "document")


def _sentences(git: Repository, unsaid: Unsaid, *, with_held: bool) -> Iterator[str]:
    if unsaid.lost:
        yield (
            f"{unsaid.remote} has lost {counted(len(unsaid.lost), 'session')} that"
            f" nobody forgot, or parts of them: {_shortlist(git, unsaid.lost)}."
            " They are kept here, and `ocm sync` sends them back."
        )
    if unsaid.held and with_held:
        yield (
            f"Others forgot or replaced {counted_documents(unsaid.held)} at"
            f" {unsaid.remote}, begun or changed in this clone, or many at"
            f" once: {_shortlist(git, unsaid.held)}. They are kept until you decide:"
            " `ocm sync --review`."
        )


def _shortlist(git: Repository, ids: Sequence[str]) -> str:
    """Name the first documents as `ocm list` does."""
    trees = [tree_at_tip(kind, git) for kind in (SESSION, *changed_kinds())]
    names = [
        next((t.kind.public_id(d) for t in trees if (d := t.readable(id_))), id_)
        for id_ in ids[:_NAMED]
    ]
    return shortlist([*names, *ids[_NAMED:]], _NAMED)
