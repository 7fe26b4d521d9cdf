"""Writing trees with libgit2: only those on the way to what changes."""

from collections import defaultdict

import pygit2
from pygit2.enums import FileMode

from gitmem.store.git.repository import Content, Oid, TreeChanges, TreeEntry


def write_tree(git: pygit2.Repository, base: Oid | None, changes: TreeChanges) -> Oid:
    """See Repository.write_tree."""
    return _written(git, base, changes) or str(git.TreeBuilder().write())


def _written(
    git: pygit2.Repository, base: Oid | None, changes: TreeChanges
) -> Oid | None:
    """None for a tree without entries: git keeps no empty folders."""
    builder = git.TreeBuilder(base) if base else git.TreeBuilder()
    folders: dict[str, dict[str, Content]] = defaultdict(dict)
    for path, text in changes.items():
        name, _, rest = path.partition("/")
        if rest:
            folders[name][rest] = text
        elif text is None:
            _remove(builder, name)
        elif isinstance(text, TreeEntry):
            builder.insert(name, text.oid, FileMode(text.mode))
        else:
            builder.insert(name, git.create_blob(text.encode()), FileMode.BLOB)
    for name, inside in folders.items():
        tree = _written(git, _subtree(builder, name), inside)
        if tree is None:
            _remove(builder, name)
        else:
            builder.insert(name, tree, FileMode.TREE)
    return str(builder.write()) if len(builder) else None


def _entry(builder: pygit2.TreeBuilder, name: str) -> pygit2.Object | None:
    return builder.get(name)


def _subtree(builder: pygit2.TreeBuilder, name: str) -> Oid | None:
    entry = _entry(builder, name)
    if entry is None or entry.filemode != FileMode.TREE:
        return None
    return str(entry.id)


def _remove(builder: pygit2.TreeBuilder, name: str) -> None:
    if _entry(builder, name) is not None:
        builder.remove(name)
