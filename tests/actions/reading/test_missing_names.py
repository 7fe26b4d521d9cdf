"""What sessions name as done, and neither their commits nor the files have."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support.commits import committed, remembered
from support.harness import CLIENT, git
from support.rounds import every_row

from gitmem.actions.reading.missing_names import missing_names
from gitmem.actions.saving.checkpoint import save
from gitmem.actions.saving.conversation import Caller
from gitmem.actions.saving.request import parse_request
from gitmem.documents.kinds import SESSION
from gitmem.git.values import Change, FileChange
from gitmem.lookup import find
from gitmem.workspace import Workspace

NUMBERS = count()
CODE = "def charge(order, retry_limit):\n    return Payment.send(order)\n"


@pytest.fixture
def code(repository: Path) -> str:
    """The name of a commit with some code."""
    return committed(repository, "src/charge.py", CODE)


def missing(workspace: Workspace, *shas: str, **values: Any) -> dict[str, Any]:
    session_id = remembered(workspace, f"c-{next(NUMBERS)}", *shas, **values)
    session = find(workspace, SESSION, session_id)
    return {**missing_names(workspace, [session]).get(session.id, {})}


@every_row(
    "text, names",
    [
        ("Added retry_count to charge.py", ("retry_count",)),
        ("`refund()` uses `RefundQueue.push`", ("RefundQueue.push",)),
        ("Wrote src/refund.py and refund_test.py", ("refund_test.py", "src/refund.py")),
        ("Split refundOrder out", ("refundOrder",)),
        ("Added retry_limit to src/charge.py", ()),
        ("charge.py calls Payment.send()", ()),
        ("Order.retry_limit is read once", ()),
        ("We will add retry_count", ()),
        ("Removed retry_count", ()),
        ("No retry_count: the provider retries", ()),
        ("retry_count statt eigener Schleife", ()),
        ("`retry_count` soll später dazu", ()),
        ("Ran pytest with --max-fail, on PowerShell", ()),
        ("Pushed feature/double-charge to ~/work/shop.py", ()),
        ("Read https://example.com/retry_count.py", ()),
    ],
)
def test_only_what_is_nowhere_is_named(
    workspace: Workspace, code: str, text: str, names: tuple[str, ...]
) -> None:
    expected = {text: names} if names else {}
    assert missing(workspace, code, work_completed=(text,)) == expected
    assert missing(workspace, code, decisions=(text,)) == expected


def test_what_a_session_committed_stays_its_work(
    workspace: Workspace, repository: Path, code: str
) -> None:
    committed(repository, "src/charge.py", CODE.replace("charge", "pay"))
    git(repository, "rm", "--quiet", "src/charge.py")
    git(repository, "commit", "--quiet", "--message=gone")
    done = ("charge() in src/charge.py has a retry_limit",)
    assert missing(workspace, code, work_completed=done) == {}
    assert missing(workspace, "0" * 12, work_completed=("retry_count",)) == {}


def test_what_is_not_committed_counts(
    workspace: Workspace, repository: Path, code: str
) -> None:
    (repository / "new.py").write_text("retry_count = 3\n")
    done = ("new.py has retry_count", "refund_limit is 3")
    at_main = {"branch": "main", "work_completed": done}
    assert missing(workspace, **at_main) == {done[1]: ("refund_limit",)}
    files = (FileChange("lib/refund_limit.py", Change.CREATED),)
    done = ("lib/refund_limit.py is there", "other_limit is 3")
    assert missing(workspace, code, work_completed=done, files=files) == {
        done[1]: ("other_limit",)
    }


def test_work_elsewhere_is_not_judged(workspace: Workspace, code: str) -> None:
    done = ("Added retry_count",)
    assert len(code) == 40
    assert missing(workspace, branch="elsewhere", work_completed=done) == {}


def test_a_checkpoint_says_it_once(workspace: Workspace, code: str) -> None:
    def notice(**arguments: Any) -> str:
        request = parse_request({"client_session_id": CLIENT, **arguments})
        return save(workspace, request, Caller("cursor")).notice

    assert len(code) == 40
    said = notice(work_completed=["Added retry_count"], decisions=["retry_limit is 3"])
    assert said.endswith("no commit of this session: retry_count.")
    assert notice(work_completed=["Added retry_count", "Read charge.py"]) == ""
    assert notice(goal="Retry") == ""
