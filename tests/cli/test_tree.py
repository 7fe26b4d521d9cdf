"""`ocm list --tree`: each session below the one that it goes on from."""

from collections.abc import Callable
from pathlib import Path

from cli.running import Ocm
from hypothesis import given
from hypothesis import strategies as st
from support.events import event, note, now
from support.strategies import session

from gitmem.actions.reading.lineage import family_tree
from gitmem.documents.event import Edit, Fork, Prompt, Start
from gitmem.documents.session.session import Session


def one(name: str, parent: str = "") -> Session:
    session_id = f"2026-05-04_10-00_codex_{name}"
    return session(id=session_id, client_session_id=name, parent=parent)


def drawn(*sessions: Session) -> list[str]:
    nodes = family_tree(sessions)
    return [f"{lead}{sessions[at].client_session_id}" for at, lead, _ in nodes]


def test_child_stands_below_its_parent() -> None:
    sessions = one("c", "a"), one("x"), one("d", "b"), one("b", "a"), one("a")
    assert drawn(*sessions) == ["a", "├─ c", "└─ b", "   └─ d", "x"]


def test_a_parent_may_be_named_by_its_session_id() -> None:
    assert drawn(one("b", one("a").id), one("a")) == ["a", "└─ b"]


def test_whose_parent_is_not_listed_stands_alone() -> None:
    assert drawn(one("b", "gone"), one("a")) == ["b", "a"]


def test_sessions_that_name_each_other_are_shown_once() -> None:
    assert drawn(one("a", "b"), one("b", "a")) == ["b", "└─ a"]
    assert drawn(one("a", "a")) == ["a"]


@given(st.lists(st.sampled_from(["", *"abcdefgh", "gone"]), min_size=8, max_size=8))
def test_whatever_documents_name_each_session_is_shown_once(parents: list[str]) -> None:
    named = zip("abcdefgh", parents, strict=True)
    sessions = [one(name, parent) for name, parent in named]
    assert sorted(at for at, _, _ in family_tree(sessions)) == [*range(8)]


def test_a_chain_of_any_length_stays_on_the_screen() -> None:
    chain = [one(str(n), str(n + 1)) for n in range(1000)]
    nodes = list(family_tree(chain))
    assert len(nodes) == 1000
    assert max(len(indent) for _, _, indent in nodes) <= 36


def test_a_fork_is_drawn_below_its_parent(
    ocm: Ocm, repository: Path, terminal: Callable[[int], None]
) -> None:
    goals = {"parent": "Measure the endpoint", "fork": "Try " + "another way " * 9}
    for name, goal in goals.items():
        note(
            repository,
            event(Start, at=now(), client=name),
            *([event(Fork, at=now(), client=name, parent="parent")] * (name == "fork")),
            event(Prompt, at=now(), client=name, text=goal),
            event(Edit, at=now(), client=name, path="a.py"),
        )
    piped = ocm("list", "--tree").text.splitlines()
    terminal(80)
    for lines in (piped, drawn := ocm("list", "--tree").text.splitlines()):
        assert [line[:3] for line in lines] == ["202", "│  ", "└─ ", "   "]
        assert lines[1].endswith(goals["parent"])
        assert lines[3].strip().startswith("Try another way")
    assert max(map(len, drawn)) <= 80
    listed = ocm("list", "--json", "--tree").json
    assert [each["parent"] for each in listed].count("parent") == 1
    assert {each["client_session_id"] for each in listed} == {"parent", "fork"}
