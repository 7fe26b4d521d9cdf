"""Lines that conversations left, and what commits of somebody else have of them.

Digests of the lines lie beside the journal, on this machine alone: a short line can be
guessed from its digest. They show that a commit made by hand, or by another
conversation, holds work of one that has ended, all of it, parts of it, or with edits on
top; and whose the lines of a squash are, when the commits of its branch are gone.
"""

import hashlib
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice

from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.commit_changes import (
    AddedLines,
    added_lines,
    lines_added_by,
    patches_in,
    ranges_in,
)
from gitmem.git.files import read_value, write_value
from gitmem.git.patches import uncommitted_patches
from gitmem.git.plumbing.blame import MOST_BYTES
from gitmem.git.repository import Repository
from gitmem.git.values import COMMIT_LENGTH, CommitPatch, Oid
from gitmem.store.journal.beside import LEFT
from gitmem.workspace import Workspace

RECENT = 50
"""Most conversations whose lines are looked at, the last ones."""
_MOST_FILES, _MOST_LINES = 200, 50_000
_MOST_COMMITS = 50
_DIGITS = 8
_TELLING = 4
"""Letters and digits of a line that is nobody else's by chance."""


@frozen
class LeftFile:
    path: str
    lines: str
    """Digests of the lines."""


@frozen
class LeftLines:
    client_session_id: str
    files: tuple[LeftFile, ...]
    committed: tuple[LeftFile, ...] = ()
    commits: tuple[str, ...] = ()
    """Names of the commits whose lines are in `committed`."""


def _digests_for(path: str, files: Iterable[LeftFile]) -> set[str]:
    """Return the digests of the lines of one file."""
    return {*chain(*(file.lines.split() for file in files if file.path == path))}


DigestsByConversation = Mapping[str, set[str]]
"""Digests of the lines of one file, by the client's id of each conversation."""


def note_left_lines(
    workspace: Workspace,
    client_session_id: str,
    paths: Iterable[str],
    commits: Sequence[str] = (),
) -> None:
    """Note the lines of these files that are in no commit, and of commits; never fail.

    Not those uncommitted ones that another conversation had left before.
    """
    file = workspace.store.journal.beside(client_session_id, LEFT)
    with suppress(GitmemError, OSError):
        own = read_value(file, LeftLines) or LeftLines(client_session_id, ())
        former = partial(_left_by_others, own, [*left_lines(workspace)])
        some_paths = islice(paths, _MOST_FILES)
        files = tuple(_uncommitted(workspace, former, some_paths))
        committed = _with_commits(workspace, own, former, commits[-_MOST_COMMITS:])
        if files or committed:
            value = LeftLines(client_session_id, files, committed, tuple(commits))
            write_value(file, value)
        else:
            file.unlink(missing_ok=True)


def _left_by_others(
    own: LeftLines, conversations: Iterable[LeftLines], path: str
) -> set[str]:
    """Return the digests of lines of a file that others left, and this one did not."""
    files_of_others = (
        file
        for conversation in conversations
        if conversation.client_session_id != own.client_session_id
        for file in conversation.files
    )
    return _digests_for(path, files_of_others) - _digests_for(path, own.files)


def _uncommitted(
    workspace: Workspace, former: Callable[[str], set[str]], paths: Iterable[str]
) -> Iterator[LeftFile]:
    """Yield the lines of files that are in no commit and were left by nobody before."""
    for path, patch in uncommitted_patches(workspace.repository, paths):
        if new := _digests(added_lines(patch)) - former(path):
            yield _left_file(path, new)


def _left_file(path: str, digests: set[str]) -> LeftFile:
    return LeftFile(path, " ".join(sorted(digests)[:_MOST_LINES]))


def _with_commits(
    workspace: Workspace,
    own: LeftLines,
    former: Callable[[str], set[str]],
    commits: Sequence[str],
) -> tuple[LeftFile, ...]:
    """Return the lines that a conversation committed, with its own of new commits."""
    git, digests = workspace.repository, defaultdict[str, set[str]](set)
    for file in own.committed:
        digests[file.path].update(file.lines.split())
    for name in filter(None, map(git.full_name, {*commits} - {*own.commits})):
        for path, added in lines_added_by(git, name).items():
            digests[path] |= _digests(added) - former(path)
    return tuple(_left_file(path, digests[path]) for path in [*digests][:_MOST_FILES])


def left_lines(workspace: Workspace) -> Iterator[LeftLines]:
    """Yield what conversations left, the last ones first."""
    journal = workspace.store.journal
    for name in islice(journal.newest_first(), RECENT):
        if conversation := read_value(journal.beside(name, LEFT), LeftLines):
            yield conversation


def left_of(
    conversations: Iterable[LeftLines], path: str, former: frozenset[str] = frozenset()
) -> DigestsByConversation:
    """Return what conversations left or committed of a file, but not `former` lines."""
    digests_by_id = {
        own.client_session_id: _digests_for(path, own.files)
        | _digests_for(path, own.committed) - former
        for own in conversations
    }
    return {
        client_id: digests for client_id, digests in digests_by_id.items() if digests
    }


def left_among(
    digests_by_id: DigestsByConversation, added: AddedLines
) -> Iterator[tuple[str, set[int]]]:
    """Yield the conversations that left some of these lines, and their numbers."""
    free = {number for hunk in added for number, _ in hunk}
    for client_id, digests in digests_by_id.items():
        if lines := own_lines(added, digests) & free:
            free -= lines
            yield client_id, lines


@frozen
class CommitShare:
    """What a commit has of a conversation."""

    client_session_id: str
    patch: CommitPatch
    paths: frozenset[str]
    """The files with lines of it."""


def shares_in_commit(
    workspace: Workspace, commit: Oid, maker: str = ""
) -> Iterator[CommitShare]:
    """Yield the shares of the conversations that left lines of a commit.

    `maker` is the one that made the commit: it has all lines that no other one left.
    """
    git = workspace.repository
    conversations = [c for c in left_lines(workspace) if c.client_session_id != maker]
    patch = patches_in(git, [commit]).get(commit) if conversations else None
    if patch is None:
        return
    added = lines_added_by(git, commit)
    blobs = git.blobs(commit, added)
    whole = {path: {n for hunk in added[path] for n, _ in hunk} for path in blobs}
    own: defaultdict[str, dict[str, set[int]]] = defaultdict(dict)
    committed = chain(*(conversation.committed for conversation in conversations))
    paths = blobs.keys() & {file.path for file in committed}
    parent = git.rev_parse(f"{commit}^") if paths else None
    parent_blobs = git.blobs(parent, paths) if parent else {}
    for path in blobs:
        # A committed line that stood there before is like a new one by chance.
        former = _digests_in(git, parent_blobs.get(path))
        digests_by_id = left_of(conversations, path, former)
        for client_id, lines in left_among(digests_by_id, added[path]):
            own[client_id][path] = lines
    if maker:
        own[maker] = _rest(whole, own.values())
    for client_id, lines_by_path in own.items():
        tokens = sorted(
            blobs[path][:COMMIT_LENGTH]
            + ("" if lines == whole[path] else f":{ranges_in(lines)}")
            for path, lines in lines_by_path.items()
        )
        is_all = lines_by_path == {path: whole[path] for path in whole if whole[path]}
        yield CommitShare(
            client_id,
            patch if is_all else CommitPatch(patch.sha, "", tuple(tokens)),
            frozenset(lines_by_path),
        )


def _rest(
    whole: Mapping[str, set[int]], parts: Collection[Mapping[str, set[int]]]
) -> dict[str, set[int]]:
    """Return the lines of each file that are in none of these parts."""
    rest = {
        path: lines.difference(*(part.get(path, ()) for part in parts))
        for path, lines in whole.items()
    }
    return {path: lines for path, lines in rest.items() if lines}


def _digests_in(git: Repository, blob: Oid | None) -> frozenset[str]:
    content = git.read_blob(blob, MOST_BYTES).decode("utf-8", "replace") if blob else ""
    return frozenset(map(_digest, content.split("\n")))


def own_lines(added: AddedLines, digests: set[str]) -> set[int]:
    """Return the numbers of lines that were left so.

    A line such as a bracket is one of them if the lines around it are.
    """
    numbers = set[int]()
    for hunk in added:
        is_left = [_digest(line) in digests for _, line in hunk]
        telling = [place for place, (_, line) in enumerate(hunk) if is_telling(line)]
        for place, (number, _) in enumerate(hunk):
            above = max(bisect_right(telling, place) - 1, 0)
            around = telling[above : bisect_left(telling, place) + 1]
            if around and all(is_left[near] for near in (place, *around)):
                numbers.add(number)
    return numbers


def is_telling(line: str) -> bool:
    """Return whether a line is more than brackets and the like."""
    return sum(map(str.isalnum, line)) >= _TELLING


def _digests(added: AddedLines) -> set[str]:
    return {_digest(line) for hunk in added for _, line in hunk}


def _digest(line: str) -> str:
    content = line.strip().encode("utf-8", "replace")
    return hashlib.sha256(content).hexdigest()[:_DIGITS]
