"""What an assistant itself keeps of a conversation, read into our words.

Every assistant has files of its own. One module each turns them into transcripts; what
a transcript comes to as a session is said in `gitmem.actions.importing`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain, repeat
from pathlib import Path
from posixpath import join
from typing import NamedTuple

from gitmem.assistants.assistant import HookEvent
from gitmem.documents.conversation.conversation import Turn
from gitmem.frozen import frozen
from gitmem.text.patterns import pattern


@frozen
class Made:
    sha: str
    """The beginning of its name."""
    subject: str
    folder: str | None = ""
    """Where; relative to the folder of the conversation, None where nobody can tell."""
    branch: str = ""
    is_amended: bool = False
    """Whether it stands for the one before it on its branch."""


@frozen
class Ran:
    command: str
    output: str
    """The beginning of it."""
    folder: str
    """Where, as an absolute path; "" where the file does not say."""
    began: datetime
    ended: datetime


@frozen(kw_only=True)
class Transcript:
    """One conversation, from its beginning to its end so far.

    All text is as the assistant wrote it: not redacted, and not to be believed.
    """

    tool: str
    client_session_id: str
    folder: str
    """Where it was held, as an absolute path; "" where the file does not say."""
    branch: str | None = None
    began_at: datetime
    ended_at: datetime
    """Aware in whole seconds, or naive where the file tells the wall clock alone."""
    turns: tuple[Turn, ...] = ()
    """What the person typed and the assistant answered: no tool results, nothing that a
    program put into a prompt, nothing of a summary."""
    seen: tuple[HookEvent, ...] = ()
    """Edits that were carried out, and to-do lists, in their order."""
    commits: tuple[Made, ...] = ()
    ran: tuple[Ran, ...] = ()
    summary: str = ""


@frozen
class Unread:
    """A part of a file that could not be read; the rest of it was."""

    reason: str
    """A few words that go on after "line 7: ": `no JSON`, `unknown version 9`."""
    line: int | None = None
    """Counted from 1; None where it concerns the whole file."""


@frozen
class Part:
    transcript: Transcript | None
    end: int


class TranscriptReader(NamedTuple):
    """How the transcripts of an assistant are found and read."""

    tool: str
    """As `ocm import` and a session name it."""
    pattern: str
    """The transcripts below a folder, as a pattern for `Path.rglob`."""
    places: Callable[[Path, Mapping[str, str], Iterable[Path]], Iterator[Path]]
    """Folders and files that may have transcripts about work trees, of these and of
    others; by the user's home and variables, and the roots. They need not exist."""
    read: Callable[[Path], Iterator[Transcript | Unread]]
    """The conversations in a file, in the memory that one of them takes. Raises OSError
    where the file cannot be opened."""
    read_fork: (
        Callable[[Path, datetime | None], Iterator[Transcript | Unread]] | None
    ) = None
    """The same for a fork, whose file begins with copies: without what is earlier."""

    def since(self, fork: datetime | None) -> "TranscriptReader":
        """Return the reader for a conversation that was forked then, if it was."""
        if self.read_fork is None or fork is None:
            return self
        read_fork = self.read_fork
        return self._replace(read=lambda file: read_fork(file, fork))


_GIT = pattern(r"\bgit\b")
_COMMITTING = pattern(r"\b(?:commit|ci|cherry-pick|revert)\b")
_PRINTED = pattern(
    r"^\[(?P<branch>\S{1,250})(?: \S{1,50}){0,2}? (?P<sha>[0-9a-f]{7,64})\]"
    r" (?P<subject>.*)$",
    re.MULTILINE,
)
"""Up to two words more than the branch: what git says of it, in any language."""
_FOLDER = r"(?:\"[^\"\n]*+\"|'[^'\n]*+'|[^\s;&|()]++)"
_STEP = pattern(
    rf"\b(?:cd|pushd)\s++(?P<folder>{_FOLDER})"
    rf"|\bgit(?:\s++(?:-C\s++(?P<inside>{_FOLDER})|-c\s++\S++|--?[\w-]++(?:=\S++)?))*+"
    rf"\s++{_COMMITTING.pattern}(?P<amend>[^\n;&|]{{0,300}}?\s--amend\b)?"
)
_UNTOLD = pattern(r"[$`*~]|-$")
"""In the name of a folder that only the shell knows."""


def printed(command: str, output: str, folder: str = "") -> Iterator[Made]:
    """The commits in what a shell in `folder` printed for a command, in their order.

    None where the command cannot have made any: the same lines stand in logs and texts.
    One that was amended later is still among them.
    """
    if _GIT.search(command) and _COMMITTING.search(command):
        commands = _commands(command, folder)
        told = chain(commands, repeat(commands[-1]))
        for found in _PRINTED.finditer(output):
            inside, is_amended = next(told)
            sha, subject = found["sha"], found["subject"].strip()
            yield Made(sha, subject, inside, found["branch"], is_amended)


def _commands(command: str, folder: str) -> list[tuple[str | None, bool]]:
    """Where each command of a line commits, and whether it amends; at least one."""
    found: list[tuple[str | None, bool]] = []
    now: str | None = folder
    for step in _STEP.finditer(command):
        if step["folder"]:
            now = _moved(now, step["folder"])
        else:
            inside = _moved(now, step["inside"]) if step["inside"] else now
            found.append((inside, bool(step["amend"])))
    return found or [(now, False)]


def _moved(before: str | None, folder: str) -> str | None:
    name = folder.strip("\"'")
    if _UNTOLD.search(name):
        return None
    is_told = before is not None or name.startswith("/")
    return join(before or "", name) if is_told else None
