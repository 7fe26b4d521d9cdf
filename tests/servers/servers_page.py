"""Writes the table of servers into docs/servers.md, where a test compares them.

python tests/servers/servers_page.py
"""

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[number]) for number in (1, 2))

from servers.other_rows import BACKEND, DAEMON, FOLDER, GITOLITE
from servers.ssh_rows import SSH
from servers.web_rows import APACHE, NGINX

PAGE = Path(__file__).parents[2] / "docs" / "servers.md"
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
    for server, rows in TABLE:
        yield from ("", f"### {server[0].upper()}{server[1:]}", "")
        yield "| what the server did | the line shown | the way out |"
        yield "|---|---|---|"
        for row in rows:
            says = row.says.replace("|", r"\|")
            yield f"| {row.did} | `{says}` | {row.way_out} |"
    yield ""


if __name__ == "__main__":
    main()
