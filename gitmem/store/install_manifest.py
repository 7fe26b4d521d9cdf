"""The manifest: what `ocm init` added to which file, so that it can be undone.

A JSON file in the common dir, written before the files are, without any text of theirs.
A file that nobody changed since is restored byte for byte.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path, PurePosixPath

from gitmem.frozen import frozen
from gitmem.git.files import read_own
from gitmem.git.layout import own_dir
from gitmem.text.insertion import Insertion
from gitmem.text.shape import value_of

FORMAT = 1


@frozen
class Span:
    """Text of ours, in characters of the file as it was before what follows it here."""

    offset: int
    length: int


@frozen(kw_only=True)
class InstalledFile:
    root: str
    """Absolute path of the work tree, or of the folder of git that has the file."""
    path: str
    """Relative to the root, with `/`."""
    created: bool
    """True if the file did not exist before."""
    folders: tuple[str, ...] = ()
    """Folders made for it, relative to the root, the inner ones first."""
    spans: tuple[Span, ...] = ()
    """The added spans, one after the other."""
    sha256: str = ""
    """Digest of the whole file afterwards; empty if the spans are enough."""
    local: bool = False
    """True if git must not track the file."""


def manifest_path(common_dir: Path) -> Path:
    return own_dir(common_dir) / "installed.json"


def installed_files(common_dir: Path) -> list[InstalledFile]:
    """Return the noted files; none from a damaged or newer manifest."""
    try:
        data = json.loads(read_own(manifest_path(common_dir)))
        known = data["files"] if data["format"] == FORMAT else ()
        files = [value_of(InstalledFile, item) for item in known]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return []
    return list(filter(_is_inside, files))


def manifest_content(files: Iterable[InstalledFile]) -> bytes:
    """Return the content of the manifest: a line a file."""
    lines = ",\n  ".join(json.dumps(asdict(file)) for file in files)
    return f'{{"format": {FORMAT}, "files": [\n  {lines}\n]}}\n'.encode()


def spans_of(insertions: Iterable[Insertion]) -> tuple[Span, ...]:
    return tuple(
        Span(insertion.offset, len(insertion.text)) for insertion in insertions
    )


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def is_intact(file: InstalledFile, content: bytes) -> bool:
    """Return whether nobody has changed the file since."""
    return sha256(content) == file.sha256


def without_spans(text: str, spans: tuple[Span, ...]) -> str:
    """Return the text before it was added to; only for a file that is intact."""
    for span in reversed(spans):
        text = text[: span.offset] + text[span.offset + span.length :]
    return text


def _is_inside(file: InstalledFile) -> bool:
    """Return whether no path leaves the root: we noted none that does."""
    paths = [PurePosixPath(path) for path in (file.path, *file.folders)]
    return not any(path.is_absolute() or ".." in path.parts for path in paths)
