"""The files that commands of a shell wrote or removed, as far as the disk shows it."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.actions.saving.transcript_change import FileName
from gitmem.assistants.transcripts import CommandRun
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.documents.event import Run
from gitmem.git.files import changed_at
from gitmem.text.patterns import pattern

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
