"""Commit on a ref of ours, by compare-and-swap, as often as it takes.

Programs that ignore our lock may move the ref as well, and `git gc` replaces packs;
the next try succeeds.
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from gitmem.documents.authors import Trust, trust_from_settings
from gitmem.errors import Busy, Damaged
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature, TreeChanges
from gitmem.redaction.redact import Redacted, redact, redact_own
from gitmem.store.trees.document_tree import FORMAT_FILE, AnyTree
from gitmem.store.trees.format_upgrade import upgrade
from gitmem.store.trees.last_tips import note_move

T = TypeVar("T")
FALLBACK_IDENTITY = ("gitmem", "gitmem@localhost")
"""Author of our commits where git has no user.name and user.email."""
REMOTE = "ocm.remote"
"""The name of the one remote that memory is shared with; nothing is shared without."""
REMOTE_URL = "ocm.remoteUrl"
"""Another repository than that remote's."""
TRUST = "ocm.trust"
_MOST_AHEAD = 60
"""Seconds."""
"""An address whose sessions are told like the user's own; may be repeated."""

_TRIES, _TRIES_IF_DAMAGED = 20, 5


def in_some_try(git: Repository, ref: str, attempt: Callable[[], T | None]) -> T:
    """Repeat `attempt` while it returns None, which means that the ref moved.

    Raises Busy when the ref keeps moving, and Damaged when git cannot read it.
    """
    for number in range(_TRIES):
        try:
            upgrade(git, ref)
            if (result := attempt()) is not None:
                return result
        except Damaged:  # so it looks when `git gc` packs and removes beside us
            if number >= _TRIES_IF_DAMAGED:
                raise
            git.close_packs()
            time.sleep(0.05)
    raise Busy(f"{ref} kept moving.", hint="Try again: what was saved is not lost.")


def commit_on(
    git: Repository,
    before: AnyTree,
    changes: TreeChanges,
    message: Redacted,
    author: Signature,
) -> Oid:
    """Return a commit after `before`; its ref does not lead to it yet."""
    version = redact_own(f"{before.kind.format}\n")
    first = {} if before.commit else {FORMAT_FILE: version}
    return git.create_commit(
        git.write_tree(before.tree, {**changes, **first}),
        [before.commit] if before.commit else [],
        message,
        author,
    )


@frozen
class RefUpdate:
    """Of a ref, from the commit that was built on."""

    ref: str
    old: Oid | None
    new: Oid | None
    reason: str
    """The reason in the reflog."""

    def is_made(self, git: Repository) -> bool:
        """Move the ref; False when somebody else moved it meanwhile."""
        if self.new is None or self.new == self.old:
            return True
        if git.moved is not None:
            git.moved[self.ref] = self.new
            return True
        is_moved = git.update_ref(self.ref, self.old, self.new, self.reason)
        if is_moved:
            note_move(git, self.ref, self.old, self.new)
        return is_moved


def author(git: Repository, when: datetime) -> Signature:
    """Return the author of our commits: the user that git knows."""
    return Signature(*_identity(git), when)


def moment_after_commit(git: Repository, commit: Oid | None, now: datetime) -> datetime:
    """Return now, or the second after a commit that was just made.

    So what is said later in one second is newer. A clock that was wrong by more than a
    minute moves nothing.
    """
    last = git.committed_at(commit) if commit else 0
    if 0 <= last - int(now.timestamp()) < _MOST_AHEAD:
        return datetime.fromtimestamp(last + 1, now.tzinfo)
    return now


def configured_trust(git: Repository) -> Trust:
    """Return whom the settings of repository and user name; no clone brings any."""
    (_, address), trusted = _identity(git), git.config_values(TRUST)
    is_shared = any(map(git.config, (REMOTE, REMOTE_URL)))
    return trust_from_settings(
        address, FALLBACK_IDENTITY[1], trusted, is_shared=is_shared
    )


def present_branch(git: Repository) -> str | None:
    """Return the branch of the work tree as documents name it, without secrets."""
    branch = git.head().branch
    return branch and redact(branch)


def _identity(git: Repository) -> tuple[str, str]:
    """Return name and address as git finds those of an author."""
    name, email = (_author(git, key) for key in ("name", "email"))
    email = email or _plain(git.variables.get("EMAIL", ""))
    return name or FALLBACK_IDENTITY[0], email or FALLBACK_IDENTITY[1]


def _author(git: Repository, key: str) -> str:
    value = git.variables.get(f"GIT_AUTHOR_{key.upper()}")
    settings = (git.config(f"{section}.{key}") for section in ("author", "user"))
    return next(filter(None, (_plain(value or "") for value in (value, *settings))), "")


def _plain(name: str) -> str:
    """Clean a name as git does: ident.c drops what could end it in a commit."""
    printable = "".join(c for c in name if c.isprintable() and c not in "<>")
    return printable.strip(" .,:;<>\"\\'")
