"""What stays of an archived journal.

Every command looks at all journals. So one that is long over becomes a small file in
another folder; who resumes the conversation still finds its session, its first prompt,
and whether it had ended.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gitmem.documents.event import Prompt, Recalled
from gitmem.documents.event_log import from_json, last_sign
from gitmem.documents.names import is_document_id
from gitmem.frozen import frozen
from gitmem.git.files import is_file, is_folder, read_value, sync, write_value

_MOST_TOLD = 200
"""Events of what a conversation was told, the last ones."""


@frozen
class Archived:
    """What stays of a journal whose conversation is over."""

    session_id: str | None
    """The document; None where there never was one."""
    lines: tuple[str, ...]
    """First event and prompt, what the conversation was told, and the last event."""
    length: int
    """Bytes of the journal that this stands for."""


def archived(session_id: str | None, lines: Sequence[str], length: int) -> Archived:
    """Reduce a journal to what stays; `lines` are all of it, redacted."""
    events = [(line, event) for line in lines if (event := from_json(line))]
    prompts = [pair for pair in events if isinstance(pair[1], Prompt)]
    last = last_sign(event for _, event in reversed(events))
    recalled = [pair for pair in events if isinstance(pair[1], Recalled)][-_MOST_TOLD:]
    end = [pair for pair in events if pair[1] is last]
    kept_lines = [*events[:1], *prompts[:1], *recalled, *end]
    return Archived(
        session_id, tuple(dict.fromkeys(line for line, _ in kept_lines)), length
    )


class Archive:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> Archived | None:
        """Return what stays of an archived journal; None for any other."""
        past = read_value(self._path(name), Archived)
        document_id = past.session_id if past else None
        return past if document_id is None or is_document_id(document_id) else None

    def put(self, name: str, past: Archived) -> None:
        """Write an archived journal, synced. Raises OSError."""
        write_value(self._path(name), past, is_synced=True)
        sync(self._folder)

    def remove(self, name: str) -> None:
        """Raises OSError."""
        self.leftover(name).unlink(missing_ok=True)
        self._path(name).unlink(missing_ok=True)

    def names(self) -> Iterator[str]:
        return (path.stem for path in self._files("[!.]*.json"))

    def leftover(self, name: str) -> Path:
        """Return the path of a journal while it is being archived."""
        return self._folder / f"{name}.left"

    def leftovers(self) -> Iterator[str]:
        """Return the names of journals whose putting away was cut off."""
        return (path.stem for path in filter(is_file, self._files("*.left")))

    def remove_older(self, moment: float) -> None:
        """Remove what was archived before, in seconds since 1970. Raises OSError."""
        for path in filter(is_file, self._files("*.json")):
            if path.stat().st_mtime < moment:
                path.unlink(missing_ok=True)

    def _files(self, pattern: str) -> Iterator[Path]:
        """Return matching files; none behind a link, where others own them."""
        is_ours = all(map(is_folder, (self._folder.parent, self._folder)))
        return self._folder.glob(pattern) if is_ours else iter(())

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"
