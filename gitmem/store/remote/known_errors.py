"""Errors of git and of hosts that users meet, with advice; the first match counts."""

from typing import NamedTuple

from gitmem.git.opening import OLDEST_FOR_PARTIAL_CLONES


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
