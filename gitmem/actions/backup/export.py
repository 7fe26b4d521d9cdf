"""Write the whole memory to a file, which only the user can read.

A bundle has the refs with their history; JSON lines have the documents and tombstones
of today. Private memories and spaces are repositories of their own, and in neither.
"""

import json
from collections.abc import Iterator
from datetime import UTC
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gitmem.actions.maintenance import replay_all
from gitmem.documents.kinds import KINDS, refs
from gitmem.documents.names import digest
from gitmem.errors import Damaged, InvalidInput, NoPermission, NotFound
from gitmem.frozen import frozen
from gitmem.git.command import RefusedError, answer_in
from gitmem.git.files import is_file, refusals_at, require_place
from gitmem.git.repository import Repository
from gitmem.store.lock import locked
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.format_upgrade import upgrade
from gitmem.store.trees.tombstones import records_in
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

BUNDLE, LINES = ".bundle", ".jsonl"
LINES_VERSION = 1
"""It goes up with the format of any kind."""
_PATIENCE = 3600.0
"""Seconds that git may take."""
_UNSAFE = pattern(r"[^A-Za-z0-9.]+")
_TIMES = f"{'[0-9]' * 8}T{'[0-9]' * 6}Z"
"""Times in the names of backups, as a pattern of file names."""


@frozen
class Backup:
    file: Path
    dropped: tuple[Path, ...]
    """Older backups that were deleted."""


def export_all(workspace: Workspace, file: Path) -> dict[str, int]:
    """Write the memory to a file with mode 0600; return how many of each kind it has.

    Raises InvalidInput for another suffix, NotFound where there is no folder or no
    memory, NoPermission and Busy.
    """
    if file.suffix not in (BUNDLE, LINES):
        raise InvalidInput(
            f"{file.name} must end in {BUNDLE} or {LINES}.",
            hint=f"{BUNDLE} has the history, for git; {LINES} has a document a line.",
        )
    require_place(file)
    git, present_refs = workspace.repository, _present_refs(workspace)
    with refusals_at(file), _new_folder_beside(file) as folder:
        new_file = Path(folder, file.name)  # nobody else can open that folder
        if file.suffix == BUNDLE:
            _write_bundle(git, new_file, present_refs)
        else:
            with new_file.open("w", encoding="utf-8") as stream:
                stream.writelines(f"{json.dumps(line)}\n" for line in _lines(git))
        new_file.chmod(0o600)
        new_file.replace(file)
    return {
        kind.root: sum(1 for _ in tree_at_tip(kind, git).ids())
        for kind in KINDS.values()
    }


def back_up(workspace: Workspace, folder: Path, most: int) -> Backup:
    """Write a bundle, verify it, and delete older ones of this repository.

    Raises Damaged where the bundle does not give back the memory: older ones stay then.
    """
    place = digest(str(workspace.repository.common_dir))[:8]
    stem = f"ocm-{_UNSAFE.sub('-', workspace.project)}-{place}-"
    file = folder / f"{stem}{workspace.now().astimezone(UTC):%Y%m%dT%H%M%SZ}{BUNDLE}"
    export_all(workspace, file)
    _verify(workspace.repository, file)
    backups = sorted(
        filter(is_file, folder.glob(f"{stem}{_TIMES}{BUNDLE}")),
        key=lambda path: (path == file, path),  # the clock may have gone back
    )
    dropped = tuple(backups[:-most])
    for path in dropped:
        path.unlink(missing_ok=True)
    return Backup(file, dropped)


def _present_refs(workspace: Workspace) -> list[str]:
    """Return the refs of today's memory, with all that was acknowledged."""
    git = workspace.repository
    replay_all(workspace)
    present_refs = [ref for ref in refs() if git.resolve_ref(ref)]
    if not present_refs:
        raise NotFound("There is no memory yet.", hint="Save a session first.")
    with locked(workspace.store.lock):
        for ref in present_refs:
            upgrade(git, ref)
    return present_refs


def _write_bundle(git: Repository, file: Path, present_refs: list[str]) -> None:
    command = ("bundle", "create", "--quiet", str(file), *present_refs)
    try:
        git.output(*command, patience=_PATIENCE)
    except RefusedError as error:
        raise NoPermission(f"{file.name} cannot be written: {error}") from error


def _lines(git: Repository) -> Iterator[dict[str, Any]]:
    yield {"gitmem": LINES_VERSION}
    for kind in KINDS.values():
        tree = tree_at_tip(kind, git)
        for document_id in tree.ids():
            yield {"kind": kind.name, "id": document_id, "text": tree.text(document_id)}
        for path, file in records_in(tree):
            yield {"kind": kind.name, "path": path, "text": tree.content(file)}


def _new_folder_beside(file: Path) -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix=".ocm-", dir=file.parent)


def _verify(git: Repository, file: Path) -> None:
    """Raise Damaged unless an empty repository gets all that a bundle has."""
    with _new_folder_beside(file) as name:
        answer = partial(answer_in, Path(name), variables=git.variables)
        object_format = f"--object-format={git.object_format}"
        try:
            answer(["init", "--bare", "--template=", object_format])
            heads = answer(["bundle", "unbundle", str(file)], patience=_PATIENCE)
            commits = [line.split()[0] for line in heads.decode().splitlines()]
            walk = ["rev-list", "--objects", "--quiet", *commits]
            answer(walk, patience=_PATIENCE)
        except RefusedError as error:
            raise Damaged(f"{file} cannot be restored: {error}") from error
