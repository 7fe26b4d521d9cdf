"""Commits were made: noted in the journals of their conversations, and saved.

Git's hook tells of the first of commits in quick succession, and a moment later, so the
others are looked for here: else as many processes would be at work at once.
"""

from gitmem.actions.saving.attribution import maker_of
from gitmem.actions.saving.capture import capture
from gitmem.actions.saving.conversation import Conversation
from gitmem.actions.saving.facts import named
from gitmem.actions.saving.rewrites import settled
from gitmem.documents.event import Committed, End, Trigger, last_sign
from gitmem.documents.session.session import Session
from gitmem.git.reflog import committed_since
from gitmem.git.values import CommitDetails, Oid
from gitmem.workspace import Workspace


def commits_made(workspace: Workspace, oid: Oid) -> list[Session]:
    """Note a new commit, and those made since, in the sessions that made them.

    Gives these sessions. Where all are nobody's, nothing is written.
    """
    makers = set()
    for name in committed_since(workspace.repository, oid):
        commit = workspace.repository.commit_details(name)
        if commit is None:
            continue
        maker = maker_of(workspace, commit, is_told=name == oid)
        if maker:
            _note(workspace, maker, commit)
            makers.add(maker.client_session_id)
    captured = (capture(workspace, each, Trigger.GIT_COMMIT) for each in makers)
    return [settled(workspace, session) for session in captured if session]


def _note(workspace: Workspace, maker: Conversation, commit: CommitDetails) -> None:
    client_id = maker.client_session_id
    last = last_sign(workspace.store.journal.newest_events(client_id))
    made = Committed(
        at=workspace.now(),
        tool=last.tool if last else maker.tool,
        client_session_id=client_id,
        root=last.root if last else str(workspace.root),
        sha=named(commit).sha,
        subject=commit.subject,
    )
    workspace.store.journal.note(made)
    last = last_sign(workspace.store.journal.newest_events(client_id))
    if isinstance(last, End):  # meanwhile, and a commit does not reopen it
        workspace.store.journal.note(last)
