"""What the memories mean: their vectors, made of what changed since the last time."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem import processes
from gitmem.documents.memory.kind import MEMORY
from gitmem.documents.memory.memory import Memory, MemoryStatus
from gitmem.meaning.model import SentenceModel, sentence_model
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.waiting import held
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.meaning.minilm import Floats
    from gitmem.meaning.vectors import Vectors

_MOST_AT_ONCE = 20
"""Changed memories whose vectors are made while somebody waits: half a second."""

Tree = DocumentTree[Memory]


def cosines(workspace: Workspace, tree: Tree, text: str) -> Mapping[str, float]:
    """Return how near in meaning each active memory is, by its id.

    Nothing where the user installed no model, or it does not know the language.
    """
    model = sentence_model()
    if not model or not model.reads(text):
        return {}
    return _vectors(workspace, tree, model).cosines(model.vector(text))


def build_meanings(workspace: Workspace) -> None:
    """Make the vectors that are missing, unless another process does.

    Raises OSError.
    """
    if model := sentence_model():
        with held(workspace.own_dir / "meanings.lock", patience=0):
            tree = workspace.store_of(MEMORY).memory()
            vectors = _read(workspace, model)
            ids = _changed_ids(workspace, tree, vectors)
            _learned(workspace, tree, model, vectors, ids)


def _vectors(workspace: Workspace, tree: Tree, model: SentenceModel) -> "Vectors":
    """Return the vectors; those of many new memories are made by another process."""
    vectors = _read(workspace, model)
    ids = _changed_ids(workspace, tree, vectors)
    if len(ids) <= _MOST_AT_ONCE:
        return _learned(workspace, tree, model, vectors, ids)
    with suppress(OSError):
        processes.start_task(workspace.repository.common_dir, "meanings")
    return vectors


def _learned(
    workspace: Workspace,
    tree: Tree,
    model: SentenceModel,
    vectors: "Vectors",
    ids: Collection[str],
) -> "Vectors":
    """Return the vectors with those of changed memories, and write them."""
    if not ids:
        return vectors
    changes = {id_: _meaning(tree.readable(id_), model) for id_ in sorted(ids)}
    learned = vectors.changed(tree.commit or "", changes)
    with suppress(OSError):
        learned.write(_file(workspace))
    return learned


def _read(workspace: Workspace, model: SentenceModel) -> "Vectors":
    file = _file(workspace)
    try:
        version = file.stat().st_mtime_ns
    except OSError:
        version = 0
    return _read_once(file, version, model.name)


@lru_cache(maxsize=1 << 3)
def _read_once(file: Path, version: int, model: str) -> "Vectors":
    """Read the vectors of one version of the file, once for a whole server."""
    from gitmem.meaning.vectors import Vectors

    del version
    return Vectors.read(file, model)


def _file(workspace: Workspace) -> Path:
    """In the folder of the index, which is emptied when something is forgotten."""
    return workspace.index_folder / "meanings.npz"


def _changed_ids(workspace: Workspace, tree: Tree, vectors: "Vectors") -> set[str]:
    if vectors.state == tree.commit:
        return set()
    if workspace.repository.tree_of(vectors.state or None):
        return tree.differing_ids(tree.at(vectors.state))
    return {*tree.ids()}


def _meaning(memory: Memory | None, model: SentenceModel) -> "Floats | None":
    is_active = memory and memory.status is MemoryStatus.ACTIVE
    if memory and is_active and model.reads(memory.text):
        return model.vector(memory.text)
    return None
