"""Sessions brought back, by one commit for all of them.

Earlier documents are put together with what is there, as versions of two clones are,
and go through the gate of today. Where a session was forgotten, a record that is newer
than its tombstone says so: other clones take it like any change.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from gitmem.actions.doctor.mend import replayed_again
from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.documents.session.merging import completed, settled, stem_of
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.rendering import DOCUMENT_LIMIT, render
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged
from gitmem.git.repository import Repository
from gitmem.git.values import FILE_MODE, Content, Oid, TreeEntry
from gitmem.redaction.redact import Redacted, redact, redact_own, seal
from gitmem.store.forgetting.removal import note_restored
from gitmem.store.lock import locked
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.committing import Move, author, commit_on, in_some_try
from gitmem.store.trees.conversation_tree import commit_said
from gitmem.store.trees.document_versions import Source, versions
from gitmem.store.trees.lost_sessions import Lost
from gitmem.store.trees.session_tree import REF, SessionTree
from gitmem.store.trees.tombstones import (
    paths_of_ids,
    restorations_of,
    without_forgotten,
)
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def restore(workspace: Workspace, chosen: Sequence[Lost]) -> list[str]:
    """Bring sessions back, with what was said in them; gives their ids.

    Those whose journals alone know of them are made of these again. Raises Busy where
    other writers do not let us in, NoPermission and Damaged; done again it goes on from
    there.
    """
    with locked(workspace.store.lock):
        write = partial(_documents_written, workspace, chosen)
        sessions = in_some_try(workspace.repository, REF, write)
        write_said = partial(_conversations_written, workspace, sessions)
        in_some_try(workspace.repository, CONVERSATION.ref, write_said)
        paths = {path for one in sessions for path in paths_of_ids(SESSION, one)}
        note_restored(workspace.repository.common_dir, paths)
    marked = {one.session_id for one in chosen if one.source is Source.JOURNAL}
    replayed = replayed_again(workspace, marked) if marked else []
    return sorted({*(one.id for one in sessions), *replayed})


def goals_of(workspace: Workspace, lost: Iterable[Lost]) -> list[Redacted]:
    """What each session was for; empty where it is the journal that knows of it."""
    memory = workspace.store.memory()
    known = (next(_earlier(memory, one), None) for one in lost)
    return [redact(session.goal if session else "") for session in known]


def _documents_written(
    workspace: Workspace, chosen: Sequence[Lost]
) -> list[Session] | None:
    """The sessions as they are then; None if the ref moved meanwhile."""
    git, memory = workspace.repository, workspace.store.memory()
    by_stem: dict[str, list[Lost]] = defaultdict(list)
    for one in chosen:
        by_stem[stem_of(one.session_id)].append(one)
    changes: dict[str, Content] = {}
    restored: list[Session] = []
    for stem, some in by_stem.items():
        before = _here(memory, stem)
        after = {each.id: each for each in _put_together(memory, before, some)}
        changes |= {memory.path(each): None for each in before.keys() - after.keys()}
        ids = {one.session_id for one in some}
        for session in after.values():
            made: dict[str, Content] = {}
            if not ids.isdisjoint(session.all_ids):
                made |= restorations_of(memory, session, workspace.now())
            if session != before.get(session.id):
                made[memory.path(session.id)] = seal(session, render)
            if made:
                changes |= made
                restored.append(session)
    if not restored:
        return []
    message = redact_own(f"restore: {counted(len(restored), memory.kind.name)}\n")
    with git.batch() as batch:
        by = author(git, workspace.now())
        commit = commit_on(batch, memory, changes, message, by)
    move = Move(REF, memory.commit, commit, "restore")
    return restored if move.is_made(git) else None


def _here(memory: SessionTree, stem: str) -> dict[str, Session]:
    """The sessions that began so in the memory, as far as they can be read."""
    of_day = memory.ids_in(*stem[:10].split("-"))
    ids = [each for each in of_day if stem_of(each) == stem]
    found = map(memory.readable, ids)
    return {session.id: session for session in found if session}


def _put_together(
    memory: SessionTree, before: Mapping[str, Session], some: Iterable[Lost]
) -> list[Session]:
    """What is here with what was, each session once.

    A document that was blanked names no conversation: it is of the one that it was of.
    """
    now = dict(before)
    for one in some:
        for earlier in _earlier(memory, one):
            name = earlier.client_session_id
            blank = now.get(earlier.id)
            if blank and not blank.client_session_id:
                now[earlier.id] = replace(blank, client_session_id=name)
            known = (key for key, each in now.items() if each.client_session_id == name)
            key = next(known, f"{earlier.id} {name}")
            now[key] = _with_earlier(memory, now.get(key), earlier)
    return settled(now.values())


def _earlier(memory: SessionTree, one: Lost) -> Iterator[Session]:
    """What earlier documents say; the newest first."""
    for blob in one.versions:
        with suppress(Damaged):
            yield parse(one.session_id, memory.content(TreeEntry(blob, FILE_MODE)))


def _with_earlier(
    memory: SessionTree, now: Session | None, earlier: Session
) -> Session:
    """Both together, or the later one alone where no reader would take that."""
    if now and completed(now, earlier) is now:
        return now
    clean = _clean(memory, earlier)
    whole = completed(now, clean) if now else clean
    return whole if not now or len(render(whole).encode()) <= DOCUMENT_LIMIT else now


def _clean(memory: SessionTree, session: Session) -> Session:
    """By today's rules for secrets, and without items that were forgotten."""
    return without_forgotten(memory, parse(session.id, seal(session, render)))


def _conversations_written(
    workspace: Workspace, sessions: Sequence[Session]
) -> bool | None:
    """What was said, where earlier states have more; None if a ref moved meanwhile."""
    git, variables = workspace.repository, workspace.environment.variables
    by_id = {each: session for session in sessions for each in session.all_ids}
    refs = refs_of(git, CONVERSATION)
    tips = [tip for ref in refs if (tip := git.resolve_ref(ref))]
    if not (tips and by_id):
        return True
    longest: dict[str, str] = {}
    for each, blob in versions(git, tips, CONVERSATION, variables):
        if each in by_id:
            text = _conversation(git, blob)
            longest[each] = max(text, longest.get(each, ""), key=len)
    said = [(by_id[each], redact(text)) for each, text in longest.items()]
    with git.batch() as batch:
        kept = commit_said(batch, said)
    return True if kept.move.is_made(git) else None


def _conversation(git: Repository, blob: Oid) -> str:
    """Nothing of what cannot be read."""
    with suppress(Damaged):
        text = git.read_blob(blob, CONVERSATION.most_bytes)
        return text.decode("utf-8", "replace")
    return ""
