"""The assistants whose transcripts are read, by the names that people give them."""

from gitmem.assistants.aider import AIDER
from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE
from gitmem.assistants.codex.transcripts import CODEX
from gitmem.assistants.specstory.transcripts import SPECSTORY
from gitmem.assistants.transcripts.transcript import TranscriptReader
from gitmem.errors import InvalidInput

READERS: tuple[TranscriptReader, ...] = (CLAUDE_CODE, CODEX, SPECSTORY, AIDER)


def reader_named(tool: str) -> TranscriptReader:
    """Raises InvalidInput, with the names there are, for one of which we read none."""
    for reader in READERS:
        if reader.tool == tool:
            return reader
    known = ", ".join(reader.tool for reader in READERS)
    raise InvalidInput(
        f"There is no reader for transcripts of {tool!r}.", hint=f"There are: {known}."
    )
