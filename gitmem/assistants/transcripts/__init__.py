"""Transcripts: an assistant's own records of conversations, in our words.

Each assistant has a module that reads its files; `gitmem.actions.importing` makes
sessions of them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain, repeat
from pathlib import Path
from typing import NamedTuple

from gitmem.assistants.assistant import HookEvent
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.frozen import frozen
from gitmem.text.patterns import pattern


@frozen
class PrintedCommit:
    sha: str
    """The beginning of the commit's id, as git prints it."""
    subject: str
    branch: str = ""
    is_amended: bool = False
    """True if it replaces the commit before it on its branch."""
    since: str = ""
    """In the output of a push, the tip before it."""
    subjects: frozenset[str] = frozenset()
    """Possible subjects of those pushed commits that the conversation made."""


@frozen
class CommandRun:
    command: str
    output: str
    """The beginning of what it printed."""
    folder: str
    """Absolute path; "" if unknown."""
    began: datetime
    ended: datetime


@frozen(kw_only=True)
class Transcript:
    """One conversation so far; its text is hostile and not redacted."""

    tool: str
    client_session_id: str
    folder: str
    """Folder that the client recorded, hostile; "" if unknown."""
    branch: str | None = None
    began_at: datetime
    ended_at: datetime
    """The newest record, in whole seconds; naive for a wall clock."""
    turns: tuple[Turn, ...] = ()
    """Words of person and assistant, without those of programs, tools and summaries."""
    events: tuple[HookEvent, ...] = ()
    """Successful edits, and to-do lists, in order."""
    commits: tuple[PrintedCommit, ...] = ()
    runs: tuple[CommandRun, ...] = ()
    summary: str = ""
    parent: str = ""
    """The id of the conversation that it was forked from."""
    program: str = ""
    """The program that held the conversation; "" for a person."""
    own_part: "Transcript | None" = None
    """The part after the copy of its parent; None where it begins with none."""
    checkpoint: Checkpoint | None = None
    """A checkpoint of a written document, in place of turns and events."""
    base: str = ""
    """The id of the commit that was checked out at its beginning; "" if unknown."""


@frozen
class Unread:
    """A part of a file that could not be read, or that its reader passes over."""

    reason: str
    """A phrase such as `no JSON`, shown behind the line."""
    line: int | None = None
    """Line number from 1; None for the whole file."""
    count: int = 1
    """How many records this stands for."""


@frozen
class TranscriptPart:
    transcript: Transcript | None
    end: int


class TranscriptReader(NamedTuple):
    """How to find and read the transcripts of an assistant."""

    tool: str
    """The name of the assistant in `ocm import` and in sessions."""
    pattern: str
    """Pattern of its files for `Path.rglob` below a folder."""
    places: Callable[[Path, Mapping[str, str], Iterable[Path]], Iterator[Path]]
    """Folders and files that may have transcripts, by home, variables and roots of work
    trees; some may be missing.
    """
    read: Callable[[Path], Iterator[Transcript | Unread]]
    """Yields conversations one by one. Raises OSError."""
    read_fork: (
        Callable[[Path, datetime | None], Iterator[Transcript | Unread]] | None
    ) = None
    """Reads a fork without the copies before its beginning."""
    read_beyond: Callable[[Path, str, int, datetime | None], TranscriptPart] | None = (
        None
    )
    """Reads what a file has of a conversation beyond an offset, and of a fork what came
    after its beginning; None if it is read from its start again. Raises OSError.
    """
    parent_in: Callable[[Path, str], str] | None = None
    """Returns from a file the id of the conversation that another was forked from, ""
    for none; None if files do not say. Raises OSError.
    """
    superseded: Callable[[Iterable[Path]], set[Path]] | None = None
    """Returns of some files those of which another has the whole conversation."""
    days_kept: int | None = None
    """Days after which the client by default deletes a file that does not change; None
    if it deletes none.
    """
    is_of: Callable[[Path, Path], bool] | None = None
    """Tells whether the place of a file shows that it is about a work tree."""
    session_folders: Callable[[Path], Iterator[tuple[str, str]]] | None = None
    """Yields the id and the folder of each conversation of a file with many. Raises
    OSError.
    """

    def since(self, fork: datetime | None) -> "TranscriptReader":
        """Return the reader for a conversation forked then; None for no fork."""
        if self.read_fork is None or fork is None:
            return self
        read_fork = self.read_fork
        return self._replace(read=lambda file: read_fork(file, fork))


def shared_places(
    *places: Callable[[Path, Mapping[str, str]], Path],
) -> Callable[[Path, Mapping[str, str], Iterable[Path]], Iterator[Path]]:
    """Return the `places` of an assistant that keeps all transcripts together."""
    return lambda home, variables, _roots: (place(home, variables) for place in places)


_GIT = pattern(r"\bgit\b")
_COMMITTING = pattern(r"\b(?:commit|ci|cherry-pick|revert)\b")
_PRINTED = pattern(
    r"^\[(?P<branch>\S{1,250})(?: \S{1,50}){0,2}? (?P<sha>[0-9a-f]{7,64})\]"
    r" (?P<subject>.*)$",
    re.MULTILINE,
)
"""Git prints up to two words after the branch, in any language."""
_COMMIT = pattern(
    r"\bgit(?:\s++(?:-[Cc]\s++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\S++)|--?[\w-]++(?:=\S++)?))*+"
    rf"\s++{_COMMITTING.pattern}(?P<amend>[^\n;&|]{{0,300}}?\s--amend\b)?"
)


def printed_commits(command: str, output: str) -> Iterator[PrintedCommit]:
    """Yield the commits that a shell printed for a command.

    None if the command cannot have made any; commits amended later are among them.
    """
    if _GIT.search(command) and _COMMITTING.search(command):
        amends = [bool(call["amend"]) for call in _COMMIT.finditer(command)] or [False]
        is_amended = chain(amends, repeat(amends[-1]))
        for line in _PRINTED.finditer(output):
            sha, subject = line["sha"], line["subject"].strip()
            yield PrintedCommit(sha, subject, line["branch"], next(is_amended))


_SHOWN = pattern(
    r"^(?:\[\S{1,250}(?: \S{1,50}){0,2}? )?(?P<sha>[0-9a-f]{7,64})\]?"
    r"(?: \([^)\n]{1,250}\))? (?P<subject>.*)$",
    re.MULTILINE,
)
"""A commit as git prints it once it is made, and as `git log --oneline` does."""
_PUSHED = pattern(
    r"^ [ +] (?P<since>[0-9a-f]{7,64})\.{2,3}(?P<sha>[0-9a-f]{7,64}) +\S+ +-> ",
    re.MULTILINE,
)
_QUOTES = pattern(r"[\"'\n]")
_SUBJECT_LENGTH = 10
"""Characters of a subject that is nobody else's by chance."""


def subjects_in(command: str) -> set[str]:
    """Return the texts of a command that can be subjects of the commits it makes."""
    if not (_GIT.search(command) and _COMMITTING.search(command)):
        return set()
    texts = map(str.strip, _QUOTES.split(command))
    return {text for text in texts if len(text) >= _SUBJECT_LENGTH}


def shown_commits(output: str, subjects: Collection[str]) -> Iterator[PrintedCommit]:
    """Yield the commits with one of these subjects that a later output shows.

    A command may commit quietly, in the background, or what is rebased afterwards.
    Of a push the output has the range alone.
    """
    if not subjects:
        return
    for line in _SHOWN.finditer(output):
        if (subject := line["subject"].strip()) in subjects:
            yield PrintedCommit(line["sha"], subject)
    own = frozenset(subjects)
    for line in _PUSHED.finditer(output):
        yield PrintedCommit(line["sha"], "", since=line["since"], subjects=own)
