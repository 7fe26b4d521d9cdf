"""Settings of git that hooks go by."""

import os
from pathlib import Path

from gitmem.config import CONVERSATIONS_SETTING


def is_set(common_dir: Path, name: str) -> bool:
    return setting(common_dir, name, "--type=bool") == "true"


def reads_transcripts(common_dir: Path) -> bool:
    return setting(common_dir, CONVERSATIONS_SETTING, "--type=bool") != "false"


def setting(common_dir: Path, name: str, *options: str) -> str:
    """Return a setting; "" where it is not set, or not of its type."""
    from gitmem.git.command import RefusedError, answer_in, options_to

    command = [*options_to(common_dir, None), "config", *options, "--get", name]
    try:
        value = answer_in(common_dir, command, os.environ)
        return value.decode("utf-8", "replace").strip()
    except RefusedError:
        return ""
