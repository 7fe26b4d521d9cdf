"""The user's own history: commits, and which files they changed."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from gitmem.errors import Ambiguous
from gitmem.git.command import RefusedError
from gitmem.git.odb.objects import (
    commit_parts,
    committed_at,
    entries_of,
    tree_of_commit,
)
from gitmem.git.plumbing.process import text
from gitmem.git.plumbing.refs import Refs
from gitmem.git.values import (
    TREE_MODE,
    Change,
    CommitDetails,
    Dated,
    FileChange,
    Oid,
    RawCommit,
    Signature,
    TreeEntry,
    is_oid,
)
from gitmem.text.calendar import moment_at
from gitmem.text.patterns import pattern

MOST_COMMITS = 100
"""Most commits between two that are returned."""
_BEGINNING = pattern(r"[0-9a-f]{4,64}")
_COMMITTER = re.compile(rb"committer (.*?) ?<(.*)> (-?\d+) ([+-])(\d\d)(\d\d)")
_MOST_LENGTH = 1000
"""Most characters of a name to resolve."""
_CANDIDATE = pattern(r"^hint:\s+([0-9a-f]+) commit", re.MULTILINE)


class History(Refs):
    def raw_tree(self, tree: Oid) -> dict[bytes, TreeEntry]:
        """Return a tree as git has it, whatever there is in it."""
        with self.translated(tree):
            content = self.read(tree, "tree")
            if content is None:
                raise ValueError("it is not there, or is no tree")
            return entries_of(content, self.object_format)

    def commit_details(self, commit: Oid) -> CommitDetails | None:
        """Return a commit; None when there is none of this full name."""
        with self.translated(commit):
            content = self.read(commit, "commit")
            return self._details(commit, content) if content else None

    def full_name(self, beginning: str) -> Oid | None:
        """Return the commit whose name begins so; None when no object or several do."""
        if not _BEGINNING.fullmatch(beginning):
            return None
        with self.translated(beginning):
            names = self._names("rev-parse", f"--disambiguate={beginning}")
            # git 2.55 takes digits behind a full name for nothing
            is_one = len(names) == 1 and names[0].startswith(beginning)
            return names[0] if is_one and self.read(names[0], "commit") else None

    def rev_parse(self, name: str) -> Oid | None:
        """Return the commit that a person means, as `git rev-parse NAME^{commit}`.

        Raises Ambiguous for the beginning of several commits, Unavailable without a git
        command.
        """
        if name.startswith("-") or "\0" in name or len(name) > _MOST_LENGTH:
            return None
        try:
            output = self.output_for_user("rev-parse", "--verify", f"{name}^{{commit}}")
        except RefusedError as error:
            if "is ambiguous" in str(error):
                raise Ambiguous(
                    f"{name!r} begins the names of several commits.",
                    candidates=_CANDIDATE.findall(str(error)),
                ) from error
            return None
        oid = output.decode("ascii", "replace").removesuffix("\n")
        return oid if is_oid(oid) else None

    def commits_between(self, old: Oid | None, new: Oid) -> list[CommitDetails]:
        """Walk as `git log --first-parent --no-merges OLD..NEW`, at most MOST_COMMITS.

        From the first commit on when `old` is None. Nothing when `new` does not
        descend from `old`.
        """
        with self.translated(new):
            self.require_commit(new)
            if old == new:
                return []
            is_known = old is None or self.read(old, "commit") is not None
            if not is_known or (old and self.merge_base(old, new) != old):
                return []
            options = (
                "--first-parent",
                "--no-merges",
                "--topo-order",
                f"-n{MOST_COMMITS}",
            )
            without = [f"^{old}"] if old else []
            names = self._names("rev-list", *options, new, *without, "--")
            return [self._details(name, self.require_commit(name)) for name in names]

    def merge_base(self, first: Oid, second: Oid) -> Oid | None:
        """Find a best one, as `git merge-base`; None for unrelated histories."""
        with self.translated(second):
            for commit in (first, second):
                self.require_commit(commit)
            try:
                return self._names("merge-base", first, second)[0]
            except RefusedError as error:
                if error.status != 1:
                    raise
        return None

    def ancestry(self, commit: Oid, ancestor: Oid | None = None) -> Iterator[RawCommit]:
        """Yield a commit and all its ancestors, parents before children.

        But for those that lead to `ancestor`.
        """
        with self.translated(commit):
            self.require_commit(commit)
            which = [commit, *([f"^{ancestor}"] if ancestor else [])]
            for name in self._names(
                "rev-list", "--topo-order", "--reverse", *which, "--"
            ):
                yield RawCommit(name, self.require_commit(name))

    def first_parents(self, commit: Oid, most: int) -> list[Dated]:
        """Return the commit, its first parent and so on, at most so many.

        Nothing when there is no such commit; in a shallow clone as far as it goes.
        """
        dated: list[Dated] = []
        with self.translated(commit):
            name: Oid | None = commit
            while name and len(dated) < most and (content := self.read(name, "commit")):
                dated.append(Dated(name, moment_at(committed_at(content))))
                name = next(iter(commit_parts(content).parents), None)
        return dated

    def blobs(self, commit: Oid, paths: Iterable[str]) -> Mapping[str, Oid]:
        """Return what is at these paths in the commit, without missing ones."""
        with self.translated(commit):
            root = tree_of_commit(self.require_commit(commit))
            entry_at = self.entries_below(root)
            entries = ((path, entry_at(_bytes(path))) for path in paths)
            return {path: entry.oid for path, entry in entries if entry}

    def entries_below(self, root: Oid | None) -> Callable[[bytes], TreeEntry | None]:
        """Return a function that finds entries by path, and reads each tree once."""
        trees: dict[Oid, dict[bytes, TreeEntry]] = {}

        def entry_at(path: bytes) -> TreeEntry | None:
            entry = TreeEntry(root, TREE_MODE) if root else None
            for name in path.split(b"/"):
                if entry is None or not entry.is_tree:
                    return None
                if entry.oid not in trees:
                    trees[entry.oid] = self.raw_tree(entry.oid)
                entry = trees[entry.oid].get(name)
            return entry

        return entry_at

    def require_commit(self, commit: Oid) -> bytes:
        """Return its content. Raises ValueError when none has this full name."""
        content = self.read(commit, "commit")
        if content is None:
            raise ValueError("there is no such commit")
        return content

    def _details(self, commit: Oid, content: bytes) -> CommitDetails:
        parts = commit_parts(content)
        before = self.read(parts.parents[0], "commit") if parts.parents else None
        tree = tree_of_commit(before) if before else None
        return CommitDetails(
            oid=commit,
            subject=text(parts.message.lstrip(b"\n").partition(b"\n")[0]),
            committer=_committer(parts.header),
            files=tuple(
                FileChange(text(path), entry)
                for path, entry in self.changed_files(tree, parts.tree)
            ),
        )

    def changed_files(
        self, before: Oid | None, after: Oid | None, folder: bytes = b""
    ) -> Iterator[tuple[bytes, Change]]:
        """Yield the files that differ between two trees; None is a tree without any."""
        was, now = (self.raw_tree(tree) if tree else {} for tree in (before, after))
        for name in sorted(was.keys() | now.keys()):
            old, new = was.get(name), now.get(name)
            if old == new:
                continue
            trees = _tree_in(old), _tree_in(new)
            if any(trees):
                yield from self.changed_files(*trees, folder + name + b"/")
            had, has = (entry and not entry.is_tree for entry in (old, new))
            if had or has:
                yield folder + name, change(had=bool(had), has=bool(has))

    def _names(self, *command: str) -> list[Oid]:
        """Return the objects that a command lists, one a line."""
        return self.output(*command).decode().split()


def _bytes(path: str) -> bytes:
    """Encode a path as the system has it, or one that no system can have."""
    return path.encode(errors="surrogateescape" if path.isprintable() else "replace")


def _tree_in(entry: TreeEntry | None) -> Oid | None:
    return entry.oid if entry and entry.is_tree else None


def change(*, had: bool, has: bool) -> Change:
    """Name the change of a file that was or is there."""
    if not had:
        return Change.CREATED
    return Change.MODIFIED if has else Change.DELETED


def _committer(header: Iterable[bytes]) -> Signature:
    """Raises ValueError for what says nothing of who and when."""
    matches = filter(None, map(_COMMITTER.fullmatch, header))
    by = next(matches, None)
    if by is None:
        raise ValueError("it does not say who committed it")
    minutes = int(by[5]) * 60 + int(by[6])
    when = moment_at(int(by[3]), -minutes if by[4] == b"-" else minutes)
    return Signature(text(by[1]), text(by[2]), when)
