"""How seldom a true statement about code is said to name what is nowhere.

The paragraphs and bullets of commit messages in public clones stand for completed work
of a session that made that commit: python tests/bench/named_code.py CLONE...
"""

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.harness import git
from support.workspaces import workspace_at

from gitmem.actions.reading.missing_names import judged_names, missing_names
from gitmem.documents.session.session import Session
from gitmem.git.values import Commit

COMMITS = 600
TRAILER = re.compile(r"[A-Z][A-Za-z-]+-[Bb]y: |Fixes|Closes")
DAY = datetime(2026, 1, 1, tzinfo=UTC)


def sessions(clone: Path) -> Iterator[Session]:
    log = git(clone, "log", "--no-merges", f"-{COMMITS}", "--format=%H%n%B%x1e")
    for record in filter(None, map(str.strip, log.split("\x1e"))):
        name, _, message = record.partition("\n")
        parts = re.split(r"\n\s*[-*]\s+|\n\n+", message)
        texts = (" ".join(part.split()) for part in parts)
        statements = (text for text in texts if text and not TRAILER.match(text))
        yield Session(
            id=name,
            tool="cursor",
            project="",
            author="",
            client_session_id=name,
            started_at=DAY,
            updated_at=DAY,
            work_completed=tuple(dict.fromkeys(statements)),
            commits=(Commit(name[:12], ""),),
        )


def main(clones: list[str]) -> None:
    for clone in map(Path, clones):
        workspace, judged, remarks = workspace_at(clone), 0, 0
        for session in sessions(clone):
            judged += len([*filter(None, judged_names(session).values())])
            remarks += len(missing_names(workspace, [session]).get(session.id, {}))
        print(f"{clone.name:20} {judged:4} judged, {1 - remarks / judged:.1%} pass")


if __name__ == "__main__":
    main(sys.argv[1:])
