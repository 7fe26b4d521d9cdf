"""Memories that always hold: constraints, conventions and pinned ones.

Every brief tells them, and needs no index: a small file says which blobs have them, and
at which commit they were looked for. What differs since then is read again.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Category, Memory, Standing
from gitmem.errors import Damaged, GitmemError
from gitmem.frozen import frozen
from gitmem.git.files import make_folder, read_own, replace_file
from gitmem.git.layout import private_dir
from gitmem.git.values import Oid, is_oid
from gitmem.store.trees.committing import circle_in
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.workspace import Workspace

_HOLDING = frozenset({Category.CONSTRAINT, Category.CONVENTION})
_USUAL_COST = 40
"""Tokens of a memory in a row."""
_FILE = "rules"
"""A commit, and a line for each memory, the newest first: seconds, its id, its blob."""
_LATEST = datetime.max.replace(tzinfo=UTC).timestamp()
"""Seconds of a line count back from here: so they sort the newest first."""


@frozen
class Rule:
    memory: Memory
    is_own: bool
    """Whether the user, or somebody trusted, said it."""


def rules(workspace: Workspace, room: int) -> list[Rule]:
    """Return what holds for this branch, the newest first.

    Of each place about as many as `room` tokens have room for.
    """
    git, spaces = workspace.repository, workspace.environment.spaces
    has_others = spaces.is_dir() or private_dir(git.common_dir).is_dir()
    if not has_others and git.resolve_ref(MEMORY.ref) is None:
        return []
    from gitmem.actions.remembering.places import places  # few starts need it

    found: list[Rule] = []
    branch = git.head().branch or ""
    for place in places(workspace, None, []):
        with suppress(GitmemError, OSError):  # the others are told
            found += _of_place(place.workspace, branch, room // _USUAL_COST + 2)
    found.sort(key=lambda each: each.memory.id)
    return sorted(found, key=lambda each: each.memory.updated_at, reverse=True)


def _of_place(place: Workspace, branch: str, most: int) -> Iterator[Rule]:
    own, now = circle_in(place.repository), place.now()
    known = _holding(place, place.store_of(MEMORY).memory())
    valid = (m for m in known if m.is_current(now) and m.branch in ("", branch))
    some = list(islice(valid, most))
    holder: dict[tuple[str, str], str] = {}
    for each in sorted(some, key=lambda each: each.id):  # of one key the smallest id
        holder.setdefault((each.key or each.id, each.branch), each.id)
    counting = {*holder.values()}
    return (Rule(m, own.trusts(m.author)) for m in some if m.id in counting)


def _holding(place: Workspace, tree: DocumentTree[Memory]) -> Iterator[Memory]:
    """The active memories that hold, the newest first."""
    if tree.commit is None:
        return
    path = place.own_dir / _FILE
    commit, noted = _noted(path)
    if commit != tree.commit:
        noted = _learned(tree, commit, noted)
        with suppress(OSError):  # then it is done again
            make_folder(path.parent)
            replace_file(path, "\n".join([tree.commit, *noted]).encode())
    for line in noted:
        with suppress(Damaged, ValueError):
            _, document_id, blob = line.split(" ")
            text = place.repository.read_blob(blob, tree.most_bytes)
            yield tree.parsed(document_id, text.decode("utf-8", "replace"))


def _learned(
    tree: DocumentTree[Memory], commit: Oid | None, noted: list[str]
) -> list[str]:
    """Return the lines for a tree, from those for an earlier commit."""
    try:
        before = tree.at(commit)
    except Damaged:  # it was pruned: all of them are new
        before, noted = tree.at(None), []
    known = {line.partition(" ")[2].partition(" ")[0]: line for line in noted}
    for document_id in tree.differing_ids(before):
        memory, file = tree.readable(document_id), tree.entry(document_id)
        known.pop(document_id, None)
        is_active = memory and memory.status is Standing.ACTIVE
        if file and memory and is_active and (memory.pinned or memory.kind in _HOLDING):
            seconds = _LATEST - memory.updated_at.timestamp()
            known[document_id] = f"{seconds:012.0f} {document_id} {file.oid}"
    return sorted(known.values())


def _noted(path: Path) -> tuple[Oid | None, list[str]]:
    """The commit of the file and its lines; nothing of a file that is unusable."""
    with suppress(OSError, ValueError):
        commit, *lines = read_own(path).decode().split("\n")
        if is_oid(commit):
            return commit, lines
    return None, []
