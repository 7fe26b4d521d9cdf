"""What a transcript changes in a session: the one way, live as well as imported.

A part that is read live becomes the same event as a whole transcript that is imported;
`documents/session/observed.py` makes a checkpoint of it. Text is redacted before it is
cut: a secret cut in two would not be found.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.transcripts import CommandRun, Transcript
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.documents.conversation.conversation import answers, prompts
from gitmem.documents.event import (
    PROMPT_LENGTH,
    Event,
    Run,
    TodoList,
    TranscriptRead,
    bounded_todos,
)
from gitmem.documents.session.checkpoint import merge_files
from gitmem.documents.session.gist import SUMMARY_LENGTH, answers_of, ending_of
from gitmem.git.files import changed_at
from gitmem.git.layout import common_dir_of, git_dir_of
from gitmem.git.values import Change, FileChange
from gitmem.redaction.redact import PRIVATE_MARK, redacted_start
from gitmem.text.patterns import pattern

FileName = tuple[str, str]
"""A folder, and the name of a file from there."""


def change_in(
    transcript: Transcript,
    folders: RepositoryFolders,
    about: Event,
    by_shell: Sequence[FileName] = (),
) -> TranscriptRead:
    """Return what a transcript says, as an event of the same conversation and time.

    `by_shell` are files that its shell wrote.
    """
    edits = edits_in(transcript, folders)
    paths = {path for name in by_shell if (path := folders.path_of(*name))}
    files = [FileChange(path, Change.MODIFIED) for path in paths]
    touched = [*edited_files(transcript), *by_shell]
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
        files=merge_files((), [*files, *edits]),
        edits=len(edits) + len(paths),
        todos=tuple(
            TodoList(bounded_todos(seen.todos), seen.is_whole_list)
            for seen in transcript.events
            if seen.kind is EventKind.TODOS
        ),
        work_trees=tuple(_work_trees(touched, folders)),
        elsewhere=tuple(repositories_elsewhere(touched, folders)),
        program=transcript.program,
    )


def edited_files(transcript: Transcript) -> list[FileName]:
    return [
        (seen.folder or transcript.folder, seen.path)
        for seen in transcript.events
        if seen.kind is EventKind.EDIT
    ]


def repositories_elsewhere(
    files: Iterable[FileName], folders: RepositoryFolders
) -> list[str]:
    """Return a work tree of each other repository that files are in."""
    roots = dict.fromkeys(folders.elsewhere(*name) for name in files)
    by_repository = dict[Path, Path]()
    for root in filter(None, roots):
        with suppress(OSError):  # it is gone meanwhile
            by_repository.setdefault(common_dir_of(git_dir_of(root / ".git")), root)
    return sorted(map(str, by_repository.values()))


def _work_trees(files: Iterable[FileName], folders: RepositoryFolders) -> list[str]:
    """Return the work trees that files are in, the last touched one last."""
    places = (folders.place_of(*name) for name in files)
    roots = [str(place[0]) for place in places if place]
    return [*dict.fromkeys(reversed(roots))][::-1]


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


_MOST_WORDS = 5000
_WORD = pattern(r"[^\s\"'`|;&<>(){}\[\],:=]{1,1000}")
_REMOVING = pattern(r"\b(?:rm|mv|unlink|git)\b")


def written_files(commands: Iterable[CommandRun]) -> Iterator[FileName]:
    """Yield files that a command or its output names, and that changed while it ran."""
    for ran in commands:
        run = Run(ran.began, ran.ended)
        for word in _words(f"{ran.command}\n{ran.output}"):
            if run.holds(_changed_at(Path(ran.folder, word))):
                yield ran.folder, word


def removed_paths(
    commands: Iterable[CommandRun], folders: RepositoryFolders
) -> Iterator[str]:
    for ran in commands:
        if _REMOVING.search(ran.command):
            for word in _words(ran.command):
                path = folders.path_of(ran.folder, word)
                if path and not _changed_at(Path(ran.folder, word)):
                    yield path


def _words(text: str) -> list[str]:
    words = (match[0].rstrip(".") for match in _WORD.finditer(text))
    names = (word for word in words if any(map(str.isalnum, word)))
    return list(dict.fromkeys(names))[:_MOST_WORDS]


def _changed_at(file: Path) -> float:
    """Return when a file changed; 0 for what is no file."""
    with suppress(OSError, ValueError):
        if file.is_file():
            return changed_at(file)
    return 0.0
