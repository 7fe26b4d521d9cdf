"""What a transcript changes in a session: the one way, live as well as imported.

A part that is read live becomes the same event as a whole transcript that is imported;
`documents/session/observed.py` makes a checkpoint of it. Text is redacted before it is
cut: a secret cut in two would not be found.
"""

from collections.abc import Iterator

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.transcripts import Transcript
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.documents.conversation.conversation import answers, prompts
from gitmem.documents.event import (
    PROMPT_LENGTH,
    Event,
    TodoList,
    TranscriptRead,
    bounded_todos,
)
from gitmem.documents.session.checkpoint import merge_files
from gitmem.documents.session.gist import SUMMARY_LENGTH, answers_of, ending_of
from gitmem.git.values import FileChange
from gitmem.redaction.redact import PRIVATE_MARK, redacted_start


def change_in(
    transcript: Transcript, folders: RepositoryFolders, about: Event
) -> TranscriptRead:
    """Return what a transcript says, as an event of the same conversation and time."""
    edits = edits_in(transcript, folders)
    return TranscriptRead(
        at=about.at,
        tool=about.tool,
        client_session_id=about.client_session_id,
        root=about.root,
        transcript="",
        offset=0,
        prompts=tuple(_prompts(transcript)),
        answers=answers_of(answers(transcript.turns)),
        last_answer=ending_of("".join([*answers(transcript.turns)][-1:])),
        summary=redacted_start(transcript.summary, SUMMARY_LENGTH),
        files=merge_files((), edits),
        edits=len(edits),
        todos=tuple(
            TodoList(bounded_todos(seen.todos), seen.is_whole_list)
            for seen in transcript.events
            if seen.kind is EventKind.TODOS
        ),
        program=transcript.program,
    )


def edits_in(transcript: Transcript, folders: RepositoryFolders) -> list[FileChange]:
    """Return each edit of a file of this repository, in order."""
    return [
        FileChange(path, seen.change)
        for seen in transcript.events
        if seen.kind is EventKind.EDIT
        and (path := folders.path_of(seen.folder or transcript.folder, seen.path))
    ]


def _prompts(transcript: Transcript) -> Iterator[str]:
    """Yield the prompts without those that are private."""
    for prompt in prompts(transcript.turns):
        text = redacted_start(prompt, PROMPT_LENGTH)
        if text.replace(PRIVATE_MARK, "").strip():
            yield text
