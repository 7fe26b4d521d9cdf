"""Decisions whose lines later sessions replaced, and those that still stand."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.commits import committed, remembered
from support.harness import NOON, git

from gitmem.actions.linking.replaced_decisions import replaced_decisions
from gitmem.actions.linking.why import why
from gitmem.documents.kinds import SESSION
from gitmem.lookup import find
from gitmem.workspace import Workspace

FIRST = "import http\n\ndef send():\n    with lock_order(order):\n        return http\n"
SECOND = "import http\n\ndef send():\n    return queue.push(order)\n"
DECIDED = "lock_order holds an order while it is sent"


@pytest.fixture
def first(repository: Path) -> str:
    """The name of the commit with the lines of the decision."""
    return committed(repository, "src/charge.py", FIRST)


def decided(workspace: Workspace, *shas: str, **values: Any) -> str:
    values.setdefault("decisions", (DECIDED,))
    return remembered(workspace, "c-1", *shas, **values)


def later(workspace: Workspace, sha: str, hours: int = 1) -> str:
    return remembered(workspace, f"l-{hours}", sha, at=NOON + timedelta(hours=hours))


def replaced(workspace: Workspace, session_id: str) -> dict[str, str]:
    session = find(workspace, SESSION, session_id)
    return {**replaced_decisions(workspace, [session]).get(session.id, {})}


def test_all_lines_replaced_by_a_later_session(
    workspace: Workspace, repository: Path, first: str
) -> None:
    session = decided(workspace, first)
    assert replaced(workspace, session) == {}
    second = committed(repository, "src/charge.py", SECOND)
    assert replaced(workspace, session) == {}
    last = later(workspace, second)
    assert replaced(workspace, session) == {DECIDED: last}
    by_file = "charge.py needs no queue"
    rest = decided(workspace, first, decisions=(by_file,))
    assert by_file not in replaced(workspace, rest)


def test_the_last_session_is_named(
    workspace: Workspace, repository: Path, first: str
) -> None:
    decision = "src/charge.py does everything"
    session = decided(workspace, first, decisions=(decision,))
    later(workspace, committed(repository, "src/charge.py", SECOND), 1)
    assert replaced(workspace, session) == {}
    last = later(workspace, committed(repository, "src/charge.py", "x = 1\n"), 2)
    assert replaced(workspace, session) == {decision: last}


def test_a_moved_file_still_has_the_lines(
    workspace: Workspace, repository: Path, first: str
) -> None:
    session = decided(workspace, first)
    git(repository, "mv", "src/charge.py", "src/pay.py")
    git(repository, "commit", "--quiet", "--message=move")
    later(workspace, git(repository, "rev-parse", "HEAD"))
    assert replaced(workspace, session) == {}


def test_other_work_says_nothing(
    workspace: Workspace, repository: Path, first: str
) -> None:
    session = decided(workspace, first, decisions=("Orders are sent in turn",))
    unmerged = decided(workspace, "0" * 12)
    earlier = committed(repository, "src/charge.py", SECOND)
    remembered(workspace, "c-0", earlier, at=NOON - timedelta(hours=1))
    assert replaced(workspace, session) == {}
    assert replaced(workspace, unmerged) == {}
    assert replaced(workspace, decided(workspace, first)) == {}


def test_why_shows_it(workspace: Workspace, repository: Path, first: str) -> None:
    decision = f"{DECIDED}, in charge.py"
    decided(workspace, first, decisions=(decision,))
    last = later(workspace, committed(repository, "src/charge.py", SECOND))
    sources = why(workspace, "src/charge.py", workspace.root).sources
    by_session = {s.entry.session.client_session_id: s.remarks for s in sources}
    assert by_session == {"c-1": {decision: f"changed since by {last}"}, "l-1": {}}
