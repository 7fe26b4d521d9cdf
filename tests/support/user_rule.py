"""A rule of the user for tickets of Acme, and everything that a secret could reach."""

import subprocess
from pathlib import Path

HIDDEN = "ACME-271828"
PATTERN, SAMPLE = r"ACME-\d{6}", "see ACME-100001"
MARK = "[REDACTED:ticket]"

_SETTINGS = f"""
[ocm "redact.ticket"]
pattern = {PATTERN.replace(chr(92), chr(92) * 2)}
sample = {SAMPLE}
"""


def put_rule(repository: Path) -> None:
    """As `git config` would, without a process."""
    with (repository / ".git" / "config").open("a") as config:
        config.write(_SETTINGS)


def places_of(repository: Path, text: str) -> list[str]:
    """Where in this repository a text is: objects of git, and files beside them.

    All the files of gitmem's own are looked at, the index of its search among them.
    """
    command = ["git", "-C", str(repository), "cat-file"]
    batch = [*command, "--batch-all-objects", "--batch", "--buffer"]
    objects = subprocess.run(batch, check=True, capture_output=True).stdout
    files = [
        path
        for folder in (".git/ocm", ".git/ocm-index", ".git/logs", ".openCodeMemory")
        for path in (repository / folder).rglob("*")
        if path.is_file()
    ]
    found = [path.name for path in files if text.encode() in path.read_bytes()]
    return [*(["objects"] if text.encode() in objects else []), *found]
