"""Whether anything is remembered, by few files: hooks ask it at every prompt."""

from pathlib import Path

from gitmem.git.files import read_text, replace_file
from gitmem.git.layout import own_dir, private_dir

_SILENT = "silent-sessions"
"""The file with the commit of sessions of which none stated anything."""


def is_anything_known(common_dir: Path, spaces: Path) -> bool:
    """Tell whether there may be a memory, or a statement of a session."""
    silent = read_text(own_dir(common_dir) / _SILENT)
    return (
        _tip(common_dir, "ocm.memories").exists()
        or read_text(_tip(common_dir, "ocm.sessions")) != silent
        or bool(bare_places(common_dir, spaces))
    )


def bare_places(common_dir: Path, spaces: Path) -> list[Path]:
    """Return the bare repositories with memories for who works in a work tree."""
    private = filter(Path.is_dir, [private_dir(common_dir)])
    return [*private, *sorted(spaces.glob("*.git"))]


def note_silent_sessions(common_dir: Path) -> None:
    """Note that no session stated anything by now. Raises OSError."""
    tip = read_text(_tip(common_dir, "ocm.sessions"))
    replace_file(own_dir(common_dir) / _SILENT, tip.encode())


def _tip(common_dir: Path, ref: str) -> Path:
    return own_dir(common_dir) / "tips" / ref
