"""The readers of transcripts, of every assistant that has one and of other programs."""

from gitmem.assistants.known import ASSISTANTS, assistant_named, reader_of
from gitmem.assistants.opencodememory import OPENCODEMEMORY
from gitmem.assistants.specstory import SPECSTORY
from gitmem.assistants.transcripts import TranscriptReader
from gitmem.errors import InvalidInput

READERS: tuple[TranscriptReader, ...] = (
    *filter(None, (reader_of(assistant.name) for assistant in ASSISTANTS)),
    SPECSTORY,
    OPENCODEMEMORY,
)
_OTHER_TITLES = {SPECSTORY.tool: "SpecStory", OPENCODEMEMORY.tool: "openCodeMemory"}


def reader_named(tool: str) -> TranscriptReader:
    """Return the reader of a tool. Raises InvalidInput for no reader."""
    for reader in READERS:
        if reader.tool == tool:
            return reader
    tools = ", ".join(reader.tool for reader in READERS)
    raise InvalidInput(
        f"Transcripts of {tool!r} cannot be imported.", hint=f"These can: {tools}."
    )


def reader_title(tool: str) -> str:
    """Return how people call the program whose transcripts have this tool."""
    assistant = assistant_named(tool)
    title = assistant.title if assistant else _OTHER_TITLES.get(tool)
    return title or tool.title()
