"""Which lines of a file come from which session.

A commit that a session made gives it all its lines. Of a squash, or of a person's
commit, a session has the files that it left so, or some lines of them. If the commit in
which it left a file so is there, the history of that commit tells its lines apart.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain

from gitmem.actions.linking.left_lines import (
    DigestsByConversation,
    left_among,
    left_lines,
    left_of,
)
from gitmem.actions.linking.links import links_to
from gitmem.actions.linking.recognize import (
    LEFT_LINES,
    LinkedSession,
    commits_since,
    patch_of,
)
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.git.commit_changes import AddedLines
from gitmem.git.files import read_text
from gitmem.git.plumbing.blame import MOST_BYTES, blame_at
from gitmem.git.values import ABBREVIATED, COMMIT_LENGTH, Blame, LineGroup, Lines, Oid
from gitmem.lookup import session_of_conversation
from gitmem.workspace import Workspace

UNCOMMITTED = "not committed yet"


@frozen
class LineShare:
    link: LinkedSession
    lines: frozenset[int]
    """Numbers of lines in the file of the commit."""


@frozen
class LinkedLines:
    counts: tuple[tuple[LinkedSession, int], ...]
    """Each session once, with how many lines come from it."""
    unlinked: Mapping[Oid, int]
    """How many lines of each commit come from no session."""


def linked_lines(
    workspace: Workspace, links: Iterable[LinkedSession], blame: Blame
) -> LinkedLines:
    """Count the lines of a blame by the sessions that its commits come from."""
    by_commit: defaultdict[Oid, list[LinkedSession]] = defaultdict(list)
    for link in links:
        for commit in link.commits:
            by_commit[commit.sha].append(replace(link, commits=(commit,)))
    places: defaultdict[tuple[Oid, str], list[LineGroup]] = defaultdict(list)
    for group in blame.groups:
        places[group.commit, group.path].append(group)
    shares: list[LineShare] = []
    unlinked: Counter[Oid] = Counter()
    conversations = [*left_lines(workspace)]
    left_at = cache(partial(left_of, conversations))
    for (oid, path), groups in places.items():
        file = _CommittedFile(workspace, oid, path, groups)
        file_shares = [*file.shares(by_commit[oid])]
        rest = file.lines.difference(*(share.lines for share in file_shares))
        file_shares += file.left_shares(left_at(path), rest) if rest else ()
        shares += file_shares
        unlinked[oid] += len(file.lines.difference(*(s.lines for s in file_shares)))
    for path in {group.path for group in blame.uncommitted_groups}:
        shares += _uncommitted(workspace, path, left_at(path), blame)
    return LinkedLines((*_by_session(shares),), +unlinked)


def _uncommitted(
    workspace: Workspace, path: str, digests_by_id: DigestsByConversation, blame: Blame
) -> Iterator[LineShare]:
    """Yield the sessions that left lines of the work tree's file."""
    content = read_text(workspace.root / path)
    added = _numbered(content, (group.final for group in blame.uncommitted_groups))
    for session, lines in _left_by_sessions(workspace, digests_by_id, added):
        yield LineShare(LinkedSession(session, (), UNCOMMITTED), lines)


def _numbered(content: str, ranges: Iterable[Sequence[int]]) -> AddedLines:
    """Return lines of a text, those of each range together."""
    lines = content.split("\n")
    return [[(n, lines[n - 1]) for n in part if n <= len(lines)] for part in ranges]


def _left_by_sessions(
    workspace: Workspace, digests_by_id: DigestsByConversation, added: AddedLines
) -> Iterator[tuple[Session, frozenset[int]]]:
    for client_id, lines in left_among(digests_by_id, added):
        if session := session_of_conversation(workspace, client_id):
            yield session, frozenset(lines)


class _CommittedFile:
    """The lines of one commit in one file."""

    def __init__(
        self, workspace: Workspace, commit: Oid, path: str, groups: Sequence[LineGroup]
    ) -> None:
        self._workspace = workspace
        self._commit = commit
        self._path = path
        self._groups = groups
        self.lines = frozenset(number for group in groups for number in group.original)

    def shares(self, links: list[LinkedSession]) -> Iterator[LineShare]:
        of_commit = [link for link in links if link.blobs is None]
        for link in of_commit:
            yield LineShare(link, self._own(link, self._commit, self._path, self.lines))
        if of_commit or not links:
            return
        blob = self._blob_in(self._commit, self._path)
        leaving = [link for link in links if link.blobs and blob in link.blobs]
        if origin := self._origin(leaving, blob):
            yield from self._traced(leaving[0], origin)
            return
        for link in leaving:
            patches = (p for p in link.session.patches if p.has_blob(blob))
            lines = next(patches).own_lines(blob)
            yield LineShare(link, self.lines if lines is None else self.lines & lines)

    def left_shares(
        self, digests_by_id: DigestsByConversation, numbers: frozenset[int]
    ) -> Iterator[LineShare]:
        """Yield the sessions that left these lines before the commit."""
        if not digests_by_id:
            return
        workspace, git = self._workspace, self._workspace.repository
        blob = git.blobs(self._commit, [self._path])[self._path]
        content = git.read_blob(blob, MOST_BYTES).decode("utf-8", "replace")
        ranges = [sorted(numbers & {*group.original}) for group in self._groups]
        added = _numbered(content, ranges)
        for session, lines in _left_by_sessions(workspace, digests_by_id, added):
            if commits := commits_since(workspace, session, [self._commit]):
                yield LineShare(LinkedSession(session, commits, LEFT_LINES), lines)

    def _own(
        self, link: LinkedSession, commit: Oid, path: str, lines: frozenset[int]
    ) -> frozenset[int]:
        """Return those of the lines that a session wrote which lists the commit."""
        patch = patch_of(link.session, commit)
        if patch is None or patch.patch_id:
            return lines
        own = patch.own_lines(self._blob_in(commit, path))
        return lines if own is None else lines & own

    def _origin(self, links: list[LinkedSession], blob: str) -> Oid | None:
        """Return a commit that is here and in which a session left the file so."""
        git = self._workspace.repository
        patches = chain.from_iterable(link.session.patches for link in links)
        own = (patch for patch in patches if patch.has_blob(blob))
        names = filter(None, (git.full_name(patch.sha) for patch in own))
        same = (name for name in names if self._blob_in(name, self._path) == blob)
        return next(same, None)

    def _blob_in(self, commit: Oid, path: str) -> str:
        blobs = self._workspace.repository.blobs(commit, [path])
        return blobs.get(path, "")[:COMMIT_LENGTH]

    def _traced(self, link: LinkedSession, origin: Oid) -> Iterator[LineShare]:
        """Yield what the history of a commit with the same file says of the lines."""
        ranges = [Lines(g.original[0], g.original[-1]) for g in self._groups]
        git = self._workspace.repository
        blame = blame_at(git, origin, self._path, ranges)
        earlier_links = links_to(self._workspace, blame.commits)
        for earlier in (past for past in earlier_links if past.blobs is None):
            names = {commit.sha for commit in earlier.commits}
            lines = set[int]()
            for group in blame.groups:
                if group.commit in names:
                    original = frozenset(group.original)
                    own = self._own(earlier, group.commit, group.path, original)
                    shift = group.final_line - group.original_line
                    lines.update(number + shift for number in own)
            evidence = f"same file as in {origin[:ABBREVIATED]}"
            traced = replace(earlier, commits=link.commits, evidence=evidence)
            yield LineShare(traced, frozenset(lines))


def _by_session(shares: Iterable[LineShare]) -> Iterator[tuple[LinkedSession, int]]:
    """Yield each session with all its commits, all evidence and its number of lines."""
    by_session: defaultdict[str, list[LineShare]] = defaultdict(list)
    for share in shares:
        if share.lines:
            by_session[share.link.session.id].append(share)
    for own in by_session.values():
        commits = chain.from_iterable(share.link.commits for share in own)
        evidence = filter(None, dict.fromkeys(share.link.evidence for share in own))
        link = LinkedSession(
            own[0].link.session, (*dict.fromkeys(commits),), "; ".join(evidence)
        )
        yield link, sum(len(share.lines) for share in own)
