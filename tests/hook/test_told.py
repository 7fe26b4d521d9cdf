"""What a conversation was told is noted in its journal."""

import json
from pathlib import Path

import pytest
from hook.calls import Hear, claude, edit
from hook.test_recall import before_edit, committed, keep
from support.workspaces import saved_session, workspace_at

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


def test_what_was_told_is_noted(repository: Path, held: tuple[str, str]) -> None:
    rule, about = held
    events = workspace_at(repository).store.journal.events(ONE)
    brief, at_edit = (event for event in events if isinstance(event, Recalled))
    assert (brief.where, ids_without_words(brief)[0]) == (Occasion.START, rule)
    assert (at_edit.where, at_edit.path) == (Occasion.EDIT, "store.py")
    assert ids_without_words(at_edit) == [about]
    assert brief.tokens > at_edit.tokens > 0


@pytest.mark.endurance
@pytest.mark.usefixtures("held")
def test_an_archived_conversation_keeps_what_it_was_told(repository: Path) -> None:
    journal = workspace_at(repository).store.journal
    kept = archived(None, journal.lines(ONE), 9).lines
    where = [json.loads(line).get("where") for line in kept]
    assert [each for each in where if each] == [Occasion.START, Occasion.EDIT]


def ids_without_words(recalled: Recalled) -> list[str]:
    return [id_.partition("@")[0] for id_ in recalled.ids]
