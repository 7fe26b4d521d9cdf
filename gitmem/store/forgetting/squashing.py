"""Squash a history from the first commit on that has some documents.

The commits before it stay as they are. One commit takes the place of all others: `git
log` of our refs begins anew there.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeVar

from gitmem.documents.kind import Kind
from gitmem.git.layout import OUR_REFS
from gitmem.git.odb.objects import commit_parts
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.document_versions import versions

D = TypeVar("D")


def last_version(git: Repository, kind: Kind[D], name: str) -> D | None:
    """Return the last version of a document with this name, even if no tip has it.

    In all histories of its kind here, and in what reflogs still lead to. Raises Damaged
    where an object is not there, and Unavailable without git.
    """
    if tips := list(filter(git.tree_of, _all_tips(git, kind))):
        for document_id, blob in versions(git, tips, kind):
            if git.blob_size(blob) <= kind.most_bytes:
                text = _text(git, kind, blob)
                if name in (document_id, kind.public_id_in(document_id, text)):
                    return kind.parse(document_id, text)
    return None


def ids_in_history(
    git: Repository, kind: Kind[D], tips: Collection[Oid], documents: Iterable[D]
) -> set[str]:
    """Return every name that documents have in commits that lead to `tips`.

    Clones may have begun a session at another minute. Raises Damaged where an object is
    not there, and Unavailable without git.
    """
    subjects = frozenset(map(kind.subject, documents))
    commits_found: set[str] = set()
    for document_id, blob in versions(git, tips, kind) if tips else ():
        if git.blob_size(blob) <= kind.most_bytes:  # else no gitmem wrote it
            text = _text(git, kind, blob)
            if kind.subject_in(document_id, text) in subjects:
                commits_found.update(kind.names(kind.parse(document_id, text)))
    return commits_found


def _text(git: Repository, kind: Kind[Any], blob: Oid) -> str:
    return git.read_blob(blob, kind.most_bytes).decode("utf-8", "replace")


def _all_tips(git: Repository, kind: Kind[Any]) -> Iterator[Oid]:
    name = f"/{kind.ref.removeprefix(OUR_REFS)}"
    tracking = [ref for ref in git.refs(OUR_REFS) if ref.endswith(name)]
    for ref in dict.fromkeys([*refs_of(git, kind), *tracking]):
        yield from filter(None, [git.resolve_ref(ref)])
        yield from git.reflog(ref)


def clean_commits(
    git: Repository,
    kind: Kind[Any],
    tip: Oid,
    ids: Collection[str],
    names: Collection[str],
) -> list[Oid]:
    """Return the newest commits that have nothing of some documents.

    Neither they nor any commit before them has one of `ids` in its tree or one of
    `names` in its message. It is the tip alone where no commit that leads to it has.
    """
    pattern = "|".join(map(re.escape, sorted(names)))
    mention = re.compile(rf"(?<![\w.-])(?:{pattern})(?![\w-])".encode())
    dirty: set[Oid] = set()
    newest: dict[Oid, None] = {}
    for commit in git.ancestry(tip):
        parts = commit_parts(commit.content)
        tree = DocumentTree(kind, git, commit.oid)
        is_after_dirty = not dirty.isdisjoint(parts.parents)
        if is_after_dirty or mention.search(parts.message) or any(map(tree.entry, ids)):
            dirty.add(commit.oid)
            continue
        for parent in parts.parents:
            newest.pop(parent, None)
        newest[commit.oid] = None
    return [*newest]
