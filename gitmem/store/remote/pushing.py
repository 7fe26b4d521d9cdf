"""Push our refs to a remote: forward, or another history by a lease.

Nothing of the user's goes along: no branch, no tag, no option.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from gitmem.documents.kinds import KINDS
from gitmem.errors import RemoteChanged
from gitmem.git.files import make_folder, read_text, replace_file
from gitmem.git.layout import own_dir
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.address import repository_at
from gitmem.store.remote.explain_errors import refused, unreachable
from gitmem.store.remote.git_transport import (
    OUR_REMOTE,
    RemoteAccess,
    access_to,
    run_git,
    urls,
)
from gitmem.store.remote.remote import Remote, TransportOptions
from gitmem.store.remote.watched_git import GitResult, without_secrets
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.text.counting import counted
from gitmem.text.patterns import pattern

_PUSH = (
    *("-c", "push.pushOption=", "-c", "push.negotiate=false"),
    *("push", "--progress", "--porcelain", "--no-verify", "--no-signed"),
    *("--no-follow-tags", "--no-recurse-submodules"),
)
_RESULT = pattern(r"^([^\t\n]*)\t(?:[^\t\n]*:)?([^\t\n:]*)\t(.*)$", re.MULTILINE)
"""Flag, ref there, and reason, of `git push --porcelain`."""
_FASTER = pattern(
    r"\[rejected\] \((fetch first|non-fast-forward|stale info)"
    r"|cannot lock ref|failed to update ref|incorrect old value|invalid old id"
    r"|reference already exists|failed to lock"
)
"""What git here says, and what git, libgit2 and JGit say at the remote."""
_NO_RACE = pattern(
    r"Permission denied|No space left|Disk quota|Read-only|cannot create '"
    r"|couldn't write '"
)


def push_url(git: Repository, remote: Remote) -> str:
    """Return where git would push to; see urls."""
    return urls(git, remote.location, "push")[OUR_REMOTE]


def agree(git: Repository, remote: Remote) -> bool:
    """Note where git would push to; return whether it is elsewhere than agreed before.

    Raises OSError.
    """
    file, names = _agreement(git), repository_at(push_url(git, remote), git)
    before = read_text(file).splitlines()
    make_folder(file.parent)
    replace_file(file, "\n".join(names).encode(errors="replace"), is_synced=True)
    return bool(before) and {*before}.isdisjoint(names)


def require_agreed(git: Repository, remote: Remote) -> None:
    """Raise RemoteChanged if pushes go to another repository than was agreed to.

    Where none was noted, as with settings made by hand, it is the one of now.
    """
    names = repository_at(push_url(git, remote), git)
    agreed = read_text(_agreement(git)).splitlines()
    if not agreed:
        agree(git, remote)
    elif {*agreed}.isdisjoint(names):
        kinds = [kind for kind in KINDS.values() if kind.ref in remote.refs]
        counts = [(len([*tree_at_tip(kind, git).ids()]), kind.name) for kind in kinds]
        would_leave = ", ".join(counted(*count) for count in counts if count[0])
        raise RemoteChanged(
            f"{remote.name} leads to {names[0]} now, and you agreed to share with"
            f" {agreed[0]}. Nothing was sent: {would_leave or 'there is nothing yet'}.",
            hint="`ocm share on` shows what would leave, and asks; for a space"
            " `ocm space add` does.",
        )


def push(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: TransportOptions
) -> bool:
    """Move refs at the remote forward to these commits, given by our refs.

    The tracking refs follow. False where somebody was faster. Raises Unreachable where
    the remote does not answer, or refuses.
    """
    return _pushed(git, remote, commits, [], line)


def replace(
    git: Repository,
    remote: Remote,
    commits: Mapping[str, tuple[Oid, Oid]],
    line: TransportOptions,
) -> bool:
    """Replace the history of refs at the remote, from (old, new), by a lease on old."""
    leases = {remote.refs[ref]: old for ref, (old, _) in commits.items()}
    after = {ref: new for ref, (_, new) in commits.items()}
    return _pushed(git, remote, after, _leased(leases), line)


def leave_waiting(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: TransportOptions
) -> bool:
    """Push commits for our refs into new refs of their own.

    False where the remote takes no such refs. Raises Unreachable where it takes too
    long.
    """
    if not all(map(remote.inbox, commits)):
        return False
    moves = [f"{oid}:{remote.inbox(ref)}{oid}" for ref, oid in commits.items()]
    if (
        _pushed_moves(access_to(git, remote.name, remote.location, line), moves).status
        != 0
    ):
        return False
    for ref, commit in commits.items():
        tracking = f"{remote.tracked_inbox(ref)}{commit}"
        git.update_ref(tracking, git.resolve_ref(tracking), commit, "ocm: pushed")
    return True


def delete_waiting(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: TransportOptions
) -> None:
    """Delete refs there, given by name, if they still are at these commits.

    Raises Unreachable where it takes too long; a remote may refuse.
    """
    if commits:
        access = access_to(git, remote.name, remote.location, line)
        _pushed_moves(access, [f":{name}" for name in commits], _leased(commits))


def _agreement(git: Repository) -> Path:
    return own_dir(git.common_dir) / "shared-with"


def _pushed(
    git: Repository,
    remote: Remote,
    commits: Mapping[str, Oid],
    leases: list[str],
    line: TransportOptions,
) -> bool:
    if not commits:
        return True  # without a refspec git would push a branch
    access = access_to(git, remote.name, remote.location, line)
    before = {ref: git.resolve_ref(remote.tracking(ref)) for ref in commits}
    moves = [f"{commit}:{remote.refs[ref]}" for ref, commit in commits.items()]
    answer = _pushed_moves(access, moves, leases)
    results: list[tuple[str, str, str]] = _RESULT.findall(
        answer.output.decode("utf-8", "replace")
    )
    rejected = {ref: reason for flag, ref, reason in results if flag == "!"}
    moved = {ref for flag, ref, _ in results if flag != "!"}
    for ref, commit in commits.items():
        if remote.refs[ref] in moved:
            # Lost only to a fetch meanwhile; the next one corrects what it saw.
            git.update_ref(remote.tracking(ref), before[ref], commit, "ocm: pushed")
    for ref, reason in rejected.items():
        if not _is_lost(reason, answer):
            raise refused(access.place, ref, without_secrets(reason), answer.lines)
    if answer.status != 0 and not rejected:
        raise unreachable(access.place, answer.lines)
    return not rejected


def _pushed_moves(
    access: RemoteAccess, moves: list[str], leases: list[str] | None = None
) -> GitResult:
    return run_git(access, [*_PUSH, *(leases or []), "--", OUR_REMOTE, *moves])


def _leased(commits: Mapping[str, Oid]) -> list[str]:
    return [f"--force-with-lease={name}:{oid}" for name, oid in commits.items()]


def _is_lost(reason: str, answer: GitResult) -> bool:
    """Return whether it was refused because somebody else moved the ref meanwhile."""
    return bool(_FASTER.search(reason)) and not any(
        map(_NO_RACE.search, (reason, *answer.lines))
    )
