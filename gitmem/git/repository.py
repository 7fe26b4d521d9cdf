"""The seam to git, in git's own words.

Above it there are commits, trees, blobs and refs, and no library. The git command
answers, as it can open every repository; `libgit2` answers faster where it can. Methods
raise NoPermission where the file system refuses, and Damaged for an object or a ref
that cannot be read.
"""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from functools import cached_property
from typing import Self

from gitmem.errors import Damaged
from gitmem.git.command import RefusedError
from gitmem.git.files import sync
from gitmem.git.odb import objects
from gitmem.git.odb.objects import GitObject, ObjectType, pack_of
from gitmem.git.odb.packs import KEEP, pack_folder, remember_packs
from gitmem.git.plumbing.cat_file import Stored
from gitmem.git.plumbing.history import History
from gitmem.git.plumbing.process import Configuration, Entry, askable, fields, text
from gitmem.git.values import (
    FILE_MODE,
    TREE_MODE,
    Content,
    Oid,
    Signature,
    TreeChanges,
    TreeEntry,
)
from gitmem.redaction.redact import Redacted, redact_own

_LEVELS = 9, 3, 1
"""Levels of compression that give other bytes than the usual one."""
_REMOTE_URL = re.compile(rb"remote\.(.+)\.url", re.DOTALL)
_PROMISED = re.compile(
    rb"remote\..+\.(promisor|partialclonefilter)|extensions\.partialclone", re.DOTALL
)
_CHECK_IGNORE = (
    "--no-literal-pathspecs",  # which it refuses, and takes all as they are
    *("check-ignore", "-z", "--stdin"),
)
_REFUSED = ("", ".", "..", ".git")
"""Names that are in no tree."""


class Repository(History):
    new: dict[Oid, GitObject] | None = None
    """The objects of a batch; None outside of one."""

    def rehearsed(self) -> Self:
        """Return a copy whose new objects, and refs that move, stay in memory."""
        rehearsal = copy(self)
        rehearsal.new, rehearsal.moved = {}, {}
        return rehearsal

    def config(self, key: str) -> str | None:
        """Return a setting, as `git config --get KEY`."""
        return next(reversed(self.config_values(key)), None)

    def config_values(self, key: str) -> list[str]:
        """Return all values of a setting, as `git config --get-all KEY`."""
        normalized = _as_git_keeps(key).encode()
        return [text(value) for name, value in self._settings() if name == normalized]

    def remotes(self) -> dict[str, str]:
        """Return the URL of each remote, as it stands in the configuration.

        Of several URLs of one, git fetches from the first.
        """
        urls: dict[str, str] = {}
        for name, value in self._settings():
            if match := _REMOTE_URL.fullmatch(name):
                urls.setdefault(text(match[1]), text(value))
        return urls

    @property
    def is_partial(self) -> bool:
        """Whether objects may be missing that a remote promised to have."""
        return self.has_setting(_PROMISED)

    def has_setting(self, names: re.Pattern[bytes]) -> bool:
        """Return whether any setting has a name that begins so."""
        return any(names.match(name) for name, _ in self._settings())

    def tracks(self, path: str) -> bool:
        """Return whether the file at this path of the work tree is in git's index.

        False where the index cannot be read.
        """
        with suppress(RefusedError):
            for batch in askable([path]):
                output = self.output("ls-files", "-z", "--", *batch)
                return os.fsencode(path) in fields(output)
        return False

    def is_ignored(self, path: str) -> bool:
        """Ask `git check-ignore` about the file at this path of the work tree.

        False for a tracked file, for a path with `..` or from the root of the file
        system, and where there is no work tree.
        """
        if self.work_tree is None:
            return False
        with suppress(RefusedError):  # it says no, or this is beyond a link
            for batch in askable([path]):
                stdin = b"./%b\0" % os.fsencode(batch[0])  # or `:` would say more
                return bool(self.output(*_CHECK_IGNORE, stdin=stdin))
        return False

    def tree_of(self, commit: Oid | None) -> Oid | None:
        """Return the tree of a commit; None when there is no such commit."""
        content = self.read(commit, "commit") if commit else None
        return objects.tree_of_commit(content) if content else None

    def read_tree(self, tree: Oid) -> Mapping[str, TreeEntry]:
        """Return a tree by names as texts, none of which stands for two."""
        entries = self.raw_tree(tree).items()
        return {
            name.decode("utf-8", "surrogateescape"): entry for name, entry in entries
        }

    def read_blob(self, blob: Oid, most: int) -> bytes:
        """Raises Damaged for more than `most` bytes, before they are read."""
        with self.translated(blob):
            content = self.read(blob, "blob", most)
            if content is None:
                raise ValueError("it is not there, or is no blob")
            return content

    def blob_size(self, blob: Oid) -> int:
        """Return its bytes, without reading it. Raises Damaged for what is no blob."""
        header = self.read_header(blob)
        if header is None or header.kind != "blob":
            with self.translated(blob):
                raise ValueError("it is not there, or is no blob")
        return header.size

    def committed_at(self, commit: Oid) -> int:
        """Return when a commit was made, in seconds since 1970."""
        with self.translated(commit):
            return objects.committed_at(self.require_commit(commit))

    def read(self, oid: Oid, kind: str, most: int | None = None) -> bytes | None:
        """See Process.read; a batch has its new objects, too."""
        new = self.new.get(oid) if self.new else None
        if new and new.kind_name == kind:
            return new.content
        return super().read(oid, kind, most)

    def read_header(self, oid: Oid) -> Stored | None:
        if self.new and (new := self.new.get(oid)):
            return Stored(oid, new.kind_name, len(new.content))
        return super().read_header(oid)

    @contextmanager
    def batch(self) -> Iterator[Self]:
        """Give the repository as it will be: new objects are in memory until the end.

        Then they are saved all at once, durable and visible, and only then may refs
        move to them. After an exception there are none. What is written outside of a
        batch is a batch of its own.
        """
        if self.new is not None:
            yield self
            return
        batch = copy(self)
        batch.new = {}
        yield batch
        if batch.new:
            with self.translated("the object database"):
                self._save(batch.new.values())

    def write_tree(self, base: Oid | None, changes: TreeChanges) -> Oid:
        """Return the tree like `base` with these changes.

        Only the trees on the way to what changes are written.
        """
        with self.batch() as batch:
            return _write_tree(batch, base, changes) or batch.add(ObjectType.TREE, b"")

    def create_commit(
        self, tree: Oid, parents: list[Oid], message: Redacted, author: Signature
    ) -> Oid:
        """Make a commit of the author's time, or of a newer parent's."""
        committed = objects.commit_time(author.when, map(self.committed_at, parents))
        content = objects.commit(tree, parents, message, author, committed)
        return self.write_commit(content)

    def write_commit(self, content: bytes) -> Oid:
        """Return a commit as git keeps it, made of one that is there; see RawCommit."""
        return self.add(ObjectType.COMMIT, content)

    def add(self, kind: ObjectType, content: bytes) -> Oid:
        """Return an object that has this content."""
        if self.new is None:
            with self.batch() as batch:
                return batch.add(kind, content)
        new_object = GitObject(kind, content, self.object_format)
        oid = new_object.oid
        self.new[oid] = new_object
        return oid

    def _save(self, new: Collection[GitObject]) -> None:
        """Save objects in a pack of their own, protected by a `.keep` file."""
        folder = pack_folder(self.common_dir)
        pack = pack_of(new, self.object_format)
        for level in _LEVELS:
            # A running gc may be about to delete an equal pack: it listed the packs
            # when that had no `.keep` file. Other bytes give ours another name.
            if not (folder / f"{self._pack_name(pack)}.pack").exists():
                break
            pack = pack_of(new, self.object_format, level)
        self.write("index-pack", "--stdin", f"--keep={KEEP}", stdin=pack)
        sync(folder)  # git syncs files, and not the folder that names them
        with suppress(OSError):  # then `git gc` takes the pack in time
            remember_packs(self.common_dir, [self._pack_name(pack)])

    def _pack_name(self, pack: bytes) -> str:
        return f"pack-{pack[-self.object_format.length :].hex()}"

    def _settings(self) -> Iterable[Entry]:
        """Return all of git's configuration, in the order in which git reads it."""
        with self.translated("the configuration"):
            return self._configuration.entries()

    @cached_property
    def _configuration(self) -> Configuration:
        return Configuration(self)


def _write_tree(git: Repository, base: Oid | None, changes: TreeChanges) -> Oid | None:
    """Write a tree; None for one without entries, as git keeps no empty folders."""
    entries = git.raw_tree(base) if base else {}
    folders: dict[bytes, dict[str, Content]] = {}
    for path, content in changes.items():
        name, slash, rest = path.partition("/")
        if content is not None:
            _check_name(name)
        if slash:
            folders.setdefault(name.encode(), {})[rest] = content
        elif content is None:
            entries.pop(name.encode(), None)
        elif isinstance(content, TreeEntry):
            entries[name.encode()] = content
        else:
            oid = git.add(ObjectType.BLOB, content.encode())
            entries[name.encode()] = TreeEntry(oid, FILE_MODE)
    for folder, inside in folders.items():
        before = entries.pop(folder, None)
        subtree = before.oid if before and before.is_tree else None
        if tree := _write_tree(git, subtree, inside):
            entries[folder] = TreeEntry(tree, TREE_MODE)
    return git.add(ObjectType.TREE, objects.tree(entries)) if entries else None


def _check_name(name: str) -> None:
    """Raises Damaged for one that git's own commands refuse, as a remote would."""
    if name.lower() in _REFUSED or "\0" in name:
        raise Damaged(f"Git has no {name!r} in a tree.")


def _as_git_keeps(key: str) -> str:
    """Normalize a key: case matters only in the middle, as of a remote's name."""
    section, dot, rest = key.partition(".")
    middle, last_dot, name = rest.rpartition(".")
    return f"{section.lower()}{dot}{middle}{last_dot}{name.lower()}"


def project_name(git: Repository) -> Redacted:
    """Return the name of the remote repository, else of the folder, redacted."""
    url, common_dir = git.config("remote.origin.url") or "", git.common_dir
    folder = common_dir.parent if common_dir.name == ".git" else common_dir
    return redact_own(_last_part(url) or _last_part(str(folder)) or "project")


def _last_part(location: str) -> str:
    name = re.split(r"[/:\\]", location.rstrip("/"))[-1].removesuffix(".git")
    return "".join(c for c in name.encode(errors="replace").decode() if c.isprintable())
