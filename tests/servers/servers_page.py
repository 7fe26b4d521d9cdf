"""Writes what remotes answer into docs/troubleshooting.md, where a test compares it.

python tests/servers/servers_page.py
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[number]) for number in (1, 2))

from servers.other_rows import BACKEND, DAEMON, FOLDER, GITOLITE
from servers.ssh_rows import SSH
from servers.web_rows import APACHE, NGINX

PAGE = Path(__file__).parents[2] / "docs" / "troubleshooting.md"
BEGIN, END = "<!-- servers: generated -->", "<!-- end of servers -->"
TABLE = (
    ("OpenSSH", SSH),
    ("nginx", NGINX),
    ("Apache", APACHE),
    ("git http-backend", BACKEND),
    ("git daemon", DAEMON),
    ("gitolite", GITOLITE),
    ("a folder, or git here", FOLDER),
)


def main() -> None:
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")


def with_table(page: str) -> str:
    head, rest = page.split(BEGIN)
    return "\n".join([head + BEGIN, *_lines(), END + rest.split(END)[1]])


def _lines() -> Iterator[str]:
    yield from ("", "| what `ocm` says | what to do |", "|---|---|")
    for message, ways_out in _ways_out().items():
        yield f"| `{message}` | {' '.join(ways_out)} |"
    yield ""


def _ways_out() -> dict[str, dict[str, None]]:
    """The ways out of each message, in the order of the rows."""
    found: dict[str, dict[str, None]] = {}
    for row in (row for _, rows in TABLE for row in rows):
        if row.way_out:
            found.setdefault(_message(row.says), {})[row.way_out] = None
    return found


def _message(says: str) -> str:
    """The line without what git or the host said, and without what was not sent."""
    return re.split(r": |\. Not sent|\.$", says)[0]


if __name__ == "__main__":
    main()
