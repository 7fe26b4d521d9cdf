"""Honest work raises no alarm: nobody is told that something was lost or waits."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remote.clones import SESSIONS, Clone, forget, make_clones
from support.clones import Way, travel
from support.harness import git
from support.rounds import rounds

from gitmem.actions.sharing import deletion_notices
from gitmem.git.values import Change, Commit, FileChange

CLIENTS = [f"{number}a1b2c3d-4e5f-4000-8000-000000000000" for number in range(9)]
"""Each clone begins its own three conversations; the others go on with them."""
DOES = (
    *("checkpoint", "checkpoint", "checkpoint", "slug", "done", "revert", "amend"),
    *("import", "forget", "sync", "sync", "fetch", "push", "pull"),
)
STEP = st.tuples(st.integers(0, 2), st.integers(0, 8), st.sampled_from(DOES))


@pytest.mark.parametrize(
    "examples", [1, pytest.param(rounds(20), marks=pytest.mark.endurance)]
)
def test_honest_work_is_never_taken_for_a_loss(examples: int) -> None:
    @settings(max_examples=examples, derandomize=examples == 1)
    @given(steps=st.lists(STEP, min_size=6, max_size=6 if examples == 1 else 24))
    def work(steps: list[tuple[int, int, str]]) -> None:
        _work(steps)

    work()


def _work(steps: list[tuple[int, int, str]]) -> None:
    with TemporaryDirectory(prefix="gitmem-") as place:
        clones = make_clones(Path(place), 3, said=True)
        for minute, (which, client, does) in enumerate(steps):
            clone = clones[which]
            clone.minutes = minute
            if client // 3 == which or clone.sessions_of(CLIENTS[client]):
                _do(clone, which, client, does, minute)
        for clone in (*clones, *clones):
            _quietly(clone, Way.SYNC)


@pytest.mark.endurance
def test_one_after_the_other_makes_no_merge(tmp_path: Path) -> None:
    clones = make_clones(tmp_path, 3, said=True)
    for minute in range(9):
        clone = clones[minute % 3]
        clone.minutes = minute
        _quietly(clone, Way.PULL)
        clone.checkpoint(CLIENTS[0], **_said("slug" if minute == 4 else "", minute))
        _quietly(clone, Way.SYNC)
    for clone in clones:
        _quietly(clone, Way.PULL)
        assert git(clone.folder, "rev-list", "--min-parents=2", SESSIONS) == ""
    assert len({git(each.folder, "rev-parse", SESSIONS) for each in clones}) == 1


def _do(clone: Clone, which: int, client: int, does: str, minute: int) -> None:
    match does:
        case "sync" | "push" | "pull":
            _quietly(clone, Way[does.upper()])
        case "fetch":
            refspec = "+refs/ocm/*:refs/ocm/remotes/origin/*"
            git(clone.folder, "fetch", "--quiet", "origin", refspec)
            clone.workspace().current_sessions()
        case "import":
            clone.import_conversations(CLIENTS[client], f"Please look at {client}")
        case "forget":
            own = clone.sessions_of(CLIENTS[3 * which + client % 3])
            forget(clone.workspace(), own, from_history=False)
        case _:
            clone.checkpoint(CLIENTS[client], **_said(does, minute))
            clone.workspace().store.replay()
    assert deletion_notices.notices(clone.workspace()) == []


def _said(does: str, minute: int) -> Mapping[str, object]:
    word = f"word{minute}"
    said: dict[str, Mapping[str, object]] = {
        "slug": {"slug": f"named-{minute % 3}"},
        "done": {"work_pending": (), "goal": f"Another {word}"},
        "revert": {"diff_summary": ""},
        "amend": {"commits": (Commit(f"{minute:012x}", "wip"),)},
    }
    return {
        "decisions": (f"**{word}:** so",),
        "work_pending": (word,),
        "diff_summary": f"{minute} files modified.",
        "files": (FileChange(f"src/{word}.py", Change.MODIFIED),),
        **said.get(does, {}),
    }


def _quietly(clone: Clone, way: Way) -> None:
    report = travel(clone.workspace(), way)
    assert (report.kept, report.held_back) == ((), ())
