"""The commits that an assistant made, as git printed them in its shell.

Git says `[main 1a2b3c4] subject` after a commit, a cherry-pick and a revert, with
`(root-commit)` behind the branch for the first, and `detached HEAD` for no branch. A
quiet one says nothing, and is not known.
"""

import re
from collections.abc import Iterator

from gitmem.model.session import Commit

_GIT = re.compile(r"\bgit\b")
_COMMITTING = re.compile(r"\b(?:commit|ci|cherry-pick|revert)\b")
_PRINTED = re.compile(
    r"^\[\S{1,250}(?: \S{1,50}){0,2}? (?P<sha>[0-9a-f]{7,64})\] (?P<subject>.*)$",
    re.MULTILINE,
)
"""Up to two words more than the branch: what git says of it, in any language."""


def printed(command: str, output: str) -> Iterator[Commit]:
    """The commits in what a shell printed for a command, in their order.

    None where the command cannot have made any: the same lines stand in logs and texts.
    One that was amended later is still among them.
    """
    if _GIT.search(command) and _COMMITTING.search(command):
        for found in _PRINTED.finditer(output):
            yield Commit(found["sha"], found["subject"].strip())
