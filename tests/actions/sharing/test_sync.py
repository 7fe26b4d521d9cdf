"""Two or three clones of one remote, in which people work at the same time."""

import re
import shutil
import stat
import time
from pathlib import Path

import pytest
from support.clones import (
    Clone,
    Way,
    documents,
    make_clones,
    remote_in,
    shared,
    travel,
)
from support.harness import CLIENT, git, script
from support.histories import Clones
from support.rounds import few
from support.workspaces import workspace_at

from gitmem import indexing
from gitmem.actions.forgetting import forget
from gitmem.actions.sharing import sync as action
from gitmem.actions.sharing import sync_steps
from gitmem.actions.sharing.sync_report import Author, SyncOutcome
from gitmem.actions.sharing.sync_status import last_sync, unsent
from gitmem.errors import Busy, Damaged, InvalidInput, Unreachable, Unverified
from gitmem.store.lock import locked
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.remote.tracking import Tracked

TRACKED = "refs/ocm/*:refs/ocm/remotes/origin/*"
FASTER = """\
# Somebody else pushes while this push is on its way, as often as there are commits.
while read old new ref; do
  case $ref in refs/ocm/inbox/*) test ! -e branches-only; exit;; esac
  next=$(head -n 1 faster 2>/dev/null) || exit 0
  [ -n "$next" ] || exit 0
  sed -i 1d faster
  unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
  git update-ref "$ref" "$next"
done
"""


@pytest.fixture
def one(tmp_path: Path) -> Clone:
    return make_clones(tmp_path, 2)[0]


@pytest.fixture
def other(one: Clone) -> Clone:
    return Clone(one.folder.with_name("1"))


def tip(folder: Path, ref: str = "refs/ocm/sessions") -> str:
    return git(folder, "rev-parse", ref)


def somebody_is_faster(place: Path, rounds: int) -> None:
    """Whoever pushes meets commits of a third clone that arrive just before."""
    remote, third = remote_in(place), place / "third"
    git(place, "clone", "--quiet", str(remote), str(third))
    git(third, "config", "ocm.remote", "origin")
    clone, commits = Clone(third), []
    for number in range(rounds):
        clone.save(f"third-{number}", f"Goal {number} of the third")
        clone.workspace().store.replay()
        commits.append(tip(third))
    git(third, "push", "--quiet", "origin", "refs/ocm/sessions:refs/hidden/third")
    (remote / "faster").write_text("".join(f"{commit}\n" for commit in commits))
    script(remote / "hooks" / "pre-receive", FASTER)


def test_two_syncs_carry_what_one_saved(one: Clone, other: Clone) -> None:
    one.save("a", "Stop the double charge")
    sent = travel(one.workspace())
    taken = travel(other.workspace())
    assert (len(sent.sent), sent.tries, sent.outcome) == (1, 1, SyncOutcome.DONE)
    assert (taken.arrived, taken.sent) == (sent.sent, ())
    assert taken.authors == (Author("Ada", 1),)
    assert tip(one.folder) == tip(other.folder)
    nothing = travel(one.workspace())
    assert (nothing.sent, nothing.arrived, nothing.tries) == ((), (), 0)


@pytest.mark.endurance
def test_where_much_arrives_it_is_indexed_before_anybody_searches(
    one: Clone, other: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.save("a", "Stop the double charge")
    travel(one.workspace())
    monkeypatch.setattr(indexing, "MOST_INDEXED_AT_ONCE", 0)
    travel(other.workspace())
    deadline = time.monotonic() + 60
    while other.workspace().open_index().tip is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert one.workspace().open_index().tip is None


def test_push_fetches_nothing_pull_sends_nothing(one: Clone, other: Clone) -> None:
    one.save("a", "Of one")
    travel(one.workspace())
    assert travel(other.workspace(), Way.PUSH).arrived == ()
    other.save("b", "Of the other")
    pulled = travel(other.workspace(), Way.PULL)
    assert (len(pulled.arrived), pulled.sent) == (1, ())
    assert len(travel(other.workspace(), Way.PUSH).sent) == 1


@pytest.mark.endurance
def test_a_lost_race_is_run_again_and_leaves_no_merge_behind(
    tmp_path: Path, one: Clone
) -> None:
    somebody_is_faster(tmp_path, 1)
    one.save("a", "Of one")
    report = travel(one.workspace())
    assert (report.tries, len(report.arrived), len(report.sent)) == (2, 1, 1)
    assert tip(one.folder) == tip(remote_in(tmp_path))
    merges = git(one.folder, "rev-list", "--merges", "--count", "refs/ocm/sessions")
    assert merges == "1"


@pytest.mark.endurance
def test_two_lost_races_use_the_inbox(tmp_path: Path, one: Clone, other: Clone) -> None:
    somebody_is_faster(tmp_path, 2)
    one.save("a", "Of one")
    report = travel(one.workspace())
    assert (report.outcome, report.tries) == (SyncOutcome.WAITING, 3)
    assert len(report.sent) == 1
    workspace, chosen = shared(one.workspace())
    assert unsent(workspace, chosen.remote) == set()
    remote = remote_in(tmp_path)
    waits = f"refs/ocm/inbox/sessions/{tip(one.folder)}"
    assert git(remote, "for-each-ref", "refs/ocm/inbox", "--format=%(refname)") == waits
    assert len(travel(other.workspace()).arrived) == 3
    assert tip(other.folder) == tip(remote)
    assert git(remote, "for-each-ref", "refs/ocm/inbox") == ""
    assert travel(one.workspace()).sent == ()
    for clone in (one, other):
        assert tip(clone.folder) == tip(remote)
        assert git(clone.folder, "for-each-ref", "refs/ocm/remotes/origin/inbox") == ""


@pytest.mark.endurance
def test_branches_only_host_has_no_inbox(
    tmp_path: Path, one: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody_is_faster(tmp_path, 2)
    monkeypatch.setattr(action, "_MOST_TRIES", 2)
    git(one.folder, "config", "ocm.remoteRef", "refs/heads/ocm/sessions")
    one.save("a", "Of one")
    report = travel(one.workspace())
    assert (report.outcome, report.tries, report.sent) == (SyncOutcome.LOST, 2, ())
    last = last_sync(one.workspace())
    assert last is not None
    assert last.error == "lost"
    assert len(travel(one.workspace()).sent) == 1


def test_readers_take_what_is_new(one: Clone, other: Clone, tmp_path: Path) -> None:
    one.save("a", "Goal of one")
    travel(one.workspace())
    other.save("b", "Goal of the other")
    refuses = "echo 'Permission denied: readers only'\nexit 1"
    hook = script(remote_in(tmp_path) / "hooks" / "pre-receive", refuses)
    for left in ("; what is new there was taken.", "."):
        with pytest.raises(Unreachable, match=r"refused .* readers only") as raised:
            travel(other.workspace())
        assert raised.value.message.endswith(f" Not sent: 1 session{left}")
        assert len([*other.memory().ids()]) == 2
    hook.unlink()
    assert len(travel(other.workspace()).sent) == 1


@pytest.mark.endurance
def test_stale_remote_lock_is_no_lost_race(
    one: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(action, "_LONGEST_PAUSE", 0.0)
    one.save("a", "First")
    travel(one.workspace())
    one.save("a", "Second")
    lock = remote_in(tmp_path) / "refs/ocm/sessions.lock"
    lock.touch()
    with pytest.raises(Unreachable, match="a fetch shows no change"):
        travel(one.workspace())
    lock.unlink()
    assert len(travel(one.workspace()).sent) == 1


@pytest.mark.endurance
def test_checkpoint_during_a_push_waits(
    tmp_path: Path, one: Clone, other: Clone
) -> None:
    one.save("a", "Of one")
    travel(one.workspace())
    other.save("b", "Of the other")
    other.save("c", "Comes meanwhile")
    other.workspace().store.replay()
    ahead = tip(other.folder)
    git(other.folder, "update-ref", "refs/ocm/sessions", f"{ahead}~1")
    updates = f"git -C {other.folder} update-ref refs/ocm/sessions {ahead}"
    hook = remote_in(tmp_path) / "hooks" / "pre-receive"
    script(hook, f'env -i PATH="$PATH" {updates}')
    first = travel(other.workspace())
    assert len(first.sent) == 1
    assert len(documents(other.memory())) == 3
    hook.unlink()
    assert len(travel(other.workspace()).sent) == 1
    assert tip(other.folder) == tip(remote_in(tmp_path))


@few(1, "cut", ["fetch", "taken", "push", "land"])
def test_killed_sync_is_completed_by_the_next(
    one: Clone, other: Clone, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    one.save("a", "Of one")
    travel(one.workspace())
    other.save("b", "Of the other")
    with monkeypatch.context() as patched:
        _killed_after(patched, cut)
        with pytest.raises(KeyboardInterrupt):
            travel(other.workspace())
    travel(other.workspace())
    travel(one.workspace())
    assert documents(one.memory()) == documents(other.memory())
    assert len(documents(one.memory())) == 2


def _killed_after(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    owner = Tracked if step in ("taken", "land") else sync_steps
    whole = getattr(owner, step)

    def cut(*given: object, **named: object) -> object:
        whole(*given, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(owner, step, cut)


def test_dry_run_fetches_and_shows_a_plan(
    tmp_path: Path, one: Clone, other: Clone
) -> None:
    one.save("a", "Of one")
    travel(one.workspace())
    other.save("b", "Of the other")
    other.workspace().store.replay()
    before = tip(other.folder), tip(remote_in(tmp_path))
    plan = travel(other.workspace(), Way.PLAN)
    assert (len(plan.arrived), len(plan.sent)) == (1, 1)
    assert plan.outcome is SyncOutcome.PLANNED
    assert before == (tip(other.folder), tip(remote_in(tmp_path)))


def test_conversations_travel_only_where_that_was_chosen(tmp_path: Path) -> None:
    one, other = make_clones(tmp_path, 2, said=True)
    one.import_conversations("a", "Stop the double charge")
    sent = travel(one.workspace())
    taken = travel(other.workspace())
    nothing = dict.fromkeys(("arrived", "gone", "sent", "withdrawn"), 0)
    assert (sent.others, taken.others) == (
        {"conversations": nothing | {"sent": 1}, "memories": nothing},
        {"conversations": nothing | {"arrived": 1}, "memories": nothing},
    )
    git(one.folder, "config", "ocm.shareConversations", "false")
    one.import_conversations("b", "Something private")
    assert travel(one.workspace()).others["conversations"] == nothing
    assert tip(remote_in(tmp_path), "refs/ocm/conversations") == tip(
        other.folder, "refs/ocm/conversations"
    )


@pytest.mark.endurance
def test_conversation_forgotten_there_does_not_arrive(tmp_path: Path) -> None:
    here, there = make_clones(tmp_path, 2, said=True)
    here.save("a", "of both")
    travel(here.workspace())
    there.import_conversations("a", "said-of-both")
    there.import_conversations("b", "said-there")
    [session] = here.memory().newest()
    line = TransportOptions(60.0)
    forget(here.workspace(), [session], line)
    report = travel(there.workspace())
    assert report.others["conversations"]["sent"] == 1
    arrived = git(remote_in(tmp_path), "log", "--all", "--patch")
    assert "said-there" in arrived
    assert "said-of-both" not in arrived
    travel(here.workspace())
    [other] = here.memory().newest()
    forget(here.workspace(), [other], line)
    assert travel(there.workspace()).others["conversations"]["arrived"] == 0


def test_one_sync_at_a_time(one: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(action, "_PATIENCE", 0.01)
    workspace = one.workspace()
    with (
        locked(workspace.repository.common_dir / "ocm" / "sync.lock"),
        pytest.raises(Busy, match=r"sync\.lock is locked"),
    ):
        travel(workspace)


def test_missing_remote_is_remembered(tmp_path: Path, one: Clone) -> None:
    one.save("a", "Of one")
    shutil.rmtree(remote_in(tmp_path))
    with pytest.raises(Unreachable):
        travel(one.workspace())
    last = last_sync(one.workspace())
    assert last is not None
    assert (last.error, last.remote) == ("unreachable", "origin")
    file = one.git_dir / "ocm" / "sync.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(documents(one.memory())) == 1


def test_the_record_of_a_sync_has_no_password(one: Clone) -> None:
    git(one.folder, "config", "ocm.remoteUrl", "http://ada:hunter2@127.0.0.1:1/x")
    one.save("a", "Of one")
    with pytest.raises(Unreachable):
        travel(one.workspace())
    assert "hunter2" not in (one.git_dir / "ocm" / "sync.json").read_text()


@pytest.mark.endurance
def test_a_commit_of_a_date_that_no_calendar_has_is_taken_in(
    tmp_path: Path, one: Clone, other: Clone
) -> None:
    one.save("a", "Of one")
    travel(one.workspace())
    before = git(one.folder, "cat-file", "commit", "refs/ocm/sessions")
    stamped = re.sub(r"> \d+ .+", f"> {2**63 - 1} +9999", before)
    commit = Clones(remote_in(tmp_path)).object("commit", f"{stamped}\n".encode())
    git(remote_in(tmp_path), "update-ref", "refs/ocm/sessions", commit)
    other.save("b", "Of the other")
    assert len(travel(other.workspace()).arrived) == 1
    assert len(travel(one.workspace()).arrived) == 1


def test_project_branch_is_no_memory(tmp_path: Path, one: Clone) -> None:
    git(remote_in(tmp_path), "branch", "ocm/sessions")
    git(one.folder, "config", "ocm.remoteRef", "refs/heads/ocm/sessions")
    one.save("a", "Of one")
    before = tip(remote_in(tmp_path), "ocm/sessions")
    with pytest.raises((Damaged, InvalidInput)):
        travel(one.workspace())
    assert tip(remote_in(tmp_path), "ocm/sessions") == before


@pytest.mark.endurance
def test_branches_only_host_gets_a_branch(
    tmp_path: Path, one: Clone, other: Clone
) -> None:
    git(remote_in(tmp_path), "config", "transfer.hideRefs", "refs/ocm")
    one.save("a", "Of one")
    with pytest.raises(Unreachable, match="takes no refs of this kind"):
        travel(one.workspace())
    for clone in (one, other):
        git(clone.folder, "config", "ocm.remoteRef", "refs/heads/ocm/sessions")
    travel(one.workspace())
    assert len(travel(other.workspace()).arrived) == 1


@pytest.mark.endurance
def test_unborn_and_bare_repositories_take_part(tmp_path: Path, one: Clone) -> None:
    one.save("a", "Of one")
    travel(one.workspace())
    for new, how in ((tmp_path / "unborn", ()), (tmp_path / "bare", ("--bare",))):
        git(tmp_path, "init", "--quiet", *how, str(new))
        git(new, "remote", "add", "origin", str(remote_in(tmp_path)))
        git(new, "config", "ocm.remote", "origin")
        assert len(travel(workspace_at(new)).arrived) == 1


def test_a_plain_fetch_is_taken_in_by_whoever_reads(one: Clone, other: Clone) -> None:
    refspec = "+refs/ocm/sessions*:refs/ocm/remotes/origin/sessions*"
    git(other.folder, "config", "--add", "remote.origin.fetch", refspec)
    one.save("a", "Of one")
    travel(one.workspace())
    other.save("b", "Of the other")
    git(other.folder, "fetch", "--quiet")
    assert len(documents(other.workspace().current_sessions())) == 2
    after = tip(other.folder)
    assert len(documents(other.workspace().current_sessions())) == 2
    assert tip(other.folder) == after
    assert len(travel(other.workspace()).sent) == 1


def test_where_signatures_are_asked_for_nothing_is_exchanged(tmp_path: Path) -> None:
    first, second = make_clones(tmp_path, 2, said=False)
    first.save(CLIENT, "Stop the leak")
    travel(first.workspace())
    git(second.folder, "config", "ocm.requireSigned", "true")
    git(second.folder, "fetch", "--quiet", "origin", TRACKED)
    with pytest.raises(Unverified, match="verifies no signatures"):
        travel(second.workspace())
    assert second.goals() == set()
