"""Decisions that the code no longer follows: later sessions replaced all their lines.

The lines of a decision are those that its session committed and that have an identifier
which the decision names; else those of the files that it names. Of work that is not in
HEAD's history nothing is said.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from gitmem.actions.linking.left_lines import is_telling
from gitmem.actions.linking.links import link_of, links_to
from gitmem.actions.reading.missing_names import missing_names
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.git.commit_changes import lines_by_commit
from gitmem.git.grep import texts_in_files
from gitmem.git.patches import off_branches
from gitmem.git.plumbing.blame import MOST_BYTES
from gitmem.git.ranges import removed_lines
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.text.code_names import longest_part, names_one_of, own_names_in
from gitmem.text.counting import shortlist
from gitmem.workspace import Workspace

_MOST_NAMES = 3
_MOST_COMMITS, _MOST_DECISIONS = 20, 50
"""Commits and decisions of a session that are looked at."""
CommittedLine = tuple[str, str]
"""The path of a file, and a line without its indentation."""


def remarks(
    workspace: Workspace, sessions: Collection[Session]
) -> Mapping[str, Mapping[str, str]]:
    """Return what the code says against statements, by session id and statement."""
    replaced = replaced_decisions(workspace, sessions)
    missing = missing_names(workspace, sessions)
    return {
        session.id: {
            text: f"changed since by {name}"
            for text, name in replaced.get(session.id, {}).items()
        }
        | {
            text: f"not in the code: {shortlist(names, _MOST_NAMES)}"
            for text, names in missing.get(session.id, {}).items()
        }
        for session in sessions
    }


def replaced_decisions(
    workspace: Workspace, sessions: Iterable[Session]
) -> Mapping[str, Mapping[str, str]]:
    """Return who replaced the lines of decisions, by session id and decision.

    That is the last session that did; each line has to be replaced by a later session.
    """
    git, head = workspace.repository, workspace.repository.head().commit
    commits = {
        session: [c.sha for c in link_of(workspace, session).commits[-_MOST_COMMITS:]]
        for session in sessions
        if any(map(own_names_in, session.decisions))
    }
    if not commits or not head or git.is_partial:
        return {}
    try:
        committed = _committed_lines(git, {*chain(*commits.values())})
        paths = {path for lines in committed.values() for path, _ in lines}
        present = {*_lines_at(git, head, paths)}
        return {
            session.id: _replaced(workspace, session, own, present)
            for session, names in commits.items()
            if (own := {name: committed[name] for name in names if name in committed})
        }
    except GitmemError:
        return {}


def _committed_lines(
    git: Repository, commits: Collection[Oid]
) -> Mapping[Oid, set[CommittedLine]]:
    """Return the lines that commits of HEAD's history added."""
    merged = {*commits}.difference(off_branches(git, commits, ["HEAD"]))
    return {
        commit: {
            (path, line.strip())
            for path, hunks in added.items()
            for _, line in chain(*hunks)
            if is_telling(line)
        }
        for commit, added in lines_by_commit(git, [*merged])
    }


def _lines_at(
    git: Repository, commit: Oid, paths: Collection[str]
) -> Iterator[CommittedLine]:
    for path, blob in git.blobs(commit, paths).items():
        for line in git.read_blob(blob, MOST_BYTES).splitlines():
            yield path, line.decode("utf-8", "replace").strip()


def _replaced(
    workspace: Workspace,
    session: Session,
    committed: Mapping[Oid, set[CommittedLine]],
    present: set[CommittedLine],
) -> Mapping[str, str]:
    """Return the decisions of a session whose lines are gone, and who replaced them."""
    git, all_lines = workspace.repository, {*chain(*committed.values())}
    naming = [text for text in session.decisions if own_names_in(text)]
    replacing = {
        text: _replacing(workspace, session, next(iter(committed)), lines)
        for text in naming[-_MOST_DECISIONS:]
        if (lines := _lines_of_decision(text, all_lines))
        and lines.isdisjoint(present)
        and texts_in_files(git, [line for _, line in lines]) == set()
    }
    return {text: name for text, name in replacing.items() if name}


def _lines_of_decision(
    text: str, committed_lines: set[CommittedLine]
) -> set[CommittedLine]:
    parts = {*map(longest_part, own_names_in(text))}
    with_names = {
        (path, line)
        for path, line in committed_lines
        if any(part in line for part in parts)
    }
    paths = {path for path, _ in committed_lines}
    named_paths = {path for path in paths if names_one_of(text, [path])}
    return with_names or {(p, line) for p, line in committed_lines if p in named_paths}


def _replacing(
    workspace: Workspace, session: Session, since: Oid, lines: set[CommittedLine]
) -> str | None:
    """Return the last of the later sessions that replaced all the lines."""
    replaced_by: dict[CommittedLine, Oid] = {}
    for path in {path for path, _ in lines}:
        for commit, line in removed_lines(workspace.repository, since, path):
            replaced_by.setdefault((path, line), commit)
    commits = {replaced_by.get(line, "") for line in lines}
    later_sessions = {
        commit.sha: link.session
        for link in links_to(workspace, commits - {""})
        for commit in link.commits
        if link.session.started_at > session.started_at
    }
    if later_sessions.keys() != commits:
        return None
    return max(later_sessions.values(), key=lambda later: later.started_at).session_id
