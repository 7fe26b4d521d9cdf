"""Notes on the user's commits, as git-notes(1) keeps them.

Each is a file named by its commit; git moves the first digits into folders once there
are many, and reads both forms.
"""

from collections.abc import Callable, Iterator, Mapping

from gitmem.documents.session.message import is_ours, without_sessions
from gitmem.errors import Damaged
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature, TreeChanges, TreeEntry, is_oid
from gitmem.redaction.redact import Redacted, redact, redact_own
from gitmem.store.trees.committing import RefUpdate, in_some_try

REF = "refs/notes/ocm"

NotePlace = tuple[str, TreeEntry]
"""Path and entry of a note."""
_MOST_BYTES = 2_000
"""Bytes of the longest note that may be ours; most have some hundred."""
_MOST_LOOKED_AT = 1_000_000
"""Bytes of a note that somebody else wrote into."""
_NAME_LENGTH, _FOLDER_LENGTH = 40, 2


def write_notes(
    git: Repository, notes: Mapping[Oid, Redacted], author: Signature
) -> int:
    """Give commits these notes, in one commit on REF; gives how many were news.

    A note that somebody else wrote, or wrote into, stays as it is. Raises Busy when
    the ref keeps moving.
    """

    def written() -> int | None:
        tip = git.resolve_ref(REF)
        tree = git.tree_of(tip)
        changes = dict(_changes(git, tree, notes))
        if not changes:
            return 0
        commit = _commit(git, tree, changes, [tip] if tip else [], author)
        move = RefUpdate(REF, tip, commit, "notes: the sessions of commits")
        return len(changes) if move.is_made(git) else None

    return in_some_try(git, REF, written)


def drop_sessions(
    git: Repository,
    is_gone: Callable[[str], bool],
    author: Signature,
    *,
    from_history: bool,
) -> None:
    """Take out of all notes what they say of sessions that are gone, by their ids.

    With `from_history` what the notes were before is gone as well. Raises Busy when the
    ref keeps moving.
    """

    def dropped() -> bool | None:
        tip = git.resolve_ref(REF)
        tree = git.tree_of(tip)
        changes = dict(_without_sessions(git, tree, is_gone)) if tree else {}
        if tip is None or not (changes or from_history):
            return True
        parents = [] if from_history else [tip]
        commit = _commit(git, tree, changes, parents, author)
        move = RefUpdate(REF, tip, commit, "notes: sessions were forgotten")
        return True if move.is_made(git) else None

    in_some_try(git, REF, dropped)
    if from_history:
        git.forget_moves(REF)


def count_notes(git: Repository) -> int:
    """Return how many commits have a note on REF, whoever wrote it."""
    return len(notes_in(git, git.tree_of(git.resolve_ref(REF))))


def _commit(
    git: Repository,
    tree: Oid | None,
    changes: TreeChanges,
    parents: list[Oid],
    author: Signature,
) -> Oid:
    message = redact_own("The sessions of commits\n")
    return git.create_commit(git.write_tree(tree, changes), parents, message, author)


def _changes(
    git: Repository, tree: Oid | None, notes: Mapping[Oid, Redacted]
) -> Iterator[tuple[str, Redacted]]:
    """Yield path and text of each note to write."""
    present_notes = notes_in(git, tree)
    for commit, text in notes.items():
        new = f"{commit[:_FOLDER_LENGTH]}/{commit[_FOLDER_LENGTH:]}", None
        path, entry = present_notes.get(commit, new)
        if entry is None or _is_outdated(git, entry, text):
            yield path, text


def _is_outdated(git: Repository, note: TreeEntry, text: Redacted) -> bool:
    """Return whether a note is one of ours and says something else."""
    try:
        before = git.read_blob(note.oid, _MOST_BYTES).decode()
    except (Damaged, UnicodeDecodeError):
        return False
    return before != text and is_ours(before)


def _without_sessions(
    git: Repository, tree: Oid, is_gone: Callable[[str], bool]
) -> Iterator[tuple[str, Redacted | None]]:
    """Yield path and remaining text of each note that names them."""
    for path, entry in notes_in(git, tree).values():
        try:
            before = git.read_blob(entry.oid, _MOST_LOOKED_AT).decode()
        except (Damaged, UnicodeDecodeError):
            continue
        after = without_sessions(before, is_gone)
        if after != before:
            yield path, redact(after) if after.strip() else None


def notes_in(
    git: Repository, tree: Oid | None, folder: str = ""
) -> Mapping[Oid, NotePlace]:
    """Return the notes in a tree by the commits that they are of."""
    notes: dict[Oid, NotePlace] = {}
    for name, entry in git.read_tree(tree).items() if tree else ():
        path = f"{folder}{name}"
        if not entry.is_tree:
            notes[path.replace("/", "")] = path, entry
        elif len(name) == _FOLDER_LENGTH and len(folder) < _NAME_LENGTH:
            notes |= notes_in(git, entry.oid, f"{path}/")
    return {commit: place for commit, place in notes.items() if is_oid(commit)}
