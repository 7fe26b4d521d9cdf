"""The text that hands a session to another assistant, known again in a prompt."""

from gitmem.documents.session.identity import is_session_id
from gitmem.frozen import frozen

_BEGIN, _OF_PROJECT = "Go on with the work of session ", " of this project.\n"
_END = """\
Save what you do with the tool `ocm__checkpoint`, as a session of your own; without\
 that tool with `ocm checkpoint` in the shell.
"""
_GOALS = "  goal: ", "  asked: "


@frozen
class HandoffPrompt:
    """A prompt that hands a session over."""

    session_id: str
    """The session that the conversation goes on from, as the prompt names it."""
    words: str
    """What the person typed around the text, or else the goal of that session."""


def handoff_text(session_id: str, records: str, address: str) -> str:
    """Return the text, whole lines; `address` is how the whole record is read."""
    begin = f"{_BEGIN}{session_id}{_OF_PROJECT}"
    return f"{begin}\n{records}Its whole record: {address}\n{_END}"


def handoff_prompt(prompt: str) -> HandoffPrompt | None:
    """Return what a prompt with that text says; None for any other prompt.

    Of a text that was cut off, the rest is no words of the person.
    """
    before, _, rest = prompt.partition(_BEGIN)
    session_id, _, rest = rest.partition(_OF_PROJECT)
    records, _, after = rest.rpartition(_END.rstrip())
    if not is_session_id(session_id):
        return None
    typed = f"{before.strip()}\n{after.strip() if records else ''}".strip()
    return HandoffPrompt(session_id, typed or _goal_in(records or rest))


def _goal_in(records: str) -> str:
    goals = (line for line in records.splitlines() if line.startswith(_GOALS))
    return next(goals, "").partition(": ")[2]
