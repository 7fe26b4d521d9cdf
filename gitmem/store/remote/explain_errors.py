"""Explain to a person what git says of a remote that does not answer or refuses."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitmem.errors import Unreachable
from gitmem.git.opening import OLDEST_FOR_PARTIAL_CLONES
from gitmem.text.control_characters import harmless
from gitmem.text.patterns import pattern

_NO_REASON = pattern(
    r"remote: |hint:|warning:|From | ! \[|error: failed to push"
    r"|.*:\s+\d+% \(|.*, done\.$|Please make sure|and the repository exists|\s*$"
    r"|fatal: (Could not read from remote repository|fsck error|git-http-push)"
    r"|.*(end hung up|unexpected disconnect|early EOF|index-pack failed|full write)"
)
_ADDRESS = pattern(r"://[^\s']*")
_CONTINUED = pattern(r":\n\s+")
_OF_GIT = pattern(r"(remote: )?(error|fatal|warning): ")
_OF_A_HOST = pattern(
    r"remote: (?!error: hook declined|Total \d|.*:\s+\d+% \(|.*, done\.$)"
    r"(?=.*\w)\s*(.*?)\s*\Z"
)
"""A line without a letter is a frame."""
_MOST_LINES = 5
"""Most lines of a host's message."""
_MOST_LENGTH = 400
"""Characters of what git or a host said, in one message."""


class KnownError(NamedTuple):
    pattern: str
    """Matches a line of git's, in its C locale, or of a host's."""
    message: str
    """`{}` in it stands for the name of the remote."""
    hint: str


KNOWN_ERRORS = (
    KnownError(
        r"unknown option .refetch",
        "Git is too old to fetch objects again that are missing here",
        f"It takes git {OLDEST_FOR_PARTIAL_CLONES} or later.",
    ),
    KnownError(
        r"remote: .*(No space left|Disk quota|Out of diskspace|couldn't write ')"
        r"|unpacker error: .*No space",
        "There is no room left at {}",
        "Whoever runs it has to make room.",
    ),
    KnownError(
        r"No space left|Disk quota|Out of diskspace|^error: .*couldn't write '",
        "There is no room left on this machine",
        "Make room, and sync again.",
    ),
    KnownError(
        r"(HTTP|error:) 413|exceeds .*limit|GH001|pack exceeds|too large",
        "What was sent is too large for {}",
        "Whoever runs it may allow more (nginx: client_max_body_size).",
    ),
    KnownError(
        r"hidden ref",
        "{} takes no refs of this kind",
        "`git config ocm.remoteRef refs/heads/ocm/sessions` uses a branch there.",
    ),
    KnownError(
        r"does not appear to be a git repository|not a git repository|No such remote"
        r"|[Rr]epository.* (not found|does not exist)|returned error: 404",
        "{} is not found",
        "Is the URL right? Some hosts say the same of what one may not read.",
    ),
    KnownError(
        r"could not read (Username|Password)|unable to get password",
        "{} wants a user and a password",
        "At a terminal git asks for them; a credential helper keeps them.",
    ),
    KnownError(
        r"Authentication failed|Invalid (username|credentials)",
        "{} does not take this user and password",
        "A token may have expired; `git config credential.helper` says what keeps it.",
    ),
    KnownError(
        r"Permission denied \(",
        "No access to {}",
        "`ssh-add` unlocks a key with a passphrase; `ssh -v` shows which are tried.",
    ),
    KnownError(
        r"(HTTP|error:) 40[13]|Unauthorized|([Aa]ccess|[Pp]ermission) denied|DENIED by"
        r"|Permission to .* denied|not (authorized|allowed to|exported|enabled)"
        r"|read.only",
        "No access to {}",
        "Ask whoever runs it for access. Who may only read gets what is new there.",
    ),
    KnownError(
        r"Offending \S+ key in|IDENTIFICATION HAS CHANGED",
        "The host of {} shows another key than before",
        "Ask whoever runs it; then `ssh-keygen -R HOST` forgets the old one.",
    ),
    KnownError(
        r"Host key verification failed",
        "ssh does not know the host of {}",
        "Connect to it by hand once, and check the key that it shows.",
    ),
    KnownError(
        r"Could not resolve|Name or service not known|name resolution"
        r"|[Uu]nable to look|[Cc]ould(n't| not) connect|Failed to connect"
        r"|[Cc]onnection (refused|timed out)|Network is unreachable|No route to host",
        "{} does not answer",
        "Is there a network, and the URL right? `git remote -v` shows it.",
    ),
)
_UNKNOWN = KnownError(
    "",
    "Git failed with {}",
    "`git ls-remote` with its name or URL shows whether git itself reaches it.",
)


def unreachable(place: str, output_lines: Sequence[str]) -> Unreachable:
    """Explain why a command failed, by what git and the remote said."""
    lines = _CONTINUED.sub(": ", "\n".join(output_lines)).split("\n")
    error, line = _known_error(reversed(lines)) or (_UNKNOWN, _last_reason(lines))
    words = "" if line.startswith("remote: ") else _words_of_host(lines)
    reason = f"{line}; it said: {words}" if words else line
    return _error(error.message.format(place), reason, error.hint)


def refused(
    place: str, ref: str, reason: str, output_lines: Sequence[str]
) -> Unreachable:
    """Explain why a remote refused one ref, by the reason and what was said before.

    A hook there may say anything, so only lines of git's are searched for known errors.
    """
    if match := _known_error([reason, *filter(_OF_GIT.match, reversed(output_lines))]):
        error, line = match
        return _error(error.message.format(place), line, error.hint)
    return _error(
        f"{place} refused {ref}",
        _words_of_host(output_lines) or reason,
        "The hooks and rules of the host decide what it takes; ask whoever runs it."
        " `ocm.remoteRef` names a branch to use there.",
    )


def too_slow(place: str, seconds: float) -> Unreachable:
    return Unreachable(
        f"{place} took longer than {round(seconds, 1):g} seconds.",
        hint="What is saved here is safe, and goes next time. If it stays so, ask"
        " whoever runs it.",
    )


def _known_error(lines: Iterable[str]) -> tuple[KnownError, str] | None:
    """Return the first known error, and the line that shows it."""
    without_addresses = [(line, _ADDRESS.sub("", line)) for line in lines]
    for error in KNOWN_ERRORS:
        for line, text in without_addresses:
            if re.search(error.pattern, text):
                return error, line
    return None


def _last_reason(lines: Sequence[str]) -> str:
    reasons = [line for line in lines if not _NO_REASON.match(line)]
    endings = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    return (reasons or endings or lines)[-1]


def _words_of_host(lines: Iterable[str]) -> str:
    """Return the last lines that a hook or a host printed."""
    words = [match[1] for line in lines if (match := _OF_A_HOST.match(line))]
    return " ".join(words[-_MOST_LINES:])


def _error(message: str, reason: str, hint: str) -> Unreachable:
    words = " ".join(harmless(reason).split())
    if len(words) > _MOST_LENGTH:
        words = f"{words[:_MOST_LENGTH]}…"
    return Unreachable(f"{message}: {words}" if words else f"{message}.", hint=hint)
