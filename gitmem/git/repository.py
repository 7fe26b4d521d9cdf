"""The seam to git, in git's own words.

Everything above it sees commits, trees, blobs and refs, and no library. Objects are
named by their hexadecimal object names. An implementation raises NoPermission where the
file system refuses, and Damaged where an object or a ref cannot be read.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from gitmem.git.values import (
    Blame,
    CommitDetails,
    Dated,
    FileChange,
    FileStat,
    Head,
    Lines,
    Move,
    Oid,
    RawCommit,
    Signature,
    TreeChanges,
    TreeEntry,
)
from gitmem.redaction.redact import Redacted

MOST_COMMITS = 100
"""That are told of, between two."""
MOST_MOVES = 1000
"""Of a ref, that are told of."""
MOST_COUNTED = 2_000_000
"""Bytes of a file whose lines are counted."""


class Objects(Protocol):
    """What is there to read, and new objects after it."""

    def config(self, key: str) -> str | None:
        """As `git config --get KEY`."""

    def config_values(self, key: str) -> list[str]:
        """As `git config --get-all KEY`."""

    def resolve_ref(self, name: str) -> Oid | None:
        """The commit a ref points to; None when there is no such ref."""

    def tree_of(self, commit: Oid) -> Oid | None:
        """None when there is no such commit."""

    def read_tree(self, tree: Oid) -> Mapping[str, TreeEntry]: ...

    def read_blob(self, blob: Oid, most: int) -> bytes:
        """Raises Damaged for more than `most` bytes, before they are read."""

    def blob_size(self, blob: Oid) -> int:
        """In bytes, without reading it. Raises Damaged for what is no blob."""

    def write_tree(self, base: Oid | None, changes: TreeChanges) -> Oid:
        """The tree like `base` with these changes.

        Only the trees on the way to what changes are written.
        """

    def create_commit(
        self, tree: Oid, parents: list[Oid], message: Redacted, author: Signature
    ) -> Oid:
        """A commit of the author's time, or of its newest parent's if that is later."""

    def committed_at(self, commit: Oid) -> int:
        """When a commit was made, in seconds since 1970."""

    def write_commit(self, content: bytes) -> Oid:
        """A commit as git keeps it, made of one that is there; see RawCommit."""


class Repository(Objects, Protocol):
    @property
    def git_dir(self) -> Path:
        """The `.git` of this work tree alone."""

    @property
    def common_dir(self) -> Path:
        """The `.git` that all linked work trees share."""

    @property
    def work_tree(self) -> Path | None:
        """None in a bare repository."""

    def head(self) -> Head: ...

    def remotes(self) -> Mapping[str, str]:
        """The URL of each remote, as it stands in the configuration."""

    def batch(self) -> AbstractContextManager[Objects]:
        """To write many objects, which are there for others at its end, and durable.

        Only then may refs move to them. After an exception there are none.
        """

    def update_ref(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        """Move a ref from `old` to `new`, as `git update-ref NAME NEW OLD`.

        False, and nothing happened, when it does not point to `old` any more; `old`
        None means that it must not exist yet. The move is written to the reflog.
        """

    def refs(self, prefix: str) -> list[str]:
        """The names of all refs that begin with `prefix`."""

    def delete_ref(self, name: str) -> None:
        """As `git update-ref -d NAME`; its reflog goes, too."""

    def forget_moves(self, name: str) -> None:
        """Leave nothing in the reflog of a ref, or that it is where it is alone."""

    def changes_since(self, commit: Oid | None) -> tuple[FileChange, ...]:
        """Work tree against commit; untracked files count, ignored ones do not."""

    def stats_since(
        self, commit: Oid | None, paths: Container[str]
    ) -> tuple[FileStat, ...]:
        """The same for the files at `paths` only, with their lines counted.

        Those of a file of more than MOST_COUNTED bytes count as none.
        """

    def differing(self, commit: Oid, paths: Iterable[str]) -> set[str]:
        """Those of `paths` whose file in the work tree is not as in the commit.

        Only these are looked at, however many files there are. What is in neither does
        not differ, nor does what git ignores; a file that was committed since and went
        back without a commit does.
        """

    def tracks(self, path: str) -> bool:
        """Whether the file at this path of the work tree is in git's index.

        False where the index cannot be read.
        """

    def is_ignored(self, path: str) -> bool:
        """As `git check-ignore` for the file at this path of the work tree.

        False for a tracked file, for a path with `..` or from the root of the file
        system, and where there is no work tree.
        """

    def commit_details(self, commit: Oid) -> CommitDetails | None:
        """None when there is no commit of this full name."""

    def full_name(self, beginning: str) -> Oid | None:
        """The commit whose name begins so; None when no object or several do."""

    def rev_parse(self, name: str, variables: Mapping[str, str]) -> Oid | None:
        """The commit that a person means, as `git rev-parse NAME^{commit}`.

        `variables` are the environment of the user. Raises Ambiguous for the beginning
        of several commits, Unavailable without a git command.
        """

    def blame(
        self, path: str, lines: Lines | None, variables: Mapping[str, str]
    ) -> Blame:
        """As `git blame` for a file of the work tree, or for some of its lines.

        `path` is relative to the work tree; `variables` are the environment of the
        user. Raises NotFound for a file that is not there or that git does not know,
        InvalidInput for lines that it does not have and for more than 20 MB,
        Unavailable without a git command and after a minute of its work.
        """

    def commits_between(self, old: Oid | None, new: Oid) -> list[CommitDetails]:
        """As `git log --first-parent --no-merges OLD..NEW`, at most MOST_COMMITS.

        From the first commit on when `old` is None. Nothing when `new` does not
        descend from `old`.
        """

    def merge_base(self, one: Oid, other: Oid) -> Oid | None:
        """As `git merge-base ONE OTHER`: a best one; None for unrelated histories."""

    def ancestry(self, commit: Oid, known: Oid | None = None) -> Iterator[RawCommit]:
        """Every commit that leads to this one, and itself; parents before children.

        But for those that lead to `known`.
        """

    def reflog(self, name: str) -> list[Oid]:
        """Where a ref was, by its reflog: commits that may not be here any more."""

    def moves(self, name: str, most: int = MOST_MOVES) -> list[Move] | None:
        """The last moves of a ref, by its reflog, the oldest first.

        HEAD is that of this work tree. None where git keeps none.
        """

    def first_parents(self, commit: Oid, most: int) -> list[Dated]:
        """The commit, its first parent and so on, at most so many.

        Nothing when there is no such commit; in a shallow clone as far as it goes.
        """

    def blobs(self, commit: Oid, paths: Iterable[str]) -> Mapping[str, Oid]:
        """What is at these paths in the commit; those where nothing is are left out."""
