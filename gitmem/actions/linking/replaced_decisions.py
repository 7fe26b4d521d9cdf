"""Decisions that the code no longer follows: later sessions replaced all their lines.

The lines of a decision are those that its session committed and that have an identifier
which the decision names; else those of the files that it names. Of work that is not in
HEAD's history nothing is said.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from gitmem.actions.linking.left_lines import is_telling
from gitmem.actions.linking.links import link_of, links_to
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.git.added_lines import lines_added_by
from gitmem.git.grep import texts_in
from gitmem.git.ranges import removed_lines
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.text.code_names import longest_part, names_one_of, own_names_in
from gitmem.workspace import Workspace

_MOST_COMMITS = 20
"""Commits of a session whose lines are looked at, the last ones."""
_MOST_DECISIONS = 50
_MOST_BYTES = 2_000_000
LinesByPath = Mapping[str, Collection[str]]
"""Lines without indentation, by the path of their file."""


def replaced_decisions(
    workspace: Workspace, session: Session, decisions: Collection[str]
) -> Mapping[str, str]:
    """Return the decisions of a session whose lines are gone, and who replaced them.

    That is the last session that did; each line has to be replaced by a later session.
    """
    try:
        return dict(_replaced(workspace, session, decisions))
    except GitmemError:
        return {}


def _replaced(
    workspace: Workspace, session: Session, decisions: Collection[str]
) -> Iterator[tuple[str, str]]:
    git = workspace.repository
    head = git.head().commit
    naming = [d for d in [*decisions][:_MOST_DECISIONS] if own_names_in(d)]
    commits = _merged_commits(workspace, session, head) if head and naming else []
    if not head or not commits or git.is_partial:
        return
    committed_lines = _committed_lines(git, commits)
    for decision in naming:
        lines = _lines_of_decision(decision, committed_lines)
        if not lines or _is_standing(git, head, lines):
            continue
        if session_id := _replacing(workspace, session, commits[0], lines):
            yield decision, session_id


def _merged_commits(workspace: Workspace, session: Session, head: Oid) -> list[Oid]:
    """Return the last commits of a session that HEAD has, the oldest first."""
    git = workspace.repository
    commits = link_of(workspace, session).commits[-_MOST_COMMITS:]
    return [c.sha for c in commits if git.merge_base(c.sha, head) == c.sha]


def _committed_lines(git: Repository, commits: list[Oid]) -> LinesByPath:
    lines: defaultdict[str, set[str]] = defaultdict(set)
    for commit in commits:
        for path, hunks in lines_added_by(git, commit).items():
            texts = (line.strip() for hunk in hunks for _, line in hunk)
            lines[path].update(filter(is_telling, texts))
    return lines


def _lines_of_decision(decision: str, committed_lines: LinesByPath) -> LinesByPath:
    parts = {*map(longest_part, own_names_in(decision))}
    with_names = {
        path: texts
        for path, lines in committed_lines.items()
        if (texts := [line for line in lines if any(part in line for part in parts)])
    }
    return with_names or {
        path: lines
        for path, lines in committed_lines.items()
        if lines and names_one_of(decision, [path])
    }


def _is_standing(git: Repository, head: Oid, lines: LinesByPath) -> bool:
    """Return whether HEAD has one of the lines, in its file or where that went."""
    blobs = git.blobs(head, lines)
    for path, texts in lines.items():
        if path in blobs:
            content = git.read_blob(blobs[path], _MOST_BYTES).decode("utf-8", "replace")
            present = {*map(str.strip, content.splitlines())} & {*texts}
        else:
            present = texts_in(git, texts, head) or set()
        if present:
            return True
    return False


def _replacing(
    workspace: Workspace, session: Session, since: Oid, lines: LinesByPath
) -> str | None:
    """Return the last of the later sessions that replaced all the lines."""
    replaced_by: dict[tuple[str, str], Oid] = {}
    for path, texts in lines.items():
        for commit, line in removed_lines(workspace.repository, since, path):
            if line in texts:
                replaced_by.setdefault((path, line), commit)
    if len(replaced_by) < sum(map(len, lines.values())):
        return None
    later_sessions = {
        commit.sha: link.session
        for link in links_to(workspace, {*replaced_by.values()})
        for commit in link.commits
        if link.session.started_at > session.started_at
    }
    if not {*replaced_by.values()} <= later_sessions.keys():
        return None
    last_session = max(later_sessions.values(), key=lambda later: later.started_at)
    return last_session.session_id
