"""The repository through pygit2, where libgit2 answers faster than a process starts.

libgit2 opens no SHA-256 or reftable repository, and knows no promise of a remote.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pygit2
from pygit2.enums import ConfigLevel, ObjectType, RepositoryOpenFlag

from gitmem.git.failures import is_refusal, opening_failed
from gitmem.git.layout import common_dir_of, has_system_config
from gitmem.git.odb.objects import ObjectFormat
from gitmem.git.plumbing.cat_file import Stored
from gitmem.git.plumbing.process import Entry, is_inside
from gitmem.git.plumbing.refs import RefLockedError
from gitmem.git.repository import Repository
from gitmem.git.values import Head, Oid

# libgit2 syncs nothing by default: after a power cut most repositories are corrupt.
pygit2.settings.enable_fsync_gitdir(True)
# Left alone it maps packs of any size as a whole, and whoever reads a large memory from
# end to end has all of it in its own.
pygit2.settings.mwindow_size = 16 << 20
pygit2.settings.mwindow_mapped_limit = 128 << 20

_LOST_RACE = ("old reference value does not match", "already exists")
"""Messages of libgit2 if another process moved the ref before our lock."""
_KINDS = {kind.value: kind.name.lower() for kind in ObjectType}
_SYSTEM_PATH = pygit2.settings.search_path[ConfigLevel.SYSTEM]
_SEARCH_UPWARDS = RepositoryOpenFlag(0)


def open_repository(
    start: Path,
    git_dir: Path | None = None,
    variables: Mapping[str, str] = os.environ,
) -> "Libgit2Repository":
    """Return the repository that `start` lies in, or the one at `git_dir` (as GIT_DIR).

    Raises NotARepository where there is none, Unavailable where libgit2 cannot open
    it, NoPermission where git's ownership rule forbids it.
    """
    system = _SYSTEM_PATH if has_system_config(variables) else ""
    pygit2.settings.search_path[ConfigLevel.SYSTEM] = system
    try:
        if git_dir:
            handle = pygit2.Repository(str(git_dir))
        else:
            handle = pygit2.Repository(str(start), _SEARCH_UPWARDS)
        return Libgit2Repository(handle, variables)
    except (pygit2.GitError, KeyError, OSError) as error:
        raise opening_failed(git_dir or start, str(error)) from error


class Libgit2Repository(Repository):
    """Repository over a pygit2.Repository."""

    errors = (pygit2.GitError, *Repository.errors)

    def __init__(self, git: pygit2.Repository, variables: Mapping[str, str]) -> None:
        git_dir, work_tree = Path(git.path), Path(git.workdir) if git.workdir else None
        places = git_dir, common_dir_of(git_dir), work_tree
        super().__init__(*places, ObjectFormat.SHA1, variables)
        self._git = git

    def close_packs(self) -> None:
        """libgit2 goes on to look into packs that it has open, and that may be gone."""
        self._git.free()

    def stored(self, oid: Oid, most: int | None = None) -> Stored | None:
        try:
            if most is not None and (size := self._git.odb.read_header(oid)[1]) > most:
                raise ValueError(f"it has {size:,} bytes, and {most:,} are allowed")
            kind, content = self._git.odb.read(oid)
        except KeyError:
            return None
        return Stored(oid, _KINDS[kind], len(content), content)

    def header(self, oid: Oid) -> Stored | None:
        try:
            kind, size = self._git.odb.read_header(oid)
        except KeyError:
            return None
        return Stored(oid, _KINDS[kind], size)

    def head(self) -> Head:
        with self.translated("HEAD"):
            target = self._git.lookup_reference("HEAD").raw_target
            branch = None
            if isinstance(target, bytes):
                branch = target.decode("utf-8", "replace").removeprefix("refs/heads/")
            unborn = self._git.head_is_unborn
            return Head(branch, None if unborn else str(self._git.head.target))

    def resolve_ref(self, name: str) -> Oid | None:
        if self.moved and name in self.moved:
            return self.moved[name]
        with self.translated(name):
            reference = self._git.references.get(name)
            return str(reference.resolve().target) if reference else None

    def refs(self, prefix: str) -> list[str]:
        with self.translated(prefix):
            return _refs_below(self.common_dir, prefix)

    def update_ref(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        with self.translated(name):
            log = self.common_dir / "logs" / name
            if not log.exists():  # git keeps one for such a ref only where there is one
                log.parent.mkdir(parents=True, exist_ok=True)
                log.touch()
            return super().update_ref(name, old, new, reason)

    def full_name(self, beginning: str) -> Oid | None:
        with suppress(ValueError):  # no such name, or several objects begin so
            obj = self._git.get(beginning)
            is_commit = obj and obj.type == ObjectType.COMMIT
            return str(obj.id) if obj and is_commit else None
        return None

    def merge_base(self, first: Oid, second: Oid) -> Oid | None:
        with self.translated(second):
            base = self._git.merge_base(first, second)
            return str(base) if base else None

    def tracks(self, path: str) -> bool:
        with suppress(pygit2.GitError, OSError, ValueError):
            index = self._git.index
            index.read(force=False)  # others write it, too
            return path in index
        return False

    def is_ignored(self, path: str) -> bool:
        if self.work_tree is None or not is_inside(path) or self.tracks(path):
            return False
        with self.translated("the rules for files that are ignored"):
            return self._git.path_is_ignored(path.encode(errors="replace").decode())

    def config(self, key: str) -> str | None:
        with self.translated("the configuration"):
            try:
                return self._git.config[key] or ""
            except KeyError:
                return None
            except ValueError:  # an odd key, or a value that is not UTF-8
                return super().config(key)

    def config_values(self, key: str) -> list[str]:
        with self.translated("the configuration"):
            with suppress(ValueError):
                return [value or "" for value in self._git.config.get_multivar(key)]
            return super().config_values(key)

    def _settings(self) -> Iterator[Entry]:
        with self.translated("the configuration"):
            for entry in self._git.config:
                yield entry.raw_name, entry.raw_value or b""

    def _is_swapped(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        """Compare-and-swap; the object that was compared is the one that is moved.

        Git does it in a bare repository, where libgit2 writes no reflog.
        """
        if self._git.is_bare:
            return super()._is_swapped(name, old, new, reason)
        refs = self._git.references
        try:
            if name not in refs:
                if old is None:
                    self._git.create_reference_direct(name, new, False, reason)
                return old is None
            reference = refs[name]
            if str(reference.target) != old:
                return False
            reference.set_target(new, reason)
        except (pygit2.GitError, OSError) as error:
            if any(words in str(error) for words in _LOST_RACE):
                return False
            # A foreign NAME.lock and a lost race look alike.
            if f"{name}.lock" in str(error) and not is_refusal(error):
                raise RefLockedError(str(error)) from error
            raise
        return True


def _refs_below(common_dir: Path, prefix: str) -> list[str]:
    """Return the names in UTF-8 of all refs that begin so. Raises OSError.

    libgit2 alone opens the refs of the user as well, of which there may be thousands.
    """
    refs: set[str] = set()
    for at, _, names in os.walk(common_dir / prefix.rpartition("/")[0]):
        folder = Path(at).relative_to(common_dir).as_posix()
        refs.update(f"{folder}/{name}" for name in names)
    with suppress(FileNotFoundError):
        line = rb"(?m) (" + re.escape(os.fsencode(prefix)) + rb".*)$"
        packed = re.findall(line, (common_dir / "packed-refs").read_bytes())
        refs.update(map(os.fsdecode, packed))
    begun = (name for name in refs if name.startswith(prefix))
    return sorted(filter(_is_name, begun))


def _is_name(name: str) -> bool:
    """Return whether this is a ref's name, and neither a lock nor unfit for libgit2."""
    with suppress(UnicodeEncodeError):
        return pygit2.reference_is_valid_name(name)
    return False
