"""Commits that others stand for now, after an amend or a rebase.

Git's hooks do not wait for what is done here, so the news that a commit was rewritten
may overtake the news of the commit itself. Therefore a journal keeps what was
rewritten, and whoever adds to it reads it again: the last one to do so has seen all.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import islice

from gitmem.actions.linking.links import links_to
from gitmem.actions.reading.documents import session_of
from gitmem.actions.saving.attribution import maker_of
from gitmem.actions.saving.checkpoint import committed, time_after
from gitmem.actions.saving.conversation import Conversation
from gitmem.actions.saving.facts import may_be_of, named
from gitmem.actions.saving.hook_events import checkpoints_of, open_here
from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import Checkpoint, Rewrite, under_present_names
from gitmem.documents.session.session import Session
from gitmem.git.values import COMMIT_LENGTH, CommitDetails, Oid
from gitmem.workspace import Workspace

_ON_ITS_WAY = timedelta(minutes=10)
"""So long the news of a commit may take."""
_MOST_ON_THEIR_WAY = 20


def commits_rewritten(workspace: Workspace, rewritten: dict[Oid, Oid]) -> list[Session]:
    """Give the commits of sessions their present names; gives these sessions.

    `rewritten` leads from former names to present ones, the newest commit last. Nothing
    is written where no session has to do with them.
    """
    listed = list(_listed(workspace, rewritten))
    known = {old for _, old in listed}
    rest = (old for old in reversed(rewritten) if old not in known)
    concerned: dict[str, tuple[Session, dict[Oid, Oid]]] = {}
    for session, old in [*listed, *_on_their_way(workspace, rest)]:
        _, names = concerned.setdefault(session.id, (session, {}))
        names[old] = rewritten[old]
    return [
        _renamed(workspace, session, names) for session, names in concerned.values()
    ]


def settled(workspace: Workspace, session: Session) -> Session:
    """The session with no commit that its journal knows under another name."""
    written = checkpoints_of(workspace, session.client_session_id)
    rewritten = [each for made in written for each in made.rewritten]
    rewrites = tuple(
        Rewrite(commit.sha, now)
        for commit in session.commits
        for now in under_present_names([commit], rewritten)
        if now != commit
    )
    return _with_names(workspace, session, rewrites) if rewrites else session


def _listed(
    workspace: Workspace, rewritten: Collection[Oid]
) -> Iterator[tuple[Session, Oid]]:
    """Sessions, each with a former name of a commit that it lists."""
    if workspace.store.memory().commit is None:
        return
    for link in links_to(workspace, rewritten):
        for commit in link.commits:
            yield link.session, commit.sha


def _on_their_way(
    workspace: Workspace, names: Iterable[Oid]
) -> Iterator[tuple[Session, Oid]]:
    """Sessions, each with a commit of theirs of which the news may be yet to come.

    `names` begin with the newest.
    """
    since = workspace.now() - _ON_ITS_WAY
    for name in islice(names, _MOST_ON_THEIR_WAY):
        commit = workspace.repository.commit_details(name)
        if commit is None or commit.committer.when < since:
            continue
        for client_id in _possible_makers(workspace, commit):
            workspace.current_sessions()
            if session := session_of(workspace, client_id):
                yield session, name


def _possible_makers(workspace: Workspace, commit: CommitDetails) -> set[str]:
    """Whoever may yet be told to have made it; for others a new name means nothing."""
    if maker := maker_of(workspace, commit, is_told=False):
        return {maker.client_session_id}
    return {
        events[-1].client_session_id
        for events in open_here(workspace)
        if may_be_of(commit, events)
    }


def _renamed(
    workspace: Workspace, session: Session, rewritten: Mapping[Oid, Oid]
) -> Session:
    """The session with the names that its commits have now, and its HEAD."""
    details = workspace.repository.commit_details
    rewrites = tuple(
        Rewrite(old[:COMMIT_LENGTH], named(commit))
        for old, new in rewritten.items()
        if (commit := details(new))
    )
    if not rewrites:
        return session
    head = rewritten.get(session.git_sha_end or "")
    return settled(workspace, _with_names(workspace, session, rewrites, head))


def _with_names(
    workspace: Workspace,
    session: Session,
    rewrites: tuple[Rewrite, ...],
    head: Oid | None = None,
) -> Session:
    client_id = session.client_session_id or session.id
    checkpoint = Checkpoint(
        at=time_after(workspace, session),
        trigger=Trigger.GIT_COMMIT,
        rewritten=rewrites,
        head=head,
    )
    conversation = Conversation(session.tool, client_id, session)
    return committed(workspace, conversation, checkpoint)
