"""Links from commits to the sessions that made them.

A session lists its commits by abbreviated names, updated after an amend or a rebase.
Subject and time make no link: a gap is better than a wrong one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from gitmem.actions.linking.claims import named_in_messages
from gitmem.actions.linking.recognize import LinkedSession, recognized
from gitmem.config import NOTES_SETTING
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.message import note_of
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.commit_changes import former_names
from gitmem.git.config import is_on, set_config
from gitmem.git.values import COMMIT_LENGTH, Commit, Oid
from gitmem.indexing import ask_index
from gitmem.search.queries.query import Query, of_words
from gitmem.store.trees.notes import count_notes, write_notes
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace

_MOST_TOUCHING = 100
"""Sessions with a like path that are looked at, the newest ones."""


def links_to(
    workspace: Workspace, commits: Collection[Oid], progress: Progress | None = None
) -> list[LinkedSession]:
    """Return the sessions that these commits come from, newest first.

    Those that list a commit, perhaps by its name before `git filter-repo`, which may be
    several; else those by which it is recognized; else those that its message names.
    The journal is not replayed.
    """
    names = {commit: commit for commit in commits}
    links = [*_listing(workspace, names, "", progress)]
    former = former_names(workspace.repository, {*commits} - _linked(links))
    links += _listing(workspace, former, "before git filter-repo", progress)
    links += recognized(workspace, {*commits} - _linked(links), progress)
    links += named_in_messages(workspace, {*commits} - _linked(links))
    links.sort(key=lambda link: link.session.started_at, reverse=True)
    return links


def _linked(links: Iterable[LinkedSession]) -> set[Oid]:
    return {commit.sha for link in links for commit in link.commits}


def _listing(
    workspace: Workspace,
    names: Mapping[Oid, Oid],
    evidence: str,
    progress: Progress | None,
) -> Iterator[LinkedSession]:
    """Yield the sessions that list commits; `names` leads to their present names."""
    listed_names = {name[:COMMIT_LENGTH]: name for name in names}
    for session in sessions_listing(workspace, names, progress):
        own_commits = {
            names[name]: Commit(names[name], commit.subject)
            for commit in session.commits
            if (name := listed_names.get(commit.sha[:COMMIT_LENGTH]))
            and name.startswith(commit.sha)
        }
        if own_commits:
            yield LinkedSession(session, tuple(own_commits.values()), evidence)


def sessions_listing(
    workspace: Workspace, commits: Collection[Oid], progress: Progress | None = None
) -> list[Session]:
    """Return the sessions that may list one of these commits, in any order."""
    if not commits:
        return []
    ids = ask_index(workspace, lambda index: index.ids_with_commits(commits), progress)
    return [*filter(None, map(workspace.store.memory().readable, ids))]


def sessions_touching(workspace: Workspace, path: str) -> Iterator[Session]:
    """Yield the newest sessions whose list of files has this path."""
    query = replace(of_words("", SESSION.name, ()), paths=(path.lower(),))
    for session in sessions_matching(workspace, query, _MOST_TOUCHING):
        if any(file.path == path for file in session.files):
            yield session


def sessions_matching(
    workspace: Workspace, query: Query, limit: int
) -> Iterator[Session]:
    """Yield the newest sessions that pass the filters of a query."""
    hits = ask_index(workspace, lambda index: index.search(query, limit=limit))
    return filter(None, (workspace.store.memory().readable(hit.id) for hit in hits))


def link_of(workspace: Workspace, session: Session) -> LinkedSession:
    """Return a session with its commits in this repository, by their full names."""
    resolved = {
        name: Commit(name, commit.subject)
        for commit in session.commits
        if len(commit.sha) >= COMMIT_LENGTH  # a shorter name may be another commit's
        and (name := workspace.repository.full_name(commit.sha))
    }
    return LinkedSession(session, tuple(resolved.values()))


@frozen
class Notes:
    is_on: bool
    count: int
    written_count: int = 0


def notes(workspace: Workspace) -> Notes:
    return Notes(
        is_on(workspace.repository, NOTES_SETTING), count_notes(workspace.repository)
    )


def turn_on(workspace: Workspace) -> Notes:
    """Write notes from now on, and for all present sessions.

    Raises Busy and NoPermission.
    """
    set_config(workspace.repository, NOTES_SETTING, "true")
    sessions = workspace.current_sessions().newest()
    count = _write(workspace, (link_of(workspace, session) for session in sessions))
    return replace(notes(workspace), written_count=count)


def turn_off(workspace: Workspace) -> Notes:
    """Stop writing notes; existing ones stay."""
    set_config(workspace.repository, NOTES_SETTING, None)
    if is_on(workspace.repository, NOTES_SETTING):  # by the user's own settings
        set_config(workspace.repository, NOTES_SETTING, "false")
    return notes(workspace)


def note_commits(workspace: Workspace, session: Session) -> None:
    """Write git notes for a session's commits, if notes are on; never fail.

    Call it when the commits of a session changed. `turn_on` writes what failed.
    """
    if not is_on(workspace.repository, NOTES_SETTING):
        return
    with suppress(GitmemError):
        commits = {commit.sha for commit in link_of(workspace, session).commits}
        _write(workspace, links_to(workspace, commits))


def _write(workspace: Workspace, links: Iterable[LinkedSession]) -> int:
    """Note the commits of these links, which are all of their links."""
    sessions: defaultdict[str, list[Session]] = defaultdict(list)
    for link in links:
        for commit in link.commits:
            sessions[commit.sha].append(link.session)
    texts = {commit: note_of(made_by) for commit, made_by in sessions.items()}
    author = workspace.store.author(workspace.now())
    return write_notes(workspace.repository, texts, author)
