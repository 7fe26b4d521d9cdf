"""Find the sessions behind the commits of a branch."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from gitmem.actions.linking.claims import CommitClaim, claims_of_commits
from gitmem.actions.linking.links import links_to
from gitmem.actions.linking.recognize import LinkedSession
from gitmem.actions.reading.documents import Listed, list_entries
from gitmem.frozen import frozen
from gitmem.git.plumbing.ranges import commits_in_range
from gitmem.git.values import Oid, RangeCommit
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace


@frozen
class CommitRange:
    base: Oid
    head: Oid


@frozen
class StorySession:
    """A session that made some commits of a branch."""

    entry: Listed
    commits: tuple[RangeCommit, ...]
    """Its commits on the branch, oldest first."""

    @property
    def lines(self) -> int:
        """How many lines its commits add."""
        return sum(commit.lines for commit in self.commits)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files that its commits change, those with the most new lines first."""
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
    """Sessions in the order of their first commits."""
    unlinked: tuple[RangeCommit, ...]
    """Commits without a session, oldest first."""
    claims: Mapping[Oid, tuple[CommitClaim, ...]]
    """What these commits say themselves, if they do."""

    @property
    def lines(self) -> int:
        """How many lines the commits add."""
        return sum(commit.lines for commit in self.commits)

    @property
    def lines_by_tool(self) -> Mapping[str, int]:
        """Lines by assistant, most first, of commits with a session."""
        lines = {commit.oid: commit.lines for commit in self.commits}
        tools = {
            (session.entry.session.tool, commit.oid)
            for session in self.sessions
            for commit in session.commits
        }
        by_tool: Counter[str] = Counter()
        for tool, name in tools:
            by_tool[tool] += lines[name]
        return dict(by_tool.most_common())


def range_named(workspace: Workspace, target: str, folder: Path) -> CommitRange | None:
    """Return the range that `BASE..HEAD` or `BASE...HEAD` names; None for no range.

    As in git, an empty end is HEAD, and three dots begin at the merge base. A file of
    that name comes first. Raises Ambiguous.
    """
    start, dots, end = target.partition("..")
    if not dots or not target.strip(".") or (folder / target).exists():
        return None
    git = workspace.repository
    base = git.rev_parse(start or "HEAD")
    head = git.rev_parse(end.removeprefix(".") or "HEAD")
    if base and head and end.startswith("."):
        base = git.merge_base(base, head)
    return CommitRange(base, head) if base and head else None


def branch_story(
    workspace: Workspace, commit_range: CommitRange, progress: Progress | None = None
) -> BranchStory:
    """Return the sessions that made the commits of a range, and the other commits."""
    workspace.current_sessions()
    commits = commits_in_range(
        workspace.repository, commit_range.base, commit_range.head
    )[::-1]
    links = links_to(workspace, {commit.oid for commit in commits}, progress)
    linked = {commit.sha for link in links for commit in link.commits}
    unlinked = tuple(commit for commit in commits if commit.oid not in linked)
    names = [commit.oid for commit in unlinked]
    return BranchStory(
        range=commit_range,
        commits=tuple(commits),
        sessions=_sessions(workspace, links, commits),
        unlinked=unlinked,
        claims=claims_of_commits(workspace.repository, names),
    )


def _sessions(
    workspace: Workspace,
    links: Collection[LinkedSession],
    commits: Collection[RangeCommit],
) -> tuple[StorySession, ...]:
    names: defaultdict[str, set[Oid]] = defaultdict(set)
    for link in links:
        names[link.session.id].update(commit.sha for commit in link.commits)
    sessions = {link.session.id: link.session for link in links}
    entries = list_entries(workspace, sessions.values())
    stories = [
        StorySession(
            entry,
            tuple(
                commit for commit in commits if commit.oid in names[entry.session.id]
            ),
        )
        for entry in entries
    ]
    places = {commit.oid: place for place, commit in enumerate(commits)}
    stories.sort(key=lambda story: places[story.commits[0].oid])
    return tuple(stories)
