"""What of commits stays the same when they get other names: `git patch-id`, blobs."""

import re
from collections.abc import Collection

from gitmem.git.command import RefusedError
from gitmem.git.files import read_text
from gitmem.git.plumbing.process import COMMIT_DIFF, LARGE_AS_BINARY
from gitmem.git.repository import Repository
from gitmem.git.values import COMMIT_LENGTH, CommitPatch, Oid, is_oid

_DIFF = (*LARGE_AS_BINARY, *COMMIT_DIFF, "--stdin", "--no-abbrev")
_COMMIT_MAP = "filter-repo/commit-map"
_RAW = re.compile(
    rb"^(?:([0-9a-f]{40,64})|:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) .*)$", re.MULTILINE
)
_PATCHES = re.compile(rb"^(?=[0-9a-f]{40,64}$)", re.MULTILINE)
_AT_ONCE = 200
"""Commits whose patches are in memory at once."""
_MOST_BYTES = 2_000_000
"""Bytes of one patch that is compared."""
_MOST_BLOBS = 100
"""Files of one commit that are listed; more are generated, or come from elsewhere."""


def patches_in(git: Repository, commits: Collection[Oid]) -> dict[Oid, CommitPatch]:
    """Return what commits change; nothing for merges and for those that are not there.

    All names in it have COMMIT_LENGTH digits.
    """
    names = [name for name in commits if git.read_header(name)]
    if not names:
        return {}
    with git.translated("a commit"):
        blobs = _blobs(git, names)
        # A partial clone would fetch what it lacks.
        patch_ids = {} if git.is_partial else _patch_ids(git, list(blobs))
    return {
        name: CommitPatch(
            name[:COMMIT_LENGTH],
            patch_ids.get(name, "")[:COMMIT_LENGTH],
            tuple(sorted(blobs[name])[:_MOST_BLOBS]),
        )
        for name in blobs
    }


def former_names(git: Repository, commits: Collection[Oid]) -> dict[Oid, Oid]:
    """Return commits by their names before `git filter-repo`, which runs no hook."""
    rows = map(str.split, read_text(git.common_dir / _COMMIT_MAP).splitlines())
    pairs = (row for row in rows if len(row) == 2)
    return {old: new for old, new in pairs if new in commits and is_oid(old)}


def _blobs(git: Repository, names: list[Oid]) -> dict[Oid, set[str]]:
    raw, blobs = git.output(*_DIFF, stdin=_lines(names)), dict[Oid, set[str]]()
    present = set[str]()
    for commit, blob in _RAW.findall(raw):
        if commit:
            present = blobs.setdefault(commit.decode(), set[str]())
        else:
            present.add(blob[:COMMIT_LENGTH].decode())
    return blobs


def _patch_ids(git: Repository, names: list[Oid]) -> dict[Oid, str]:
    """Return the patch ids of commits; none for a large or binary patch."""
    ids: dict[Oid, str] = {}
    while names:
        batch = names[:_AT_ONCE]
        names = names[_AT_ONCE:]
        try:
            patches = git.output(*_DIFF, "--patch", stdin=_lines(batch))
        except RefusedError as error:  # git printed the name before it failed
            *whole, last = [*_PATCHES.split(error.output)]
            broken = last[: len(batch[0])].decode() or batch[0]
            names = batch[batch.index(broken) + 1 :] + names
            patches = b"".join(whole)
        texts = (patch for patch in _PATCHES.split(patches) if _is_comparable(patch))
        output = git.output("patch-id", "--stable", stdin=b"".join(texts))
        words = output.decode().split()
        ids |= dict(zip(words[1::2], words[::2], strict=True))
    return ids


def _is_comparable(patch: bytes) -> bool:
    """Return False for a binary file: its patch does not say what changed."""
    return len(patch) <= _MOST_BYTES and b"\nBinary files " not in patch


def _lines(names: list[Oid]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()
