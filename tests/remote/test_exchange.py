"""Clones that work, meet and fail in any order end with the same memory, all of it."""

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from remote.clones import (
    CONVERSATIONS,
    SESSIONS,
    Clone,
    forget,
    make_clones,
    of_the_user,
    trees_in,
)
from remote.interrupting import EndedError, end, interrupted
from remote.promises import Promises, aside
from support.clones import Way, remote_in, travel
from support.harness import git
from support.rounds import rounds

from gitmem.actions.reading.find import search
from gitmem.actions.sharing.sync_report import SyncOutcome
from gitmem.documents.session.session import Reference, Status
from gitmem.git.values import Change, Commit, FileChange
from gitmem.redaction.redact import redact
from gitmem.store.trees.lost_sessions import lost

CLIENTS = [f"{number}a1b2c3d-4e5f-4000-8000-000000000000" for number in range(3)]
SKEWS = [timedelta(hours=hours) for hours in (0, 0, 0, -3, 26)]
MOST_ROUNDS = 5
"""Of all clones, until they are at rest: the first hears of the last in the second."""
REFSPEC = "+refs/ocm/sessions*:refs/ocm/remotes/origin/sessions*"
ELSEWHERE = ["README.md", "sessions/2026/02/23/a.md", "sessions/b"]
"""Where no gitmem writes."""

CLONE = ANY = st.integers(0, 99)
CLIENT = st.sampled_from(CLIENTS)
WAY = st.sampled_from((Way.SYNC, Way.PUSH, Way.PULL))
STEP = st.integers(0, 25)
"""Of a process; many have fewer, and then nothing happens to them."""
KINDS: Mapping[str, Callable[[str], object]] = {
    "work_completed": lambda word: (f"Did {word}",),
    "decisions": lambda word: (f"**{word}:** it is so",),
    "work_summary": lambda word: (f"Looked into {word}",),
    "references": lambda word: (Reference(f"https://example.com/{word}", word),),
    "files": lambda word: (FileChange(f"src/{word}.py", Change.MODIFIED),),
    "commits": lambda word: (Commit(word.encode().hex()[:12], word),),
}
KIND = st.sampled_from(sorted(KINDS))
SLUG = st.sampled_from([None, None, "alpha", "beta"])


class Exchange(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.place = TemporaryDirectory(prefix="gitmem-")
        self.promises = Promises()
        self.clones: list[Clone] = []
        self.is_edited = False
        """Whether a person took anything out, or put anything else there."""

    @initialize(
        count=st.integers(2, 4),
        said=st.booleans(),
        skews=st.lists(st.sampled_from(SKEWS), min_size=4, max_size=4),
    )
    def begin(self, count: int, said: bool, skews: list[timedelta]) -> None:
        place = Path(self.place.name)
        self.is_said = said
        self.clones = make_clones(place, count, said=said)
        for clone, skew in zip(self.clones, skews, strict=False):
            clone.skew = skew
        self.remote = remote_in(place)
        self.remote_before = of_the_user(self.remote)

    def teardown(self) -> None:
        if self.clones and sys.exc_info()[0] is None:
            self.exchange()
            for clone in self.clones:
                self.everything_is_found_in(clone)
                if not self.is_edited:
                    self.nothing_is_lost_in(clone)
        self.place.cleanup()

    @rule(
        clone=CLONE,
        client=CLIENT,
        kind=KIND,
        slug=SLUG,
        status=st.sampled_from([None, Status.FROZEN, Status.CLOSED]),
        later=st.sampled_from([0, 0, 1]),
        is_drained=st.booleans(),
    )
    def save(
        self,
        *,
        clone: int,
        client: str,
        kind: str,
        slug: str | None,
        status: Status | None,
        later: int,
        is_drained: bool,
    ) -> None:
        here = self._clone(clone)
        here.minutes += later
        self._save(here, client, kind, slug=slug, status=status)
        if is_drained:
            here.workspace().store.replay()

    @rule(client=CLIENT, kind=KIND, slug=SLUG)
    def save_in_every_clone(self, client: str, kind: str, slug: str | None) -> None:
        """One conversation goes on everywhere, and some name it."""
        for number, clone in enumerate(self.clones):
            self._save(clone, client, kind, slug=slug and f"{slug}-{number % 2}")

    @rule(clone=CLONE, client=CLIENT)
    def import_conversations(self, clone: int, client: str) -> None:
        self._clone(clone).import_conversations(client, f"Please look at {client}")

    @rule(clone=CLONE, which=ANY, how=st.sampled_from(["more", "less", "gone"]))
    def edit_by_hand(self, clone: int, which: int, how: str) -> None:
        here, word = self._clone(clone), self.promises.new_word()
        self.is_edited = True
        if not (session := here.any_session(which)):
            return
        memory = here.memory()
        before = after = memory.text(session.id) or ""
        if how == "more":
            after += f"\n## Notes of mine\n\nSeen {word}.\n"
            self.promises.said(word, session.client_session_id)
        else:
            lines = () if how == "gone" else before.splitlines()
            after = "\n".join(line for line in lines if not line.startswith("- "))
            self.promises.removed(before, after)
        if how == "gone":
            self.promises.taken_out.add(session.client_session_id)
        here.put(memory.path(session.id), redact(after) if after else None)

    @rule(clone=CLONE, path=st.sampled_from(ELSEWHERE))
    def put_something_else(self, clone: int, path: str) -> None:
        here = self._clone(clone)
        if here.memory().commit:
            here.put(path, redact("Not a session.\n"))

    @precondition(lambda self: not self.promises.forgotten)
    @rule(clone=CLONE, which=ANY, from_history=st.booleans(), step=st.none() | STEP)
    def forget(
        self, clone: int, which: int, from_history: bool, step: int | None
    ) -> None:
        """Perhaps by a process that ends, and then again.

        Clocks that differ give one conversation several sessions.
        """
        here = self._clone(clone)
        if not (session := here.any_session(which)):
            return
        sessions = here.sessions_of(session.client_session_id)
        self.promises.forget(session.client_session_id)
        if step is not None:
            with suppress(EndedError), interrupted(here.workspace(), step, end) as it:
                forget(it, sessions, from_history=from_history)
        forget(here.workspace(), sessions, from_history=from_history)

    @rule(clone=CLONE)
    def pack(self, clone: int) -> None:
        command = ("-c", "gc.packRefs=false", "gc", "--quiet", "--prune=now")
        git(self._clone(clone).folder, *command)

    @rule(clone=CLONE)
    def fetch_by_git(self, clone: int) -> None:
        here = self._clone(clone)
        command = ("fetch", "--quiet", "--no-write-fetch-head", "origin", REFSPEC)
        git(here.folder, *command)
        here.workspace().current_sessions()

    @rule(clone=CLONE)
    def look(self, clone: int) -> None:
        search(self._clone(clone).workspace(), "aim")

    @rule(clone=CLONE, way=WAY)
    def sync_or_half_of_it(self, clone: int, way: Way) -> None:
        assert travel(self._clone(clone).workspace(), way).outcome is SyncOutcome.DONE

    @rule(clone=CLONE, way=WAY, step=STEP)
    def end_between_two_writes(self, clone: int, way: Way, step: int) -> None:
        with suppress(EndedError):
            self._interrupted(clone, way, step, end)

    @rule(clone=CLONE, other=CLONE, way=WAY, step=STEP)
    def lose_a_race(self, clone: int, other: int, way: Way, step: int) -> None:
        faster = self._clone(other)
        if faster is not self._clone(clone):
            self._interrupted(clone, way, step, lambda: travel(faster.workspace()))

    @rule(clone=CLONE, client=CLIENT, way=WAY, step=STEP)
    def save_meanwhile(self, clone: int, client: str, way: Way, step: int) -> None:
        def save() -> None:
            self._save(self._clone(clone), client, "work_summary")

        self._interrupted(clone, way, step, save)

    @rule()
    def exchange(self) -> None:
        """All clones sync until nothing moves; then all hold the same."""
        for _ in range(MOST_ROUNDS):
            before = self._states()
            for clone in self.clones:
                if travel(clone.workspace()).held_back:
                    clone.accept()
            if self._states() == before:
                break
        else:
            pytest.fail(f"still moving after {MOST_ROUNDS} rounds")
        self.all_trees_are_equal()
        self.no_session_is_there_twice()
        self.every_promise_is_kept()
        self.nothing_of_the_user_has_changed()
        self.every_object_is_sound()

    def all_trees_are_equal(self) -> None:
        there = trees_in(self.remote)
        assert self.is_said or there[CONVERSATIONS] is None
        for clone in self.clones:
            here = clone.trees()
            assert here[SESSIONS] == there[SESSIONS]
            assert not self.is_said or here[CONVERSATIONS] == there[CONVERSATIONS]

    def no_session_is_there_twice(self) -> None:
        """Those that several clones began became one."""
        sessions = [*self.clones[0].memory().newest()]
        conversations = {session.client_session_id for session in sessions}
        assert len(conversations) == len(sessions)

    def every_promise_is_kept(self) -> None:
        for clone in self.clones:
            assert self.promises.broken(*clone.texts()) == set()

    def nothing_of_the_user_has_changed(self) -> None:
        for clone in self.clones:
            assert clone.of_the_user() == clone.before
        assert of_the_user(self.remote) == self.remote_before

    def every_object_is_sound(self) -> None:
        for folder in (self.remote, *(clone.folder for clone in self.clones)):
            assert git(folder, "fsck", "--strict", "--no-dangling") == ""

    def nothing_is_lost_in(self, clone: Clone) -> None:
        """What was renamed, merged or forgotten is not."""
        workspace = clone.workspace()
        found = lost(workspace.repository, workspace.store.memory())
        assert [one for one in found if not one.is_forgotten] == []

    def everything_is_found_in(self, clone: Clone) -> None:
        workspace, memory = clone.workspace(), clone.memory()
        for word in self.promises.kept:
            found = search(workspace, word).results
            ids = [one.hit.id for one in found]
            assert any(word in (memory.text(each) or "") for each in ids)

    def _clone(self, number: int) -> Clone:
        return self.clones[number % len(self.clones)]

    def _save(self, clone: Clone, client: str, kind: str, **values: object) -> None:
        """Acknowledge a checkpoint with a word of its own."""
        word = self.promises.new_word()
        said = {kind: KINDS[kind](word), "goal": f"Aim {aside(word)}", **values}
        clone.checkpoint(client, work_pending=(aside(word),), **said)
        self.promises.said(word, client)

    def _interrupted(
        self, clone: int, way: Way, step: int, happening: Callable[[], object]
    ) -> None:
        here = self._clone(clone).workspace()
        with interrupted(here, step, happening) as workspace:
            travel(workspace, way)

    def _states(self) -> list[str]:
        """Where every ref is, in all clones and at the remote."""
        folders = (self.remote, *(clone.folder for clone in self.clones))
        return [git(folder, "for-each-ref") for folder in folders]


@pytest.mark.parametrize(
    "examples", [1, pytest.param(rounds(10), marks=pytest.mark.endurance)]
)
def test_clones_that_exchanged_everything_hold_the_same(examples: int) -> None:
    exchanged = settings(
        max_examples=examples,
        stateful_step_count=12 if examples == 1 else 25,
        derandomize=examples == 1,
    )
    run_state_machine_as_test(Exchange, settings=exchanged)


@pytest.mark.endurance
def test_ids_that_two_clones_gave_the_other_way_round(tmp_path: Path) -> None:
    first, second = make_clones(tmp_path, 2, said=False)
    for clone, clients in ((first, CLIENTS[1::-1]), (second, CLIENTS[:2])):
        for client in clients:
            clone.checkpoint(client, slug="alpha", work_completed=("Did it",))
            clone.workspace().store.replay()
    for clone in (first, second, first):
        travel(clone.workspace())
    assert first.trees() == second.trees()
    sessions = [one.client_session_id for one in first.memory().newest()]
    assert sorted(sessions) == CLIENTS[:2]
