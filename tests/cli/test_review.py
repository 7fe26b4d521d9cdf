"""`ocm why BASE..HEAD` as a person, a program and a bot see it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cli.running import Ocm
from support.commits import committed, remembered
from support.harness import git
from support.workspaces import workspace_at

from gitmem.actions.reviewing.page import MARKER
from gitmem.git.values import Change, FileChange

FILES = (FileChange("src/queue.py", Change.CREATED),)
CLAUDE = "Co-authored-by: Claude Opus <noreply@anthropic.com>"
KEYS = [
    *("base", "head", "folder", "lines", "commits", "lines_by_tool", "sessions"),
    "without_session",
]
SESSION_KEYS = [
    *("session_id", "goal", "date", "until", "tool"),
    *("author", "own", "status", "markdown_path"),
    *("lines", "evidence", "commits", "files", "work_completed", "work_summary"),
    *("decisions", "tried", "constraints", "blockers", "work_pending", "questions"),
    "remarks",
]


@pytest.fixture
def branch(repository: Path) -> list[str]:
    """A branch with a commit of a session, and one of somebody."""
    git(repository, "checkout", "--quiet", "-b", "feature")
    names = [
        committed(repository, "src/charge.py", "1\n" * 30, "Send a key"),
        committed(repository, "README.md", "2\n" * 10, f"Tidy\n\n{CLAUDE}"),
    ]
    remembered(
        workspace_at(repository),
        "c-1",
        names[0],
        goal="Stop the double charge",
        slug="double-charge",
        decisions=("One key per request", *(f"Step {n} of @a" for n in range(6))),
        tried=("A lock",),
    )
    return names


@pytest.mark.usefixtures("branch")
def test_a_person_reads_it_drawn(ocm: Ocm, terminal: Callable[[int], None]) -> None:
    terminal(80)
    lines = [line.strip() for line in ocm("why", "main..HEAD").text.splitlines()]
    assert "Stop the double charge" in lines
    assert any(line.endswith("Decided: Step 5 of @a") for line in lines)
    assert not any("ocm-review" in line or "<" in line for line in lines)
    assert max(map(len, lines)) <= 80
    assert MARKER in ocm("why", "main..HEAD", "--markdown").out


def test_a_program_gets_all(ocm: Ocm, branch: list[str], repository: Path) -> None:
    answer = ocm("why", "main..", "--json").json
    assert list(answer) == KEYS
    assert list(answer["sessions"][0]) == SESSION_KEYS
    assert answer["base"] == git(repository, "rev-parse", "main")
    assert (answer["head"], answer["lines"]) == (branch[1], 40)
    assert len(answer["sessions"][0]["decisions"]) == 7
    assert answer["without_session"]["commits"] == [
        {
            "sha": branch[1],
            "subject": "Tidy",
            "claims": [{"source": "Co-authored-by", "text": "Claude Opus"}],
        }
    ]


@pytest.mark.usefixtures("branch")
def test_a_bot_gets_markdown(ocm: Ocm) -> None:
    page = ocm("why", "main..HEAD").out
    assert page.startswith(f"{MARKER}\n\n## The sessions behind this branch\n")
    assert page == ocm("why", "main..HEAD", "--markdown").out
    assert page.count("**Decided:**") == 7


def test_bare_clone_answers_too(
    ocm: Ocm,
    branch: list[str],
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare = tmp_path / "bare.git"
    git(repository, "clone", "--quiet", "--bare", str(repository), str(bare))
    ref = "refs/ocm/sessions"
    git(bare, "fetch", "--quiet", "--depth=1", "origin", f"{ref}:{ref}")
    monkeypatch.chdir(bare)
    monkeypatch.setenv("OCM_PROJECT_DIR", str(bare))
    assert len(branch) == 2
    assert "Stop the double charge" in ocm("why", "main..feature", "--markdown").out


@pytest.mark.usefixtures("branch")
def test_a_folder_has_a_page_too(ocm: Ocm) -> None:
    page = ocm("why", "src").out
    assert page.startswith(f"{MARKER}\n\n## The sessions behind `src`\n")
    assert "\n1 session made 1 of 1 commit. 30 new lines: cursor 100 %.\n" in page
    answer = ocm("why", "src", "--json").json
    assert (answer["base"], answer["folder"], answer["commits"]) == (None, "src", 1)
    assert "## The sessions behind this repository\n" in ocm("why", ".").out


def test_a_page_tells_what_was_tried_without_a_commit(
    ocm: Ocm, branch: list[str], repository: Path
) -> None:
    workspace = workspace_at(repository)
    tried = {"branch": "feature", "tried": ("A queue",), "files": FILES}
    remembered(workspace, "c-2", goal="Queue", at=workspace.now(), **tried)
    assert len(branch) == 2
    page = ocm("why", "main..HEAD").out
    assert "\n1 session made 1 of 2 commits. " in page
    block = page.partition("### Queue\n")[2].partition("\n### ")[0]
    assert " · no commit on this branch · " in block
    assert "- **Given up:** A queue\n" in block
    assert "<summary>0 commits, 1 file</summary>\n\n`src/queue.py`\n\n" in block


@pytest.mark.usefixtures("repository")
def test_only_a_branch_has_a_page(ocm: Ocm) -> None:
    error = ocm("why", "HEAD", "--markdown", "--json").error
    assert error["code"] == "invalid-input"
    assert "No commits are in this range.\n" in ocm("why", "HEAD..HEAD").out


def test_commit_without_lines_has_no_shares(ocm: Ocm, repository: Path) -> None:
    git(repository, "commit", "--quiet", "--allow-empty", "--message=empty")
    page = ocm("why", "HEAD~1..HEAD").out
    assert "\n0 sessions made 0 of 1 commit.\n" in page


def test_a_page_says_what_the_code_does_not_bear_out(
    ocm: Ocm, branch: list[str], repository: Path
) -> None:
    workspace = workspace_at(repository)
    first = committed(repository, "src/queue.py", "queue_limit = 3\n")
    second = committed(repository, "src/queue.py", "size = 3\n")
    told = {"goal": "Queue", "work_completed": ("Added `retry_count`",)}
    decisions = ("queue_limit is small",)
    session = remembered(workspace, "c-2", first, decisions=decisions, **told)
    last = remembered(workspace, "c-3", second, at=workspace.now())
    assert len(branch) == 2
    page = ocm("why", "main..HEAD").out
    remarks = [row for row in page.splitlines() if "code" in row or "since" in row]
    assert remarks == [
        "- **Done:** Added `retry_count` (not in the code: retry_count)",
        f"- **Decided:** {decisions[0]} (changed since by {last})",
    ]
    rows = ocm("why", "main..HEAD", "--json").json["sessions"]
    (row,) = (row for row in rows if row["session_id"] == session)
    assert row["remarks"] == {
        "Added `retry_count`": "not in the code: retry_count",
        decisions[0]: f"changed since by {last}",
    }
