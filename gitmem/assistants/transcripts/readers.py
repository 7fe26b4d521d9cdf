"""The assistants whose transcripts are read, by the names that people give them."""

from gitmem.assistants.transcripts.aider import AIDER
from gitmem.assistants.transcripts.claude_code import CLAUDE_CODE
from gitmem.assistants.transcripts.codex import CODEX
from gitmem.assistants.transcripts.specstory import SPECSTORY
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
