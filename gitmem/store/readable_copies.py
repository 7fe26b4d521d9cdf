"""Readable copies of documents, for assistants that are given a path.

A copy is written whenever its path is handed out, in `.openCodeMemory/sessions/` of a
work tree, which `info/exclude` hides from `git status`. Of too many the one that was
handed out longest ago is deleted. One that somebody edited is kept under another name.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable, Mapping
from operator import itemgetter
from pathlib import Path
from shlex import quote
from typing import TypeVar

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.documents.session.identity import is_session_id, subject_digest
from gitmem.errors import GitmemError, InvalidInput
from gitmem.git.files import is_file, is_folder, read_own, replace_file
from gitmem.git.layout import FOLDER
from gitmem.git.odb.objects import GitObject, ObjectType
from gitmem.git.opening import open_repository
from gitmem.git.repository import Repository
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.document_versions import texts_of
from gitmem.text.control_characters import harmless_lines
from gitmem.text.insertion import SHELL, blocks_in, inserted, with_block, without_block
from gitmem.waiting import tell

D = TypeVar("D")
EXCLUDED = f"/{FOLDER}/"
"""The line of `info/exclude` for the copies, between our marks."""
MOST_COPIES = 300
"""Most copies in one folder."""
_MOST_VERSIONS = 100
"""Most versions of a document that a copy is compared with."""


def copies_of(work_tree: Path) -> Path:
    """Return the folder of a work tree in which its readable copies lie."""
    return work_tree / FOLDER / "sessions"


def is_of_predecessor(file: Path) -> bool:
    """Tell whether a file is a document of `ocm-session-memory`, which is no copy."""
    with contextlib.suppress(OSError), file.open("rb") as opened:
        return opened.readline() + opened.read(11) == b"---\nsession_id:"
    return False


def write_copy(
    folders: list[Path],
    session_id: str,
    document: str,
    git: Repository,
    variables: Mapping[str, str],
) -> Path | None:
    """Write the copy in the first folder that takes it; None when none does.

    It has no characters that are not seen: an assistant reads it. Where it is a new one
    and there are too many, others go, but for what git tracks. `git` has the document,
    and `variables` are the environment of the user.

    Where another session has the same session id, the digest is added to the name. A
    folder that is reached through a symbolic link is not taken: a repository could
    have brought it along to make us write elsewhere.
    """
    for folder in folders:
        with contextlib.suppress(OSError):
            path = _free_path(folder, session_id, document)
            content = harmless_lines(document).encode()
            if is_real_folder(folder) and is_file(path) and read_own(path) != content:
                _keep_if_edited(path, document, git)
            return _write(path, content, variables)
    return None


def copy_names(kind: Kind[D], document: D) -> tuple[str, str]:
    """Return the names that the copy of a document may have, without `.md`."""
    name = kind.public_id(document)
    return name, f"{name}-{kind.identity(kind.document_id(document))}"


def remove_copies(
    folder: Path, is_gone: Callable[[str], bool], variables: Mapping[str, str]
) -> None:
    """Remove the copies of sessions that are gone, by their ids.

    What somebody put under git's care stays. Nothing is touched behind a symbolic link.
    `variables` are the environment of the user. Raises OSError.
    """
    for path in folder.glob("*.md*") if is_real_folder(folder) else ():
        is_copy = is_gone(path.name.partition(".md")[0].removeprefix("."))
        if is_copy and not is_folder(path):
            drop_copy(path, variables)


def drop_copy(path: Path, variables: Mapping[str, str]) -> None:
    """Delete a copy, unless somebody put it under git's care. Raises OSError."""
    if not _is_tracked(path, variables):
        path.unlink(missing_ok=True)


def is_real_folder(folder: Path) -> bool:
    """Return whether a folder exists, and neither it nor its parent is a link.

    Whoever put a link there may have meant us to read or to write elsewhere.
    """
    is_behind_link = folder.is_symlink() or folder.parent.is_symlink()
    return not is_behind_link and folder.is_dir()


def exclude_path(common_dir: Path) -> Path:
    """Return the path of git's `info/exclude`."""
    return common_dir / "info" / "exclude"


def exclude_copies(common_dir: Path) -> bool:
    """Keep the copies of all work trees out of `git status`, as gitignore(5) says.

    False when that is so already, or cannot be.
    """
    path = exclude_path(common_dir).resolve()
    try:
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            path.touch()
        before = path.read_bytes().decode("utf-8", "surrogateescape")
        if EXCLUDED in before.splitlines():
            return False
        lines = "".join(blocks_in(before, SHELL)) + EXCLUDED
        text = without_block(before, SHELL)
        after = inserted(text, with_block(text, lines, SHELL))
        content = after.encode("utf-8", "surrogateescape")
        replace_file(path, content, path.stat().st_mode & 0o777, is_synced=True)
    except (OSError, InvalidInput):
        return False
    return True


def _is_tracked(copy: Path, variables: Mapping[str, str]) -> bool:
    """Return whether git has it, and so whoever works there."""
    with contextlib.suppress(GitmemError):
        git = open_repository(copy.parent, variables)
        if git.work_tree and copy.is_relative_to(git.work_tree):
            return git.tracks(copy.relative_to(git.work_tree).as_posix())
    return False


def _free_path(folder: Path, session_id: str, document: str) -> Path:
    path = folder / f"{session_id}.md"
    subject = SESSION.subject_in(session_id, document)
    if is_session_id(session_id) and is_file(path):
        present = read_own(path).decode("utf-8", "replace")
        if SESSION.subject_in(session_id, present) != subject:
            return folder / f"{session_id}-{subject_digest(subject)}.md"
    return path


def _keep_if_edited(path: Path, document: str, git: Repository) -> None:
    """Rename a copy that is no version of its document: somebody edited it."""
    content = read_own(path)
    subject = SESSION.subject_in(path.stem, document)
    if _is_version(content, subject, git):
        return
    edited = path.with_name(f"{path.name}.{hashlib.sha256(content).hexdigest()[:8]}.md")
    path.replace(edited)
    tell(
        f"{path} was edited by hand. The text is kept:"
        f" `ocm edit --from {quote(str(edited))}` saves it."
    )


def _is_version(content: bytes, subject: str, git: Repository) -> bool:
    """Return whether a copy is what a version of a session was written as.

    Most versions are written as they are. The history of the others is read.
    """
    if git.read_header(GitObject(ObjectType.BLOB, content, git.object_format).oid):
        return True
    tree = tree_at_tip(SESSION, git)
    document_id = tree.ids_by_identity.get(subject_digest(subject), "")
    texts = texts_of(git, tree, document_id, _MOST_VERSIONS) if document_id else ()
    return content in (harmless_lines(text).encode() for text in texts)


def _write(path: Path, content: bytes, variables: Mapping[str, str]) -> Path:
    """Write a copy; its time says when it was last handed out."""
    for part in (path.parent.parent, path.parent):
        if part.is_symlink():
            raise NotADirectoryError(part)
        part.mkdir(mode=0o700, parents=True, exist_ok=True)
    is_new = not is_file(path)
    if is_new or read_own(path) != content:
        replace_file(path, content)
    os.utime(path)
    if is_new:
        with contextlib.suppress(OSError):
            _drop_oldest(path, variables)
    return path


def _drop_oldest(new: Path, variables: Mapping[str, str]) -> None:
    copies = [
        (path.lstat().st_mtime, path)
        for path in new.parent.glob("*.md")
        if path != new and any(kind.is_id(path.stem) for kind in KINDS.values())
    ]
    copies.sort(key=itemgetter(0), reverse=True)
    for _, path in copies[MOST_COPIES - 1 :]:
        drop_copy(path, variables)
