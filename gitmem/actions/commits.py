"""A commit was made: noted in the journal of its conversation, and saved."""

from gitmem.actions.capture import capture
from gitmem.actions.conversation import Conversation
from gitmem.actions.facts import named
from gitmem.actions.maker import last_sign, maker_of
from gitmem.actions.rewrites import settled
from gitmem.actions.seen import events_of
from gitmem.model.event import Committed, End, to_json
from gitmem.model.redaction import seal
from gitmem.model.session import Session, Trigger
from gitmem.store.journal import journal_name
from gitmem.store.repository import CommitDetails, Oid
from gitmem.workspace import Workspace


def commit_made(workspace: Workspace, oid: Oid) -> Session | None:
    """Note a new commit in the session that made it; gives the session.

    None where the commit is nobody's; then nothing is written.
    """
    commit = workspace.repository.commit_details(oid)
    maker = maker_of(workspace, commit) if commit else None
    if commit is None or maker is None:
        return None
    _note(workspace, maker, commit)
    session = capture(workspace, maker.client_session_id, Trigger.GIT_COMMIT)
    return settled(workspace, session) if session else None


def _note(workspace: Workspace, maker: Conversation, commit: CommitDetails) -> None:
    client_id = maker.client_session_id
    last = last_sign(events_of(workspace, client_id))
    made = Committed(
        at=workspace.now(),
        tool=last.tool if last else maker.tool,
        client_session_id=client_id,
        root=last.root if last else str(workspace.root),
        sha=named(commit).sha,
        subject=commit.subject,
    )
    journal, name = workspace.store.journal, journal_name(client_id)
    journal.append(name, seal(made, to_json))
    last = last_sign(events_of(workspace, client_id))
    if isinstance(last, End):  # meanwhile, and a commit does not reopen it
        journal.append(name, seal(last, to_json))
