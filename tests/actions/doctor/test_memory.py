"""What `ocm doctor` finds in the memory and around it, and in the log."""

import shutil

import pytest
from cli.running import commit_by_hand
from support.doctor import NOTE, OK, PROBLEM, WARNING, Place
from support.events import now
from support.harness import git, record
from support.user_rule import HIDDEN, PATTERN, put_rule
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor.finding import FIX, Code, Grade
from gitmem.actions.doctor.local_state import redaction_rules
from gitmem.actions.reading.find import search
from gitmem.documents.session.record import to_json
from gitmem.redaction.redact import seal
from gitmem.store.journal.journal import Journal


def test_a_memory_is_counted_unless_it_cannot_be_read(healthy: Place) -> None:
    saved_session(workspace_at(healthy.repository), goal="g")
    healthy.write(".git/refs/ocm/conversations", "1" * 40 + "\n")
    found = {each.code: each for each in healthy.findings()}
    assert found[Code.MEMORY].grade is OK
    assert found[Code.MEMORY].message.startswith("1 session, refs/ocm/")
    assert found[Code.CONVERSATIONS].grade is WARNING
    assert "reflog" in found[Code.CONVERSATIONS].remedy
    commit_by_hand(healthy.repository, "format", "99\n")
    newer = healthy.found(Code.MEMORY)
    assert newer.grade is PROBLEM
    assert "Upgrade" in newer.remedy
    healthy.write(".git/refs/ocm/sessions", "1" * 40 + "\n")
    found = {each.code: each for each in healthy.findings()}
    assert found[Code.MEMORY].grade is PROBLEM
    assert "reflog" in found[Code.MEMORY].remedy
    assert Code.OBJECTS not in found


def test_checkpoints_that_wait_are_counted(healthy: Place) -> None:
    Journal(healthy.common_dir / "ocm" / "journal").append(
        "waiting", seal(record(goal="g"), to_json)
    )
    found = healthy.found(Code.JOURNAL)
    assert found.grade is NOTE
    assert found.message.startswith("1 checkpoint ")


@pytest.mark.endurance
def test_an_index_is_never_a_problem(healthy: Place) -> None:
    workspace = workspace_at(healthy.repository)
    said = [healthy.found(Code.INDEX).message]
    saved_session(workspace, goal="g")
    search(workspace, "anything")
    said.append(healthy.found(Code.INDEX).message)
    saved_session(workspace, goal="h")
    said.append(healthy.found(Code.INDEX).message)
    [file] = workspace.index_folder.glob("*.pos")
    content = file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    damaged = healthy.found(Code.INDEX)
    assert (damaged.grade, "is damaged" in damaged.message) == (WARNING, True)
    shutil.rmtree(workspace.index_folder)
    workspace.index_folder.write_text("damaged")
    found = healthy.found(Code.INDEX)
    said.append(found.message)
    assert (found.grade, found.remedy) == (NOTE, FIX)
    assert [each.removeprefix("the index ") for each in said] == [
        "is not there; the next search makes it",
        "is up to date",
        "catches up with the next search",
        "cannot be used; the next search rebuilds it",
    ]


@pytest.mark.endurance
def test_settings_that_say_nothing_are_named(healthy: Place) -> None:
    for name, sound, nonsense in (
        ("ocm.brief.budget", "800", "much"),
        ("ocm.nudge.edits", "0", "1.5"),
        ("ocm.nudge.edits", "1k", "many"),
        ("ocm.notes", "true", "perhaps"),
    ):
        git(healthy.repository, "config", name, sound)
        assert healthy.found(Code.SETTING, name).grade is OK
        git(healthy.repository, "config", name, nonsense)
        assert healthy.found(Code.SETTING, name).grade is WARNING


def test_the_last_five_errors_are_told_with_their_time(healthy: Place) -> None:
    stamp = now().isoformat()
    lines = "".join(f"{stamp} ocm-hook: Error{n} in x.py:1\n" for n in range(7))
    healthy.write(".git/ocm/log", lines)
    found = [each for each in healthy.findings() if each.code is Code.LOG]
    assert [each.message[-16:] for each in found] == [
        f"Error{n} in x.py:1" for n in range(2, 7)
    ]
    assert {each.grade for each in found} == {WARNING}


def test_each_rule_is_told_by_its_name(place: Place) -> None:
    put_rule(place.repository)
    with (place.common_dir / "config").open("a") as config:
        config.write(f'[ocm "redact.half"]\npattern = {HIDDEN}\n')
    half, ticket = redaction_rules(workspace_at(place.repository))
    assert (half.grade, half.about) == (Grade.PROBLEM, "ocm.redact.half")
    assert half.message.endswith("is ignored: it has no sample that proves it")
    assert (ticket.grade, ticket.about) == (Grade.OK, "ocm.redact.ticket")
    assert not any(told in f"{half}{ticket}" for told in (HIDDEN, PATTERN))
