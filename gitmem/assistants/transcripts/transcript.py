"""What an assistant itself keeps of a conversation, read into our words.

Every assistant has files of its own. One module each turns them into transcripts; what
a transcript comes to as a session is said in `gitmem.actions.importing`.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Protocol

from gitmem.assistants.protocol import HookEvent
from gitmem.documents.conversation.conversation import Turn
from gitmem.frozen import frozen
from gitmem.git.values import Commit


@frozen
class Made:
    """A commit as git printed it when it was made."""

    commit: Commit
    """The beginning of its name, and its subject."""
    folder: str | None = ""
    """Where; relative to the folder of the conversation, None where nobody can tell."""
    branch: str = ""
    is_amended: bool = False
    """Whether it stands for the one before it on its branch."""


@frozen
class Ran:
    """A command that a shell ran."""

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
    """The last one that the assistant named."""
    began_at: datetime
    ended_at: datetime
    """Aware in whole seconds, or naive where the file tells the wall clock alone."""
    turns: tuple[Turn, ...] = ()
    """What the person typed and the assistant answered: no tool results, nothing that a
    program put into a prompt, nothing of a summary."""
    seen: tuple[HookEvent, ...] = ()
    """Edits that were carried out, and to-do lists, in their order."""
    commits: tuple[Made, ...] = ()
    """In their order, also those of other repositories."""
    ran: tuple[Ran, ...] = ()
    """In the order of their ends."""
    summary: str = ""
    """What the assistant made of the conversation when it compacted it last."""


@frozen
class Unread:
    """A part of a file that could not be read; the rest of it was."""

    reason: str
    """A few words that go on after "line 7: ": `no JSON`, `unknown version 9`."""
    line: int | None = None
    """Counted from 1; None where it concerns the whole file."""


@frozen
class Part:
    """What a transcript has beyond an offset."""

    transcript: Transcript | None
    """None where nothing was said or done."""
    end: int
    """Bytes of the file up to where it was read: the end of a line."""


class TranscriptReader(Protocol):
    """An assistant that keeps transcripts."""

    @property
    def tool(self) -> str:
        """As `ocm import` and a session name it."""

    @property
    def pattern(self) -> str:
        """The transcripts below a folder, as a pattern for `Path.rglob`."""

    def places(
        self, user_home: Path, variables: Mapping[str, str], roots: Iterable[Path]
    ) -> Iterator[Path]:
        """Folders and files in which transcripts about these work trees may be.

        They need not exist, and may hold transcripts about other work trees as well.
        """

    def read(self, file: Path) -> Iterator[Transcript | Unread]:
        """The conversations in a file. Raises OSError where it cannot be opened.

        Takes as much memory as one conversation does, however long the file is.
        """
