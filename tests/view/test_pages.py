"""Pages without a browser: what they say, and what they refuse."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from remote.clones import forget, make_clones
from support.clones import travel
from support.harness import CLIENT
from support.web import ask, served
from view.shop import Shop, filled_shop

from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.memory import Memory
from gitmem.lookup import find
from gitmem.view.app import application
from gitmem.view.pages import PAGES


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return filled_shop(tmp_path / "shop")


@pytest.fixture
def port(shop: Shop) -> Iterator[int]:
    with served(application(shop.workspace)) as port:
        yield port


def test_every_page_of_the_navigation_is_there(port: int) -> None:
    for page in PAGES.values():
        if page.title:
            status, headers, text = ask(port, page.path)
            assert (status, page.title in text) == (200, True), page.title
            assert headers["content-type"].startswith("text/html")


def test_a_page_that_is_not_there_says_so(port: int) -> None:
    for path in ("/nothing", "/sessions/nothing", "/memories/m-000000000000"):
        status, _, text = ask(port, path)
        assert (status, "Back to the start" in text) == (404, True), path


def test_an_error_shows_no_path_outside_the_repository(port: int, shop: Shop) -> None:
    for target in ("../../etc/passwd", "/etc/passwd", f"{shop.root}/../x"):
        status, _, text = ask(port, f"/why?target={quote(target)}")
        assert status == 404
        assert str(shop.root.parent) not in text.replace(str(shop.root), "")


def test_search_writes_no_copies(port: int, shop: Shop) -> None:
    assert "strong" in ask(port, "/search?q=customer+charged+twice")[2]
    assert not [*shop.root.rglob("*claude-code*.md")]


def test_a_file_that_is_gone_leads_to_its_sessions(port: int) -> None:
    status, _, text = ask(port, "/why?target=shop/mail.py")
    assert status == 200
    assert "in its list of files" in text
    assert "Show a pending payment" in text
    assert "Charge no customer" not in text


def test_a_branch_tells_what_its_sessions_decided_and_left(port: int) -> None:
    _, _, text = ask(port, "/why?target=main..fix/double-charge")
    assert "2 commits" in text
    assert "Idempotency key over a lock" in text
    assert "Run against the sandbox" in text


def test_filters_stand_in_the_address_and_hold(port: int) -> None:
    _, _, text = ask(port, "/sessions?branch=fix/double-charge&tool=codex")
    assert "Show a pending payment" in text
    assert "Charge no customer" not in text
    assert 'href="/sessions?branch=fix%2Fdouble-charge"' in text  # without the tool
    for query in ("status=open&author=ada", "path=RETRY", "since=2020-01-01&until="):
        assert "No session fits" not in ask(port, f"/sessions?{query}")[2], query
    for query in ("author=grace", "path=nowhere", "until=2020-01-01", "tool=x"):
        assert "No session fits" in ask(port, f"/sessions?{query}&all=1")[2], query


def test_older_sessions_are_on_the_next_page(port: int, shop: Shop) -> None:
    path, listed = "/sessions", list[str]()
    while path:
        text = ask(port, path)[2]
        listed += re.findall(r'row-link" href="(/sessions/[^"]+)"', text)
        older = re.findall(r'"([^"]+)" rel="next"', text)
        path = older[0].replace("&amp;", "&") if older else ""
    assert len(listed) == len({*listed}) == len([*shop.workspace.store.memory().ids()])


def test_nothing_changes_without_write(port: int, shop: Shop) -> None:
    memory = shop.remember("Prices have no taxes.")
    for path in (f"/memories/{memory}/forget", "/remember", "/edit/last"):
        assert ask(port, path, "POST", "text=x")[0] in (404, 405)
    assert ask(port, "/edit/last")[0] == 404


def test_a_memory_is_pinned_corrected_superseded_and_forgotten(shop: Shop) -> None:
    memory = shop.remember("Prices have no taxes.", why="They differ by country.")

    def present(name: str) -> Memory:
        return find(shop.workspace, MEMORY, name)

    with served(application(shop.workspace, is_writable=True)) as port:

        def post(path: str, **form: str) -> str:
            status, headers, _ = ask(port, path, "POST", urlencode(form))
            assert status == 303
            return headers["location"]

        assert post(f"/memories/{memory}/pin", pinned="1") == f"/memories/{memory}"
        assert present(memory).pinned
        post(f"/memories/{memory}/pin", pinned="")
        post(f"/memories/{memory}/correct", text="Prices have taxes.", why="Law.")
        corrected = present(memory)
        assert (corrected.text, corrected.why) == ("Prices have taxes.", "Law.")
        assert not corrected.pinned
        post(f"/memories/{memory}/pin", pinned="1")
        path = f"/memories/{memory}/correct"
        post(path, text="Prices have taxes.", why="", kind="decision")
        corrected = present(memory)
        assert (corrected.why, corrected.kind, corrected.pinned) == (
            "",
            "decision",
            True,
        )
        assert ask(port, path, "POST", "text=ok")[0] == 400
        post(f"/memories/{memory}/pin", pinned="")
        next_page = post(f"/memories/{memory}/supersede", text="Taxes vary by country.")
        assert present(memory).status == "superseded"
        assert "Prices have taxes." in ask(port, next_page)[2]
        post(f"/memories/{memory}/forget")
        assert ask(port, f"/memories/{memory}")[0] == 404
        added = post("/remember", text="Mails go out at night.", kind="", why="")
        assert present(added.rpartition("/")[2]).kind == "fact"


def test_a_session_is_edited_or_the_line_is_said(shop: Shop) -> None:
    session = next(shop.workspace.store.memory().newest())
    text = shop.workspace.store.memory().text(session.id) or ""
    with served(application(shop.workspace, is_writable=True)) as port:
        path = f"/edit/{session.id}"
        header = text.replace("tool: opencode", "tool: x")
        status, _, page = ask(port, path, "POST", urlencode({"text": header}))
        assert (status, "line 4: " in page, "tool: x" in page) == (400, True, True)
        other = text.replace("Add an index", "Add two indexes")
        assert ask(port, path, "POST", urlencode({"text": other}))[0] == 303
    changed = find(shop.workspace, SESSION, session.id)
    assert changed.work_pending == ("Add two indexes on `products.category`",)


@pytest.mark.parametrize("decision", ["accept", "refuse"])
def test_what_others_forgot_is_decided(tmp_path: Path, decision: str) -> None:
    here, there = make_clones(tmp_path, 2, said=False)
    here.checkpoint(CLIENT, goal="Mine")
    travel(here.workspace())
    travel(there.workspace())
    forget(there.workspace(), there.sessions_of(CLIENT), from_history=False)
    travel(there.workspace())
    travel(here.workspace())
    [held] = here.withheld()
    with served(application(here.workspace(), is_writable=True)) as port:
        text = ask(port, "/sharing")[2]
        assert "Mine" in text
        assert "Forget it here, too" in text
        path = f"/sharing/{held.session_id}/decide"
        assert ask(port, path, "POST", f"decision={decision}")[0] == 303
        assert "Held back" not in ask(port, "/sharing")[2]
    assert ("Mine" in here.goals()) is (decision == "refuse")


def test_a_list_shows_the_beginning_of_a_long_goal(port: int, shop: Shop) -> None:
    session = shop.save(
        "long", shop.now, goal="Tidy up. " * 1000, work_pending=("Sweep",)
    )
    for path in ("/sessions", "/"):
        assert "Tidy up. Tidy up." in ask(port, path)[2]
        assert len(ask(port, path)[2]) < 100_000
    assert session.goal in ask(port, f"/sessions/{session.id}")[2]
