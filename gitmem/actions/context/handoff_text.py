"""What an assistant is told that goes on with the session of another one."""

from gitmem.actions.context.brief import framed
from gitmem.actions.context.rows import HANDED_OVER, Remembered, details, standing

_TEXT = """Go on with the work of session {name} of this project.

{records}Its whole record: {where}
Save what you do with the tool `ocm__checkpoint`, as a session of your own; without\
 that tool with `ocm checkpoint` in the shell.
"""


def handoff(remembered: Remembered, where: str) -> str:
    """The text, whole lines; `where` is how the whole record is read.

    What the session says stands as data inside a fence: it may be somebody else's.
    """
    session = remembered.session
    about = f"- {session.id} ({standing(remembered, None)})"
    rows = [about, *details(remembered, HANDED_OVER)]
    records = framed("What is known of it", rows)
    return _TEXT.format(name=session.id, records=records, where=where)
