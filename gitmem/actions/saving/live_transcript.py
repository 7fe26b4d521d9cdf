"""The transcript of a conversation that goes on, read on from where it was left.

How far it was read stands in the journal with what it said: both are noted, or neither.
A path that a hook was told is not believed: only what an import would find is read.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gitmem.actions.saving.touching_turns import part_touching
from gitmem.actions.saving.transcript_change import (
    change_in,
    edited_files,
    edits_in,
    removed_paths,
    repositories_elsewhere,
    written_files,
)
from gitmem.assistants.assistant import TURN
from gitmem.assistants.known import reader_of
from gitmem.assistants.transcripts import (
    CommandRun,
    Transcript,
    TranscriptPart,
    TranscriptReader,
)
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.assistants.transcripts.transcript_files import find_transcript
from gitmem.config import Environment
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import (
    Client,
    Edit,
    Event,
    Prompt,
    Run,
    Start,
    Todos,
    TranscriptRead,
)
from gitmem.documents.event_log import forked_at
from gitmem.documents.session.gist import ending_of
from gitmem.documents.session.session import PROMPTS_LIMIT
from gitmem.git.layout import work_trees_of

if TYPE_CHECKING:  # a hook that counts edits opens no repository
    from gitmem.workspace import Workspace

E = TypeVar("E", bound=Event)

MOST_PARTS = 64
"""Most parts in which a transcript is read on at once."""
_MOST_FILES = 500
_MOST_RUNS = 200
_COUNTED_SIZE = 20_000_000
"""Bytes of a transcript in which somebody who waits has edits counted."""
_EDIT_SIZE = 200
"""Bytes that an edit and its result take in a transcript, at least."""


def read_part(
    workspace: "Workspace", events: Sequence[Event], *, last_answer: str, path: str
) -> TranscriptRead | None:
    """Return what the transcript has beyond what `events` of a conversation say.

    `last_answer` is what the client told a hook, since a transcript may be late; `path`
    is the transcript's, where a hook was told again. None where there is nothing new,
    or the conversation has only been opened.
    """
    if not any(map(_is_of_a_turn, events)):
        return None
    file = transcript_of(workspace.environment, events, path)
    offset = _offset(events, file)
    part = _read(file, events, offset) if file else TranscriptPart(None, 0)
    git, transcript = workspace.repository, part.transcript
    folders = live_folders(git.common_dir, workspace.root, git.is_ignored)
    # A hook's path may be that of any conversation, also in a private repository.
    if transcript and not folders.holds(transcript.folder):
        wrote_here = partial(_wrote_here, folders)
        transcript = part_touching(transcript, folders, git, wrote_here)
    about = event_of(events[-1], Event, workspace.now())
    read = _event(transcript, folders, about, events)
    read = replace(
        read,
        transcript=str(file or ""),
        offset=part.end,
        last_answer=ending_of(last_answer) or read.last_answer,
    )
    is_known = read.last_answer in ("", _last_answer(events))
    return None if part.end == offset and is_known else read


def live_folders(
    common_dir: Path, root: Path, is_ignored: Callable[[str], bool] = lambda _: False
) -> RepositoryFolders:
    """Return the work trees of a repository, `root` first, without opening it."""
    trees = [*work_trees_of(common_dir)]
    removed = [tree for tree in trees if not tree.exists()]
    return RepositoryFolders([root, *trees], (), is_ignored, removed)


def count_unread_edits(
    environment: Environment,
    folders: RepositoryFolders,
    events: Sequence[Event],
    least: int,
    *,
    path: str,
) -> int:
    """Count the edits in the part of a transcript that is not read on yet.

    0 where the part is too short to have `least` of them, and where to look would take
    long: somebody waits.
    """
    file = transcript_of(environment, events, path) if events else None
    if file is None:
        return 0
    offset = _offset(events, file)
    with suppress(OSError):
        size = file.stat().st_size
        if size <= _COUNTED_SIZE and size - offset >= least * _EDIT_SIZE:
            transcript = _read(file, events, offset).transcript
            return len(edits_in(transcript, folders)) if transcript else 0
    return 0


def repositories_touched(
    environment: Environment, about: Event, path: str
) -> list[str]:
    """Return a work tree of each repository that a conversation touched.

    It is held in `about.root`, outside of any.
    """
    folders, trees = RepositoryFolders([Path(about.root)], (), lambda _: False), []
    for transcript in _parts(environment, about, path):
        files = [*edited_files(transcript), *written_files(transcript.runs)]
        trees += repositories_elsewhere(files, folders)
    return [*dict.fromkeys(trees)]


def first_touch(workspace: "Workspace", about: Event, path: str) -> datetime | None:
    """Return when the turn began in which a conversation first touched this repository.

    It is held in `about.root`, elsewhere. None where it did not.
    """
    git = workspace.repository
    folders = live_folders(git.common_dir, workspace.root, git.is_ignored)
    wrote_here = partial(_wrote_here, folders)
    for transcript in _parts(workspace.environment, about, path):
        part = part_touching(transcript, folders, git, wrote_here)
        if part.turns:
            return workspace.local(part.began_at)
    return None


def _parts(environment: Environment, about: Event, path: str) -> Iterator[Transcript]:
    """Yield a transcript in parts, from its beginning."""
    part = TranscriptPart(None, 0)
    if not (file := transcript_of(environment, [about], path)):
        return
    for _ in range(MOST_PARTS):
        offset, part = part.end, _read(file, [about], part.end)
        if part.transcript:
            yield part.transcript
        if part.end == offset:
            return


def event_of(event: Event, kind: type[E], at: datetime, **values: Any) -> E:
    """Return an event of the conversation that another event is of."""
    tool, client_id, root = event.tool, event.client_session_id, event.root
    return kind(at=at, tool=tool, client_session_id=client_id, root=root, **values)


def transcript_of(
    environment: Environment, events: Sequence[Event], path: str = ""
) -> Path | None:
    """Return the file of a conversation's transcript, if an import would find it."""
    paths = (e.transcript for e in reversed(events) if isinstance(e, Client))
    path, newest = path or next(filter(None, paths), ""), events[-1]
    reader = reader_of(newest.tool)
    if not path or reader is None:
        return None
    home, variables = environment.user_home, environment.variables
    places = reader.places(home, variables, [Path(newest.root)])
    return find_transcript(path, places, reader.pattern)


def transcript_of_events(events: Sequence[Event]) -> Transcript:
    """Return what hooks noted of a conversation, of which there is no transcript."""
    newest = events[-1]
    return Transcript(
        tool=newest.tool,
        client_session_id=newest.client_session_id,
        folder=newest.root,
        began_at=events[0].at,
        ended_at=newest.at,
        turns=tuple(filter(None, map(_turn, events))),
    )


def _is_of_a_turn(event: Event) -> bool:
    is_work = isinstance(event, Prompt | Edit | Todos | TranscriptRead)
    return is_work or (isinstance(event, Start) and event.source == TURN)


def _turn(event: Event) -> Turn | None:
    if isinstance(event, Prompt):
        return Turn(Speaker.PERSON, event.text, event.at)
    if isinstance(event, TranscriptRead) and event.last_answer:
        return Turn(Speaker.ASSISTANT, event.last_answer, event.at)
    return None


def _offset(events: Sequence[Event], file: Path | None) -> int:
    """Return how far a file was read; 0 where another one was read last."""
    reads = (
        event
        for event in reversed(events)
        if isinstance(event, TranscriptRead) and event.transcript
    )
    newest = next(reads, None)
    return newest.offset if newest and newest.transcript == str(file) else 0


def _last_answer(events: Sequence[Event]) -> str:
    """Return the answer that was noted last, also where no transcript could be read."""
    answers = (e.last_answer for e in reversed(events) if isinstance(e, TranscriptRead))
    return next(answers, "")


def _read(file: Path, events: Sequence[Event], offset: int) -> TranscriptPart:
    newest = events[-1]
    reader = reader_of(newest.tool)
    with suppress(OSError):  # the file is gone meanwhile
        if reader and reader.read_beyond:
            since = forked_at(events)
            return reader.read_beyond(file, newest.client_session_id, offset, since)
        if reader:
            return _read_whole(reader, file, newest.client_session_id, offset)
    return TranscriptPart(None, 0)


def _read_whole(
    reader: TranscriptReader, file: Path, client_session_id: str, offset: int
) -> TranscriptPart:
    """Read a file again that has grown. Raises OSError."""
    size = file.stat().st_size
    parts = reader.read(file) if size != offset else ()
    own_transcripts = (
        part
        for part in parts
        if isinstance(part, Transcript) and part.client_session_id == client_session_id
    )
    return TranscriptPart(next(own_transcripts, None), size)


def _event(
    transcript: Transcript | None,
    folders: RepositoryFolders,
    about: Event,
    events: Sequence[Event],
) -> TranscriptRead:
    if transcript is None:
        return event_of(about, TranscriptRead, about.at, transcript="", offset=0)
    read = change_in(transcript, folders, about, [*written_files(transcript.runs)])
    earlier = _prompts(events)
    prompts = [text for text in dict.fromkeys(read.prompts) if text not in earlier]
    return replace(
        read,
        prompts=tuple(prompts[: max(0, PROMPTS_LIMIT - len(earlier))]),
        files=read.files[:_MOST_FILES],
        removed=tuple(sorted({*removed_paths(transcript.runs, folders)}))[:_MOST_FILES],
        runs=tuple(Run(ran.began, ran.ended) for ran in transcript.runs)[-_MOST_RUNS:],
    )


def _prompts(events: Iterable[Event]) -> set[str]:
    prompts = set[str]()
    for event in events:
        if isinstance(event, Prompt):
            prompts.add(event.text)
        elif isinstance(event, TranscriptRead):
            prompts.update(event.prompts)
    return prompts


def _wrote_here(folders: RepositoryFolders, ran: CommandRun) -> bool:
    return any(folders.path_of(*name) for name in written_files([ran]))
