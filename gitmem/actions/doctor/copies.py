"""Readable copies that are not as the memory has them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.doctor.finding import FIX, Code, Finding, Grade
from gitmem.documents.session.identity import is_session_id
from gitmem.documents.session.parsing import parse
from gitmem.errors import Damaged, FormatTooNew
from gitmem.store.readable_copies import copies_of, is_real_folder
from gitmem.store.trees.session_tree import SessionTree
from gitmem.text.control_characters import harmless_lines
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


@dataclass(frozen=True, slots=True)
class StaleCopy:
    path: Path
    document: str | None
    """As it should be; None where there is no such session any more."""


def copies(workspace: Workspace) -> Iterator[Finding]:
    try:
        count = sum(1 for _ in stale_copies(workspace))
    except (Damaged, FormatTooNew):
        return  # that is told of the memory itself
    if count:
        yield Finding(
            code=Code.STALE_COPY,
            grade=Grade.NOTE,
            what=f"{counted(count, 'readable copy')} out of date, or of sessions"
            " that are gone",
            mend=FIX,
            is_mendable=True,
        )


def stale_copies(workspace: Workspace) -> Iterator[StaleCopy]:
    """Those of this repository's sessions, but for those that git tracks.

    A copy of an unknown session may be another repository's: then its project is
    another one. Raises Damaged and FormatTooNew.
    """
    memory = workspace.store.memory()
    for folder in filter(is_real_folder, _folders(workspace)):
        for path in sorted(folder.glob("*.md")):
            if not path.is_symlink() and not _is_tracked(workspace, path):
                yield from _stale(workspace, memory, path)


def _folders(workspace: Workspace) -> tuple[Path, Path]:
    """Where copies for those are who work here; others look in their work trees."""
    return copies_of(workspace.root), workspace.own_dir / "sessions"


def _is_tracked(workspace: Workspace, path: Path) -> bool:
    root, git = workspace.root, workspace.repository
    is_here = git.work_tree is not None and path.is_relative_to(root)
    return is_here and git.tracks(path.relative_to(root).as_posix())


def _stale(
    workspace: Workspace, memory: SessionTree, path: Path
) -> Iterator[StaleCopy]:
    if not is_session_id(path.stem) or not path.is_file():
        return
    text, known = path.read_text("utf-8", "replace"), memory.entry(path.stem)
    if known is None:
        if parse(path.stem, text).project == workspace.project:
            yield StaleCopy(path, None)
        return
    document = memory.content(known)
    if text != harmless_lines(document):
        yield StaleCopy(path, document)
