"""What can be wrong with a remote: by what git says, why, and the way out."""

from collections.abc import Iterator
from typing import NamedTuple

from gitmem.git.opening import OLDEST_FOR_PARTIAL_CLONES


class Trouble(NamedTuple):
    pattern: str
    """Of a line of git's, in its C locale, or of a host's."""
    message: str
    """`{}` in it is what the remote is called."""
    hint: str


_TABLE = r"""
remote: .*(No space left|Disk quota|Out of diskspace)|unpacker error: .*No space
  There is no room left at {}
    Whoever runs it has to make room.
remote: .*couldn't write '
  {} cannot write to its disk, there may be no room left
    Whoever runs it has to make room, or to look at the disk.
No space left|Disk quota|Out of diskspace
  There is no room left on this machine
    Make room, and sync again.
HTTP 413|returned error: 413
  The web server of {} takes no request of this size
    Whoever runs it can allow larger ones (nginx: client_max_body_size, Apache:
    LimitRequestBody).
remote.*(unable to create temporary|insufficient permission|Read-only file)
  {} cannot write to its folder of objects
    Whoever runs it has to let git write there: is the disk full, or read-only?
unable to create temporary|insufficient permission
  Git cannot write to the objects of this repository
    May you write in all of its git folder?
bad line length character
  {} printed text before git spoke
    `ssh` to its host shows it: a start file of the shell prints, which it must not
    where nobody sits at a terminal, or the account may not log in.
^\s*redirect: |returned error: 30\d|Maximum \(\d+\) redirects
  {} sends git to another address
    A login, or it has moved: a browser shows which. `git remote set-url` changes
    the URL.
no DAV locking|Cannot access URL|not valid: is this a git repository
  {} answers with pages or files, not with git
    Is there a login or a proxy in between? A browser shows the page. Where files
    alone are served, push over ssh.
git-(upload|receive)-pack(: command|:)? not found|unrecognized command
|git-(upload|receive)-pack: No such file|[Cc]ommand( not found)?: git-
  Git does not run at {}
    It has to be on the PATH of whoever logs in there by ssh; `receivepack` and
    `uploadpack` of the remote in git's settings name it elsewhere.
HTTP 429|returned error: 429
  {} was asked too often
    Sync again later.
(HTTP|error:|code) 407|Could not resolve proxy|CONNECT aborted
  The proxy before {} does not let git through
    `http.proxy` in git's settings, or the variable https_proxy, names the proxy,
    and the user and password that it may want.
returned error: 5\d\d|HTTP 5\d\d
  The web server of {} failed
    Sync again later. If it stays so: its log says why; whoever runs it can read
    that.
remote: .*error: object [0-9a-f]+:\s
  {} takes an object of the memory for damaged
    `ocm doctor` says whether it is; else whoever runs it can allow it
    (receive.fsck.*).
exceeds .*limit|GH001|pack exceeds|too large
  What was sent is too large for {}
    `ocm doctor` says whether something is odd; whoever runs it may allow more.
shallow update not allowed
  {} does not take the memory, whose older part is not here
    `git fetch --unshallow` brings it.
shallow roots are not allowed
  {} has only the newest part of the memory
    It was cloned with `--depth`; another remote has the whole.
hash algorithm|mismatched algorithms|mismatched object format
  {} names objects by another hash than this repository
    `ocm share on --url` takes another repository, made with the same
    `--object-format` as this one.
Expected git repo version|unknown repository extension
  Git is too old for the repository at {}
    Update git there; on a server, ask its administrator.
hidden ref
  {} takes no refs of this kind
    `git config ocm.remoteRef refs/heads/ocm/sessions` uses a branch there.
cannot create '|exists; cannot
  Another ref of {} is in the way
    `ocm.remoteRef` names the ref that is used there.
dubious ownership
  {} belongs to another user
    If you trust it, run there: `git config --global --add safe.directory FOLDER`; on
    a server, ask its administrator.
does not appear to be a git repository|[Rr]epository.* (not found|does not exist)
|No such remote|returned error: 404|not a git repository
  {} is not found
    Is the URL right? `git remote -v` shows it. Some hosts say the same of what one
    may not read.
could not read (Username|Password)|unable to get password
  {} wants a user and a password
    At a terminal git asks for them; a credential helper keeps them (`git help
    credentials`).
Authentication failed|Invalid (username|credentials)
  {} does not take this user and password
    A token may have expired; renew it where git has it from (`git config
    --show-origin credential.helper`, or the URL).
[Pp]ermission denied(?! \()|returned error: 40[13]|HTTP 40[13]|Unauthorized
|[Aa]ccess denied|Permission to .* denied|not authorized|not allowed to|DENIED by
|repository not exported|service not enabled|read.only
  No access to {}
    Ask whoever runs it for access. Who may only read gets what is new there.
: bad permissions
  ssh ignores a key for {} that others can read
    `chmod 600` on the file of the key.
no such identity|dentity file .* not accessible
  The key for {} is not there
    `IdentityFile` in ~/.ssh/config names it; `ssh -v` shows which keys are tried.
Too many authentication failures
  ssh offers {} too many keys
    `IdentitiesOnly yes` and `IdentityFile` for its host in ~/.ssh/config name the
    one that counts.
Permission denied \((password|keyboard)
  {} takes no key, but a password
    At a terminal ssh asks for it. Without one whoever runs it has to allow keys.
Permission denied \(publickey
  No access to {}
    A key with a passphrase has to be unlocked before, by `ssh-add`; a new one has
    to be made known there. `ssh -v` shows which keys are tried.
no matching .* found
  ssh here and at {} have no method in common
    Mostly an old server, which whoever runs it can update; KexAlgorithms and
    HostKeyAlgorithms in ~/.ssh/config allow old methods.
Offending \S+ key in|IDENTIFICATION HAS CHANGED
  The host of {} shows another key than before
    Ask whoever runs it, before you trust the new one; `ssh-keygen -R HOST` forgets
    the old one.
Host key verification failed
  ssh does not know the host of {}
    Connect to it by hand once, and check the key that it shows.
Could not resolve|Name or service not known|name resolution|[Uu]nable to look
  The host of {} is not known
    Is there a network, and the URL right? `git remote -v` shows it.
unable to normalize alternate|object directory .* does not exist
  A place where git looks for objects is not there
    `objects/info/alternates` in the git folder names it; is it a disk?
fatal: the object .* does not exist|is corrupt|repository corruption
  Git cannot read all of the memory, here or at {}
    `ocm doctor` checks what is here; whoever runs it, with `git fsck`, what is
    there.
transport '.*' not allowed|'remote-.*' is not a git command
|protocol .* (not supported|disabled)
  Git does not use the protocol of {}
    Is the URL right? What git allows is set by `protocol.allow`; see git-config(1).
: not found$|: command not found|cannot run\s
  A program that reaches {} does not run
    Is ssh installed? `core.sshCommand` in git's settings names another program.
certificate|SSL|TLS|gnutls
  There is no safe connection to {}
    Is the URL right, https or http? `http.sslCAInfo` in git's settings names a
    certificate to trust; whoever runs it says which.
kex_exchange_identification|Connection (closed|reset) by .* port
  {} closed the connection before a login
    It may have too many, or keep this address out. Sync again later; then ask
    whoever runs it.
Failed to connect|[Cc]onnection (refused|timed out|reset|closed)|Network is unreachable
|No route to host|[Cc]ould(n't| not) connect
  {} does not answer
    Is there a network, and the URL right? `git remote -v` shows it. `http.proxy`
    may name a proxy that is not there.
expected '|protocol error|invalid server response
  {} does not answer as git does
    A proxy or a compression in between may change what is sent; whoever runs it can
    look.
returned error: 4\d\d|HTTP 4\d\d
  The web server of {} refused the request
    Is the URL right, https or http? Its log says why; whoever runs it can read
    that.
aborted by hook
  A hook at {} stopped it
    Whoever runs it can say what the hook wants.
error: object [0-9a-f]+: |did not send all necessary|bad object
  What {} sent is damaged
    `ocm doctor` checks what is here; whoever runs it, with `git fsck`, what is
    there.
remote error:\s
  {} refused
    Ask whoever runs it.
RPC failed|Empty reply|Broken pipe
  The connection to {} broke
    Sync again later. If it stays so: its log says why; whoever runs it can read
    that.
"""
"""Patterns that begin a line, below each the message, and below that the hint."""


def _rows(table: str) -> Iterator[Trouble]:
    pattern = message = hint = ""
    for line in table.strip().splitlines():
        text = line.lstrip()
        match len(line) - len(text):
            case 0 if message:
                yield Trouble(pattern, message, hint)
                pattern, message, hint = line, "", ""
            case 0:
                pattern += line
            case 2:
                message = text
            case _:
                hint = f"{hint} {text}".lstrip()
    yield Trouble(pattern, message, hint)


TROUBLES = (
    Trouble(
        r"unknown option .refetch",
        "Git is too old for a partial clone that lacks objects of {}",
        f"There it takes git {OLDEST_FOR_PARTIAL_CLONES} or later.",
    ),
    *_rows(_TABLE),
)
"""The first whose pattern is found counts."""

BROKEN = TROUBLES[-1]
"""Where git says no more than that it ended."""
UNKNOWN = "`git ls-remote` with its name or URL shows whether git itself reaches it."
