"""What the memories mean: their vectors, made of what changed since the last time."""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from sys import maxsize
from typing import TYPE_CHECKING

from gitmem import processes
from gitmem.documents.memory.kind import MEMORY
from gitmem.documents.memory.memory import Memory, MemoryStatus
from gitmem.git.files import file_state
from gitmem.meaning.model import SentenceModel, sentence_model
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.waiting import hold_lock
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.meaning.minilm import Floats
    from gitmem.meaning.vectors import Vectors

_MOST_AT_ONCE = 20
"""Changed memories whose vectors are made while somebody waits: half a second."""

Tree = DocumentTree[Memory]


def memory_cosines(workspace: Workspace, tree: Tree, text: str) -> Mapping[str, float]:
    """Return how near in meaning each active memory is, by its id.

    Nothing where the user installed no model, or it does not know the language.
    """
    model = sentence_model()
    if not model or not model.reads(text):
        return {}
    vectors = _vectors(workspace, tree, model, _MOST_AT_ONCE)
    return vectors.cosines(model.vector(text))


def build_meanings(workspace: Workspace) -> None:
    """Make the vectors that are missing, unless another process does.

    Raises OSError.
    """
    if model := sentence_model():
        with hold_lock(_lock(workspace), patience=0):
            _vectors(workspace, workspace.store_of(MEMORY).memory(), model, maxsize)


def _vectors(
    workspace: Workspace, tree: Tree, model: SentenceModel, most: int
) -> "Vectors":
    """Return the vectors, with those of at most so many memories that changed.

    Those of more are made by another process, which is started unless there is one.
    """
    file = workspace.index_folder / "meanings"  # emptied when something is forgotten
    vectors = _read(file, file_state(file), model.name)
    ids = _changed_ids(workspace, tree, vectors.state)
    if len(ids) > most:
        with suppress(OSError), hold_lock(_lock(workspace), patience=0):
            processes.start_task(workspace.repository.common_dir, "meanings")
    elif ids:
        changes = {id_: _meaning(tree.readable(id_), model) for id_ in sorted(ids)}
        vectors = vectors.changed(tree.commit or "", changes)
        with suppress(OSError):
            vectors.write(file)
    return vectors


def _lock(workspace: Workspace) -> Path:
    """Held by the process that makes them."""
    return workspace.own_dir / "meanings.lock"


@lru_cache(maxsize=1 << 3)
def _read(file: Path, _state: object, model: str) -> "Vectors":
    """Read one version of the file, once for a whole server."""
    from gitmem.meaning.vectors import Vectors

    return Vectors.read(file, model)


def _changed_ids(workspace: Workspace, tree: Tree, commit: str) -> set[str]:
    if commit == tree.commit:
        return set()
    if workspace.repository.tree_of(commit or None):
        return tree.differing_ids(tree.at(commit))
    return {*tree.ids()}


def _meaning(memory: Memory | None, model: SentenceModel) -> "Floats | None":
    is_active = memory and memory.status is MemoryStatus.ACTIVE
    if memory and is_active and model.reads(memory.text):
        return model.vector(memory.text)
    return None
