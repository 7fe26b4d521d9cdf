"""Remove documents from the tip or from all history, and from backups alike.

A tombstone replaces each. What belongs to them is removed first, so that after an
interruption the documents still name what is left.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS
from gitmem.frozen import frozen
from gitmem.git.files import make_folder, read_text, replace_file
from gitmem.git.layout import OUR_REFS, own_dir
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.forgetting.squashing import clean_commits, ids_in_history
from gitmem.store.trees.backups import BACKUP, kind_of, refs_of
from gitmem.store.trees.committing import RefUpdate, author, commit_on
from gitmem.store.trees.document_tree import AnyTree, DocumentTree
from gitmem.store.trees.tombstones import tombstones_of

D = TypeVar("D")
SUBJECT = "Sessions were forgotten"
_REASON = "forget"
"""The reason in reflogs."""


@frozen
class Removal:
    """Of some documents of one kind, and of what belongs to them."""

    kind: Kind[Any]
    documents: Sequence[Any]
    when: datetime
    from_history: bool = False

    def concerns(self, kind: Kind[Any]) -> bool:
        """Return whether documents of a kind may be among what goes."""
        return self.kind in (kind, kind.parent)


def remove(git: Repository, removal: Removal) -> bool | None:
    """Move our refs to where the sessions are not; None if a ref moved meanwhile.

    Also the backups, and what belongs to the documents; their own ref last, as it names
    what is left to be done.
    """
    kinds = filter(removal.concerns, KINDS.values())
    children_first = sorted(kinds, key=lambda kind: kind.parent is None)
    refs = [ref for kind in children_first for ref in refs_of(git, kind)]
    if not _are_moved(git, removal, refs):
        return None
    if removal.from_history:
        for ref in git.refs(OUR_REFS):
            git.forget_moves(ref)
    return True


def remove_from_backups(git: Repository, removal: Removal) -> bool | None:
    """Remove documents from backups alone, as our refs lack them already."""
    refs = [ref for ref in git.refs(BACKUP) if removal.concerns(kind_of(ref))]
    return _are_moved(git, removal, refs) or None


def _are_moved(git: Repository, removal: Removal, refs: Iterable[str]) -> bool:
    tips = {ref: git.resolve_ref(ref) for ref in refs}
    now = tips_without(git, removal, tips)
    moves = (RefUpdate(ref, tips[ref], now.get(ref), _REASON) for ref in tips)
    return all(move.is_made(git) for move in moves)


def remove_items(
    git: Repository,
    kind: Kind[D],
    document_id: str,
    items: Collection[str],
    when: datetime,
) -> bool | None:
    """Move our ref to where a document has these items no more; None if it moved.

    And the backups first. Nothing happens where there is no such document.
    """
    for ref in refs_of(git, kind):
        tree = DocumentTree(kind, git, git.resolve_ref(ref))
        commit = _without_items(git, tree, document_id, items, when)
        if not RefUpdate(ref, tree.commit, commit, _REASON).is_made(git):
            return None
    return True


def _without_items(
    git: Repository,
    tree: DocumentTree[D],
    document_id: str,
    items: Collection[str],
    when: datetime,
) -> Oid | None:
    document, kind = tree.document(document_id), tree.kind
    if document is None:
        return tree.commit
    removed = {subject for subject, text in kind.items(document) if text in items}
    cleaned = seal(kind.without_items(document, removed.__contains__), kind.render)
    records = tombstones_of(tree, removed, when, with_history=False)
    changes: dict[str, Content] = {tree.path(document_id): cleaned, **records}
    message = redact_own("Items were forgotten\n")
    return commit_on(git, tree, changes, message, author(git, when))


@frozen
class _Names:
    """Of documents that are to be nowhere."""

    subjects: frozenset[str]
    """Ids, and the subjects by which tombstones name the documents."""
    ids: frozenset[str]
    in_messages: frozenset[str]


def tips_without(
    git: Repository, removal: Removal, tips: Mapping[str, Oid | None]
) -> Mapping[str, Oid]:
    """Make the commits that replace the tips of our refs; no ref moves.

    A ref that is not there is left out.
    """
    kinds_and_tips = {ref: (kind_of(ref), tip) for ref, tip in tips.items() if tip}
    names = _names(git, removal, [*kinds_and_tips.values()])
    with git.batch() as new:
        return {
            ref: _tip_without(new, removal, names, kind, tip)
            for ref, (kind, tip) in kinds_and_tips.items()
        }


def _names(
    git: Repository, removal: Removal, tips: Collection[tuple[Kind[Any], Oid]]
) -> _Names:
    """Collect names, with every id that the documents have in these trees.

    But no name that is another document's id, as anybody may write such a header.
    """
    kind, documents = removal.kind, removal.documents
    subjects = frozenset(map(kind.subject, documents))
    names = {name for document in documents for name in kind.names(document)}
    if removal.from_history:
        own_tips = [tip for tip_kind, tip in tips if tip_kind is kind]
        names |= ids_in_history(git, kind, own_tips, documents)
    identities = {kind.identity(kind.document_id(document)) for document in documents}
    present = DocumentTree(kind, git, git.resolve_ref(kind.ref))
    names = {
        name
        for name in names
        if kind.identity(name) in identities or present.entry(name) is None
    }
    ids = names.union(
        document_id
        for tip_kind, tip in tips
        for document_id in DocumentTree(tip_kind, git, tip).ids()
        if tip_kind.identity(document_id) in identities
    )
    mentions = ids.union(*map(kind.mentions, documents))
    return _Names(subjects | names, frozenset(ids), frozenset(mentions))


def _tip_without(
    new: Repository, removal: Removal, names: _Names, kind: Kind[Any], tip: Oid
) -> Oid:
    tree = DocumentTree(kind, new, tip)
    changes = dict(_changes(tree, removal, names))
    parents = [tip]
    if removal.from_history:
        parents = clean_commits(new, kind, tip, names.ids, names.in_messages)
    if parents == [tip] and not changes:
        return tip
    message, by = redact_own(f"{SUBJECT}\n"), author(new, removal.when)
    return new.create_commit(new.write_tree(tree.tree, changes), parents, message, by)


def _changes(
    tree: AnyTree, removal: Removal, names: _Names
) -> Iterator[tuple[str, Content]]:
    """Yield the documents that go, and tombstones that are not there yet."""
    for document_id in sorted(filter(tree.entry, names.ids)):
        yield tree.path(document_id), None
    if tree.kind is removal.kind:
        yield from tombstones_of(
            tree,
            sorted(names.subjects),
            removal.when,
            with_history=removal.from_history,
        ).items()


def forgotten_here(common_dir: Path) -> set[str]:
    """Return the paths of tombstones that were made in this clone.

    A tombstone does not say where it was made. Restoring what others forgot must not
    restore what was forgotten here.
    """
    return set(read_text(_file(common_dir)).split())


def note_forgotten(common_dir: Path, tombstones: Iterable[str]) -> None:
    """Add tombstones to those of this clone. Raises OSError."""
    _write(common_dir, forgotten_here(common_dir).union(tombstones))


def note_restored(common_dir: Path, tombstones: Iterable[str]) -> None:
    """Remove tombstones from those of this clone. Raises OSError."""
    if forgotten := forgotten_here(common_dir):
        _write(common_dir, forgotten.difference(tombstones))


def _write(common_dir: Path, tombstones: set[str]) -> None:
    make_folder(own_dir(common_dir))
    text = "".join(f"{tombstone}\n" for tombstone in sorted(tombstones))
    replace_file(_file(common_dir), text.encode(), is_synced=True)


def _file(common_dir: Path) -> Path:
    return own_dir(common_dir) / "forgotten-here"
