"""Sessions behind commits that none lists: rewritten, squashed, or made by a person.

A session keeps the patch id of each of its commits, and the blob of each file after it.
A commit with the same patch, or with files as a session left them, is recognized by
that, whatever its name. Time and subject prove nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain

from gitmem.documents.session.index import patch_term
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.commit_changes import patches_in
from gitmem.git.files import make_folder, read_text, replace_file
from gitmem.git.repository import Repository
from gitmem.git.values import COMMIT_LENGTH, Commit, CommitPatch, Oid
from gitmem.indexing import ask_index
from gitmem.text.counting import Progress, counted
from gitmem.workspace import Workspace

SAME_PATCH = "same patch"
LEFT_LINES = "lines as the session left them"
MOST_BYTES = 2_000_000
"""Bytes of a message or note that is read."""
_CACHE = "patches.txt"
_NO_PATCH = "-"
_MOST_CACHED = 20_000_000
"""Bytes of patches that are kept: some 100,000 commits."""


@frozen
class LinkedSession:
    session: Session
    commits: tuple[Commit, ...]
    """Commits of the repository that come from it, by full names."""
    evidence: str = ""
    """How that is known; "" if the session lists these commits."""
    blobs: tuple[str, ...] | None = None
    """The files of the commits that come from it, as their first digits; None for all
    files."""


def recognized(
    workspace: Workspace, commits: Collection[Oid], progress: Progress | None = None
) -> Iterator[LinkedSession]:
    """Yield the sessions that commits come from which no session lists."""
    patches = known_patches(workspace, commits)
    commits_with: defaultdict[str, list[Oid]] = defaultdict(list)
    for oid, patch in patches.items():
        for digits in {patch.patch_id, *patch.blobs} - {""}:
            commits_with[digits].append(oid)
    if not commits_with:
        return
    terms = [*map(patch_term, commits_with)]
    ids = ask_index(workspace, lambda index: index.ids_with_commits(terms), progress)
    for session in filter(None, map(workspace.store.memory().readable, ids)):
        yield from _links(workspace, session, patches, commits_with)


def patch_of(session: Session, commit: Oid) -> CommitPatch | None:
    """Return what a session has of a commit that it lists."""
    name = commit[:COMMIT_LENGTH]
    return next((patch for patch in session.patches if patch.sha == name), None)


def _links(
    workspace: Workspace,
    session: Session,
    patches: Mapping[Oid, CommitPatch],
    commits_with: Mapping[str, list[Oid]],
) -> Iterator[LinkedSession]:
    patch_ids = [patch.patch_id for patch in session.patches]
    same = dict.fromkeys(chain(*(commits_with.get(name, ()) for name in patch_ids)))
    if commits := commits_since(workspace, session, same):
        yield LinkedSession(session, commits, SAME_PATCH)
    session_blobs = {blob[:COMMIT_LENGTH] for p in session.patches for blob in p.blobs}
    partial_patches = (patch for patch in session.patches if not patch.patch_id)
    blobs_with_lines = (b for patch in partial_patches for b in patch.blobs if ":" in b)
    in_part = {blob[:COMMIT_LENGTH] for blob in blobs_with_lines}
    touched = {*chain(*(commits_with.get(blob, ()) for blob in session_blobs))}
    for oid in touched - same.keys():
        blobs = patches[oid].blobs
        left_blobs = tuple(blob for blob in blobs if blob in session_blobs)
        if commits := commits_since(workspace, session, [oid]):
            is_whole = in_part.isdisjoint(left_blobs)
            evidence = _share(len(left_blobs), len(blobs)) if is_whole else LEFT_LINES
            yield LinkedSession(session, commits, evidence, left_blobs)


def _share(own_count: int, count: int) -> str:
    part = f"{own_count} of {counted(count, 'file')}"
    if own_count == count:
        part = f"all {count} files" if count > 1 else "the file"
    return f"{part} as the session left {'it' if count == 1 else 'them'}"


def commits_since(
    workspace: Workspace, session: Session, oids: Iterable[Oid]
) -> tuple[Commit, ...]:
    """Return commits without earlier ones: a session may restore an old file."""
    git, since = workspace.repository, session.started_at.timestamp()
    return tuple(
        Commit(oid, message_of(git, oid).lstrip("\n").partition("\n")[0])
        for oid in oids
        if git.committed_at(oid) >= since
    )


def message_of(git: Repository, commit: Oid) -> str:
    """Return the message of a commit; "" where it cannot be read."""
    with suppress(Damaged):
        content = git.read(commit, "commit", MOST_BYTES) or b""
        return content.partition(b"\n\n")[2].decode("utf-8", "replace")
    return ""


def known_patches(
    workspace: Workspace, commits: Collection[Oid]
) -> dict[Oid, CommitPatch]:
    """Return what commits change; what was computed before is read from a file."""
    if not commits:
        return {}
    file = workspace.own_dir / _CACHE
    text = read_text(file)
    text = text if len(text) < _MOST_CACHED else ""
    patches = dict(_cached(text, commits))
    new = patches_in(workspace.repository, [*{*commits} - patches.keys()])
    if new:
        lines = (_line(name, patch) for name, patch in new.items())
        with suppress(OSError):  # then it is computed again
            make_folder(file.parent)
            replace_file(file, "".join([text, *lines]).encode())
    return patches | new


def _cached(text: str, commits: Collection[Oid]) -> Iterator[tuple[Oid, CommitPatch]]:
    for line in text.splitlines():
        name = line.partition(" ")[0]
        if name in commits:
            _, patch_id, *blobs = [*line.split(), "", ""]
            patch_id = patch_id.removeprefix(_NO_PATCH)
            blobs = [*filter(None, blobs)]
            yield name, CommitPatch(name[:COMMIT_LENGTH], patch_id, tuple(blobs))


def _line(name: Oid, patch: CommitPatch) -> str:
    return " ".join([name, patch.patch_id or _NO_PATCH, *patch.blobs]) + "\n"
