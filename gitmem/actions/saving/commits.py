"""Commits were made: noted in the journals of their conversations, and saved.

Git's hook tells of the first of commits in quick succession, and a moment later, so the
others are looked for here: else as many processes would be at work at once.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

from gitmem.actions.linking.left_lines import shares_in_commit
from gitmem.actions.linking.links import sessions_listing
from gitmem.actions.saving.checkpoint import capture, committed, time_after
from gitmem.actions.saving.conversation import Conversation
from gitmem.actions.saving.facts import (
    belongs,
    checkpoints_of,
    listed_commit,
    new_patches,
)
from gitmem.actions.saving.hook_events import open_here
from gitmem.assistants.known import ASSISTANTS, conversation_in_environment
from gitmem.documents.event import Committed, End, Trigger
from gitmem.documents.event_log import edited_paths, last_sign
from gitmem.documents.session.checkpoint import Checkpoint, Rewrite, under_present_names
from gitmem.documents.session.session import Session
from gitmem.git.plumbing.refs import committed_since
from gitmem.git.values import COMMIT_LENGTH, CommitDetails, CommitPatch, Oid
from gitmem.lookup import session_of_conversation
from gitmem.workspace import Workspace


def record_commits(workspace: Workspace, oid: Oid) -> list[Session]:
    """Note a new commit, and those made since, in the sessions that made them.

    Gives these sessions. Where all are nobody's, nothing is written.
    """
    makers: dict[CommitDetails, Conversation | None] = {}
    for name in committed_since(workspace.repository, oid):
        commit = workspace.repository.commit_details(name)
        if commit is None:
            continue
        makers[commit] = maker = maker_of(workspace, commit, is_told=name == oid)
        if maker:
            _note_commit(workspace, maker, commit)
    client_ids = {maker.client_session_id for maker in makers.values() if maker}
    captured = (
        capture(workspace, client_id, Trigger.GIT_COMMIT) for client_id in client_ids
    )
    sessions = [
        with_known_commits(workspace, session) for session in captured if session
    ]
    for commit, maker in makers.items():
        sessions += _note_left(workspace, commit, maker)
    return sessions


def _note_left(
    workspace: Workspace, commit: CommitDetails, maker: Conversation | None
) -> Iterator[Session]:
    """Note a commit in the sessions that left lines of it, but not in its maker's.

    It is older news than all that a session has, and does not reopen it.
    """
    maker_id = maker.client_session_id if maker else ""
    for share in shares_in_commit(workspace, commit.oid, maker_id):
        client_id = share.client_session_id
        if client_id == maker_id:
            continue
        session = session_of_conversation(workspace, client_id)
        if session and not any(commit.oid.startswith(c.sha) for c in session.commits):
            checkpoint = Checkpoint(
                at=session.updated_at - timedelta(seconds=1),
                trigger=Trigger.GIT_COMMIT,
                commits=(listed_commit(commit),),
                patches=(share.patch,),
            )
            conversation = Conversation(session.tool, client_id, session)
            yield committed(workspace, conversation, checkpoint)


def _note_commit(
    workspace: Workspace, maker: Conversation, commit: CommitDetails
) -> None:
    client_id = maker.client_session_id
    last = last_sign(workspace.store.journal.newest_events(client_id))
    committed_event = Committed(
        at=workspace.now(),
        tool=last.tool if last else maker.tool,
        client_session_id=client_id,
        root=last.root if last else str(workspace.root),
        sha=listed_commit(commit).sha,
        subject=commit.subject,
    )
    workspace.store.journal.note(committed_event)
    last = last_sign(workspace.store.journal.newest_events(client_id))
    if isinstance(last, End):  # meanwhile, and a commit does not reopen it
        workspace.store.journal.note(last)


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
    in_environment = _in_environment(workspace)
    made_at = commit.committer.when
    seen = [c for c in in_environment if _was_open(workspace, c, made_at)]
    if len(seen) == 1 and (is_told or not _others_edited(workspace, seen[0], commit)):
        return seen[0]
    maker = _by_files(workspace, commit, is_elsewhere=len(seen) < len(in_environment))
    is_merge = maker and workspace.repository.rev_parse(f"{commit.oid}^2")
    return None if is_merge else maker


def maker_in_shell(workspace: Workspace) -> Conversation | None:
    """Return the only open conversation that the environment names, if it is one."""
    now = workspace.now()
    candidates = _in_environment(workspace)
    makers = [maker for maker in candidates if _was_open(workspace, maker, now)]
    return makers[0] if len(makers) == 1 else None


def _in_environment(workspace: Workspace) -> list[Conversation]:
    variables = workspace.environment.variables
    return [
        Conversation(assistant.name, client_id, None)
        for assistant in ASSISTANTS
        if (client_id := conversation_in_environment(assistant.name, variables))
    ]


def _was_open(
    workspace: Workspace, conversation: Conversation, moment: datetime
) -> bool:
    client_id = conversation.client_session_id
    last = last_sign(workspace.store.journal.newest_events(client_id))
    if last is None:
        return bool(checkpoints_of(workspace, client_id))
    return not isinstance(last, End) or last.at >= moment


def _others_edited(
    workspace: Workspace, conversation: Conversation, commit: CommitDetails
) -> bool:
    return any(
        edited_paths(events) and belongs(commit, events)
        for events in open_here(workspace, conversation.client_session_id)
    )


def _by_files(
    workspace: Workspace, commit: CommitDetails, *, is_elsewhere: bool
) -> Conversation | None:
    conversations = list(open_here(workspace))
    editing = [events for events in conversations if edited_paths(events)]
    candidates = editing if editing or is_elsewhere else conversations
    makers = [events for events in candidates if belongs(commit, events)]
    if len(makers) != 1:
        return None
    last = makers[0][-1]
    return Conversation(last.tool, last.client_session_id, None)


def commits_rewritten(workspace: Workspace, rewritten: dict[Oid, Oid]) -> list[Session]:
    """Give the commits of sessions their present names; gives these sessions.

    `rewritten` leads from former names to present ones, the newest commit last. Nothing
    is written where no session has to do with them.
    """
    sessions: dict[str, tuple[Session, dict[Oid, Oid]]] = {}
    for session, old in _sessions_with(workspace, rewritten):
        _, names = sessions.setdefault(session.id, (session, {}))
        names[old] = rewritten[old]
    return [
        _renamed(workspace, session, names, rewritten)
        for session, names in sessions.values()
    ]


def with_known_commits(workspace: Workspace, session: Session) -> Session:
    """The session with no commit that its journal knows under another name."""
    checkpoints = checkpoints_of(workspace, session.client_session_id)
    rewritten = [
        rewrite for checkpoint in checkpoints for rewrite in checkpoint.rewritten
    ]
    rewrites = tuple(
        Rewrite(commit.sha, present)
        for commit in session.commits
        for present in under_present_names([commit], rewritten)
        if present != commit
    )
    return _with_names(workspace, session, rewrites) if rewrites else session


def _sessions_with(
    workspace: Workspace, rewritten: Collection[Oid]
) -> Iterator[tuple[Session, Oid]]:
    if workspace.store.memory().commit is None:
        return
    names = {old[:COMMIT_LENGTH]: old for old in rewritten}
    for session in sessions_listing(workspace, rewritten):
        for commit in session.commits:  # git may have pruned it
            if old := names.get(commit.sha[:COMMIT_LENGTH]):
                yield session, old


def _renamed(
    workspace: Workspace,
    session: Session,
    own_names: Mapping[Oid, Oid],
    rewritten: Mapping[Oid, Oid],
) -> Session:
    """The session with the names that its commits have now, and its HEAD."""
    details = workspace.repository.commit_details
    rewrites = tuple(
        Rewrite(old[:COMMIT_LENGTH], listed_commit(commit))
        for old, new in own_names.items()
        if (commit := details(new))
    )
    if not rewrites:
        return session
    head = own_names.get(session.git_sha_end or "")
    shared = {new for old, new in rewritten.items() if old not in own_names}
    renamed_session = _with_names(workspace, session, rewrites, shared, head)
    return with_known_commits(workspace, renamed_session)


def _with_names(
    workspace: Workspace,
    session: Session,
    rewrites: tuple[Rewrite, ...],
    shared: Collection[Oid] = (),
    head: Oid | None = None,
) -> Session:
    client_id = session.client_session_id or session.id
    checkpoint = Checkpoint(
        at=time_after(workspace, session),
        trigger=Trigger.GIT_COMMIT,
        rewritten=rewrites,
        patches=(*_patches_of(workspace, session, rewrites, shared),),
        head=head,
    )
    conversation = Conversation(session.tool, client_id, session)
    return committed(workspace, conversation, checkpoint)


def _patches_of(
    workspace: Workspace,
    session: Session,
    rewrites: tuple[Rewrite, ...],
    shared: Collection[Oid],
) -> Iterator[CommitPatch]:
    """Yield what of commits with new names comes from a session.

    Commits of somebody else became those `shared`, too.
    """
    partial = {patch.sha for patch in session.patches if not patch.patch_id}
    for rewrite in rewrites:
        name = workspace.repository.full_name(rewrite.new.sha)
        if name and (rewrite.old in partial or name in shared):
            for share in shares_in_commit(workspace, name):
                if share.client_session_id == session.client_session_id:
                    yield share.patch
        else:
            yield from new_patches(workspace, session, [rewrite.new.sha])
