"""Commits that wait at the remote in refs of their own, until somebody merges them."""

import subprocess
from pathlib import Path

import pytest
from remote.clones import CONVERSATIONS, Clone, forget, make_clones
from support.clones import Way, documents, remote_in, travel
from support.harness import copied, git, script, write_object
from support.rounds import few

from gitmem.redaction.redact import redact
from gitmem.store.remote import inbox
from gitmem.store.trees.backups import BACKUP
from gitmem.store.trees.session_tree import REF

INBOX = "refs/ocm/inbox/sessions"
TRACKED = "refs/ocm/remotes/origin/inbox"
REFSPECS = (
    "+refs/ocm/sessions*:refs/ocm/remotes/origin/sessions*",
    f"+{INBOX}/*:{TRACKED}/sessions/*",
)
"""Those of `ocm share on`."""
REFUSES_DELETIONS = """
while read old new ref; do
  case $new in *[!0]*) ;; *) echo "$ref" >> deletions; exit 1;; esac
done
"""
MINE, THEIRS, OTHER = (
    f"{number}a1b2c3d-4e5f-4000-8000-000000000000" for number in range(3)
)


@pytest.fixture
def clones(tmp_path: Path) -> list[Clone]:
    """A reader with a session that all have, another clone, and one that waits."""
    copied(tmp_path, _all_have_a_session)
    return [Clone(tmp_path / str(number)) for number in range(3)]


def _all_have_a_session(place: Path) -> None:
    clones = make_clones(place, 3, said=False)
    for refspec in REFSPECS:
        git(clones[0].folder, "config", "--add", "remote.origin.fetch", refspec)
    clones[0].checkpoint(MINE, goal="Of Ada")
    for clone in clones:
        travel(clone.workspace())


def tip(folder: Path) -> str:
    return git(folder, "rev-parse", REF)


def leave(clone: Clone, ref: str = REF) -> str:
    """As a sync leaves there what loses twice."""
    clone.workspace().store.replay()
    commit = git(clone.folder, "rev-parse", ref)
    name = f"{ref.replace('refs/ocm', 'refs/ocm/inbox')}/{commit}"
    git(clone.folder, "push", "--quiet", "origin", f"{commit}:{name}")
    return commit


def waiting(folder: Path, at: str = "refs/ocm/inbox") -> list[str]:
    names = git(folder, "for-each-ref", "--format=%(refname)", at).splitlines()
    return [name.rpartition("/")[2] for name in names]


def test_a_plain_fetch_is_enough_to_read_what_waits(clones: list[Clone]) -> None:
    reader, _, loser = clones
    loser.checkpoint(THEIRS, goal="Of Bob")
    leave(loser)
    git(reader.folder, "fetch", "--quiet")
    assert reader.goals() == {"Of Ada", "Of Bob"}
    landed = tip(reader.folder)
    assert reader.goals() == {"Of Ada", "Of Bob"}
    assert tip(reader.folder) == landed
    assert git(reader.folder, "for-each-ref", BACKUP)


@pytest.mark.endurance
def test_who_only_reads_keeps_no_ref_of_what_is_merged(clones: list[Clone]) -> None:
    reader, other, loser = clones
    loser.checkpoint(THEIRS, goal="Of Bob")
    commit = leave(loser)
    git(reader.folder, "fetch", "--quiet")
    assert waiting(reader.folder, TRACKED) == [commit]
    travel(other.workspace())
    git(reader.folder, "fetch", "--quiet")
    assert reader.goals() == {"Of Ada", "Of Bob"}
    assert waiting(reader.folder, TRACKED) == []
    assert tip(reader.folder) == tip(other.folder)


@pytest.mark.endurance
def test_the_lock_of_a_killed_git_stops_no_sync(clones: list[Clone]) -> None:
    """It holds all packed refs, and git deletes none meanwhile."""
    reader, other, loser = clones
    loser.checkpoint(THEIRS, goal="Of Bob")
    commit = leave(loser)
    git(reader.folder, "fetch", "--quiet")
    travel(other.workspace())
    git(reader.folder, "config", "core.packedRefsTimeout", "1")
    lock = reader.git_dir / "packed-refs.lock"
    lock.touch()
    assert len(travel(reader.workspace()).arrived) == 1
    assert tip(reader.folder) == tip(other.folder)
    assert waiting(reader.folder, TRACKED) == [commit]
    lock.unlink()
    travel(reader.workspace())
    assert waiting(reader.folder, TRACKED) == []


def test_sending_merges_what_waits(clones: list[Clone], tmp_path: Path) -> None:
    _, other, loser = clones
    loser.checkpoint(THEIRS, goal="Of Bob")
    leave(loser)
    other.checkpoint(OTHER, goal="Of Eve")
    report = travel(other.workspace())
    assert (len(report.sent), len(report.arrived), report.tries) == (1, 1, 2)
    assert waiting(remote_in(tmp_path)) == waiting(other.folder, TRACKED) == []
    travel(loser.workspace())
    assert tip(loser.folder) == tip(other.folder) == tip(remote_in(tmp_path))
    assert loser.goals() == {"Of Ada", "Of Bob", "Of Eve"}


def test_push_and_pull_leave_the_inbox(clones: list[Clone], tmp_path: Path) -> None:
    _, other, loser = clones
    loser.checkpoint(THEIRS, goal="Of Bob")
    commit = leave(loser)
    other.checkpoint(OTHER, goal="Of Eve")
    assert travel(other.workspace(), Way.PUSH).arrived == ()
    assert len(travel(other.workspace(), Way.PULL).arrived) == 1
    assert waiting(remote_in(tmp_path)) == [commit]


@pytest.mark.endurance
def test_two_who_merge_at_once_make_the_same_commit(
    clones: list[Clone], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "_TOGETHER", 3)
    reader, other, loser = clones
    before = tip(loser.folder)
    for number in range(5):
        git(loser.folder, "update-ref", REF, before)
        loser.checkpoint(f"{number + 3}{THEIRS[1:]}", goal=f"Of Bob {number}")
        loser.checkpoint(MINE, decisions=(f"**Decision {number}:** it is so",))
        leave(loser)
    for clone, minutes in ((reader, 7), (other, 9)):
        git(clone.folder, "fetch", "--quiet", "origin", *REFSPECS)
        clone.minutes = minutes
        assert len(clone.goals()) == 6
    assert tip(reader.folder) == tip(other.folder)
    [mine] = reader.sessions_of(MINE)
    assert len(mine.decisions) == 5


@pytest.mark.endurance
def test_merged_once_is_merged_for_all(clones: list[Clone], tmp_path: Path) -> None:
    """A reader has merged one of two; others merged both."""
    reader, other, loser = clones
    before = tip(loser.folder)
    for client in (THEIRS, OTHER):
        git(loser.folder, "update-ref", REF, before)
        loser.checkpoint(client, goal=client)
        leave(loser)
        if client == THEIRS:
            other.checkpoint("3" + THEIRS[1:], goal="Of Eve")
            travel(other.workspace(), Way.PUSH)
            git(reader.folder, "fetch", "--quiet")
            assert len(reader.goals()) == 3
    travel(other.workspace())
    report = travel(reader.workspace())
    assert (report.sent, report.tries) == ((), 0)
    assert tip(reader.folder) == tip(other.folder) == tip(remote_in(tmp_path))


@pytest.mark.endurance
def test_undeletable_inbox_stops_nothing(clones: list[Clone], tmp_path: Path) -> None:
    remote = remote_in(tmp_path)
    script(remote / "hooks" / "pre-receive", REFUSES_DELETIONS)
    reader, other, loser = clones
    loser.checkpoint(THEIRS, goal="Of Bob")
    commit = leave(loser)
    assert len(travel(other.workspace()).arrived) == 1
    merged = tip(remote)
    assert waiting(remote) == [commit]
    for clone in (other, reader, other, reader):
        report = travel(clone.workspace())
        assert (report.sent, report.tries) == ((), 0)
        assert tip(clone.folder) == merged
    other.checkpoint(OTHER, goal="Of Eve")
    assert travel(other.workspace()).tries == 1
    asked = (remote / "deletions").read_text().splitlines()
    assert asked == [f"{INBOX}/{commit}"] * 6  # by every sync


@pytest.mark.endurance
@few(
    2,
    "content",
    ["a tree", "a blob", "a tag", "another commit", "a branch", "the future"],
)
def test_what_no_gitmem_left_there_is_named_and_stays(
    clones: list[Clone], tmp_path: Path, content: str
) -> None:
    _, other, loser = clones
    loser.checkpoint(THEIRS, goal="Of Bob")
    honest = leave(loser)
    there, name = forged(other, content)
    git(other.folder, "push", "--quiet", "origin", f"{there}:{INBOX}/{name}")
    report = travel(other.workspace())
    assert [each.path for each in report.not_taken] == [f"{INBOX}/{name}"]
    assert waiting(remote_in(tmp_path)) == [name]
    assert honest != name
    assert other.goals() == {"Of Ada", "Of Bob"}


def forged(clone: Clone, content: str) -> tuple[str, str]:
    """An object, and the name that it gets among those who wait."""
    folder = clone.folder
    if content == "a tag":
        git(folder, "tag", "--annotate", "--message=no", "forged", REF)
        there = git(folder, "rev-parse", "forged")
    elif content == "the future":
        clone.put("format", redact("99\n"))
        there = tip(folder)
        git(folder, "update-ref", REF, f"{there}~1")
    else:
        there = git(
            folder,
            "rev-parse",
            {
                "a tree": f"{REF}^{{tree}}",
                "a blob": f"{REF}:format",
                "another commit": REF,
                "a branch": "HEAD",
            }[content],
        )
    return there, "0" * 40 if content == "another commit" else there


def test_damaged_inbox_stops_nobody(clones: list[Clone], tmp_path: Path) -> None:
    _, other, loser = clones
    remote = remote_in(tmp_path)
    blob = git(remote, "rev-parse", f"{REF}:format")
    tree = write_object(remote, "tree", b"100644 .git\0" + bytes.fromhex(blob))
    by = b"Eve <eve@example.com> 1 +0000"
    text = b"tree %s\nauthor %s\ncommitter %s\n\nno\n" % (tree.encode(), by, by)
    forged = write_object(remote, "commit", text)
    git(remote, "update-ref", f"{INBOX}/{forged}", forged)
    loser.checkpoint(THEIRS, goal="Of Bob")
    travel(loser.workspace(), Way.PUSH)
    assert len(travel(other.workspace()).arrived) == 1


def test_a_tombstone_that_waits_there_is_held_back(clones: list[Clone]) -> None:
    reader, _, mallory = clones
    before = documents(reader.memory())
    mallory.minutes = 5
    forget(mallory.workspace(), mallory.sessions_of(MINE), from_history=False)
    leave(mallory)
    report = travel(reader.workspace())
    assert documents(reader.memory()) == before
    assert [*before] == list(report.held_back)
    landed = tip(reader.folder)
    travel(reader.workspace())
    assert tip(reader.folder) == landed
    [held] = reader.withheld()
    assert "Person 2" in held.by
    reader.refuse()
    travel(reader.workspace())
    travel(mallory.workspace())
    assert documents(mallory.memory()) == before


@pytest.mark.endurance
def test_one_that_was_only_fetched_can_be_refused(clones: list[Clone]) -> None:
    reader, other, mallory = clones
    mallory.minutes = 5
    forget(mallory.workspace(), mallory.sessions_of(MINE), from_history=False)
    leave(mallory)
    git(reader.folder, "fetch", "--quiet")
    assert reader.goals() == {"Of Ada"}
    reader.refuse()
    for clone in (reader, other):
        travel(clone.workspace())
        assert clone.goals() == {"Of Ada"}


@pytest.mark.endurance
def test_a_flood_of_names_there_is_not_taken(clones: list[Clone]) -> None:
    _, other, mallory = clones
    text = git(mallory.folder, "rev-parse", f"{REF}:format")
    lines = "".join(
        f"100644 blob {text}\t2026-01-02_00-00_cursor_{n:08x}.md\n"
        for n in range(10_001)
    )
    made = ["git", "mktree"]
    tree = subprocess.check_output(made, cwd=mallory.folder, input=lines.encode())
    for name in ("02", "01", "2026", "sessions"):
        line = f"040000 tree {tree.decode().strip()}\t{name}\n"
        if name == "sessions":
            line += f"100644 blob {text}\tformat\n"
        tree = subprocess.check_output(made, cwd=mallory.folder, input=line.encode())
    oid = tree.decode().strip()
    commit = git(mallory.folder, "commit-tree", "-m", "flood", "-p", REF, oid)
    git(mallory.folder, "push", "--quiet", "origin", f"{commit}:{INBOX}/{commit}")
    travel(other.workspace())
    assert other.goals() == {"Of Ada"}


@pytest.mark.endurance
def test_only_so_many_are_merged_at_once(
    clones: list[Clone], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "_MOST", 3)
    _, other, loser = clones
    before, remote = tip(loser.folder), remote_in(tmp_path)
    for number in range(5):
        git(loser.folder, "update-ref", REF, before)
        loser.checkpoint(f"{number + 3}{THEIRS[1:]}", goal=f"Of Bob {number}")
        leave(loser)
    names = (f"update {INBOX}/{number:040x} {before}\n" for number in range(1000))
    subprocess.run(
        ["git", "update-ref", "--stdin"],
        cwd=remote,
        input="".join(names).encode(),
        check=True,
    )
    report = travel(other.workspace())
    assert len(report.arrived) == 3
    assert (len(report.not_taken), report.more_not_taken) == (20, 980)
    assert len(travel(other.workspace()).arrived) == 2
    assert len(waiting(remote)) == 1000


@pytest.mark.endurance
@few(1, "from_history", [False, True])
def test_what_is_forgotten_is_in_nothing_that_waits(
    clones: list[Clone], tmp_path: Path, from_history: bool
) -> None:
    reader, other, loser = clones
    remote = remote_in(tmp_path)
    loser.checkpoint(THEIRS, goal="Of Bob")
    loser.checkpoint(OTHER, goal="It stays")
    leave(loser)
    git(reader.folder, "fetch", "--quiet")
    assert "Of Bob" in reader.goals()
    reader.minutes = 5
    gone = reader.sessions_of(THEIRS)
    forget(reader.workspace(), gone, from_history=from_history)
    for clone in (reader, other):
        travel(clone.workspace())
        assert clone.goals() == {"Of Ada", "It stays"}
    assert waiting(remote) == []
    if from_history:
        assert gone[0].id not in git(remote, "log", "--all", "--name-only")


def test_forgotten_in_the_inbox_is_gone(clones: list[Clone], tmp_path: Path) -> None:
    """It was left there by a clone that had not heard of it."""
    reader, other, loser = clones
    remote = remote_in(tmp_path)
    travel(loser.workspace())
    [mine] = loser.sessions_of(MINE)
    loser.checkpoint(MINE, goal="Of Ada, again")
    loser.checkpoint(THEIRS, goal="Of Bob")
    reader.minutes = 5
    forget(reader.workspace(), reader.sessions_of(MINE), from_history=True)
    leave(loser)
    travel(other.workspace())
    assert other.goals() == {"Of Bob"}
    assert waiting(remote) == []
    assert mine.id not in git(remote, "log", "--all", "--name-only")


@pytest.mark.endurance
def test_what_was_said_waits_as_well(tmp_path: Path) -> None:
    here, there, loser = make_clones(tmp_path, 3, said=True)
    here.checkpoint(MINE, goal="Of Ada")
    for clone in (here, there, loser):
        travel(clone.workspace())
    loser.import_conversations(THEIRS, "Please look at it")
    loser.import_conversations(OTHER, "Please forget it")
    for ref in (REF, CONVERSATIONS):
        leave(loser, ref)
    travel(here.workspace())
    forget(here.workspace(), here.sessions_of(OTHER), from_history=False)
    for clone in (here, there, loser, there):
        travel(clone.workspace())
    assert waiting(remote_in(tmp_path)) == []
    assert here.texts() == there.texts() == loser.texts()
    assert "Please look at it" in here.texts()[1]
    assert "Please forget it" not in here.texts()[1]
