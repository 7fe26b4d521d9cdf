"""Journals of long ago are put away, and a resumed conversation loses nothing."""

import json
import os
import signal
from datetime import timedelta
from pathlib import Path

import pytest
from support.events import event, note
from support.harness import CLIENT, NOON, record

from gitmem.actions.maintenance import tidy
from gitmem.documents.event import Edit, End, Event, Prompt, Start
from gitmem.documents.event_log import events_in
from gitmem.documents.session import record as records
from gitmem.documents.session.session import Status
from gitmem.errors import NoPermission
from gitmem.redaction.redact import following, redact, seal
from gitmem.redaction.user_rules import Setting
from gitmem.store.journal.journal import Journal
from gitmem.store.session_store import SessionStore

DAY = 86_400.0


def folder(repository: Path) -> Path:
    return repository / ".git" / "ocm" / "journal"


def tidied(store: SessionStore, repository: Path, days: float) -> None:
    """As so many days after the last line of the journal."""
    last = max(path.stat().st_mtime for path in folder(repository).glob("*.jsonl"))
    tidy(repository / ".git", store.lock, store.journal, last + days * DAY)


def held(store: SessionStore, repository: Path) -> None:
    """A conversation that was held, and is over."""
    note(
        repository,
        event(Start, root=str(repository), tool="cursor"),
        event(Prompt, 1, text="Make it fast", tool="cursor"),
        event(Edit, 2, path="file.txt", root=str(repository), tool="cursor"),
    )
    store.append(record(goal="Speed", slug="speed", at=NOON + timedelta(minutes=3)))
    note(repository, event(End, 4, tool="cursor"))
    store.replay()


def kinds(store: SessionStore) -> list[type[Event]]:
    return [type(each) for each in events_in(store.journal.lines(CLIENT))]


def test_quiet_journals_are_archived_and_resumed(
    store: SessionStore, repository: Path
) -> None:
    held(store, repository)
    tidied(store, repository, days=29)
    assert (folder(repository) / f"{CLIENT}.jsonl").exists()

    tidied(store, repository, days=31)
    assert [path.name for path in folder(repository).iterdir()] == ["past"]
    assert store.journal.names() == [CLIENT]
    assert store.journal.newest_first() == []
    assert kinds(store) == [Start, Prompt, End]

    later = NOON + timedelta(days=40)
    note(repository, event(Start, at=later, source="resume", tool="cursor"))
    store.append(record(decisions=("No cache.",), at=later))
    store.replay()
    [session] = store.memory().newest()
    assert (session.goal, session.decisions) == ("Speed", ("No cache.",))
    assert session.status is Status.OPEN
    assert kinds(store) == [Start, Prompt, End, Start]


def test_uncommitted_are_not_archived(store: SessionStore, repository: Path) -> None:
    held(store, repository)
    store.append(record(decisions=("Late.",)))
    tidied(store, repository, days=400)
    store.replay()
    [session] = store.memory().newest()
    assert session.decisions == ("Late.",)


def test_archive_lasts_a_year(store: SessionStore, repository: Path) -> None:
    held(store, repository)
    tidied(store, repository, days=31)
    store.append(record("another", goal="x"))
    store.replay()
    tidied(store, repository, days=400)
    assert store.journal.names() == ["another"]


def test_where_journals_are_very_many_a_quiet_day_is_enough(
    store: SessionStore, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.actions.maintenance._MOST_JOURNALS", 3)
    for number in range(5):
        store.append(record(f"client-{number}", goal="x"))
        path = folder(repository) / f"client-{number}.jsonl"
        os.utime(path, (number, number))
    store.replay()
    tidied(store, repository, days=2)
    assert store.journal.newest_first() == ["client-4", "client-3", "client-2"]
    assert len(store.journal.names()) == 5


def test_forgetting_clears_the_archive(store: SessionStore, repository: Path) -> None:
    held(store, repository)
    tidied(store, repository, days=31)
    store.journal.forget(CLIENT)
    assert store.journal.names() == []
    assert list((folder(repository) / "past").iterdir()) == []


def test_line_written_during_archiving_is_kept(
    store: SessionStore, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer has the file open already, and it goes before anything is written."""
    held(store, repository)
    really_open = os.open
    late = Journal(folder(repository))

    def slow_open(path: Path, *arguments: int) -> int:
        file = really_open(path, *arguments)
        is_late = Path(path).suffix == ".jsonl" and arguments[0] & os.O_APPEND
        if is_late and not (folder(repository) / "past").exists():
            store.journal.archive(CLIENT)
        return file

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", slow_open)
        line = seal(record(decisions=("Just so.",)), records.to_json)
        late.append(CLIENT, line)
    store.replay()
    [session] = store.memory().newest()
    assert session.decisions == ("Just so.",)


@pytest.mark.parametrize("is_cut_off", [False, True])
def test_line_acknowledged_just_before_is_kept(
    store: SessionStore,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_cut_off: bool,
) -> None:
    """By its name as well, which a rule of the user would see something in."""
    held(store, repository)
    really_rename = Path.rename

    def late_rename(path: Path, target: Path) -> Path:
        store.append(record(decisions=("Just so.",)))
        moved = really_rename(path, target)
        if is_cut_off:
            raise KeyboardInterrupt
        return moved

    rule = Setting("client", (CLIENT,), (CLIENT,))
    with monkeypatch.context() as patch, following((rule,)):
        patch.setattr(Path, "rename", late_rename)
        try:
            store.journal.archive(CLIENT)
        except KeyboardInterrupt:
            store.append(record("another", goal="y"))
    if is_cut_off:
        tidied(store, repository, days=2)
    store.replay()
    decided = {line for each in store.memory().newest() for line in each.decisions}
    assert decided == {"Just so."}
    assert CLIENT in store.journal.lines(CLIENT)[-1]
    assert not list((folder(repository) / "past").glob("*.left"))


def test_a_damaged_mark_costs_nothing(store: SessionStore, repository: Path) -> None:
    held(store, repository)
    before = store.memory().commit
    store.append(record(decisions=("After it.",), at=NOON + timedelta(minutes=5)))
    damaged = '{"offset": 999999, "session_id": "2020-01-01_00-00_cursor_no-such"}'
    (folder(repository) / f"{CLIENT}.mark").write_text(damaged)
    store.replay()

    [session] = store.memory().newest()
    assert (session.goal, session.decisions) == ("Speed", ("After it.",))
    assert store.memory().commit != before
    mark = json.loads((folder(repository) / f"{CLIENT}.mark").read_text())
    assert mark["session_id"] == session.id
    assert list(store.journal.unreplayed()) == []


def test_what_killed_processes_leave_is_swept_and_nothing_else(
    store: SessionStore, repository: Path
) -> None:
    store.append(record(goal="x"))
    store.replay()
    ocm = repository / ".git" / "ocm"
    litter = [
        *(ocm / "told-HEAD-4711", ocm / ".run.4711", ocm / "journal" / "gone.mark"),
        *(ocm / "journal" / name for name in (".c.mark.4711", "b.diff", "b.lines")),
    ]
    kinds = ("jsonl", "mark", "diff", "lines")
    kept = [ocm / "journal" / f"{CLIENT}.{kind}" for kind in kinds]
    for path in (*litter, *kept[-2:]):
        path.touch()
    (ocm / "fetched-x" / "objects").mkdir(parents=True)
    tidied(store, repository, days=0.5)
    assert all(path.exists() for path in litter)
    tidied(store, repository, days=2)
    assert [path for path in (*litter, *kept) if path.exists()] == kept
    assert not (ocm / "fetched-x").exists()


def test_a_journal_is_only_what_is_one(store: SessionStore, repository: Path) -> None:
    past = folder(repository) / "past"
    past.mkdir(parents=True)
    for number, text in enumerate(("", "[]", "{", '{"lines": 1}', '{"session_id": 1}')):
        (past / f"bad-{number}.json").write_text(text)
        assert store.journal.lines(f"bad-{number}") == []
    store.journal.append("bad-0", redact("{}"))
    store.replay()


def test_nobody_waits_for_a_pipe(store: SessionStore, repository: Path) -> None:
    (folder(repository) / "past").mkdir(parents=True)
    for name in ("other.jsonl", "other.mark", "past/other.json"):
        os.mkfifo(folder(repository) / name)
    signal.alarm(10)  # ends the tests where it would wait for ever
    assert store.journal.lines("other") == []
    assert store.journal.position_of("other").offset == 0
    with pytest.raises(NoPermission):
        store.journal.append("other", redact("{}"))
    store.append(record(goal="x"))
    store.replay()
    signal.alarm(0)
    assert [each.goal for each in store.memory().newest()] == ["x"]
