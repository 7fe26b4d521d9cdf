"""What goes along with a push of the user, and what comes as a session begins."""

import os
import shutil
import time
from datetime import timedelta
from pathlib import Path

import pytest
from support.auto_push import Pair, make_pair, sent_from
from support.harness import git, script
from support.workspaces import saved_id, saved_session

from gitmem.actions.sharing.auto_push import (
    PULLED_EVERY,
    pull_along,
    pull_is_due,
    push_along,
)
from gitmem.actions.sharing.sync_status import last_sync
from gitmem.store.lock import locked


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    return make_pair(tmp_path)


class TestAPush:
    @pytest.fixture(autouse=True)
    def wanted(self, pair: Pair) -> None:
        pair.set(autoPush="true")
        saved_session(pair.workspace, goal="Stop the leak")

    @pytest.mark.endurance
    def test_memory_goes_where_the_user_pushes(self, pair: Pair) -> None:
        push_along(pair.workspace, "origin", str(pair.remote))
        assert pair.at_remote() == pair.tip()
        assert not (pair.ours / "push-failed").exists()

    def test_with_a_push_elsewhere_nothing_goes(self, pair: Pair) -> None:
        git(pair.here, "remote", "add", "other", "/elsewhere")
        for name in ("other", "/elsewhere", "", "Origin", "ori"):
            push_along(pair.workspace, name, "/elsewhere")
        assert pair.at_remote() == ""
        assert last_sync(pair.workspace) is None

    def test_nor_where_nobody_asked_for_it(self, pair: Pair) -> None:
        for settings in ({"autoPush": None}, {"autoPush": "no"}, {"remote": None}):
            pair.set(**{"autoPush": "true", **settings})
            push_along(pair.workspace, "origin", str(pair.remote))
            assert pair.at_remote() == ""

    def test_it_goes_where_the_memory_is(self, pair: Pair, tmp_path: Path) -> None:
        git(tmp_path, "init", "--quiet", "--bare", "private.git")
        pair.set(remoteUrl=str(tmp_path / "private.git"))
        push_along(pair.workspace, "origin", str(pair.remote))
        assert pair.at_remote() == ""
        assert git(tmp_path / "private.git", "for-each-ref").split()[0] == pair.tip()

    def test_failure_waits_on_one_line_until_success(self, pair: Pair) -> None:
        gone = shutil.move(pair.remote, pair.remote.with_name("gone.git"))
        push_along(pair.workspace, "origin", str(pair.remote))
        [line] = (pair.ours / "push-failed").read_text().splitlines()
        assert line.startswith("ocm: the memory was not pushed to origin at 20")
        assert len(line) < 400
        shutil.move(gone, pair.remote)
        push_along(pair.workspace, "origin", str(pair.remote))
        assert not (pair.ours / "push-failed").exists()

    def test_what_a_remote_says_acts_upon_no_terminal(self, pair: Pair) -> None:
        hostile = "printf '\\033]0;x\\007\\302\\2331m no\\n'; exit 1"
        script(pair.remote / "hooks" / "pre-receive", hostile)
        push_along(pair.workspace, "origin", str(pair.remote))
        line = (pair.ours / "push-failed").read_text().removesuffix("\n")
        assert line.isprintable()

    def test_one_waits_and_no_more(self, pair: Pair) -> None:
        """It sends what all the others would have."""
        with locked(pair.ours / "push-next.lock"):
            push_along(pair.workspace, "origin", str(pair.remote))
        assert pair.at_remote() == ""
        push_along(pair.workspace, "origin", str(pair.remote))
        assert pair.at_remote() == pair.tip()


class TestAPull:
    @pytest.fixture(autouse=True)
    def wanted(self, pair: Pair) -> None:
        pair.set(autoPull="true")

    def test_it_takes_what_is_new_and_sends_nothing(self, pair: Pair) -> None:
        theirs = sent_from(pair.there)
        was = pair.at_remote()
        ours = saved_id(pair.workspace, goal="Another goal")
        pull_along(pair.workspace)
        assert set(pair.workspace.store.memory().ids()) == {ours, theirs}
        assert pair.at_remote() == was

    def test_it_is_due_every_few_minutes(self, pair: Pair) -> None:
        assert [pull_is_due(pair.workspace) for _ in range(3)] == [True, False, False]
        stamp, past = pair.ours / "pulled", time.time() - PULLED_EVERY.total_seconds()
        os.utime(stamp, (past - 1, past - 1))
        assert pull_is_due(pair.workspace)
        later = time.time() + timedelta(days=1).total_seconds()
        os.utime(stamp, (later, later))  # by a clock that was wrong
        assert pull_is_due(pair.workspace)

    def test_it_is_never_due_where_nobody_asked_for_it(self, pair: Pair) -> None:
        asked = {"autoPull": "true", "remote": "origin"}
        for lacks in (
            *({"remote": "gone"}, {"remote": None}),
            *({"autoPull": "0"}, {"autoPull": None}),
        ):
            pair.set(**{**asked, **lacks})
            assert not pull_is_due(pair.workspace)
            assert not pair.ours.exists()

    def test_silent_remote_is_remembered(self, pair: Pair) -> None:
        shutil.rmtree(pair.remote)
        pull_along(pair.workspace)
        last = last_sync(pair.workspace)
        assert last
        assert last.error == "unreachable"


def test_both_leave_the_users_own_as_it_was(pair: Pair) -> None:
    def own() -> list[str]:
        shown = ("status", "--porcelain"), ("for-each-ref", "refs/heads", "refs/tags")
        head = pair.here / ".git" / "FETCH_HEAD"
        text = head.read_text() if head.exists() else ""
        return [*(git(pair.here, *each) for each in shown), text]

    pair.set(autoPush="true", autoPull="true")
    before = own()
    sent_from(pair.there)
    pull_along(pair.workspace)
    push_along(pair.workspace, "origin", str(pair.remote))
    assert own() == before
