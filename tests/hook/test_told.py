"""What a conversation was told can be seen afterwards."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from hook.calls import Hear, claude, edit
from hook.test_recall import before_edit, committed, keep
from support.events import event, note, now
from support.workspaces import saved_session, workspace_at

from gitmem.actions.context.log import deliveries, week_in_numbers
from gitmem.actions.remembering.at_hand import note_files
from gitmem.actions.saving.conversation import Caller
from gitmem.documents.event import Occasion, Recalled
from gitmem.store.journal.archive import archived

ONE = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def held(repository: Path, hear: Hear) -> tuple[str, str]:
    """A conversation that was told of two memories; their ids."""
    committed(repository, "store.py")
    rule = keep(repository, "Tabs and never spaces", kind="convention")
    hear(claude("SessionStart-startup", repository, ONE))
    about = keep(repository, "store.py has no locks", kind="decision")
    note_files(workspace_at(repository))
    hear(before_edit(repository, "store.py"))
    hear(edit(repository, str(repository / "store.py"), ONE))
    saved_session(
        workspace_at(repository), Caller("claude-code"), session_id=ONE, goal="Speed"
    )
    return rule, about


def test_the_log_names_what_was_told_and_what_was_edited(
    repository: Path, held: tuple[str, str]
) -> None:
    rule, about = held
    brief, at_edit = deliveries(workspace_at(repository), "last")
    assert (brief.occasion, rule in brief.ids, brief.touched) == ("start", True, [])
    assert (at_edit.occasion, at_edit.path, at_edit.ids) == (
        "edit",
        "store.py",
        [about],
    )
    assert at_edit.touched == [about]
    assert brief.tokens > at_edit.tokens > 0


@pytest.mark.usefixtures("held")
def test_the_week_is_added_up(repository: Path) -> None:
    before = now() - timedelta(days=8)
    note(repository, event(Recalled, client="old", at=before, ids=("m@1",), tokens=9))
    week = week_in_numbers(workspace_at(repository))
    assert (week["conversations"], week["touched"]) == (1, 1)
    assert week["statements"] >= 2
    assert week["tokens"] > 50


@pytest.mark.endurance
@pytest.mark.usefixtures("held")
def test_an_archived_conversation_keeps_what_it_was_told(repository: Path) -> None:
    journal = workspace_at(repository).store.journal
    kept = archived(None, journal.lines(ONE), 9).lines
    where = [json.loads(line).get("where") for line in kept]
    assert [each for each in where if each] == [Occasion.START, Occasion.EDIT]
