"""Whether commits still lead to what is to be in no commit any more.

A clone may have saved a session that another one forgot together with its history. Its
own commits must not bring that to the remote, though its tip does not have it.
"""

from collections.abc import Collection, Iterator

from gitmem.git.odb import objects
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.document_tree import AnyTree
from gitmem.store.trees.tombstones import subject_path


def remembers(
    git: Repository, tip: AnyTree, known: Oid | None, tombstones: Collection[str]
) -> bool:
    """Whether a commit that leads to `tip`, and not to `known`, has such a session.

    `tombstones` are paths. Of conversations it is known by the id alone.
    """
    return bool(tombstones) and any(
        path in tombstones
        for commit, parent in _commits(git, tip.commit, known)
        for path in _paths(tip.at(commit), tip.at(parent))
    )


def _commits(
    git: Repository, tip: Oid | None, known: Oid | None
) -> Iterator[tuple[Oid, Oid | None]]:
    """Commits with their first parents; those of a shallow clone may not be here."""
    commits = list(git.ancestry(tip)) if tip else []
    parents = {c.oid: objects.commit_parts(c.content).parents for c in commits}
    passed = {known}
    for oid in reversed(parents):
        if oid in passed:
            passed.update(parents[oid])
    for oid in reversed(parents):
        if oid not in passed:
            first = parents[oid][0] if parents[oid] else None
            yield oid, first if first in parents else None


def _paths(tree: AnyTree, before: AnyTree) -> Iterator[str]:
    """Where tombstones of the sessions would be whose texts are new in a tree."""
    for session_id in tree.differing_ids(before):
        if file := tree.entry(session_id):
            yield subject_path(session_id)
            if tree.kind.parent is None:
                yield subject_path(tree.kind.subject_in(session_id, tree.content(file)))
