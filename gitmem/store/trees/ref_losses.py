"""What refs of ours lost when another program deleted or rewrote them.

`git filter-repo`, for example, rewrites every ref: it may drop our documents, replace
words in them, or move them below a folder. New objects stay for an hour, even if it
prunes; later the newest whole state is that of a backup.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any, NamedTuple

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import CONVERSATION, KINDS
from gitmem.errors import Damaged, FormatTooNew
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.git.damage import is_whole
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Oid, TreeEntry
from gitmem.store.journal.journal import journal_of
from gitmem.store.trees import notes
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.document_versions import VersionSource, earlier_states
from gitmem.store.trees.last_tips import continues, last_tip, may_be_absent
from gitmem.store.trees.tombstones import all_tombstones, is_forgotten
from gitmem.text.counting import counted, shortlist

_KINDS = {kind.ref: kind for kind in KINDS.values()}
_SETTINGS = {CONVERSATION.ref: "ocm.conversations", notes.REF: "ocm.notes"}
"""A ref whose setting is off is not missed."""
_NAMED = 5
"""Documents that are named."""


class _EarlierFile(NamedTuple):
    """A document or a note of the whole state, and what the tip has of it."""

    name: str
    """The id of the document, or the commit of the note."""
    path: str
    then: TreeEntry | None
    now: TreeEntry | None


@frozen
class RefLoss:
    ref: str
    tip: Oid | None
    """The present commit; None where the ref is gone."""
    whole: Oid | None = None
    """The newest earlier commit that git has with its history, if any."""
    earlier: Mapping[str, Content] = field(default_factory=dict)
    """Files of that commit which the tip lacks, by path."""
    dropped: Sequence[str] = ()
    replaced: Sequence[str] = ()
    """Ids of documents, and commits of notes."""
    is_empty: bool = True
    """True if the ref has no document, tombstone or note where it belongs."""
    is_selective: bool = False
    """True if single documents were dropped or replaced, as those with secrets."""

    def __str__(self) -> str:
        noun = _KINDS[self.ref].name if self.ref in _KINDS else "note"
        counts = [
            f"{counted(len(ids), noun)} {verb} ({shortlist(ids, _NAMED)})"
            for ids, verb in ((self.dropped, "gone"), (self.replaced, "changed"))
            if ids
        ]
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
    is_well = continues(git, ref, tip) if before else tip or not _was_there(git, ref)
    if is_well or not is_on(git, _SETTINGS.get(ref, ""), by_default=ref in _KINDS):
        return None
    whole = _newest_whole(git, ref, before)
    if whole is None:
        return RefLoss(ref, tip)
    kind = _KINDS.get(ref)
    rows = [*(_documents(git, kind, tip, whole) if kind else _notes(git, tip, whole))]
    differing = [row for row in rows if row.then != row.now]
    if tip and not differing:
        return None
    dropped = [row.name for row in differing if row.now is None]
    return RefLoss(
        ref,
        tip,
        whole,
        {row.path: row.then for row in differing},
        dropped,
        replaced=[row.name for row in differing if row.now],
        is_empty=not _has_any(git, ref, tip),
        is_selective=len(dropped) < len(rows),
    )


def _has_any(git: Repository, ref: str, tip: Oid | None) -> bool:
    if kind := _KINDS.get(ref):
        tree = DocumentTree(kind, git, tip)
        return any(tree.ids()) or all_tombstones(tree) is not None
    return bool(notes.notes_in(git, git.tree_of(tip)))


def _documents(
    git: Repository, kind: Kind[Any], tip: Oid | None, whole: Oid
) -> Iterator[_EarlierFile]:
    now = DocumentTree(kind, git, tip)
    then = now.at(whole)
    for document_id in sorted(then.ids()):
        if not is_forgotten(now, document_id):
            files = then.entry(document_id), now.entry(document_id)
            yield _EarlierFile(document_id, kind.path(document_id), *files)


def _notes(git: Repository, tip: Oid | None, whole: Oid) -> Iterator[_EarlierFile]:
    then, now = (notes.notes_in(git, git.tree_of(commit)) for commit in (whole, tip))
    for name, (path, file) in sorted(then.items()):
        yield _EarlierFile(name, path, file, now[name][1] if name in now else None)


def _newest_whole(git: Repository, ref: str, before: Oid | None) -> Oid | None:
    """Return the newest earlier commit that git has with all its history.

    Where we know the last one, none of the reflog counts: that may have what was
    forgotten since.
    """
    commits = [
        state.commit
        for state in earlier_states(git, ref)
        if state.source is VersionSource.BACKUP
        or (state.commit == before if before else state.source is VersionSource.REFLOG)
    ]
    return next((commit for commit in commits if is_whole(git, commit)), None)


def _was_there(git: Repository, ref: str) -> bool:
    """Tell whether reflog or journal know of a ref that the user did not give up."""
    if may_be_absent(git, ref):
        return False
    kind = _KINDS.get(ref)
    journal = journal_of(git.common_dir, kind) if kind and not kind.parent else None
    marks = map(journal.position_of, journal.names()) if journal else ()
    return bool(git.reflog(ref)) or any(mark.document_id for mark in marks)
