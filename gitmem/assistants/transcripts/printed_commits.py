"""The commits that an assistant made, as git printed them in its shell.

Git says `[main 1a2b3c4] subject` after a commit, a cherry-pick and a revert, with
`(root-commit)` behind the branch for the first, and `detached HEAD` for no branch. A
quiet one says nothing, and is not known.
"""

import re
from collections.abc import Iterator
from itertools import chain, repeat
from posixpath import join

from gitmem.assistants.transcripts.transcript import Made
from gitmem.git.values import Commit
from gitmem.text.patterns import pattern

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
            commit = Commit(found["sha"], found["subject"].strip())
            yield Made(commit, inside, found["branch"], is_amended)


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
