"""The assistants whose transcripts are read, by the names that people give them."""

from gitmem.assistants.transcripts.aider import AIDER
from gitmem.assistants.transcripts.claude_code import CLAUDE_CODE
from gitmem.assistants.transcripts.codex import CODEX
from gitmem.assistants.transcripts.specstory import SPECSTORY
from gitmem.assistants.transcripts.transcript import Keeper
from gitmem.errors import InvalidInput

KEEPERS: tuple[Keeper, ...] = (CLAUDE_CODE, CODEX, SPECSTORY, AIDER)


def keeper_named(tool: str) -> Keeper:
    """Raises InvalidInput, with the names there are, for one of which we read none."""
    for keeper in KEEPERS:
        if keeper.tool == tool:
            return keeper
    known = ", ".join(keeper.tool for keeper in KEEPERS)
    raise InvalidInput(
        f"There is no reader for transcripts of {tool!r}.", hint=f"There are: {known}."
    )
