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


def places_of(repository: Path, *texts: str) -> list[str]:
    """Where in this repository any of the texts is: objects of git, and files of ours.

    All the files of gitmem's own are looked at, the index of its search among them.
    """
    command = ["git", "-C", str(repository), "cat-file"]
    batch = [*command, "--batch-all-objects", "--batch", "--buffer"]
    objects = subprocess.run(batch, check=True, capture_output=True).stdout
    files = [
        (path.name, path.read_bytes())
        for folder in ("ocm", "ocm-index", "logs", ".openCodeMemory")
        for parent in (repository, repository / ".git")  # of a bare one, or not
        for path in (parent / folder).rglob("*")
        if path.is_file()
    ]
    wanted = [text.encode() for text in texts]
    return [
        name
        for name, content in [("objects", objects), *files]
        if any(each in content for each in wanted)
    ]
