import os
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from actions.reading.pulling import pulled, put
from support.commits import committed
from support.harness import CLIENT, NOON, git, lose, record
from support.harness import saved as saved_in
from support.workspaces import workspace_at

from gitmem.actions.context.build import brief, brief_on_resume, to_go_on_with
from gitmem.actions.reading.find import search
from gitmem.actions.reading.recent import LOOKED_AT
from gitmem.documents.event import (
    Compaction,
    Edit,
    Event,
    Prompt,
    Start,
    Trigger,
    WorkTreeState,
)
from gitmem.documents.session.identity import document_path, slug_of
from gitmem.documents.session.session import GoalSource, Session, Status
from gitmem.git.values import Change, Commit, FileChange
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

ANOTHER = "99999999-4e5f-4000-8000-000000000000"


def saved(
    workspace: Workspace,
    client: str,
    *,
    ago: timedelta = timedelta(),
    files: tuple[str, ...] = (),
    **values: Any,
) -> str:
    """A checkpoint that Cursor made on `main` some time ago; the session id."""
    head = workspace.repository.head()
    known = {"branch": "main", "head": head.commit, "at": workspace.now() - ago}
    changes = tuple(FileChange(path, Change.MODIFIED) for path in files)
    values = {**known, "files": changes, **values}
    return saved_in(workspace.store, client, **values).session_id


def text(workspace: Workspace, conversation: str | None = None) -> str:
    return brief(workspace, conversation, "cursor").text


def files_row(made: str) -> str:
    rows = [line.strip() for line in made.splitlines()]
    (row,) = [row for row in rows if row.startswith("files")]
    return row


def test_empty_memory_takes_three_lines(workspace: Workspace) -> None:
    made = brief(workspace, CLIENT, "cursor")
    assert made.text.count("\n") == 3
    assert f"session id is {CLIENT}." in made.text
    assert made.tokens < 100


def test_a_secret_in_the_name_of_the_branch_is_not_told(workspace: Workspace) -> None:
    branch = "fix/ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    git(workspace.root, "checkout", "-qb", branch)
    saved(workspace, "another", branch=branch, goal="Stop it")
    assert "on branch fix/[REDACTED:github] unless said" in text(workspace)
    assert "- 2026" not in text(workspace).partition("(fix/")[1]


def test_known_conversation_gets_its_id_and_work(workspace: Workspace) -> None:
    own = saved(workspace, CLIENT, goal="Stop it", slug="stop", work_pending=("Ship",))
    made = text(workspace, CLIENT)
    assert f"session id is {own}." in made
    assert made.count("goal: Stop it") == 1
    assert "This conversation so far (open" in made
    assert "  to do: Ship\n" in made
    assert "Sessions, on branch" not in made


def test_pulled_conversation_is_known_by_its_client_id(
    workspace: Workspace, repository: Path, tmp_path: Path
) -> None:
    own = saved(workspace, CLIENT, goal="Stop it")
    git(repository, "clone", "--quiet", ".", str(tmp_path / "clone"))
    git(tmp_path / "clone", "fetch", "--quiet", "origin", f"{REF}:{REF}")
    clone = workspace_at(tmp_path / "clone")
    assert f"session id is {own}." in brief(clone, CLIENT, "cursor").text
    assert f"session id is {CLIENT}." in brief(clone, CLIENT, "claude-code").text


def test_what_waits_in_the_journal_is_told(workspace: Workspace) -> None:
    workspace.store.append(record(goal="Stop it", branch="main", at=workspace.now()))
    assert "goal: Stop it" in text(workspace)


def test_sessions_of_this_branch_come_first(workspace: Workspace) -> None:
    for number in range(5):
        ago = timedelta(days=9 - number)
        saved(workspace, f"main-{number}", ago=ago, goal=f"goal {number}")
    other = saved(workspace, "other", goal="elsewhere", branch="topic")
    made = text(workspace)
    assert [n for n in range(5) if f"  goal: goal {n}" in made] == [2, 3, 4]
    assert made.index("goal 4") < made.index("goal 3") < made.index("goal 2")
    assert made.index("goal 2") < made.index(": goal 1") < made.index(": goal 0")
    assert made.index(": goal 0") < made.index(f"- {other} (topic): elsewhere")


def small_talk(workspace: Workspace, number: int, goal: str) -> Session:
    """What hooks make of a conversation with one prompt, `number` hours ago."""
    return pulled(
        workspace,
        f"case-{number}",
        number,
        goal=goal,
        goal_source=GoalSource.DERIVED,
        trigger=Trigger.SESSION_END,
        status=Status.CLOSED,
    )


def test_small_talk_never_stands_before_work(workspace: Workspace) -> None:
    asked = [
        small_talk(workspace, number, f"Explain lexer {number}.")
        for number in range(16)
    ]
    greetings = [small_talk(workspace, 20 + number, "hi") for number in range(3)]
    begun = pulled(
        workspace, "begun", 30, goal="Stop it", work_pending=["Ship"], branch="topic"
    )
    done = pulled(workspace, "done", 40, goal="Done with it")
    put(workspace, *asked, *greetings, begun, done)
    made = text(workspace)
    assert made.index("to do: Ship") < made.index("goal: Done") < made.index("Explain")
    assert "asked: hi" not in made
    assert '"Continue" means begun, without asking' in made
    first = to_go_on_with(workspace)
    assert first
    assert first.id == begun.id


def test_the_record_to_go_on_with_can_be_read_where_it_says(
    workspace: Workspace, repository: Path
) -> None:
    saved(workspace, ANOTHER, goal="Stop it", slug="stop-it")
    (line,) = (s for s in text(workspace).splitlines() if s.startswith('"Continue"'))
    assert "means stop-it, " in line
    assert "Stop it" in (repository / line.rpartition(" ")[2]).read_text("utf-8")


def heard(workspace: Workspace, kind: type[Event], ago: int, **values: Any) -> None:
    """What a hook noted of the conversation, so many minutes ago."""
    known = {"tool": "cursor", "client_session_id": CLIENT, "root": str(workspace.root)}
    at = workspace.now() - timedelta(minutes=ago)
    workspace.store.journal.note(kind(at=at, **known, **values))


def begun(workspace: Workspace, source: str, ago: int) -> None:
    heard(workspace, Start, ago, source=source)
    heard(workspace, WorkTreeState, ago, branch="main", head=None, dirty=())


def test_resumed_conversation_gets_what_is_new(workspace: Workspace) -> None:
    saved(workspace, "old", ago=timedelta(hours=2), goal="known already")
    begun(workspace, "startup", ago=60)
    own = saved(workspace, CLIENT, ago=timedelta(minutes=50), goal="Stop it")
    begun(workspace, "resume", ago=40)
    nothing = text(workspace, CLIENT)
    assert nothing.startswith("Nothing is new")
    saved(workspace, "new", ago=timedelta(minutes=45), goal="held meanwhile")
    made = text(workspace, CLIENT)
    assert "held meanwhile" in made
    assert not any(told in made for told in ("known already", "Stop it", "Continue"))
    begun(workspace, "resume", ago=0)
    assert text(workspace, CLIENT) == nothing
    assert brief_on_resume(workspace, own).text == nothing


def test_compacted_conversation_gets_its_work_and_news(workspace: Workspace) -> None:
    saved(workspace, "old", ago=timedelta(hours=2), goal="known already")
    begun(workspace, "startup", ago=60)
    saved(workspace, CLIENT, ago=timedelta(minutes=50), goal="Stop it")
    heard(workspace, Compaction, ago=40)
    made = text(workspace, CLIENT)
    assert "  goal: Stop it" in made
    assert "known already" not in made


def test_a_context_that_was_cleared_is_told_all(workspace: Workspace) -> None:
    saved(workspace, "old", ago=timedelta(hours=2), goal="known already")
    begun(workspace, "startup", ago=60)
    begun(workspace, "clear", ago=50)
    assert "known already" in text(workspace, CLIENT)


@pytest.mark.parametrize(("ago", "state"), [(1, "running"), (90, "interrupted")])
def test_unended_one_runs_or_was_interrupted(
    workspace: Workspace, ago: int, state: str
) -> None:
    begun(workspace, "startup", ago)
    heard(workspace, Edit, ago, path="file.txt")
    assert f" ({state})\n" in text(workspace)


def test_continue_means_what_was_cut_off_last(workspace: Workspace) -> None:
    saved(workspace, "done", goal="Done with it", files=("a.py",))
    begun(workspace, "startup", ago=120)
    heard(workspace, Prompt, 119, text="Investigate why the nightly job is slow")
    hours = timedelta(hours=9)
    saved(workspace, ANOTHER, ago=hours, goal="Stop it", work_pending=("Ship",))
    made = text(workspace)
    order = [made.index(said) for said in ("to do: Ship", "asked: Inv", "goal: Done")]
    assert order == sorted(order)
    session = to_go_on_with(workspace)
    assert session
    assert session.goal == "Investigate why the nightly job is slow"
    assert f'"Continue" means {slug_of(session.session_id)}, ' in made


def test_continue_does_not_mean_what_was_left_weeks_ago(workspace: Workspace) -> None:
    weeks = timedelta(days=24)
    saved(workspace, ANOTHER, ago=weeks, goal="Translate", work_pending=("Dates",))
    saved(workspace, "done", goal="Move the money", files=("a.py",))
    made = text(workspace)
    assert made.index("goal: Move the money") < made.index("to do: Dates")
    session = to_go_on_with(workspace)
    assert session
    assert session.goal == "Move the money"


def test_continue_prefers_a_session_that_has_ended(workspace: Workspace) -> None:
    saved(workspace, ANOTHER, goal="Stop it", slug="stop-it")
    begun(workspace, "startup", ago=1)
    heard(workspace, Edit, 1, path="file.txt")
    session = to_go_on_with(workspace)
    assert session
    assert slug_of(session.session_id) == "stop-it"
    assert '"Continue" means stop-it' in text(workspace)
    assert to_go_on_with(workspace, even_running=True) != session


def test_changed_files_are_named(workspace: Workspace, repository: Path) -> None:
    names = ("edited", "committed", "gone", "same")
    for name in (*names, "left"):
        (repository / name).write_text("before")
    git(repository, "add", *names)
    git(repository, "commit", "--quiet", "--message=before")
    (repository / "left").write_text("what the session left uncommitted")
    hour = timedelta(hours=1)
    saved(workspace, CLIENT, ago=hour, goal="g", files=(*names, "left"))
    for name in (*names, "left"):
        before = (workspace.now() - 2 * hour).timestamp()
        os.utime(repository / name, (before, before))
    assert files_row(text(workspace)).startswith("files (none of 5 changed since):")
    for text_since in ("its work, as far as git knows", "since"):
        committed(repository, "committed", text_since)
    (repository / "edited").write_text("since")
    (repository / "gone").unlink()
    (repository / "same").write_text("before")
    assert files_row(text(workspace)) == (
        "files (3 of 5 changed since): committed, edited, gone; as they were: left,"
        " same"
    )


@pytest.mark.parametrize("commit", ["0" * 39 + "1", "HEAD", None])
def test_without_commit_the_time_tells(
    workspace: Workspace, commit: str | None
) -> None:
    files = (FileChange("file.txt", Change.MODIFIED),)
    one = pulled(workspace, "case", goal="g", git_sha_end=commit, files=files)
    put(workspace, one)
    assert files_row(text(workspace)) == "files (none of 1 changed since): file.txt"
    put(workspace, replace(one, updated_at=NOON - timedelta(days=9999)))
    assert files_row(text(workspace)) == "files: file.txt"


def test_search_counts_the_files_that_a_brief_names(
    workspace: Workspace, repository: Path
) -> None:
    def changed() -> str:
        row = files_row(text(workspace))
        [hit] = search(workspace, "Stop the leak").results
        told = hit.staleness
        assert told
        label = f"files ({len(told.changed) or 'none'} of {told.files} changed since)"
        assert row.startswith(label)
        return row.removeprefix(label)

    start = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "--quiet", "-b", "topic")
    commits = [committed(repository, name, "the work") for name in ("a.py", "b.py")]
    listed = tuple(Commit(sha, "work") for sha in commits)
    facts: dict[str, Any] = {"commits": listed, "git_sha_start": start}
    files = tuple(FileChange(name, Change.CREATED) for name in ("a.py", "b.py"))
    one = pulled(workspace, "leak", goal="Stop the leak", files=files, **facts)
    put(workspace, one)
    assert changed() == ": a.py, b.py"
    git(repository, "checkout", "--quiet", "main")
    assert changed() == ": a.py, b.py"
    (repository / "b.py").write_text("written by somebody")
    os.utime(repository / "b.py", (2**32, 2**32))
    assert changed() == ": b.py; as they were: a.py"


def test_paths_that_lead_out_of_the_work_tree_are_not_looked_at(
    workspace: Workspace, repository: Path
) -> None:
    outside = repository.parent / "outside"
    outside.write_text("new")
    later = (workspace.now() + timedelta(hours=1)).timestamp()
    os.utime(outside, (later, later))
    hostile = ("../outside", str(outside), "a\x00b", "x" * 5000)
    saved(workspace, CLIENT, goal="g", files=hostile)
    assert files_row(text(workspace)).startswith("files: ../outside, ")


def test_it_reads_the_newest_sessions_without_an_index(workspace: Workspace) -> None:
    sessions = [
        pulled(
            workspace, f"case-{number}", number, goal=f"goal {number}", branch="topic"
        )
        for number in range(LOOKED_AT)
    ]
    put(workspace, *sessions, pulled(workspace, "old", LOOKED_AT, goal="too long ago"))
    made = text(workspace)
    assert ": goal 0\n" in made
    assert not workspace.index_folder.exists()


def test_a_document_that_nobody_can_read_hides_no_other(workspace: Workspace) -> None:
    damaged = pulled(workspace, "damaged", goal="damaged")
    put(workspace, damaged, pulled(workspace, "readable", 1, goal="readable"))
    root = workspace.root
    blob = git(root, "rev-parse", f"{REF}:{document_path(damaged.id)}")
    lose(root, blob)
    made = text(workspace_at(root))
    assert "readable" in made
    assert "damaged" not in made


def test_documents_too_large_to_wait_for_are_not_read(workspace: Workspace) -> None:
    huge = pulled(
        workspace, "huge", 1, goal="huge", extra_body="## Notes\n\n" + "x" * 1_000_000
    )
    put(workspace, pulled(workspace, "usual", goal="usual"), huge)
    made = text(workspace)
    assert "usual" in made
    assert "huge" not in made


def test_a_decision_is_told_however_many_newer_sessions_have_none(
    workspace: Workspace,
) -> None:
    day = timedelta(days=1)
    chosen = "Sign webhooks with HMAC, the gateway knows nothing else"
    saved(workspace, "old", ago=9 * day, goal="Sign webhooks", decisions=(chosen,))
    for number in range(20):
        saved(workspace, str(number), goal=f"Work package {number} of the importer")
    assert f"Sign webhooks; decided: {chosen}\n" in text(workspace)


def test_a_corrected_decision_of_a_session_is_marked_as_past(
    workspace: Workspace,
) -> None:
    day = timedelta(days=1)
    old = "Keep the jobs of queue.py in Redis"
    new = "Do not keep the jobs of queue.py in Redis"
    saved(workspace, "old", ago=9 * day, goal="Keep jobs", decisions=(old,))
    saved(workspace, "new", ago=day, goal="Move jobs", decisions=(new,))
    for number in range(3):
        saved(workspace, str(number), goal=f"goal {number}", work_pending=("Ship",))
    made = text(workspace)
    assert f"; decided: {new}\n" in made
    assert re.search(rf"; decided: \(until .*; now: {new}\) Keep", made)
