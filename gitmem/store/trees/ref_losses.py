"""What refs of ours lost when another program deleted or rewrote them.

`git filter-repo`, for example, rewrites every ref: it may drop our documents, replace
words in them, or move them below a folder. New objects stay for an
hour, even if it prunes.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field

from gitmem.documents.kinds import CONVERSATION, KINDS, SESSION
from gitmem.errors import Damaged, FormatTooNew
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Oid, TreeEntry, is_oid
from gitmem.store.journal.journal import journal_of
from gitmem.store.trees import notes
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.document_versions import VersionSource, earlier_states
from gitmem.store.trees.last_tips import goes_on, last_tip, may_be_absent
from gitmem.store.trees.salvage import salvaged
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.counting import counted, shortlist

_KINDS = {kind.ref: kind for kind in KINDS.values()}
_SETTINGS = {CONVERSATION.ref: "ocm.conversations", notes.REF: "ocm.notes"}
"""A ref whose setting is off is not missed."""
_OF_NOTES = "[0-9a-f]{2}|[0-9a-f]{40,64}"
"""Names of folders and files of notes."""
_NAMED, _DEEPEST = 5, 4
"""Documents that are named, and levels of folders that are looked through."""


@frozen
class RefLoss:
    ref: str
    tip: Oid | None
    """The present commit; None where the ref is gone."""
    before: Oid | None = None
    """The last commit that is known; None where only the journal knows of the ref."""
    changes: Mapping[str, Content] = field(default_factory=dict)
    """The changes that restore it, by path."""
    dropped: Sequence[str] = ()
    replaced: Sequence[str] = ()
    """Ids of documents, and commits of notes."""
    unreadable: int = 0
    """Files of which git has no readable state."""
    folder: str = ""
    """The folder below which the files are now."""

    is_selective: bool = False
    """Whether single documents were dropped or replaced, as those with secrets."""

    def __str__(self) -> str:
        noun = _KINDS[self.ref].name if self.ref in _KINDS else "note"
        counts = [
            f"{counted(len(ids), noun)} {verb} ({shortlist(ids, _NAMED)})"
            for ids, verb in ((self.dropped, "gone"), (self.replaced, "changed"))
            if ids
        ]
        if self.folder:
            counts = [f"all that it has is below {self.folder}/"]
        if self.unreadable:
            counts.append(f"{counted(self.unreadable, 'file')} pruned by git")
        problem = "was rewritten" if self.tip else "is not there any more"
        return ": ".join(filter(None, (f"{self.ref} {problem}", ", ".join(counts))))


def ref_losses(git: Repository) -> list[RefLoss]:
    """Return what other programs took from our refs, unless the user knows of it.

    Little is read of a ref that is where we left it.
    """
    losses = []
    for ref in (*_KINDS, notes.REF):
        with suppress(Damaged, FormatTooNew):  # reported of the ref itself
            losses.append(_loss(git, ref))
    return [loss for loss in losses if loss]


def _loss(git: Repository, ref: str) -> RefLoss | None:
    before, tip = last_tip(git, ref), git.resolve_ref(ref)
    is_well = goes_on(git, ref, tip) if before else tip or not _was_there(git, ref)
    if is_well or not is_on(git, _SETTINGS.get(ref, ""), by_default=ref in _KINDS):
        return None
    if tip and (names := _folder(git, ref, git.tree_of(tip))):
        return _moved(git, ref, tip, names)
    earlier = [state for state in earlier_states(git, ref) if state.commit != tip]
    before = before or next((state.commit for state in earlier), None)
    if before is None:
        return RefLoss(ref, tip)
    # The reflog may have states with what was forgotten since.
    backups = [s.commit for s in earlier if s.source is VersionSource.BACKUP]
    return _compared(git, ref, [before, *backups], tip)


def _was_there(git: Repository, ref: str) -> bool:
    """Tell whether reflog or journal know of a ref that the user did not give up."""
    if may_be_absent(git, ref):
        return False
    kind = _KINDS.get(ref)
    journal = journal_of(git.common_dir, kind) if kind and not kind.parent else None
    marks = map(journal.position_of, journal.names()) if journal else ()
    return bool(git.reflog(ref)) or any(mark.document_id for mark in marks)


def _compared(
    git: Repository, ref: str, states: Sequence[Oid], tip: Oid | None
) -> RefLoss | None:
    salvage, kind, before = salvaged(git, tip, states), _KINDS.get(ref), states[0]
    tree = DocumentTree(kind or SESSION, git, tip)
    changes, dropped, replaced = dict[str, Content](), list[str](), list[str]()
    for path, entry in sorted(salvage.changes.items()):
        document_id, is_present = _id_at(ref, path), tree.file(path) is not None
        if entry is None or (is_present and not document_id):
            continue  # what came since, and tombstones
        if document_id and kind and is_forgotten(tree, document_id):
            continue
        changes[path] = entry
        if document_id:
            (replaced if is_present else dropped).append(document_id)
    if tip and not (changes or salvage.lost):
        return None
    is_selective = bool(replaced) or (
        tip is not None and _has_others(git, ref, before, changes)
    )
    return RefLoss(
        ref,
        tip,
        before,
        changes,
        dropped,
        replaced,
        len(salvage.lost),
        is_selective=is_selective,
    )


def _has_others(git: Repository, ref: str, commit: Oid, paths: Container[str]) -> bool:
    """Tell whether a commit has documents at other paths, as far as it can be read."""
    with suppress(Damaged):
        tree = git.tree_of(commit)
        files = _files(git, git.read_tree(tree) if tree else {})
        return any(_id_at(ref, path) and path not in paths for path, _ in files)
    return True


def _id_at(ref: str, path: str) -> str | None:
    """Return what a path names: the id of a document, or the commit of a note."""
    if kind := _KINDS.get(ref):
        stem = path.rpartition("/")[2].removesuffix(".md")
        return stem if kind.is_id(stem) and kind.path(stem) == path else None
    return commit if is_oid(commit := path.replace("/", "")) else None


def _folder(
    git: Repository, ref: str, tree: Oid | None, names: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the folders above the files of a ref, the outermost first."""
    entries = git.read_tree(tree) if tree else {}
    root = re.escape(_KINDS[ref].root) if ref in _KINDS else _OF_NOTES
    if any(re.fullmatch(root, name) for name in entries):
        return names
    folders = ((name, e.oid) for name, e in entries.items() if e.is_tree)
    if len(names) < _DEEPEST:
        below = (_folder(git, ref, oid, (*names, name)) for name, oid in folders)
        return next(filter(None, below), ())
    return ()


def _moved(git: Repository, ref: str, tip: Oid, names: tuple[str, ...]) -> RefLoss:
    tree, folder = DocumentTree(SESSION, git, tip), "/".join(names)
    below = dict(_files(git, tree.folder(folder)))
    absent = {path: entry for path, entry in below.items() if not tree.file(path)}
    ids = [*filter(None, (_id_at(ref, path) for path in below))]
    changes = {folder: None, **absent}
    return RefLoss(ref, tip, changes=changes, dropped=ids, folder=folder)


def _files(
    git: Repository, entries: Mapping[str, TreeEntry], folder: str = ""
) -> Iterator[tuple[str, TreeEntry]]:
    for name, entry in entries.items():
        if entry.is_tree:
            yield from _files(git, git.read_tree(entry.oid), f"{folder}{name}/")
        else:
            yield f"{folder}{name}", entry
