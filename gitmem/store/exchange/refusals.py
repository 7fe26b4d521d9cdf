"""What git says of a remote that does not answer or refuses, told to a person."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from gitmem.errors import Unreachable
from gitmem.store.git.versions import OLDEST_FOR_PARTIAL_CLONES


class _Trouble(NamedTuple):
    pattern: str
    """Of a line of git's, in its C locale, or of a host's."""
    message: str
    hint: str | None = None


_TRY = "Git itself has to reach it: `git ls-remote` with its name or URL shows whether."
_TROUBLES = (
    _Trouble(
        r"unknown option .refetch",
        "Git is too old for a partial clone that lacks objects of {}",
        f"There it takes git {OLDEST_FOR_PARTIAL_CLONES} or later.",
    ),
    _Trouble(
        r"remote: .*(No space left|Disk quota|Out of diskspace)"
        r"|unpacker error: .*No space",
        "There is no room left at {}",
    ),
    _Trouble(  # git does not say why
        r"remote: .*couldn't write '",
        "{} cannot write to its disk, there may be no room left",
    ),
    _Trouble(
        r"No space left|Disk quota|Out of diskspace",
        "There is no room left on this machine",
    ),
    _Trouble(
        r"HTTP 413|returned error: 413",
        "The web server of {} takes no request of this size",
        "Whoever runs it can allow larger ones (nginx: client_max_body_size).",
    ),
    _Trouble(
        r"unable to create temporary object directory|insufficient permission"
        r"|unable to create temporary file",
        "{} cannot write to its folder of objects",
        "Whoever runs it has to give git the right to write there.",
    ),
    _Trouble(
        r"bad line length character",
        "A shell of {} prints text before git speaks",
        "Its start files must print nothing where nobody sits at a terminal.",
    ),
    _Trouble(
        r"git-http-push failed|Cannot access URL|not valid: is this a git repository",
        "{} answers with a web page, not with git",
        "Is there a login or a proxy in between? A browser shows the page.",
    ),
    _Trouble(
        r"returned error: 5\d\d|HTTP 5\d\d",
        "The web server of {} failed",
        "Its log says why; whoever runs it can read that.",
    ),
    _Trouble(
        r"exceeds .*limit|GH001|pack exceeds|too large",
        "A file of the memory is too large for {}",
        "`ocm doctor` says whether something is odd; the host may allow more.",
    ),
    _Trouble(
        r"shallow update not allowed",
        "{} does not take the memory, whose older part is not here",
        "`git fetch --unshallow` brings it.",
    ),
    _Trouble(
        r"shallow roots are not allowed",
        "{} has only the newest part of the memory",
        "It was cloned with `--depth`; another remote has the whole.",
    ),
    _Trouble(
        r"hidden ref",
        "{} takes no refs of this kind",
        "`git config ocm.remoteRef refs/heads/ocm/sessions` uses a branch there.",
    ),
    _Trouble(
        r"cannot create '|exists; cannot",
        "Another ref of {} is in the way",
        "`ocm.remoteRef` names the ref that is used there.",
    ),
    _Trouble(
        r"Permission denied \(publickey",
        "No access to {}",
        "A key with a passphrase has to be unlocked before, by `ssh-add`. `ssh -v`"
        " shows which keys are tried.",
    ),
    _Trouble(
        r"Authentication failed|could not read (Username|Password)|Permission denied"
        r"|returned error: 40[13]|HTTP 40[13]|[Aa]ccess denied|Unauthorized"
        r"|Permission to .* denied|not authorized",
        "No access to {}",
        _TRY,
    ),
    _Trouble(
        r"IDENTIFICATION HAS CHANGED",
        "The host of {} shows another key than before",
        "Ask whoever runs it, before you trust the new one.",
    ),
    _Trouble(
        r"Host key verification failed",
        "ssh does not know the host of {}",
        "Connect to it by hand once, and check the key that it shows.",
    ),
    _Trouble(
        r"Could not resolve|Name or service not known|name resolution"
        r"|[Uu]nable to look",
        "The host of {} is not known",
        "Is there a network, and the URL right?",
    ),
    _Trouble(
        r"unable to normalize alternate|object directory .* does not exist",
        "A place where git looks for objects is not there",
        "`objects/info/alternates` in the git folder names it; is it a disk?",
    ),
    _Trouble(
        r"fatal: the object .* does not exist",
        "Git cannot read all of the memory, here or at {}",
        "`ocm doctor` says what is missing here.",
    ),
    _Trouble(
        r"does not appear to be a git repository|[Rr]epository.* not found"
        r"|No such remote|does not exist|returned error: 404|not a git repository",
        "{} is not found",
        _TRY,
    ),
    _Trouble(r"dubious ownership", "{} belongs to another user", _TRY),
    _Trouble(
        r"transport '.*' not allowed|'remote-.*' is not a git command"
        r"|protocol .* (not supported|disabled)",
        "Git does not use the protocol of {}",
        "What git allows is set by `protocol.allow`; see git-config(1).",
    ),
    _Trouble(r"certificate|SSL|TLS", "There is no safe connection to {}", _TRY),
    _Trouble(
        r"Failed to connect|[Cc]onnection (refused|timed out|reset|closed)"
        r"|Network is unreachable|No route to host|Couldn't connect",
        "{} does not answer",
        "Is there a network, and the URL right?",
    ),
    _Trouble(r"error: object [0-9a-f]+: ", "What {} sent is damaged"),
    _Trouble(r"fsck", "What {} sent is damaged"),
    _Trouble(
        r"hung up|early EOF|RPC failed|unexpected disconnect|Empty reply",
        "The connection to {} broke",
    ),
    _Trouble(
        r"index-pack failed|unpack-objects|did not send all necessary|bad object",
        "What {} sent is damaged",
    ),
)
_NO_REASON = re.compile(
    r"hint:|warning:|To |From |Done$|Everything up-to-date|error: failed to push"
    r"|Please make sure|and the repository exists"
    r"|fatal: Could not read from remote repository|remote:\s*$"
    r"|.*:\s+\d+% \(|.*, done\.$"
)

_OF_A_HOOK = re.compile(r"remote: (?!error: hook declined)(?=.*\w)\s*(.*?)\s*\Z")
_MOST_OF_A_HOOK = 5
"""Lines of what a hook at the remote said; those without a letter are frames."""


def unreachable(place: str, said: Sequence[str]) -> Unreachable:
    """Why a command failed, from what it said."""
    for trouble in _TROUBLES:
        for line in reversed(said):
            if re.search(trouble.pattern, line):
                return _told(trouble.message.format(place), line, trouble.hint)
    reasons = [line for line in said if not _NO_REASON.match(line)]
    return _told(f"Git failed with {place}", reasons[-1] if reasons else "", _TRY)


def refused(place: str, ref: str, reason: str, said: Sequence[str]) -> Unreachable:
    """Why a remote refused one ref: by the reason, and by what it said before."""
    for trouble in _TROUBLES:
        for line in (reason, *reversed(said)):
            if re.search(trouble.pattern, line):
                return _told(trouble.message.format(place), line, trouble.hint)
    words = [found[1] for found in map(_OF_A_HOOK.match, said) if found]
    hint = "The hooks and rules of the host decide what it takes."
    if not ref.startswith("refs/heads/"):
        hint += " `ocm.remoteRef` names a branch to use there."
    told = " ".join(words[-_MOST_OF_A_HOOK:]) or reason
    return _told(f"{place} refused {ref}", told, hint)


def silent(place: str, seconds: float) -> Unreachable:
    return Unreachable(
        f"{place} accepted the connection and said nothing for {seconds:g} seconds.",
        hint="What is saved here is safe, and goes next time.",
    )


def too_slow(place: str, seconds: float) -> Unreachable:
    return Unreachable(
        f"{place} took longer than {round(seconds, 1):g} seconds.",
        hint="Is there a network? What is saved here is safe, and goes next time.",
    )


def _told(message: str, line: str, hint: str | None) -> Unreachable:
    return Unreachable(f"{message}: {line}" if line else f"{message}.", hint=hint)
