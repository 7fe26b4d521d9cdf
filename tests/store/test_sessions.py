"""Checkpoints become commits: one each, durable, in order, never lost."""

import json
import multiprocessing
from datetime import timedelta
from pathlib import Path

import pytest
from support.harness import CLIENT, NOON, git, lose, record, saved
from support.histories import Clones

from gitmem.documents.event import Start
from gitmem.documents.event_log import to_json as event_to_json
from gitmem.documents.session.identity import (
    conversation_subject,
    document_path,
    new_id,
    provisional_slug,
)
from gitmem.documents.session.record import to_json
from gitmem.documents.session.session import Status
from gitmem.errors import Damaged, FormatTooNew, NoPermission
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import Content, TreeEntry
from gitmem.redaction.redact import redact, seal
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.session_tree import REF

PROVISIONAL = "2026-02-23_12-00_cursor_0a1b2c3d"
ID = new_id(NOON, "cursor", conversation_subject("cursor", CLIENT))
NAMED = "2026-02-23_12-00_cursor_tei-migration"


def commits(repository: Path) -> list[str]:
    return git(repository, "log", "--format=%s", "--reverse", REF).splitlines()


def test_checkpoint_is_a_logged_commit(store: SessionStore, repository: Path) -> None:
    saved(store, goal="Migrate to TEI", slug="tei-migration", work_pending=("a", "b"))
    saved(store, work_completed=("Replaced the client",), work_pending=("b",))
    saved(store, status=Status.CLOSED, decisions=("**TEI:** faster",), work_pending=())
    assert commits(repository) == [
        "tei-migration: Migrate to TEI (2 to do)",
        "tei-migration: Replaced the client (+1 done, 1 to do)",
        "tei-migration: **TEI:** faster (closed)",
    ]
    trailers = git(repository, "log", "-1", "--format=%(trailers:only)", REF)
    assert trailers.splitlines() == [
        f"Ocm-Session: {NAMED}",
        "Ocm-Tool: cursor",
        "Ocm-Trigger: manual",
    ]
    assert git(repository, "log", "-1", "--format=%an <%ae>", REF) == (
        "Ada <ada@example.com>"
    )
    assert git(repository, "ls-tree", "-r", "--name-only", REF).splitlines() == [
        "format",
        f"sessions/2026/02/23/{ID}.md",
    ]
    assert git(repository, "show", f"{REF}:format") == "2"
    assert git(repository, "fsck", "--strict") == ""


def test_only_the_first_slug_names(store: SessionStore) -> None:
    assert saved(store, goal="g").session_id == PROVISIONAL
    named = saved(store, slug="tei-migration")
    assert (named.session_id, named.former_ids) == (NAMED, (PROVISIONAL,))
    assert saved(store, slug="something-else", goal="h").session_id == NAMED
    assert list(store.memory().ids()) == [ID]


def test_sessions_with_one_name_are_apart(store: SessionStore) -> None:
    sessions = [saved(store, f"c-{n}", slug="same", goal=str(n)) for n in range(3)]
    assert len({session.session_id for session in sessions}) == 1
    assert len([*store.memory().ids()]) == 3


def test_nothing_new_makes_no_commit(store: SessionStore, repository: Path) -> None:
    saved(store, goal="g", work_completed=("a",))
    saved(store, goal="g", work_completed=("a",))
    saved(store)
    assert len(commits(repository)) == 1


def test_no_secret_reaches_git(store: SessionStore, repository: Path) -> None:
    token = "ghp_" + "Ab1Cd2Ef3Gh4" * 3
    said = f"<private>{token}</private>"
    session = saved(store, token, goal=f"Use {token}", decisions=(said,))
    git(repository, "repack", "-adq")
    [journal] = store.journal.names()
    lines = store.journal.lines(journal)
    assert token not in git(repository, "log", "-p", REF) + "".join(lines)
    assert session.decisions == ("[REDACTED]",)
    names = [path.name for path in (repository / ".git" / "ocm").rglob("*")]
    assert not [name for name in names if token in name]


def test_stated_identity_is_the_default(
    repository: Path, sealed_environment: Path
) -> None:
    (sealed_environment / ".gitconfig").write_text("")
    saved(SessionStore(open_repository(repository)), goal="g")
    author = git(repository, "log", "-1", "--format=%an <%ae>", REF)
    assert author == "gitmem <gitmem@localhost>"


def test_next_process_commits_what_is_acknowledged(
    store: SessionStore, repository: Path
) -> None:
    store.append(record(goal="never replayed by its own process"))
    SessionStore(open_repository(repository)).replay()
    assert commits(repository) == ["0a1b2c3d: never replayed by its own process"]


def test_replay_gives_the_same(store: SessionStore, repository: Path) -> None:
    for number, status in enumerate((None, Status.FROZEN, None)):
        at = NOON + timedelta(minutes=number)
        done, pending = (str(number),), (f"p{number}",)
        saved(store, at=at, work_completed=done, work_pending=pending, status=status)
    before = store.memory().text(PROVISIONAL)
    (repository / ".git" / "ocm" / "journal" / f"{CLIENT}.mark").unlink()
    store.replay()
    assert store.memory().text(PROVISIONAL) == before


def test_a_line_that_a_crash_cut_short_costs_only_itself(
    store: SessionStore, repository: Path
) -> None:
    saved(store, goal="g")
    journal = repository / ".git" / "ocm" / "journal" / f"{CLIENT}.jsonl"
    with journal.open("ab") as file:
        file.write(b'\n{"v": 1, "tool": "cur')
    saved(store, work_completed=("after the crash",))
    assert commits(repository)[-1] == "0a1b2c3d: after the crash (+1 done)"


def test_newer_record_stops_no_journal(store: SessionStore, repository: Path) -> None:
    store.journal.append(CLIENT, redact('{"v": 99, "something": "new"}'))
    store.append(record(goal="behind it"))
    saved(store, "another-client", goal="not held up")
    assert commits(repository) == [f"{provisional_slug('another-client')}: not held up"]
    assert len(list(store.journal.pending())) == 2


def test_an_older_checkpoint_adds_and_replaces_nothing(store: SessionStore) -> None:
    later = NOON + timedelta(minutes=5)
    saved(store, at=later, goal="new", work_pending=("left",), status=Status.FROZEN)
    session = saved(store, goal="old", work_pending=("done",), work_completed=("a",))
    assert (session.goal, session.work_pending) == ("new", ("left",))
    assert (session.status, session.updated_at) == (Status.FROZEN, later)
    assert session.work_completed == ("a",)


def test_the_journal_is_the_users_alone(store: SessionStore, repository: Path) -> None:
    saved(store, goal="g")
    journal = repository / ".git" / "ocm" / "journal" / f"{CLIENT}.jsonl"
    assert oct(journal.stat().st_mode & 0o777) == "0o600"
    for folder in (journal.parent, journal.parent.parent):
        assert oct(folder.stat().st_mode & 0o777) == "0o700"


def test_session_begins_with_the_hooks_start(store: SessionStore) -> None:
    at = NOON.replace(hour=9)
    event = Start(at=at, tool="cursor", client_session_id=CLIENT, root="/x")
    store.journal.append(CLIENT, seal(event, event_to_json))
    session = saved(store, goal="g")
    assert session.started_at == NOON.replace(hour=9)
    assert session.id.startswith("2026-02-23_09-00_")


def test_newer_format_is_not_written(
    store: SessionStore, clones: Clones, repository: Path
) -> None:
    saved(store, goal="g")
    newer = clones.commit({"format": redact("3\n")}, git(repository, "rev-parse", REF))
    git(repository, "update-ref", REF, newer)
    with pytest.raises(FormatTooNew) as caught:
        store.append(record(goal="h"))
    assert "pgrade" in (caught.value.hint or "")
    assert git(repository, "rev-parse", REF) == newer
    assert len(store.journal.lines(CLIENT)) == 1


def test_a_damaged_ref_is_reported_and_left_alone(
    store: SessionStore, repository: Path
) -> None:
    saved(store, goal="g")
    ref = repository / ".git" / REF
    for content in ("", "garbage\n", "\x00" * 41, "0" * 39 + "1\n"):
        ref.write_text(content)
        with pytest.raises(Damaged):
            store.append(record(goal="h"))
        with pytest.raises(Damaged):
            store.memory()
        assert ref.read_text() == content


def test_unwritable_journal_is_an_error(store: SessionStore, repository: Path) -> None:
    (repository / ".git" / "ocm").write_text("a file where the folder should be")
    with pytest.raises(NoPermission):
        store.append(record(goal="g"))
    assert git(repository, "for-each-ref", "refs/ocm") == ""


def test_other_files_are_no_sessions(store: SessionStore, repository: Path) -> None:
    saved(store, goal="g")
    memory, seam = store.memory(), open_repository(repository)
    blob = git(repository, "rev-parse", f"{REF}:format")
    day = "sessions/2026/02/23"
    others: dict[str, Content] = {
        f"{day}/2026-02-23_12-00_cursor_link.md": TreeEntry(blob, 0o120000),
        f"{day}/notes.txt": redact("text"),
        "sessions/evil.md": redact("text"),
    }
    tree = seam.write_tree(memory.tree, others)
    parents = [memory.commit] if memory.commit else []
    commit = seam.create_commit(tree, parents, redact("by hand"), store.author(NOON))
    git(repository, "update-ref", REF, commit)
    assert list(store.memory().ids()) == [ID]
    assert store.memory().text("2026-02-23_12-00_cursor_link") is None
    saved(store, goal="h")
    assert git(repository, "show", f"{REF}:sessions/evil.md") == "text"


def test_newest_sessions_come_first_over_days_and_years(store: SessionStore) -> None:
    times = [
        NOON.replace(year=2025, month=12, day=31),
        NOON,
        NOON.replace(hour=9),
        NOON.replace(day=24),
    ]
    for number, at in enumerate(times):
        saved(store, f"client-{number}", at=at, goal="g")
    newest = [session.started_at for session in store.memory().newest()]
    assert newest == sorted(times, reverse=True)


def write(folder: Path, writer: int, count: int) -> None:
    store = SessionStore(open_repository(folder))
    for number in range(count):
        item = f"{writer}/{number}"
        store.append(record(f"client-{writer}", work_completed=(item,)))
        store.replay()


def test_eight_processes_lose_no_checkpoint(repository: Path) -> None:
    """Every other one is in a linked work tree."""
    linked = repository.parent / "linked"
    git(repository, "worktree", "add", "--quiet", str(linked))
    folders = (repository, linked)
    fork = multiprocessing.get_context("fork")
    writers = [
        fork.Process(target=write, args=(folders[n % 2], n, 2)) for n in range(8)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    store = SessionStore(open_repository(repository))
    saved = [item for s in store.memory().newest() for item in s.work_completed]
    assert sorted(saved) == sorted(f"{w}/{n}" for w in range(8) for n in range(2))
    assert len(commits(repository)) == 8 * 2
    assert git(repository, "fsck", "--strict") == ""


def test_checkpoint_differs_from_a_later_one(store: SessionStore) -> None:
    first = store.append(record(goal="first"))
    store.replay()
    second = store.append(record(work_completed=("second",)))
    session = store.session_of(first)
    assert session is not None
    assert session.goal == "first"
    assert store.session_of(second) is None
    store.replay()
    assert store.session_of(second) == store.session_of(first) != session


def test_memory_needs_no_work_tree_or_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare")
    store = SessionStore(open_repository(tmp_path))
    assert saved(store, goal="g").goal == "g"
    assert len(commits(tmp_path)) == 1
    assert git(tmp_path, "rev-parse", f"{REF}@{{0}}") == git(tmp_path, "rev-parse", REF)


def test_git_gc_changes_nothing(store: SessionStore, repository: Path) -> None:
    for number in range(2):
        saved(store, work_completed=(str(number),))
        git(repository, "gc", "--quiet", "--prune=now")
    session = store.memory().document(ID)
    assert session is not None
    assert session.work_completed == ("0", "1")
    assert git(repository, "fsck", "--strict") == ""


UNSOUND = (
    *('"tool": 5', '"tool": "../x"', '"tool": ""'),
    *('"client_session_id": null', '"session_id": 5'),
    *('"goal": 5', '"work_completed": [1]', '"slug": "../../x"'),
    '"files": [{"path": 5, "change": "created"}]',
    '"slug": "' + "x" * 300 + '"',
    '"at": "0001-01-01T00:00:00+00:00"',
    '"at": "2026-02-23T12:00:00"',
)


def test_an_unsound_line_stops_nobody(store: SessionStore, repository: Path) -> None:
    line = to_json(record(goal="g"))
    spoilt = ["[]", "{}", '{"v":1,"checkpoint":[]}', "\\x00"]
    for wrong in UNSOUND:
        name = wrong.partition(":")[0]
        before, after = line.split(f"{name}:", 1)
        _, rest = json.JSONDecoder().raw_decode(after.lstrip())
        spoilt.append(f"{before}{wrong}{after.lstrip()[rest:]}")
        assert json.loads(spoilt[-1])
    for number, each in enumerate(spoilt):
        store.journal.append(f"other-{number}", redact(each))
        store.journal.append(CLIENT, redact(each))
    saved(store, goal="h")
    assert len(commits(repository)) == 1


def test_secret_slug_stops_nobody(store: SessionStore, repository: Path) -> None:
    store.append(record("other", goal="g", slug="key-" + "0a1b2c3d" * 4))
    saved(store, goal="h")
    assert commits(repository) == ["0a1b2c3d: h"]


def test_unwritable_identity_is_cleaned(repository: Path) -> None:
    for name in ("<>", " ", "A <b@c> D\\n"):
        git(repository, "config", "user.name", name)
        saved(SessionStore(open_repository(repository)), goal=f"g {name}")
        assert git(repository, "log", "-1", "--format=%an", REF) != ""
    assert git(repository, "fsck", "--strict") == ""


def test_missing_document_hides_no_other(store: SessionStore, repository: Path) -> None:
    lost = saved(store, "one", goal="lost")
    kept = saved(store, "two", goal="kept")
    blob = git(repository, "rev-parse", f"{REF}:{document_path(lost.id)}")
    lose(repository, blob)
    store = SessionStore(open_repository(repository))
    assert list(store.memory().newest()) == [kept]
    assert set(store.memory().ids()) == {lost.id, kept.id}
    assert saved(store, "three", goal="new").goal == "new"
    with pytest.raises(Damaged):
        store.memory().document(lost.id)
    store.append(record("one", work_completed=("waits for its document",)))
    assert saved(store, "four", goal="not held up").goal == "not held up"
    assert len(list(store.journal.pending())) == 1
