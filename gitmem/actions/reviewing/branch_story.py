"""Find the sessions behind the commits of a branch, or of a folder."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

from gitmem.actions.linking.claims import CommitClaim, claims_of_commits
from gitmem.actions.linking.links import links_to, sessions_matching
from gitmem.actions.linking.recognize import LinkedSession, patch_of
from gitmem.actions.linking.replaced_decisions import remarks
from gitmem.actions.linking.why import path_in_work_tree
from gitmem.actions.reading.documents import Listed, list_entries
from gitmem.actions.reading.taken_up import without_taken_up
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.git.ranges import branches_at, commits_in_range
from gitmem.git.values import COMMIT_LENGTH, Oid, RangeCommit
from gitmem.redaction.redact import redact
from gitmem.search.queries.query import of_words
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace

_MOST_WITHOUT_COMMITS = 20
"""Sessions without a commit that are looked for, the newest ones."""


@frozen
class CommitRange:
    base: Oid | None
    """None for all commits that lead to the head."""
    head: Oid
    folder: str = ""
    """The folder whose commits are meant; "" for all folders."""


@frozen
class StorySession:
    """A session that made some commits of a branch, or worked on it without any."""

    entry: Listed
    commits: tuple[RangeCommit, ...]
    """Its commits on the branch, oldest first; of some only the files that are its."""
    evidence: tuple[str, ...]
    """How commits that it does not list are known to be its; none if it lists all."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Objections of the code to its statements, by statement."""

    @property
    def lines(self) -> int:
        """How many lines its commits add."""
        return sum(commit.lines for commit in self.commits)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files that its commits change, those with the most new lines first.

        Without commits the files that it touched.
        """
        if not self.commits:
            return tuple(file.path for file in self.entry.session.files)
        insertions: Counter[str] = Counter()
        for commit in self.commits:
            insertions.update(commit.insertions)
        return tuple(sorted(insertions, key=lambda path: (-insertions[path], path)))


@frozen
class BranchStory:
    range: CommitRange
    commits: tuple[RangeCommit, ...]
    """Oldest first."""
    sessions: tuple[StorySession, ...]
    """Sessions in the order of their first commits, then those without a commit."""
    unlinked: tuple[RangeCommit, ...]
    """Commits without a session, oldest first."""
    claims: Mapping[Oid, tuple[CommitClaim, ...]]
    """Claims of these commits, of those that have some."""

    @property
    def lines(self) -> int:
        """How many lines the commits add."""
        return sum(commit.lines for commit in self.commits)

    @property
    def lines_by_tool(self) -> Mapping[str, int]:
        """Lines by assistant, most first; "" for those without a session."""
        parts: Counter[tuple[str, Oid, str]] = Counter()
        for source in self.sessions:
            for commit in source.commits:
                for path, lines in commit.insertions.items():
                    for tool in (source.entry.session.tool, ""):
                        parts[tool, commit.oid, path] += lines
        totals = {commit.oid: commit.insertions for commit in self.commits}
        by_tool: Counter[str] = Counter()
        for (tool, oid, path), lines in parts.items():
            by_tool[tool] += min(lines, totals[oid][path])
        without = self.lines - by_tool.pop("", 0)
        shares = dict(by_tool.most_common())
        return shares | ({"": without} if without else {})


def range_named(workspace: Workspace, target: str, folder: Path) -> CommitRange | None:
    """Return the range that a folder, `BASE..HEAD` or `BASE...HEAD` names; else None.

    As in git, an empty end is HEAD, and three dots begin at the merge base. A file or
    folder of that name comes first. Raises Ambiguous.
    """
    if target and (folder_range := _range_of_folder(workspace, folder / target)):
        return folder_range
    start, dots, end = target.partition("..")
    if not dots or not target.strip(".") or (folder / target).exists():
        return None
    git = workspace.repository
    base = git.rev_parse(start or "HEAD")
    head = git.rev_parse(end.removeprefix(".") or "HEAD")
    if base and head and end.startswith("."):
        base = git.merge_base(base, head)
    return CommitRange(base, head) if base and head else None


def _range_of_folder(workspace: Workspace, folder: Path) -> CommitRange | None:
    """Return the commits of a folder of this work tree that HEAD has."""
    git, path = workspace.repository, path_in_work_tree(workspace, folder)
    head = git.head().commit
    if path is None or head is None:
        return None
    if path == ".":
        return CommitRange(None, head)
    is_known = path in git.blobs(head, [path]) and folder.is_dir()
    return CommitRange(None, head, path) if is_known else None


def branch_story(
    workspace: Workspace, commit_range: CommitRange, progress: Progress | None = None
) -> BranchStory:
    """Return the sessions that made the commits of a range, and the other commits.

    And the sessions that worked on the branch without making any of them.
    """
    workspace.current_sessions()
    git = workspace.repository
    commits = commits_in_range(
        git, commit_range.base, commit_range.head, commit_range.folder
    )[::-1]
    links = links_to(workspace, {commit.oid for commit in commits}, progress)
    linked = {commit.sha for link in links for commit in link.commits}
    unlinked = tuple(commit for commit in commits if commit.oid not in linked)
    names = [commit.oid for commit in unlinked]
    makers = _sessions(workspace, links, commits)
    ids = {source.entry.session.id for source in makers}
    sources = [*makers, *_without_commits(workspace, commit_range, ids)]
    sessions = [source.entry.session for source in sources]
    left = without_taken_up(sessions, sessions)
    objections = remarks(workspace, sessions)
    return BranchStory(
        range=commit_range,
        commits=tuple(commits),
        sessions=tuple(
            replace(
                source,
                entry=replace(source.entry, session=session),
                remarks=objections[session.id],
            )
            for source, session in zip(sources, left, strict=True)
        ),
        unlinked=unlinked,
        claims=claims_of_commits(git, names),
    )


def _without_commits(
    workspace: Workspace, commit_range: CommitRange, linked_ids: Collection[str]
) -> Iterator[StorySession]:
    """Yield the other sessions that worked on the branch since it left its base."""
    git, base, head = workspace.repository, commit_range.base, commit_range.head
    fork = git.merge_base(base, head) if base else None
    if base is None or fork is None:
        return
    sessions = (
        session
        for branch in sorted(branches_at(git, head) - branches_at(git, base))
        for session in _sessions_on(workspace, branch)
        if session.id not in linked_ids
        and session.updated_at.timestamp() >= git.committed_at(fork)
    )
    for entry in list_entries(workspace, sorted(sessions, key=lambda s: s.started_at)):
        if entry.is_work:
            yield StorySession(entry, (), ())


def _sessions_on(workspace: Workspace, branch: str) -> Iterator[Session]:
    """Yield the newest sessions whose branch has this name."""
    branch = redact(branch)  # as documents name it
    query = replace(of_words("", SESSION.name, ()), branch=branch.lower())
    for session in sessions_matching(workspace, query, _MOST_WITHOUT_COMMITS):
        if session.branch == branch:
            yield session


def _sessions(
    workspace: Workspace,
    links: Collection[LinkedSession],
    commits: Collection[RangeCommit],
) -> tuple[StorySession, ...]:
    by_session: defaultdict[str, list[LinkedSession]] = defaultdict(list)
    for link in links:
        by_session[link.session.id].append(link)
    entries = list_entries(
        workspace, [session_links[0].session for session_links in by_session.values()]
    )
    sources = [
        _source(workspace, entry, by_session[entry.session.id], commits)
        for entry in entries
    ]
    places = {commit.oid: place for place, commit in enumerate(commits)}
    sources.sort(key=lambda source: places[source.commits[0].oid])
    return tuple(sources)


def _source(
    workspace: Workspace,
    entry: Listed,
    links: Collection[LinkedSession],
    commits: Collection[RangeCommit],
) -> StorySession:
    own_links = {commit.sha: link for link in links for commit in link.commits}
    own_parts = [
        _part(workspace, commit, own_links[commit.oid])
        for commit in commits
        if commit.oid in own_links
    ]
    evidence = dict.fromkeys(link.evidence for link in links if link.evidence)
    return StorySession(entry, tuple(own_parts), tuple(evidence))


def _part(
    workspace: Workspace, commit: RangeCommit, link: LinkedSession
) -> RangeCommit:
    """Return the part of a commit that comes from a session: some files, or lines."""
    patch = patch_of(link.session, commit.oid)
    is_part_listed = patch is not None and not patch.patch_id
    if link.blobs is None and not is_part_listed:
        return commit
    partial = [patch] if patch else [p for p in link.session.patches if not p.patch_id]
    own_paths = {}
    for path, name in workspace.repository.blobs(commit.oid, commit.insertions).items():
        blob, count = name[:COMMIT_LENGTH], commit.insertions[path]
        if own_patch := next((p for p in partial if p.has_blob(blob)), None):
            lines = own_patch.own_lines(blob)
            own_paths[path] = count if lines is None else min(count, len(lines))
        elif link.blobs and blob in link.blobs:
            own_paths[path] = count
    return replace(commit, insertions=own_paths)
