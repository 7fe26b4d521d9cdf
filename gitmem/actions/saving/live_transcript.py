"""The transcript of a conversation that goes on, read on from where it was left.

It tells what hooks do not: all prompts, what was answered, what a shell wrote. How far
it was read stands in the journal with what was found: both are noted, or neither. What
path a hook was told is not believed: read is what an import would find by itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from gitmem.assistants.assistant import TURN, EventKind
from gitmem.assistants.known import reader_of
from gitmem.assistants.transcripts import (
    CommandRun,
    Transcript,
    TranscriptPart,
    TranscriptReader,
)
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.assistants.transcripts.transcript_files import find_transcript
from gitmem.documents.conversation.conversation import (
    Speaker,
    Turn,
    answers,
    prompts,
)
from gitmem.documents.event import (
    PROMPT_LENGTH,
    Client,
    Edit,
    Event,
    Heard,
    Prompt,
    Run,
    Start,
    Todos,
    forked_at,
)
from gitmem.documents.session.gist import SUMMARY_LENGTH, answers_of, ending_of
from gitmem.documents.session.session import PROMPTS_LIMIT
from gitmem.git.files import changed_at
from gitmem.redaction.redact import redacted_start
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

E = TypeVar("E", bound=Event)

_MOST_FILES = 500
_MOST_RUNS = 200
_MOST_WORDS = 5000
_WORD = pattern(r"[^\s\"'`|;&<>(){}\[\],:=]{1,1000}")
_REMOVING = pattern(r"\b(?:rm|mv|unlink|git)\b")


def heard(
    workspace: Workspace, events: Sequence[Event], *, said: str, named: str
) -> Heard | None:
    """What the transcript has beyond what `events`, all of a conversation, tell.

    `said` is what the client told to be the last answer, for a transcript may be late;
    `named` is its path, where it was told again. None where there is nothing new, or
    the conversation has only been opened.
    """
    if not any(map(_is_of_a_turn, events)):
        return None
    file = transcript_of(workspace, events, named)
    read = (e for e in reversed(events) if isinstance(e, Heard) and e.transcript)
    before = next(read, None)
    offset = before.offset if before and str(file) == before.transcript else 0
    part = _read(file, events, offset) if file else TranscriptPart(None, 0)
    here, found = (
        RepositoryFolders([Path(events[-1].root)], (), lambda _: False),
        part.transcript,
    )
    if found and not here.holds(found.folder):
        found = None
    heard_last = [*answers(found.turns)][-1:] if found else []
    last = ending_of(said or "".join(heard_last))
    if part.end == offset and last in ("", _last_answer(events)):
        return None
    news = _news(found, events, here) if found else {}
    news |= {"transcript": str(file or ""), "offset": part.end, "last_answer": last}
    return event_of(events[-1], Heard, workspace.now(), **news)


def event_of(other: Event, kind: type[E], at: datetime, **values: Any) -> E:
    """Return an event of the conversation that another event is of."""
    tool, client_id, root = other.tool, other.client_session_id, other.root
    return kind(at=at, tool=tool, client_session_id=client_id, root=root, **values)


def _is_of_a_turn(event: Event) -> bool:
    is_work = isinstance(event, Prompt | Edit | Todos | Heard)
    return is_work or (isinstance(event, Start) and event.source == TURN)


def transcript_of(
    workspace: Workspace, events: Sequence[Event], named: str = ""
) -> Path | None:
    told = (e.transcript for e in reversed(events) if isinstance(e, Client))
    named, about = named or next(filter(None, told), ""), events[-1]
    reader = reader_of(about.tool)
    if not named or reader is None:
        return None
    of = workspace.environment
    places = reader.places(of.user_home, of.variables, [Path(about.root)])
    return find_transcript(named, places, reader.pattern)


def noted(events: Sequence[Event]) -> Transcript:
    """Return what hooks noted of a conversation, of which there is no transcript."""
    about = events[-1]
    return Transcript(
        tool=about.tool,
        client_session_id=about.client_session_id,
        folder=about.root,
        began_at=events[0].at,
        ended_at=about.at,
        turns=tuple(filter(None, map(_turn, events))),
    )


def _turn(event: Event) -> Turn | None:
    if isinstance(event, Prompt):
        return Turn(Speaker.PERSON, event.text, event.at)
    if isinstance(event, Heard) and event.last_answer:
        return Turn(Speaker.ASSISTANT, event.last_answer, event.at)
    return None


def _last_answer(events: Sequence[Event]) -> str:
    """As it was heard the last time, also where no transcript could be read."""
    heard_of = (e.last_answer for e in reversed(events) if isinstance(e, Heard))
    return next(heard_of, "")


def _read(file: Path, events: Sequence[Event], offset: int) -> TranscriptPart:
    about = events[-1]
    reader = reader_of(about.tool)
    with suppress(OSError):  # gone meanwhile
        if reader and reader.read_beyond:
            since = forked_at(events)
            return reader.read_beyond(file, about.client_session_id, offset, since)
        if reader:
            return _read_whole(reader, file, about.client_session_id, offset)
    return TranscriptPart(None, 0)


def _read_whole(
    reader: TranscriptReader, file: Path, client_session_id: str, offset: int
) -> TranscriptPart:
    """Read a file again that has grown. Raises OSError."""
    size = file.stat().st_size
    parts = reader.read(file) if size != offset else ()
    found = (each for each in parts if isinstance(each, Transcript))
    own = (each for each in found if each.client_session_id == client_session_id)
    return TranscriptPart(next(own, None), size)


def _news(
    found: Transcript, events: Sequence[Event], here: RepositoryFolders
) -> dict[str, Any]:
    edited, asked = _known(events)
    typed = (redacted_start(text, PROMPT_LENGTH) for text in prompts(found.turns))
    news = dict.fromkeys(text for text in typed if text and text not in asked)
    wrote = {*_edits(found, here), *_written(found.runs, here)} - edited
    return {
        "prompts": tuple(news)[: max(0, PROMPTS_LIMIT - len(asked))],
        "answers": answers_of(answers(found.turns)),
        "program": found.program,
        "summary": redacted_start(found.summary, SUMMARY_LENGTH),
        "files": tuple(sorted(wrote))[:_MOST_FILES],
        "gone": tuple(sorted({*_removed(found.runs, here)}))[:_MOST_FILES],
        "runs": tuple(Run(each.began, each.ended) for each in found.runs)[-_MOST_RUNS:],
    }


def _known(events: Iterable[Event]) -> tuple[set[str], set[str]]:
    edited: set[str] = set()
    asked: set[str] = set()
    for event in events:
        match event:
            case Edit():
                edited.add(event.path)
            case Prompt():
                asked.add(event.text)
            case Heard():
                edited.update(event.files)
                asked.update(event.prompts)
    return edited, asked


def _edits(found: Transcript, here: RepositoryFolders) -> Iterator[str]:
    for seen in found.events:
        path = (
            here.path_of(seen.folder, seen.path)
            if seen.kind is EventKind.EDIT
            else None
        )
        if path:
            yield path


def _written(ran: Iterable[CommandRun], here: RepositoryFolders) -> Iterator[str]:
    """Files that a command or its output names, and that changed while it ran."""
    for each in ran:
        run = Run(each.began, each.ended)
        for word in _words(f"{each.command}\n{each.output}"):
            if not run.holds(_changed_at(Path(each.folder, word))):
                continue
            if path := here.path_of(each.folder, word):
                yield path


def _removed(ran: Iterable[CommandRun], here: RepositoryFolders) -> Iterator[str]:
    for each in ran:
        if _REMOVING.search(each.command):
            for word in _words(each.command):
                path = here.path_of(each.folder, word)
                if path and not _changed_at(Path(each.folder, word)):
                    yield path


def _words(text: str) -> list[str]:
    found = (word[0].rstrip(".") for word in _WORD.finditer(text))
    names = (word for word in found if any(map(str.isalnum, word)))
    return list(dict.fromkeys(names))[:_MOST_WORDS]


def _changed_at(file: Path) -> float:
    """0 for what is no file."""
    with suppress(OSError, ValueError):
        if file.is_file():
            return changed_at(file)
    return 0.0
