"""What others forgot and this clone holds back: list, accept, refuse."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from gitmem.documents.index_entry import IndexEntry
from gitmem.documents.kind import ChangedKind
from gitmem.documents.kinds import KINDS, SESSION, changed_kinds
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.lookup import find_id
from gitmem.redaction.redact import redact_own
from gitmem.store.forgetting.removal import Removal
from gitmem.store.lock import locked
from gitmem.store.remote.held_back import Held
from gitmem.store.remote.tracking import Tracked
from gitmem.store.trees.backups import kind_of
from gitmem.store.trees.committing import RefUpdate, author, commit_on, in_some_try
from gitmem.store.trees.document_tree import AnyTree, DocumentTree, tree_at_tip
from gitmem.store.trees.document_versions import who_added
from gitmem.store.trees.tombstones import (
    read_tombstone,
    rendered,
    tombstone_path,
    with_history,
)
from gitmem.text.counting import counted, shortlist
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.actions.sharing.share_settings import Sharing
    from gitmem.git.values import Content

ALL = "all"
_NAMED = 3
_MOST_LOOKED_UP = 50
"""Sessions whose history is searched for who forgot them."""


@frozen
class Withheld:
    """A document forgotten or replaced by others, and still here."""

    kind: str
    session_id: str
    """The name of the document that `ocm list` shows, of whatever kind."""
    goal: str
    """Its title."""
    author: str
    """"" if unknown."""
    is_own: bool
    """Begun or changed in this clone; else many were forgotten at once."""
    items: int
    """Forgotten items; 0 for the whole document."""
    by: str
    """`Name <address>` of the commit, or of what replaced it; not verified."""
    at: datetime | None
    is_ended: bool
    """Replaced or rejected, not forgotten."""
    replaced_by: str
    """The id of what replaced it, if anything did."""


def withheld(workspace: Workspace, sharing: "Sharing") -> list[Withheld]:
    """Return what is held back, as of the last fetch. Raises Damaged, FormatTooNew."""
    all_held = enumerate(_held_documents(workspace.tracked(sharing.remote)))
    return [
        _withheld(workspace, held_back, remote_tree, looks_up=number < _MOST_LOOKED_UP)
        for number, (held_back, remote_tree) in all_held
    ]


def _withheld(
    workspace: Workspace, held_back: Held, remote_tree: AnyTree, *, looks_up: bool
) -> Withheld:
    kind = remote_tree.kind
    local_entry = _entry(tree_at_tip(kind, workspace.repository), held_back.session_id)
    by, at, replaced_by = "", None, ""
    if held_back.is_ended:
        replaced_by = _successor(held_back, remote_tree)
        after = _entry(remote_tree, replaced_by)
        by, at = (after.author, after.at) if after else (by, at)
    elif file := remote_tree.file(path := min(held_back.paths)):
        at = read_tombstone(remote_tree.content(file)).when
        if remote_tree.commit and looks_up:
            by = who_added(workspace.repository, remote_tree.commit, path)
    return Withheld(
        kind.name,
        (local_entry.public_id if local_entry else "") or held_back.session_id,
        local_entry.title if local_entry else "",
        local_entry.author if local_entry else "",
        held_back.is_own,
        held_back.items,
        by,
        at,
        held_back.is_ended,
        replaced_by,
    )


def _entry(tree: AnyTree, document_id: str) -> IndexEntry | None:
    document = tree.readable(document_id)
    return tree.kind.entry(document) if document else None


def _successor(held_back: Held, remote_tree: AnyTree) -> str:
    """Return what replaced a document, the first of several; "" where nothing did."""
    return next(
        iter(remote_tree.kind.successors(remote_tree.document(held_back.session_id))),
        "",
    )


def accept(
    workspace: Workspace, sharing: "Sharing", names: Collection[str]
) -> list[str]:
    """Forget what others forgot, and give up what they replaced; return the ids.

    Raises NotFound, Busy and Damaged.
    """
    tracked, ids_by_name = (
        workspace.tracked(sharing.remote),
        _ids_by_name(workspace, names),
    )
    with locked(workspace.sync_lock):
        meant = _meant(_held_documents(tracked), ids_by_name)
        ids = [held_back.session_id for held_back, _ in meant]
        trees = {
            remote_tree.kind: tree_at_tip(remote_tree.kind, tracked.git)
            for _, remote_tree in meant
        }
        accepting = replace(tracked, accepted=frozenset(ids))
        accepting.land(accepting.taken())
    for before in trees.values():
        _drop_remains(workspace, before, ids)
    workspace.drop_traces()
    return ids


def refuse(
    workspace: Workspace, sharing: "Sharing", names: Collection[str]
) -> list[str]:
    """Restore for everybody what others forgot; return the ids.

    The next sync sends it. Raises NotFound, Busy and Damaged, and InvalidInput for what
    was replaced, which `all` leaves out.
    """
    ids_by_name = _ids_by_name(workspace, names)
    with locked(workspace.sync_lock), locked(workspace.store.lock):
        meant = _meant(_held_documents(workspace.tracked(sharing.remote)), ids_by_name)
        if ALL in names:
            meant = [pair for pair in meant if not pair[0].is_ended] or meant
        for held_back, remote_tree in meant:
            _require_tombstone(held_back, remote_tree)
        for kind in KINDS.values():
            _take_back(workspace, [pair for pair in meant if pair[1].kind is kind])
    return [held_back.session_id for held_back, _ in meant]


def _take_back(workspace: Workspace, meant: Sequence[tuple[Held, AnyTree]]) -> None:
    """Commit what takes the tombstones of documents of one kind back."""
    if not meant:
        return
    git, now, kind = workspace.repository, workspace.now(), meant[0][1].kind
    changes: dict[str, Content] = {
        path: rendered(read_tombstone(remote_tree.content(file)).restored(now))
        for held_back, remote_tree in meant
        for path in sorted(held_back.paths)
        if (file := remote_tree.file(path))
    }

    def refused() -> bool | None:
        local_tree = tree_at_tip(kind, git)
        message = redact_own(f"restore: {counted(len(meant), kind.name)}\n")
        commit = commit_on(git, local_tree, changes, message, author(git, now))
        return (
            RefUpdate(kind.ref, local_tree.commit, commit, "restore").is_made(git)
            or None
        )

    in_some_try(git, kind.ref, refused)


def _require_tombstone(held_back: Held, remote_tree: AnyTree) -> None:
    """Raise InvalidInput for what was replaced: that stays so for everybody else."""
    if held_back.is_ended:
        by = _successor(held_back, remote_tree)
        again = f"ocm remember TEXT{f' --replaces {by}' if by else ''}"
        raise InvalidInput(
            f"{held_back.session_id} was replaced, not forgotten: it stays as it is"
            " here.",
            hint=f"`{again}` in other words says it once more, for everybody.",
        )


def _drop_remains(workspace: Workspace, before: AnyTree, ids: Iterable[str]) -> None:
    """Remove what is forgotten now from backups, with its history where asked."""
    kind = before.kind
    now = tree_at_tip(kind, workspace.repository)
    forgotten = [*filter(None, (before.readable(x) for x in ids if not now.entry(x)))]
    given_up = with_history(now)
    for from_history in (False, True):
        if documents := [
            session
            for session in forgotten
            if (tombstone_path(kind, session) in given_up) is from_history
        ]:
            removal = Removal(kind, documents, workspace.now(), from_history)
            workspace.store.remove_from_backups(removal)
    if forgotten and isinstance(kind, ChangedKind):
        workspace.store_of(kind).drop_journals(forgotten)
        workspace.recreate_index()


def _held_documents(tracked: Tracked) -> list[tuple[Held, AnyTree]]:
    """Return what is held back, each with the documents there with all that waits."""
    return [
        (held_back, DocumentTree(kind_of(result.ref), tracked.git, result.inbox.tip))
        for result in tracked.taken()
        for held_back in result.held
        if kind_of(result.ref).parent is None
    ]


def _ids_by_name(
    workspace: Workspace, names: Iterable[str]
) -> Mapping[str, Collection[str]]:
    """Return the ids of documents that each name can mean, of any kind."""
    ids_by_name = {name: {name} for name in names}
    for name, ids in ids_by_name.items():
        for kind in (SESSION, *changed_kinds()) if name != ALL else ():
            with suppress(NotFound):
                ids.add(find_id(workspace, kind, name))
    return ids_by_name


def _meant(
    all_held: Iterable[tuple[Held, AnyTree]],
    ids_by_name: Mapping[str, Collection[str]],
) -> list[tuple[Held, AnyTree]]:
    by_id = {pair[0].session_id: pair for pair in all_held}
    if ALL in ids_by_name:
        return [*by_id.values()]
    held_by_name = {name: by_id.keys() & ids for name, ids in ids_by_name.items()}
    if unknown := [name for name, ids in held_by_name.items() if not ids]:
        raise NotFound(
            f"Nothing is held back by the name {shortlist(unknown, _NAMED)}.",
            hint="`ocm sync --review` lists what is.",
        )
    return [by_id[document_id] for document_id in {*chain(*held_by_name.values())}]
