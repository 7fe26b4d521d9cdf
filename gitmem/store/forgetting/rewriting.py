"""A history of ours as if a session had never been in it.

Every commit that has its document, or names it, is made anew without; what came of
nothing else is left out. The others keep their authors, times and words.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.session import Session
from gitmem.git.layout import OUR_REFS
from gitmem.git.odb import objects
from gitmem.git.odb.objects import CommitParts
from gitmem.git.repository import Objects, Repository
from gitmem.git.values import TREE_MODE, Oid, TreeEntry
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.document_tree import FORMAT_FILE
from gitmem.store.trees.document_versions import versions
from gitmem.store.trees.session_tree import REF
from gitmem.store.trees.tombstones import subject_path, tombstone_path

_NEUTRAL = b"The sessions as they were\n"
"""In place of a message that named what is gone."""
_TELLING = 8
"""Characters of a client's id that a message does not have by chance."""


def last_version(
    git: Repository, session_id: str, variables: Mapping[str, str]
) -> Session | None:
    """The session as a commit had it last under this id, though no tip may have it.

    In all histories of sessions here, and in what reflogs still lead to. `variables`
    are the environment of the user. Raises Damaged where an object is not there, and
    Unavailable without git.
    """
    if tips := list(filter(git.tree_of, _all_tips(git))):
        for each, blob in versions(git, tips, SESSION, variables):
            if each == session_id and git.blob_size(blob) <= SESSION.most_bytes:
                text = git.read_blob(blob, SESSION.most_bytes)
                return parse(session_id, text.decode("utf-8", "replace"))
    return None


def ids_in_history(
    git: Repository,
    tips: Collection[Oid],
    sessions: Iterable[Session],
    variables: Mapping[str, str],
) -> dict[str, set[str]]:
    """Every id that the conversations of sessions have in commits that lead to `tips`.

    By the path of the conversation's tombstone. Clones may have given a session another
    id than it has, and begun another one of its conversation. `variables` are the
    environment of the user. Raises Damaged where an object is not there, and
    Unavailable without git.
    """
    found: dict[str, set[str]] = {}
    for each in sessions:
        found.setdefault(tombstone_path(SESSION, each), set()).update(each.all_ids)
    for session_id, blob in versions(git, tips, SESSION, variables) if tips else ():
        if git.blob_size(blob) > SESSION.most_bytes:
            continue  # no gitmem wrote it
        text = git.read_blob(blob, SESSION.most_bytes).decode("utf-8", "replace")
        if ids := found.get(subject_path(SESSION.subject_in(session_id, text))):
            ids.update(parse(session_id, text).all_ids)
    return found


def _all_tips(git: Repository) -> Iterator[Oid]:
    name = f"/{REF.removeprefix(OUR_REFS)}"
    tracking = [ref for ref in git.refs(OUR_REFS) if ref.endswith(name)]
    for ref in dict.fromkeys([*refs_of(git, SESSION), *tracking]):
        yield from filter(None, [git.resolve_ref(ref)])
        yield from git.reflog(ref)


@dataclass(frozen=True, slots=True)
class Gone:
    """What is to be in no commit any more."""

    paths: frozenset[str]
    """Of files in its trees."""
    names: frozenset[str]
    """That no message may have."""


def gone(sessions: Collection[Session], root: str) -> Gone:
    """`root` is where a history keeps the texts of sessions, under any of their ids."""
    ids = {each for one in sessions for each in one.all_ids}
    named = {one.client_session_id for one in sessions}
    named = {each for each in named if len(each) >= _TELLING}
    paths = frozenset(document_path(each, root) for each in ids)
    return Gone(paths, frozenset(ids | named))


class Rewriting:
    """Commits that stand for others, in a history without what is gone."""

    def __init__(self, git: Repository, new: Objects, gone: Gone) -> None:
        """The objects are written to `new`."""
        self._git = git
        self._new = new
        names = "|".join(map(re.escape, sorted(gone.names)))
        self._names = re.compile(rf"(?<![\w.-])(?:{names})(?![\w-])".encode())
        self._paths = [tuple(path.split("/")) for path in gone.paths]
        self._now: dict[Oid, Oid | None] = {}
        self._tree_of: dict[Oid, Oid] = {}
        """The tree of each commit that stands for others."""
        self._without = cache(self._tree_without)

    def now(self, tip: Oid) -> Oid | None:
        """The same where there is nothing of it; None where nothing is left."""
        if tip not in self._now:
            for commit in self._git.ancestry(tip):
                if commit.oid not in self._now:
                    self._take(commit.oid, objects.commit_parts(commit.content))
        return self._now[tip]

    def _take(self, oid: Oid, before: CommitParts) -> None:
        """A commit; its parents were taken."""
        after = self._after(before)
        if after == before:
            now: Oid | None = oid
        elif self._is_left_out(before, after):
            now = after.parents[0] if after.parents else None
        else:
            now = self._new.write_commit(objects.commit_of(after))
        self._now[oid] = now
        if now:
            self._tree_of.setdefault(now, after.tree)

    def _after(self, before: CommitParts) -> CommitParts:
        parents = dict.fromkeys(filter(None, map(self._now.get, before.parents)))
        is_named = self._names.search(before.message) is not None
        return replace(
            before,
            tree=self._without(before.tree, tuple(self._paths)),
            parents=tuple(parents),
            message=_NEUTRAL if is_named else before.message,
        )

    def _is_left_out(self, before: CommitParts, after: CommitParts) -> bool:
        """Whether it did nothing but what is gone."""
        is_same = (before.tree, before.message) == (after.tree, after.message)
        if len(after.parents) > 1 or (
            is_same and len(after.parents) == len(before.parents)
        ):
            return False
        if after.parents:
            return after.tree == self._tree_of[after.parents[0]]
        return self._new.read_tree(after.tree).keys() <= {FORMAT_FILE}

    def _tree_without(self, tree: Oid, paths: tuple[tuple[str, ...], ...]) -> Oid:
        """The tree without these files; made once, however many commits have it."""
        entries, changes = self._new.read_tree(tree), {}
        for name in {path[0] for path in paths} & entries.keys():
            entry = entries[name]
            below = tuple(path[1:] for path in paths if path[0] == name and path[1:])
            if not entry.is_tree or not below:
                changes[name] = None if (name,) in paths else entry
                continue
            made = self._without(entry.oid, below)
            is_empty = made != entry.oid and not self._new.read_tree(made)
            changes[name] = None if is_empty else TreeEntry(made, TREE_MODE)
        changed = {n: e for n, e in changes.items() if e != entries[n]}
        return self._new.write_tree(tree, changed) if changed else tree
