"""From commits to the sessions that made them. A gap is better than a wrong link.

A session lists its commits by the first digits of their names, and under their present
names after an amend or a rebase. Nothing else makes a link: not the subject, not the
time, not the files.
"""

from collections.abc import Collection, Iterable

from gitmem.actions.reading.catch_up import ask_index
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.git.values import COMMIT_LENGTH, Commit, Oid
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace


@frozen
class Link:
    session: Session
    commits: tuple[Commit, ...]
    """Those that it lists and that are here, by their full names."""


def links_to(
    workspace: Workspace, commits: Collection[Oid], progress: Progress | None = None
) -> list[Link]:
    """The sessions in the memory that list one of these commits, the newest first.

    Several may list the same one, for instance those that were open in a work tree at
    the same time. What is pending is not replayed.
    """
    if not commits:
        return []
    ids = ask_index(workspace, lambda index: index.of_commits(commits), progress)
    memory = workspace.store.memory()
    beginnings = {name[:COMMIT_LENGTH] for name in commits}
    links = []
    for session in filter(None, map(memory.readable, ids)):
        listed = (
            each for each in session.commits if each.sha[:COMMIT_LENGTH] in beginnings
        )
        found = tuple(one for one in _here(workspace, listed) if one.sha in commits)
        links += [Link(session, found)] if found else []
    links.sort(key=lambda link: link.session.started_at, reverse=True)
    return links


def link_of(workspace: Workspace, session: Session) -> Link:
    """A session with all its commits that this repository has."""
    return Link(session, _here(workspace, session.commits))


def _here(workspace: Workspace, listed: Iterable[Commit]) -> tuple[Commit, ...]:
    """By their full names; a shorter one, or one of several objects, is none."""
    found: dict[Oid, Commit] = {}
    for commit in listed:
        if len(commit.sha) >= COMMIT_LENGTH:
            name = workspace.repository.full_name(commit.sha)
            found |= {name: Commit(name, commit.subject)} if name else {}
    return tuple(found.values())
