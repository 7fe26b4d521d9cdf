"""Files that are there whole or not at all."""

import os
from pathlib import Path

OWN = 0o600
"""For the user alone: what is ours, and nobody else's to read."""


def replace_file(path: Path, content: bytes, mode: int = OWN) -> None:
    """Put `content` at `path` in one step; what was there, a link included, is gone.

    Not synced: use it for what can be made again. Raises OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(file, "wb") as stream:
        os.fchmod(file, mode)  # whatever the umask says
        stream.write(content)
    temporary.replace(path)
