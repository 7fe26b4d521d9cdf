"""Merge what `ocm export --all` wrote, as a pull merges what a remote has.

A file is read into a repository of its own, which borrows our objects: nothing of one
that is refused gets here. Then its packs move here. It is untrusted, as all that a
remote sends, and nothing of ours moves before all of it could be read.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from shlex import quote
from shutil import rmtree
from typing import Any, BinaryIO

from gitmem.actions.backup.export import LINES_VERSION
from gitmem.actions.maintenance import replay_all
from gitmem.actions.sharing.sync_report import SyncOutcome, SyncReport, reported
from gitmem.documents.kinds import KINDS, SESSION, refs
from gitmem.errors import (
    Damaged,
    FormatTooNew,
    GitmemError,
    InvalidInput,
    NotFound,
)
from gitmem.git.command import RefusedError
from gitmem.git.files import refusals_at
from gitmem.git.layout import own_dir
from gitmem.git.odb.packs import KEEP, take_packs
from gitmem.git.opening import make_bare, open_known
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact_own, seal
from gitmem.store.lock import locked
from gitmem.store.remote.merge_refs import MergeResult
from gitmem.store.remote.remote import TRACKING, Remote
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_tree import (
    FORMAT_FILE,
    AnyTree,
    DocumentTree,
    tree_at_tip,
)
from gitmem.store.trees.tombstones import (
    MOST_BYTES,
    is_tombstone_path,
    read_tombstone,
    rendered,
)
from gitmem.workspace import Workspace

_NAME = "ocm-import"
"""The name that the tracking refs have for a file."""
_PATIENCE = 3600.0
"""Seconds for git to read a bundle."""
_READ_PACK = ("index-pack", "--stdin", "--fix-thin", "--strict", f"--keep={KEEP}")
_MOST_HEADER = 10_000
"""Bytes of a line before the pack of a bundle."""
_MOST_LINE = 40_000_000
"""Bytes of a line: JSON may write six for each byte of the longest document."""
_PORTION = 5_000_000
"""Bytes of lines that are written at once: each time makes a pack."""
_NEWEST = 100
"""Sessions that tell which project a file is of."""


def import_file(
    workspace: Workspace, form: str, file: Path, project: str | None, *, is_dry: bool
) -> SyncReport:
    """Merge a file into the memory: a `bundle`, or `jsonl`.

    It must have a commit in common with the memory, or be of its project, or of the
    `project` that is named. Raises NotFound, InvalidInput, Damaged, FormatTooNew, Busy.
    """
    if not file.is_file():
        raise NotFound(f"There is no file {file}.")
    with refusals_at(file), file.open("rb") as stream:
        stream.read(1)
    remote = Remote(_NAME, str(file.absolute()), {ref: ref for ref in refs()})
    replay_all(workspace)
    git, tracked = workspace.repository, workspace.tracked(remote)
    with locked(workspace.sync_lock), ExitStack() as stack:
        _clean_up(git)  # after a killed import
        stack.callback(_clean_up, git)
        quarantine = _quarantine(git)
        _READERS[form](quarantine, remote, file, workspace.now())
        _require_own(workspace.project, quarantine, remote, file, project)
        _accept(git, quarantine, remote)
        results = tracked.taken()
        if not is_dry and any(_is_news(git, result) for result in results):
            tracked.land_once(results)
        outcome = SyncOutcome.PLANNED if is_dry else SyncOutcome.DONE
        report = replace(reported(tracked, outcome, results, {}), remote=str(file))
    with suppress(GitmemError, OSError):  # whoever reads does it, too
        workspace.drop_traces()
    return report


def _clean_up(git: Repository) -> None:
    rmtree(_quarantine_dir(git), ignore_errors=True)
    for ref in git.refs(f"{TRACKING}{_NAME}/"):
        git.delete_ref(ref)


def _quarantine(git: Repository) -> Repository:
    """Make a repository that has our refs, and borrows our objects."""
    folder = _quarantine_dir(git)
    make_bare(folder, {**git.variables, "GIT_DEFAULT_HASH": git.object_format})
    alternates = folder / "objects" / "info" / "alternates"
    alternates.write_text("../../../objects\n")  # a relative path needs no quoting
    quarantine = open_known(folder, None, git.variables)
    for ref in refs():
        if tip := git.resolve_ref(ref):
            quarantine.update_ref(ref, None, tip, "import")
    return quarantine


def _quarantine_dir(git: Repository) -> Path:
    return own_dir(git.common_dir) / "import"


def _accept(git: Repository, quarantine: Repository, remote: Remote) -> None:
    """Take the objects, where some are new, and have tracking refs lead to them.

    Raises FormatTooNew and Damaged before.
    """
    tips = dict[str, Oid]()
    for kind in KINDS.values():
        name = remote.tracking(kind.ref)
        if tip := DocumentTree(kind, quarantine, quarantine.resolve_ref(name)).commit:
            tips[name] = tip
    present_tips = [*filter(None, map(git.resolve_ref, refs()))]
    new = ("rev-list", "-1", *tips.values(), "--not", *present_tips)
    if tips and quarantine.output(*new):
        take_packs(quarantine.common_dir, git.common_dir)
    for name, tip in tips.items():
        git.update_ref(name, None, tip, "import")


def _is_news(git: Repository, result: MergeResult) -> bool:
    return git.tree_of(result.commit) != git.tree_of(result.ours)


def _require_own(
    own_project: str, git: Repository, remote: Remote, file: Path, project: str | None
) -> None:
    """Raise InvalidInput for a file of another project that nobody named."""
    for ref in remote.refs:
        tips = git.resolve_ref(ref), git.resolve_ref(remote.tracking(ref))
        if all(tips) and git.merge_base(*map(str, tips)):
            return
    sessions = git.resolve_ref(remote.tracking(SESSION.ref))
    newest = islice(DocumentTree(SESSION, git, sessions).newest(), _NEWEST)
    projects = {session.project for session in newest}
    if projects and projects.isdisjoint((own_project, project)):
        raise InvalidInput(
            f"{file.name} is of another project, {min(projects)}, and has no commit in"
            " common with this memory.",
            hint=f"`--project {quote(min(projects))}` takes it all the same.",
        )


def _read_bundle(git: Repository, remote: Remote, file: Path, _: datetime) -> None:
    try:
        git.output("bundle", "verify", remote.location)
        heads = git.output("bundle", "list-heads", remote.location, *remote.refs)
    except RefusedError as error:
        raise InvalidInput(
            f"{file.name} is no bundle that git can read, or needs commits that are"
            " not here."
        ) from error
    tips = [line.split(" ", 1) for line in heads.decode(errors="replace").splitlines()]
    if not tips:
        raise InvalidInput(f"{file.name} has no memory, which is at {SESSION.ref}.")
    try:
        with file.open("rb", buffering=0) as pack:  # git reads on behind the header
            while pack.readline(_MOST_HEADER).strip():
                pass
            git.output(*_READ_PACK, stdin=pack, patience=_PATIENCE)
    except RefusedError as error:
        raise Damaged(f"{file.name} cannot be read whole, or is damaged.") from error
    for tip, ref in tips:
        if ref in remote.refs:
            git.update_ref(remote.tracking(ref), None, tip, "import")


def _read_lines(git: Repository, remote: Remote, file: Path, now: datetime) -> None:
    """Commit what the lines have, and have tracking refs lead there."""
    trees = dict[str, Oid]()
    present = {kind.name: tree_at_tip(kind, git) for kind in KINDS.values()}
    with file.open("rb") as stream:
        _require_known_version(stream.readline(_MOST_LINE))
        for portion in _portions(stream):
            changes: dict[str, dict[str, Content]] = defaultdict(dict)
            for number, line in portion:
                name, path, content = _read_line(present, number, line)
                changes[name][path] = content
            for name, texts in changes.items():
                texts[FORMAT_FILE] = redact_own(f"{KINDS[name].format}\n")
                trees[name] = git.write_tree(trees.get(name), texts)
    by, message = author(git, now), redact_own("import\n")
    for name, tree in trees.items():
        commit = git.create_commit(tree, [], message, by)
        git.update_ref(remote.tracking(KINDS[name].ref), None, commit, "import")


def _portions(stream: BinaryIO) -> Iterator[list[tuple[int, bytes]]]:
    """Yield numbered lines that are written in one pack."""
    portion, size = list[tuple[int, bytes]](), 0
    for number, line in enumerate(iter(lambda: stream.readline(_MOST_LINE), b""), 2):
        portion.append((number, line))
        size += len(line)
        if size > _PORTION:
            yield portion
            portion, size = [], 0
    yield portion


_READERS = {"bundle": _read_bundle, "jsonl": _read_lines}


def _require_known_version(first_line: bytes) -> None:
    version = _object_in(1, first_line).get("gitmem")
    if not isinstance(version, int):
        raise InvalidInput("line 1: this is no memory that `ocm export` wrote.")
    if version > LINES_VERSION:
        raise FormatTooNew(
            "A newer gitmem wrote this file.",
            hint="Upgrade gitmem: `pipx upgrade git-ocm`.",
        )


def _read_line(
    present: Mapping[str, AnyTree], number: int, line: bytes
) -> tuple[str, str, Content]:
    """Return kind, path and content of a document or a tombstone, redacted."""
    data = _object_in(number, line)
    tree, text = present.get(str(data.get("kind"))), data.get("text")
    document_id, path = str(data.get("id")), str(data.get("path"))
    if tree and isinstance(text, str):
        kind, size = tree.kind, len(text.encode(errors="replace"))
        if is_tombstone_path(path) and size <= MOST_BYTES:
            return kind.name, path, rendered(read_tombstone(text))
        if kind.is_id(document_id) and size <= kind.most_bytes:
            content = _document(tree, document_id, text)
            return kind.name, kind.path(document_id), content
    raise InvalidInput(f"line {number}: this is no document of a memory.")


def _document(tree: AnyTree, document_id: str, text: str) -> Content:
    """Return a document as it is here, where it is the same, else redacted anew."""
    present = tree.entry(document_id)
    if present and tree.text(document_id) == text:
        return present
    return seal(tree.kind.parse(document_id, text), tree.kind.render)


def _object_in(number: int, line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InvalidInput(f"line {number}: this is no JSON object.")
    return data
