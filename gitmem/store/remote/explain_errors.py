"""What git says of a remote that does not answer or refuses, told to a person."""

import re
from collections.abc import Sequence

from gitmem.errors import Unreachable
from gitmem.store.remote.known_errors import BROKEN, TROUBLES, UNKNOWN, Trouble
from gitmem.text.control_characters import harmless
from gitmem.text.patterns import pattern

_NO_REASON = pattern(
    r"hint:|warning:|To |From |Done$|Everything up-to-date|error: failed to push"
    r"|Please make sure|and the repository exists"
    r"|fatal: Could not read from remote repository|remote:\s*$"
    r"|.*:\s+\d+% \(|.*, done\.$"
)
_ENDED = pattern(
    r".*(remote end hung up|unexpected disconnect|early EOF|index-pack failed)"
)
_ADDRESS = pattern(r"://[^\s']*")
_CONTINUED = pattern(r":\n\s+")
_OF_REMOTE = pattern(r"remote: ")
_OF_GIT = pattern(r"(remote: )?(error|fatal|warning): ")
_OF_A_HOST = pattern(
    r"remote: (?!error: hook declined|Total \d|.*:\s+\d+% \(|.*, done\.$)"
    r"(?=.*\w)\s*(.*?)\s*\Z"
)
_MOST_LINES = 5
"""Of those that nothing is known of; those of a host without a letter are frames."""
_MOST_LENGTH = 400
"""Characters of what git or a host said, in one message."""


class Silent(Unreachable):
    """The remote took too long; asking again at once would, too."""


def unreachable(place: str, said: Sequence[str]) -> Unreachable:
    """Explain why a command failed, by what git and the remote said."""
    said = _CONTINUED.sub(": ", "\n".join(said)).split("\n")
    ours = [line for line in said if not _OF_REMOTE.match(line)]
    words = _words(said)
    if found := _found([*reversed(said)]):
        trouble, line = found
        said_last = f"{line}; it said: {words}" if words and line in ours else line
        return _error(trouble.message.format(place), said_last, trouble.hint)
    reasons = [line for line in said if not _NO_REASON.match(line)]
    if others := [line for line in reasons if not _ENDED.match(line)]:
        said_last = " ".join(others[-_MOST_LINES:])
        return _error(f"Git failed with {place}", said_last, UNKNOWN)
    ended = reasons[-1] if reasons else ""
    return _error(BROKEN.message.format(place), ended, BROKEN.hint)


def refused(place: str, ref: str, reason: str, said: Sequence[str]) -> Unreachable:
    """Explain why a remote refused one ref, by the reason and what was said before.

    A hook there may say anything, so only lines of git's are searched for known errors.
    """
    if found := _found([reason, *filter(_OF_GIT.match, reversed(said))]):
        trouble, line = found
        return _error(trouble.message.format(place), line, trouble.hint)
    hint = "The hooks and rules of the host decide what it takes; ask whoever runs it."
    if not ref.startswith("refs/heads/"):
        hint += " `ocm.remoteRef` names a branch to use there."
    return _error(f"{place} refused {ref}", _words(said) or reason, hint)


def silent(place: str, seconds: float) -> Unreachable:
    return Silent(
        f"{place} accepted the connection and said nothing for {seconds:g} seconds.",
        hint="What is saved here is safe, and goes next time. If it stays so, ask"
        " whoever runs it.",
    )


def too_slow(place: str, seconds: float) -> Unreachable:
    return Silent(
        f"{place} took longer than {round(seconds, 1):g} seconds.",
        hint="Is there a network? What is saved here is safe, and goes next time.",
    )


def _found(lines: Sequence[str]) -> tuple[Trouble, str] | None:
    """Find the first known error, and the line that shows it."""
    for trouble in TROUBLES:
        for line in lines:
            if re.search(trouble.pattern, _ADDRESS.sub("", line)):
                return trouble, line
    return None


def _words(said: Sequence[str]) -> str:
    """Return the last lines that a hook or a host printed."""
    lines = [found[1] for x in said if (found := _OF_A_HOST.match(x))]
    return " ".join(lines[-_MOST_LINES:])


def _error(message: str, said: str, hint: str) -> Unreachable:
    words = " ".join(harmless(said).split())
    if len(words) > _MOST_LENGTH:
        words = f"{words[:_MOST_LENGTH]}…"
    return Unreachable(f"{message}: {words}" if words else f"{message}.", hint=hint)
