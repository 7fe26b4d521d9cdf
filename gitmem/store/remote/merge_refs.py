"""Merge the history of another clone into our ref.

Both sides are joined by document, and only tombstones remove. Those that are held back
count for what is sent, and not here.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import field, replace
from typing import Generic, TypeVar

from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.plumbing.history import change
from gitmem.git.repository import Repository
from gitmem.git.values import Change, Content, Oid, Signature
from gitmem.redaction.redact import Redacted, redact_own
from gitmem.store.remote.held_back import Consent, Held
from gitmem.store.remote.merge_documents import (
    lost_there,
    merged_children,
    merged_documents,
    with_files,
)
from gitmem.store.remote.merge_sides import Course, Sides, is_given_up
from gitmem.store.remote.untrusted import Stranger, difference
from gitmem.store.trees.backups import kind_of
from gitmem.store.trees.document_tree import FORMAT_FILE, AnyTree, DocumentTree
from gitmem.store.trees.format_upgrade import is_old, upgraded
from gitmem.text.counting import counted

D = TypeVar("D")
_Merge = Callable[[Sides[D]], Mapping[str, Content]]
"""Gives each text that differs as it is to be, by the id of its session."""
_Withheld = Callable[[Sides[D]], tuple[Held, ...]]


@frozen
class Inbox:
    """What waits at a remote for a ref of ours."""

    tip: Oid | None = None
    """The remote's ref with all that waits."""
    merged: frozenset[Oid] = frozenset()
    """Commits that wait and add nothing to the remote's ref."""
    added: frozenset[Oid] = frozenset()
    """Commits that only `tip` has."""
    refused: tuple[Stranger, ...] = ()


@frozen
class MergeResult:
    """What a ref of ours becomes by a merge; nothing leads to it yet."""

    ref: str
    ours: Oid | None
    """The tip that was built on."""
    theirs: Oid | None
    """The remote's ref."""
    commit: Oid | None
    """`ours` where there is nothing new, theirs where that only goes on, else a new
    commit: after both, or after theirs alone, if any, where ours is given up or had
    nothing else. Theirs is the remote's ref with all that waits."""
    sent: Oid | None
    """What is for the remote: the same, but where something is held back here."""
    arriving: Mapping[str, Change] = field(default_factory=dict)
    """Changes to our documents, by id."""
    leaving: Mapping[str, Change] = field(default_factory=dict)
    """Changes to the remote's documents, by id."""
    lost: frozenset[str] = frozenset()
    """Ids of what theirs had no more, or less of, though nobody forgot it: it stays."""
    held: tuple[Held, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    """The first ones."""
    more_strangers: int = 0
    """How many there are beside these."""
    inbox: Inbox = Inbox()

    @property
    def is_new(self) -> bool:
        """Whether anything of ours is not at the remote, nor waits there."""
        return self.sent is not None and self.sent != self.inbox.tip


def merge_history(
    git: Repository,
    here: DocumentTree[D],
    theirs: Oid | None,
    by: Signature,
    removals: Consent | MergeResult | None = None,
    followed: Oid | None = None,
) -> MergeResult:
    """Merge their documents into ours, by a commit of that author and time.

    `removals` says what may be removed: what the user consents to, or the merge of the
    documents that these belong to; without it nothing is held back. `followed` is where
    theirs was when we last heard of it. Raises FormatTooNew where a newer gitmem wrote
    theirs, and Damaged where it cannot be read, or is something else.
    """
    if theirs and not git.first_parents(theirs, 1):
        raise Damaged(f"What came for {here.kind.ref} is no commit: {theirs}")
    if not isinstance(removals, MergeResult):
        here, there = _of_today(git, here, theirs, here)
        withheld: _Withheld[D] = removals.withheld if removals else lambda _: ()
        return _Merging(git, here, there, there, by).result(
            followed, merged_documents, withheld
        )
    sent = DocumentTree(kind_of(removals.ref), git, removals.sent)
    here, there = _of_today(git, here, theirs, sent)
    after = sent if removals.sent == removals.commit else sent.at(removals.commit)
    return _Merging(git, here, there, sent, by).result(
        followed,
        lambda sides: merged_children(sides, after if sides.held_paths else sent),
        lambda _: removals.held,
    )


def _of_today(
    git: Repository, our_tree: DocumentTree[D], theirs: Oid | None, sessions: AnyTree
) -> tuple[DocumentTree[D], DocumentTree[D]]:
    """Return both sides in the format of today."""

    def present(tree: DocumentTree[D]) -> DocumentTree[D]:
        if not is_old(tree):
            return tree
        ids = difference(git, tree.at(None), tree).texts  # within our bounds
        return upgraded(git, tree, ids, sessions)

    return present(our_tree), present(our_tree.at(theirs))


@frozen
class _Merging(Generic[D]):
    """Of two histories of one ref."""

    git: Repository
    ours: DocumentTree[D]
    theirs: DocumentTree[D]
    memory: AnyTree
    """The one that says what was forgotten there."""
    by: Signature

    def result(
        self, followed: Oid | None, merge: _Merge[D], withheld: _Withheld[D]
    ) -> MergeResult:
        differences = difference(self.git, self.ours, self.theirs)
        is_marked = self.theirs.file(FORMAT_FILE) is not None
        if self.theirs.commit and differences.strangers and not is_marked:
            # The branch of a project must not become a memory, and be pushed as one.
            raise Damaged(
                f"What came for {self.ours.kind.ref} was not written by gitmem.",
                hint="Does `ocm.remoteRef` name a branch of something else?",
            )
        course = Course.of(self.git, self.ours, self.theirs, self.memory)
        last_remote = self._at(course.base)
        with suppress(Damaged):  # it may not be here any more
            last_remote = self._at(followed) if followed else last_remote
        sides = Sides(self.ours, self.theirs, last_remote, differences).with_buried()
        held_back, tip = withheld(sides), self.ours.commit
        as_it_is = MergeResult(self.ours.kind.ref, tip, self.theirs.commit, tip, tip)
        if course.is_ahead and not (held_back or sides.forgets or sides.ended):
            ours = {
                document_id: versions[0]
                for document_id, versions in sides.difference.texts.items()
            }
            leaving, lost = _differing(ours, self.theirs), lost_there(sides, {})
            return replace(as_it_is, leaving=leaving, lost=lost)
        texts = {**merge(sides), **with_files(sides, sides.ended)}
        arriving, leaving = (_differing(texts, t) for t in (self.ours, self.theirs))
        lost = lost_there(sides, texts)
        new = {document_id: texts[document_id] for document_id in arriving}
        commit = sent = self._sent(sides, course, new, len(leaving))
        if held_back:
            paths = frozenset(path for removal in held_back for path in removal.paths)
            kind = self.ours.kind
            ended = (h.session_id for h in held_back if h.is_ended)
            in_use = {
                document_id: kind.in_use(sides.ended[document_id])
                for document_id in ended
            }
            texts = {
                **merge(replace(sides, held_paths=paths)),
                **with_files(sides, sides.ended | in_use),
            }
            arriving = _differing(texts, self.ours)
            present_files = {path: self.ours.file(path) for path in paths}
            commit = self._held_back(course, self._at(sent), texts, present_files)
        return replace(
            as_it_is,
            commit=commit,
            sent=sent,
            arriving=arriving,
            leaving=leaving,
            lost=lost,
            held=held_back,
            strangers=tuple(differences.strangers),
            more_strangers=differences.more_strangers,
        )

    def _at(self, commit: Oid | None) -> DocumentTree[D]:
        trees_by_commit = {tree.commit: tree for tree in (self.ours, self.theirs)}
        return trees_by_commit.get(commit) or self.ours.at(commit)

    def _sent(
        self,
        sides: Sides[D],
        course: Course,
        new: Mapping[str, Content],
        leaving: int,
    ) -> Oid | None:
        """Commit the merge as the remote gets it, with what is new to ours."""
        if not leaving and self._is_whole(sides, course):
            return self.theirs.commit
        changes: dict[str, Content] = dict.fromkeys(sides.difference.own_strangers)
        changes |= {
            self.ours.path(document_id): text for document_id, text in new.items()
        }
        changes |= sides.records
        changes[FORMAT_FILE] = redact_own(f"{self.ours.kind.format}\n")
        message = _message(self.ours, len(new), leaving)
        with self.git.batch() as batch:
            tree = batch.write_tree(self.ours.tree, changes)
            return batch.create_commit(tree, course.parents, message, self.by)

    def _is_whole(self, sides: Sides[D], course: Course) -> bool:
        """Return whether theirs has the result already, but for texts."""
        is_last = course.is_ahead or course.parents == [self.theirs.commit]
        marked = self.theirs.file(FORMAT_FILE)
        if not is_last or sides.difference.strangers or marked is None:
            return False
        return self.theirs.content(marked) == f"{self.ours.kind.format}\n" and all(
            self.theirs.file(path) == file for path, file in sides.records.items()
        )

    def _held_back(
        self,
        course: Course,
        sent: DocumentTree[D],
        texts: Mapping[str, Content],
        tombstones: Mapping[str, Content],
    ) -> Oid | None:
        """Commit on top of `sent` what stays here alone, if anything."""
        changed = _differing(texts, sent)
        changes = {
            self.ours.path(document_id): texts[document_id] for document_id in changed
        }
        with self.git.batch() as batch:
            tree = batch.write_tree(sent.tree, {**changes, **tombstones})
            if tree == sent.tree:
                return sent.commit
            is_old = course.is_ahead and sent.commit == self.theirs.commit
            if is_old and tree == self.ours.tree:
                return self.ours.commit
            parents = [] if is_old else [sent.commit]
            if is_old or not self._is_left_out(course, tombstones):
                parents.insert(0, self.ours.commit)
            message = redact_own("hold back: what was forgotten elsewhere\n")
            return batch.create_commit(tree, [*filter(None, parents)], message, self.by)

    def _is_left_out(self, course: Course, held_paths: Collection[str]) -> bool:
        """Return whether a commit that holds something back goes without our tip."""
        return self.ours.commit in (course.base, *course.parents) or is_given_up(
            self.git, self.ours, self.theirs, self.memory, course.base, held_paths
        )


def _differing(texts: Mapping[str, Content], tree: AnyTree) -> dict[str, Change]:
    entries = (
        (document_id, tree.entry(document_id), text)
        for document_id, text in texts.items()
    )
    return {
        document_id: change(had=was is not None, has=now is not None)
        for document_id, was, now in entries
        if was != now
    }


def _message(tree: AnyTree, arriving: int, leaving: int) -> Redacted:
    parts = [
        f"{counted(number, tree.kind.name)} from {side}"
        for side, number in (("there", arriving), ("here", leaving))
        if number
    ]
    return redact_own(f"merge: {', '.join(parts) or 'no other texts'}\n")
