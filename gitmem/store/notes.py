"""Notes on the user's commits, as git-notes(1) keeps them.

A commit on a ref of its own has a tree of texts, each named by the commit that it is
about. Git puts the first digits of the names into folders once there are many, and
reads them wherever they are.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from gitmem.errors import Busy, Damaged
from gitmem.model.note import is_ours
from gitmem.model.redaction import Redacted, redact
from gitmem.store.repository import Oid, Repository, Signature, TreeEntry

REF = "refs/notes/ocm"

ReadTree = Callable[[Oid], Mapping[str, TreeEntry]]

_MOST_BYTES = 2_000
"""Of a note that may be ours; they have some hundred."""
_NAME_LENGTH, _FOLDER_LENGTH = 40, 2
_TRIES = 20


def write_notes(
    git: Repository, notes: Mapping[Oid, Redacted], author: Signature
) -> int:
    """Give commits these notes, in one commit on REF; gives how many were news.

    A note that somebody else wrote, or wrote into, stays as it is. Raises Busy when
    the ref keeps moving.
    """
    for _ in range(_TRIES):
        tip = git.resolve_ref(REF)
        tree = git.tree_of(tip) if tip else None
        changes = dict(_changes(git, tree, notes))
        if not changes:
            return 0
        commit = git.create_commit(
            git.write_tree(tree, changes),
            [tip] if tip else [],
            redact("The sessions of commits\n"),
            author,
        )
        if git.update_ref(REF, tip, commit, "notes: the sessions of commits"):
            return len(changes)
    raise Busy(f"{REF} kept moving while notes were written.", hint="Try again.")


def count_notes(git: Repository) -> int:
    """How many commits have a note on REF, whoever wrote it."""
    tip = git.resolve_ref(REF)
    tree = git.tree_of(tip) if tip else None
    return _count(git, tree, _NAME_LENGTH) if tree else 0


def _changes(
    git: Repository, tree: Oid | None, notes: Mapping[Oid, Redacted]
) -> Iterator[tuple[str, Redacted]]:
    """Where in the tree something has to be written, and what."""
    read_tree = cache(git.read_tree)
    for commit, text in notes.items():
        path, entry = _place(read_tree, tree, commit)
        if entry is None or _is_outdated(git, entry, text):
            yield path, text


def _place(
    read_tree: ReadTree, tree: Oid | None, commit: Oid
) -> tuple[str, TreeEntry | None]:
    """Path and entry of a note; where there is none, the path for a new one."""
    folder, name = "", commit
    while tree and len(name) > _FOLDER_LENGTH:
        entries, digits = read_tree(tree), name[:_FOLDER_LENGTH]
        if name in entries:
            return folder + name, entries[name]
        below = entries.get(digits)
        tree = below.oid if below and below.is_tree else None
        if tree:
            folder, name = f"{folder}{digits}/", name[_FOLDER_LENGTH:]
    if not folder:
        return f"{name[:_FOLDER_LENGTH]}/{name[_FOLDER_LENGTH:]}", None
    return folder + name, None


def _is_outdated(git: Repository, note: TreeEntry, text: Redacted) -> bool:
    """Whether a note is one of ours and says something else."""
    try:
        before = git.read_blob(note.oid, _MOST_BYTES).decode()
    except (Damaged, UnicodeDecodeError):
        return False
    return before != text and is_ours(before)


def _count(git: Repository, tree: Oid, digits: int) -> int:
    """The notes in a tree; `digits` of a name are left at this depth."""
    count = 0
    for name, entry in git.read_tree(tree).items():
        if not entry.is_tree:
            count += len(name) == digits
        elif len(name) == _FOLDER_LENGTH < digits:
            count += _count(git, entry.oid, digits - _FOLDER_LENGTH)
    return count
