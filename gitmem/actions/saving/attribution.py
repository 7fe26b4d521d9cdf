"""Whose a commit is.

Git's hook says that there is one, not who made it. A link fails closed: where there is
any doubt, the commit is nobody's.
"""

from gitmem.actions.saving.conversation import Conversation
from gitmem.actions.saving.facts import belongs
from gitmem.actions.saving.hook_events import checkpoints_of, edited_in, open_here
from gitmem.assistants.known import ASSISTANTS, conversation_in_environment
from gitmem.documents.event import End, last_sign
from gitmem.git.values import CommitDetails
from gitmem.workspace import Workspace


def maker_of(
    workspace: Workspace, commit: CommitDetails, *, is_told: bool = True
) -> Conversation | None:
    """The conversation that made a commit just now.

    It is the one in whose shell that happened, as the environment says and the journal
    bears out; but not where git's hook told of another commit there (not `is_told`),
    and somebody else edited a file of this one.

    Else it is the only one of those open in this work tree that edited a file of the
    commit; or the only one open, if no edit of it was ever seen, since it may work
    through a shell in which it is not named, and if the environment names no other one.
    The files of a merge are those of others, and prove nothing.
    """
    variables = workspace.environment.variables
    in_environment = [
        Conversation(assistant.name, client_id, None)
        for assistant in ASSISTANTS
        if (client_id := conversation_in_environment(assistant.name, variables))
    ]
    known = [each for each in in_environment if _was_open(workspace, each, commit)]
    if len(known) == 1 and (is_told or not _others_edited(workspace, known[0], commit)):
        return known[0]
    maker = _by_files(workspace, commit, is_elsewhere=len(known) < len(in_environment))
    is_merge = maker and workspace.repository.rev_parse(f"{commit.oid}^2", variables)
    return None if is_merge else maker


def _was_open(
    workspace: Workspace, conversation: Conversation, commit: CommitDetails
) -> bool:
    """Whether the conversation had not ended when the commit was made."""
    client_id = conversation.client_session_id
    last = last_sign(workspace.store.journal.newest_events(client_id))
    if last is None:
        return bool(checkpoints_of(workspace, client_id))
    return not isinstance(last, End) or last.at >= commit.committer.when


def _others_edited(
    workspace: Workspace, conversation: Conversation, commit: CommitDetails
) -> bool:
    """Whether another open conversation was seen to edit a file of the commit."""
    own = conversation.client_session_id
    return any(
        edited_in(events) and belongs(commit, events)
        for events in open_here(workspace)
        if events[-1].client_session_id != own
    )


def _by_files(
    workspace: Workspace, commit: CommitDetails, *, is_elsewhere: bool
) -> Conversation | None:
    open_ones = list(open_here(workspace))
    editing = [events for events in open_ones if edited_in(events)]
    candidates = editing if editing or is_elsewhere else open_ones
    makers = [events for events in candidates if belongs(commit, events)]
    if len(makers) != 1:
        return None
    last = makers[0][-1]
    return Conversation(last.tool, last.client_session_id, None)
