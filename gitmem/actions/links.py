"""From commits to the sessions that made them. A gap is better than a wrong link.

A session lists its commits by the first digits of their names, and under their present
names after an amend or a rebase. Nothing else makes a link: not the subject, not the
time, not the files.
"""

from collections.abc import Collection

from gitmem.actions.catch_up import ask_index
from gitmem.model.session import Commit, Session
from gitmem.search.index import Progress
from gitmem.store.repository import Oid
from gitmem.workspace import Workspace

SHORTEST = 12
"""Digits of a name that are enough; what somebody wrote with fewer is no link."""


def sessions_by_commit(
    workspace: Workspace, commits: Collection[Oid], progress: Progress | None = None
) -> dict[Oid, list[Session]]:
    """The sessions in the memory that list each of these commits, the newest first.

    Several may list the same one, for instance those that were open in a work tree at
    the same time. A commit that none lists is left out. What is pending is not drained.
    """
    if not commits:
        return {}
    ids = ask_index(workspace, lambda index: index.of_commits(commits), progress)
    memory = workspace.store.memory()
    sessions = [found for each in ids if (found := memory.readable(each))]
    links: dict[Oid, list[Session]] = {}
    for session in sorted(sessions, key=lambda s: s.started_at, reverse=True):
        for commit in commits_here(workspace, session, commits):
            links.setdefault(commit.sha, []).append(session)
    return links


def commits_here(
    workspace: Workspace, session: Session, among: Collection[Oid] | None = None
) -> tuple[Commit, ...]:
    """The commits that a session lists and this repository has, by their full names.

    With `among`, of these only. A name that several objects have in common is none.
    """
    wanted = None if among is None else {name[:SHORTEST] for name in among}
    found = {}
    for commit in session.commits:
        beginning = commit.sha[:SHORTEST]
        if len(beginning) == SHORTEST and (wanted is None or beginning in wanted):
            name = workspace.repository.full_name(commit.sha)
            if name and (among is None or name in among):
                found[name] = Commit(name, commit.subject)
    return tuple(found.values())
