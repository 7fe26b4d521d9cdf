"""Saving a checkpoint: whose session it is, what git knows, journal, commit, copy."""

from contextlib import suppress
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path

from gitmem.actions.linking.left_lines import note_left_lines
from gitmem.actions.linking.links import note_commits
from gitmem.actions.maintenance import start_maintenance
from gitmem.actions.reading.documents import readable_copy
from gitmem.actions.reading.missing_names import missing_names, missing_notice
from gitmem.actions.saving.conversation import (
    Caller,
    Conversation,
    conversation_of,
    was_forgotten,
)
from gitmem.actions.saving.facts import checkpoints_of, with_facts
from gitmem.actions.saving.hook_events import read_on
from gitmem.actions.saving.request import Request
from gitmem.answers import Answer, path_answer
from gitmem.config import CHECKPOINT_SETTING, KEEP_DIFF_SETTING
from gitmem.documents.event import Trigger
from gitmem.documents.event_log import count_edits, events_in
from gitmem.documents.session.checkpoint import Checkpoint, apply, moment_after
from gitmem.documents.session.observed import has_content, observed, status_after
from gitmem.documents.session.record import Record
from gitmem.documents.session.rendering import ROOM, render
from gitmem.documents.session.session import Session, Status
from gitmem.errors import Busy, Damaged, GitmemError, InvalidInput, NoPermission
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.git.files import replace_file
from gitmem.git.patches import uncommitted_patches
from gitmem.git.values import Change
from gitmem.lookup import session_of_conversation
from gitmem.redaction.redact import Redacted, redact
from gitmem.store.journal.beside import DIFF
from gitmem.store.journal.journal import journal_name
from gitmem.workspace import Workspace

ITEMS_LIMIT = 20_000
"""Bullets, files and the like of one session: all are looked at in every checkpoint."""

_MOST_BYTES = 8
"""Most bytes of one character in a document, as a character reference."""
_WAITS = "The checkpoint is safe in the journal, but no commit holds it yet."
_WAITS_HINT = (
    "Do not save it again: the next command that can will make the commit. If none can,"
    " `ocm doctor` says why."
)


@frozen
class Saved:
    session_id: str | None
    markdown_path: Path | None
    status: Status
    notice: str = ""
    """What the caller may want to correct."""


def checkpoint_answer(saved: Saved) -> Answer:
    """Return a saved checkpoint as the tool and `--json` show it."""
    return {
        "session_id": saved.session_id,
        "markdown_path": path_answer(saved.markdown_path),
        "status": saved.status.value,
        **({"notice": saved.notice} if saved.notice else {}),
    }


def save(workspace: Workspace, request: Request, caller: Caller) -> Saved:
    """Save a checkpoint; when this returns, it is on the disk.

    An empty one is accepted; it makes no commit unless git has news, and no session.
    """
    workspace.current_sessions(
        with_observed=False
    )  # the new checkpoint takes that with it
    conversation = conversation_of(workspace, caller, request)
    session = conversation.session
    if session is None and not request.says_something:
        return Saved(None, None, Status.OPEN)
    client_id = conversation.client_session_id
    _require_room(workspace, session, request, workspace.now())
    is_its_work = caller.takes(conversation)
    read_on(workspace, client_id)
    # Not before what was just read: it would be older news, and lose its goal.
    at = workspace.now()
    at = moment_after(session, at) if session else at
    checkpoint = request.checkpoint(at)
    if is_its_work:
        checkpoint = with_facts(workspace, client_id, session, checkpoint)
    after = committed(workspace, conversation, checkpoint)
    path = None
    with suppress(Damaged):  # it is saved, and no error shall say otherwise
        path = readable_copy(workspace, after.id)
    start_maintenance(workspace)
    notice = _notice(workspace, session, after) if is_its_work else ""
    return Saved(after.session_id, path, after.status, notice)


def _notice(workspace: Workspace, before: Session | None, after: Session) -> str:
    """Return what the new statements name that is nowhere."""
    former = {*before.work_completed, *before.decisions} if before else set()
    new = replace(
        after,
        work_completed=tuple(t for t in after.work_completed if t not in former),
        decisions=tuple(text for text in after.decisions if text not in former),
    )
    return missing_notice(missing_names(workspace, [new]).get(new.id, {}))


def time_after(workspace: Workspace, session: Session | None) -> datetime:
    """Now, and not before the session's last checkpoint: clocks may jump back."""
    now = workspace.now()
    return max(now, session.updated_at) if session else now


def committed(
    workspace: Workspace, conversation: Conversation, checkpoint: Checkpoint
) -> Session:
    """The session that the checkpoint went to, once a commit holds it.

    Its commits carry notes then, where the user wants that. Raises Busy, Damaged and
    NoPermission where it is acknowledged, and has to wait.
    """
    receipt = workspace.store.append(
        Record(
            tool=conversation.tool,
            project=workspace.project,
            client_session_id=conversation.client_session_id,
            session_id=conversation.session.id if conversation.session else None,
            checkpoint=checkpoint,
        )
    )
    try:
        workspace.store.replay()
        session = workspace.store.session_of(receipt)
    except (Busy, Damaged, NoPermission) as error:
        raise type(error)(f"{_WAITS} {error.message}", hint=_WAITS_HINT) from error
    if session is None:
        raise Busy(_WAITS, hint=_WAITS_HINT)
    if checkpoint.commits or checkpoint.rewritten:
        note_commits(workspace, session)
    return session


def _require_room(
    workspace: Workspace, session: Session | None, request: Request, at: datetime
) -> None:
    """What a document has no room for is refused before it is acknowledged."""
    document = workspace.store.memory().text(session.id) if session else None
    most = len((document or "").encode()) + _MOST_BYTES * request.size
    if most > ROOM and _size_with(session, request.checkpoint(at)) > ROOM:
        raise InvalidInput(
            f"The document would have more than {ROOM:,} bytes.",
            hint="Write bullets, not prose, or go on in a new session.",
        )
    items = sum(map(_items, (session, request.checkpoint(at))))
    if items > ITEMS_LIMIT:
        raise InvalidInput(
            f"The session would have {items:,} items; {ITEMS_LIMIT:,} fit.",
            hint="Write fewer bullets, or go on in a new session.",
        )


def _size_with(session: Session | None, checkpoint: Checkpoint) -> int:
    """Bytes of the document, but for its header where it would be a new one."""
    at = checkpoint.at
    empty = Session(
        id="",
        tool="",
        project="",
        author="",
        client_session_id="",
        started_at=at,
        updated_at=at,
    )
    return len(render(apply(session or empty, checkpoint)).encode())


def _items(value: Session | Checkpoint | None) -> int:
    lists = (getattr(value, field.name) for field in fields(value)) if value else ()
    return sum(len(items) for items in lists if isinstance(items, tuple))


def capture(
    workspace: Workspace,
    client_session_id: str,
    trigger: Trigger = Trigger.SESSION_END,
    transcript: str = "",
) -> Session | None:
    """Save what is known of a conversation that hooks saw; gives its session.

    Its transcript is read on first; `transcript` is the path, where a hook was told.
    None where there is nothing worth a session, and where it was forgotten.
    """
    workspace.current_sessions(with_observed=False)
    read_on(workspace, client_session_id, path=transcript)
    events = workspace.store.journal.events(client_session_id)
    if not events:
        return None
    session = session_of_conversation(workspace, client_session_id)
    checkpoints = checkpoints_of(workspace, client_session_id)
    checkpoint = Checkpoint(
        at=time_after(workspace, session),
        trigger=trigger,
        status=status_after(events, checkpoints),
    )
    checkpoint = with_facts(workspace, client_session_id, session, checkpoint)
    change = observed(events, (), checkpoints)
    if session is None and not (has_content(checkpoint) or has_content(change)):
        return None
    conversation = Conversation(events[-1].tool, client_session_id, session)
    if session is None and was_forgotten(workspace, conversation):
        return None
    saved = committed(workspace, conversation, checkpoint)
    _keep_diff(workspace, saved)
    paths = [file.path for file in saved.files if file.change is not Change.DELETED]
    commits = [commit.sha for commit in saved.commits]
    note_left_lines(workspace, client_session_id, paths, commits)
    return saved


CHECKPOINT_AFTER = 20
"""Edits, unless `ocm.checkpoint.edits` is set."""


def save_after_edits(workspace: Workspace, client_session_id: str) -> None:
    """Save what is known of a conversation, once many of its edits are in no commit.

    For assistants that do not save by themselves. Raises as `capture`.
    """
    name = journal_name(client_session_id)
    lines = (entry.line for entry in workspace.store.journal.pending(name))
    if 0 < _edits_until_saved(workspace) <= count_edits(events_in(lines)):
        capture(workspace, client_session_id, Trigger.OBSERVED)


def _edits_until_saved(workspace: Workspace) -> int:
    """The number of edits after which to save; 0 or less for never."""
    try:
        return int(workspace.repository.config(CHECKPOINT_SETTING) or CHECKPOINT_AFTER)
    except ValueError:
        return CHECKPOINT_AFTER


_MOST_OF_DIFF = 200_000
"""Characters of all of it; the patch of a file is there whole or not at all."""


def _keep_diff(workspace: Workspace, session: Session) -> None:
    """Keep how the files of a session differ from HEAD, where the user wants that.

    It lies beside the journal and goes with it; nothing of it reaches a ref. Nothing
    where git or the file system hinders it: the session is saved.
    """
    file = workspace.store.journal.beside(session.client_session_id, DIFF)
    with suppress(GitmemError, OSError):
        is_wanted = is_on(workspace.repository, KEEP_DIFF_SETTING)
        if diff := _diff(workspace, session) if is_wanted else None:
            replace_file(file, diff.encode())
        else:
            file.unlink(missing_ok=True)


def _diff(workspace: Workspace, session: Session) -> Redacted:
    room, patches = _MOST_OF_DIFF, list[str]()
    paths = [file.path for file in session.files]
    for path, patch in uncommitted_patches(workspace.repository, paths):
        fits = len(patch) <= room
        patches.append(patch if fits else f"# {path}: too large to be kept\n")
        room -= len(patches[-1])
    head = f"Not committed at {session.updated_at:%Y-%m-%d %H:%M:%S}:\n\n"
    return redact(head + "".join(patches) if any(patches) else "")
