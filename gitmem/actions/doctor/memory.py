"""What `ocm doctor` looks at in a repository: the memory and what it is kept with."""

import os
import re
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from pathlib import Path

from gitmem.actions.context import build
from gitmem.actions.doctor.finding import FIX, INIT, Code, Finding, Grade
from gitmem.actions.installing import managed_files
from gitmem.actions.installing.file_steps import noted_files, notes_of
from gitmem.actions.installing.plan import Outcome, foresee
from gitmem.actions.linking import commit_notes
from gitmem.actions.sharing.share_settings import AUTO_PULL, AUTO_PUSH
from gitmem.config import CONVERSATIONS_SETTING, NUDGE_SETTING
from gitmem.documents.session import event as events
from gitmem.documents.session import record as records
from gitmem.errors import FormatTooNew
from gitmem.search.folder import (
    UnusableError,
    is_locked,
    is_whole,
    opened,
    stands_at,
)
from gitmem.search.index import Extent
from gitmem.store.registry import is_unreadable, registrations, registry_path
from gitmem.store.remote.chosen_remote import SHARE_CONVERSATIONS
from gitmem.store.trees.tree_changes import state
from gitmem.text.counting import counted
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_MOST_LINES = 10_000
"""Of the journal are looked at."""
_NUMBER = pattern(r"-?\d{1,6}[kmg]?", re.IGNORECASE)
_TRUTH = pattern(r"true|false|yes|no|on|off|1|0", re.IGNORECASE)
_SETTINGS = (
    (build.SETTING, re.compile(r"[0-9]{1,9}"), "a number of tokens, 0 for no brief"),
    (NUDGE_SETTING, _NUMBER, "a number of edited files, 0 for no reminder"),
    (commit_notes.SETTING, _TRUTH, "true or false"),
    (CONVERSATIONS_SETTING, _TRUTH, "true or false"),
    (SHARE_CONVERSATIONS, _TRUTH, "true or false"),
    (AUTO_PUSH, _TRUTH, "true or false"),
    (AUTO_PULL, _TRUTH, "true or false"),
)


def repository(workspace: Workspace) -> Iterator[Finding]:
    git = workspace.repository
    kind = "a bare repository" if git.work_tree is None else "the repository"
    yield Finding(
        code=Code.REPOSITORY,
        what=f"{workspace.project} is {kind} at {workspace.root}",
        where=str(git.common_dir),
    )
    if git.common_dir.stat().st_uid != os.getuid():
        yield Finding(
            code=Code.OWNER,
            grade=Grade.PROBLEM,
            what="the repository belongs to another user, so hooks do nothing here",
            where=str(git.common_dir),
            mend="Work in a clone of your own.",
        )


def journal(workspace: Workspace) -> Iterator[Finding]:
    folder = workspace.own_dir / "journal"
    if folder.is_dir() and not os.access(folder, os.W_OK):
        yield Finding(
            code=Code.JOURNAL,
            grade=Grade.PROBLEM,
            what="nothing can be written into the journal",
            where=str(folder),
            mend="It has to be yours; see to its permissions.",
        )
    else:
        yield from _lines(workspace, folder)


class IndexState(Enum):
    WELL = "is up to date"
    MISSING = "is not there; the next search makes it"
    BUILDING = "is being built"
    BEHIND = "catches up with the next search"
    UNUSABLE = "cannot be used; the next search makes it anew"
    DAMAGED = "is damaged, and searches may fail or find less"


def index(workspace: Workspace) -> Iterator[Finding]:
    """However it is, the memory has all that is in it."""
    how = index_state(workspace)
    is_damaged = how is IndexState.DAMAGED
    so_far = f": {extent} so far" if (extent := _extent(workspace, how)) else ""
    yield Finding(
        code=Code.INDEX,
        grade=Grade.WARNING if is_damaged else Grade.OK,
        what=f"the index {how.value}{so_far}",
        where=str(workspace.index_folder),
        mend=FIX if is_damaged else "",
        is_mendable=how
        not in (IndexState.WELL, IndexState.MISSING, IndexState.BUILDING),
    )


def index_state(workspace: Workspace) -> IndexState:
    folder = workspace.index_folder
    if not folder.exists():
        return IndexState.MISSING
    try:
        tip, left = stands_at(opened(folder).searcher())
    except UnusableError:
        return IndexState.UNUSABLE
    if not is_whole(folder):
        return IndexState.DAMAGED
    if left and is_locked(workspace.index_lock):
        return IndexState.BUILDING
    now = state(workspace.store.memory(), workspace.conversations) or None
    return IndexState.WELL if tip == now else IndexState.BEHIND


def _extent(workspace: Workspace, how: IndexState) -> Extent | None:
    return workspace.open_index().extent if how is IndexState.BUILDING else None


def registry(workspace: Workspace) -> Iterator[Finding]:
    home = workspace.environment.home
    common_dir, where = workspace.repository.common_dir, str(registry_path(home))
    if any(one.git_dir == str(common_dir) for one in registrations(home)):
        what = "the repository is in the registry"
        yield Finding(code=Code.REGISTRY, what=what, where=where)
        return
    path = registry_path(home)
    is_damaged = path.is_file() and is_unreadable(path.read_bytes())
    yield Finding(
        code=Code.REGISTRY,
        grade=Grade.WARNING,
        what="the registry of your repositories cannot be read"
        if is_damaged
        else "the repository is not in the registry, so it is not searched from others",
        where=where,
        mend=INIT,
    )


def copies(workspace: Workspace) -> Iterator[Finding]:
    common_dir = workspace.repository.common_dir
    step = managed_files.excluded(common_dir, notes_of(noted_files(common_dir)))
    [result] = foresee([step])
    if result.outcome is Outcome.ALREADY:
        yield Finding(code=Code.COPIES, what=step.what)
        return
    yield Finding(
        code=Code.COPIES,
        grade=Grade.WARNING,
        what=result.reason or "`git status` will show readable copies of sessions",
        mend=INIT,
    )


def settings(workspace: Workspace) -> Iterator[Finding]:
    for name, wanted, meaning in _SETTINGS:
        value = workspace.repository.config(name)
        if value is None:
            continue
        is_sound = wanted.fullmatch(value.strip()) is not None
        yield Finding(
            code=Code.SETTING,
            grade=Grade.OK if is_sound else Grade.WARNING,
            about=name,
            what=f"{name} is {value!r}" + ("" if is_sound else ", which says nothing"),
            mend="" if is_sound else f"It takes {meaning}.",
        )


def _lines(workspace: Workspace, folder: Path) -> Iterator[Finding]:
    """What is in the journal, and in no commit."""
    waiting, unknown = _pending(workspace)
    if unknown:
        yield Finding(
            code=Code.JOURNAL,
            grade=Grade.WARNING,
            what=f"{counted(unknown, 'line')} of the journal cannot be read",
            where=str(folder),
            mend="They are passed over; a newer gitmem may be able to read them.",
        )
    if waiting:
        yield Finding(
            code=Code.JOURNAL,
            grade=Grade.NOTE,
            what=f"{counted(waiting, 'checkpoint')} in the journal, in no commit yet",
            where=str(folder),
            mend="They are safe; `ocm list` makes commits of them.",
            is_mendable=True,
        )
    elif not unknown:
        yield Finding(code=Code.JOURNAL, what="nothing in the journal waits")


def _pending(workspace: Workspace) -> tuple[int, int]:
    """How many checkpoints wait, and how many lines nobody can read."""
    waiting = unknown = 0
    for entry in islice(workspace.store.journal.pending(), _MOST_LINES):
        try:
            is_record = records.from_json(entry.line) is not None
        except FormatTooNew:
            is_record = False
        waiting += is_record
        unknown += not is_record and events.from_json(entry.line) is None
    return waiting, unknown
