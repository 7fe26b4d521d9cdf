"""Where git keeps things, as gitrepository-layout(5) says, without opening them."""

from pathlib import Path


def common_dir_of(git_dir: Path) -> Path:
    """What linked work trees share: the one of a linked one is named in `commondir`."""
    try:
        return (git_dir / (git_dir / "commondir").read_text().strip()).resolve()
    except (FileNotFoundError, NotADirectoryError):
        return git_dir.resolve()
