"""Every page in a real browser: what it shows, does, and refuses to do."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.commits import committed
from support.web import served
from support.workspaces import workspace_at
from view.browser import Tab, chromium
from view.hostile import HOSTILE, hostile_memory
from view.shop import Shop, filled_shop

from gitmem.cli.view import guarded_pages
from gitmem.documents.kinds import MEMORY
from gitmem.lookup import find
from gitmem.view.pages import PAGES, served_link
from gitmem.view.single_file import FileContents, SingleFile

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from gitmem.workspace import Workspace

pytestmark = pytest.mark.endurance
WIDTHS = {"phone": 390, "tablet": 768, "desktop": 1280}
PICTURES = os.environ.get("OCM_TEST_PICTURES")
"""A folder for pictures of all pages; those in docs/images are from there."""


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return filled_shop(tmp_path / "shop")


@contextmanager
def opened(
    tab: Tab, workspace: "Workspace", *, is_writable: bool = False
) -> Iterator[str]:
    """Open the start page by its link; the address of the pages."""
    guard, access = guarded_pages(workspace, is_writable=is_writable)
    with served(guard) as port:
        address = f"http://127.0.0.1:{port}"
        tab.page.goto(access.link(address))
        yield address


def pages_of(workspace: "Workspace", goal: str, memory: str) -> dict[str, str]:
    """The URL of each page: those of a document for one session and one memory."""
    sessions = workspace.store.memory().newest()
    session = next(session for session in sessions if goal in session.goal)
    names = {"memory": memory, "edit": session.id}
    links: dict[str, str] = {}
    for name, page in PAGES.items():
        is_named = "{name}" in page.path
        own: Any = {"name": names.get(name, session.id)} if is_named else {}
        links[name] = served_link(name, **own)
    return links


def pages_of_shop(shop: Shop) -> dict[str, str]:
    tree = shop.workspace.current(MEMORY)
    memories = filter(None, map(tree.readable, tree.ids()))
    [memory] = [memory.id for memory in memories if "Postgres 16" in memory.text]
    return pages_of(shop.workspace, "Charge no customer", memory) | {
        "search": "/search?q=customer+charged+twice",
        "why": "/why?target=shop/retry.py",
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", WIDTHS)
def test_every_page_can_be_seen_and_used_by_everybody(
    size: str, scheme: Any, shop: Shop, browser: "Browser"
) -> None:
    tab = Tab(browser, WIDTHS[size], scheme)
    with opened(tab, shop.workspace, is_writable=True) as address:
        for name, path in pages_of_shop(shop).items():
            tab.page.goto(f"{address}{path}")
            assert (name, tab.faults) == (name, [])
            assert not tab.is_too_wide(), name
            findings = tab.serious_findings() if size == "desktop" else []
            assert (name, findings) == (name, [])
            if PICTURES:
                tab.page.screenshot(path=Path(PICTURES) / f"{name}-{size}-{scheme}.png")


def test_each_line_of_a_file_is_on_one_line(shop: Shop, browser: "Browser") -> None:
    committed(shop.root, "long.py", "pass\n" * 1200)
    tab = Tab(browser)
    with opened(tab, shop.workspace) as address:
        tab.page.goto(f"{address}/why?target=long.py")
        heights = tab.page.eval_on_selector_all(
            ".lines .line", "cells => cells.map(cell => cell.clientHeight)"
        )
    assert len(heights) == 1200
    assert len({*heights}) <= 2, "the first has a border"


def test_search_shows_hits_as_one_types(shop: Shop, browser: "Browser") -> None:
    tab = Tab(browser)
    with opened(tab, shop.workspace):
        tab.page.keyboard.press("/")
        tab.page.keyboard.type("twice")
        tab.page.keyboard.press("Enter")
        field = tab.page.get_by_role("searchbox")
        field.press_sequentially(" customer charged")
        tab.page.wait_for_function(
            "document.querySelector('mark')?.closest('li')"
            ".textContent.includes('Charge no customer')"
        )
        tab.page.wait_for_url("**/search?q=twice+customer+charged")
        field.blur()
        tab.page.keyboard.press("j")
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_url("**/sessions/*")
        assert "Charge no customer twice" in tab.page.inner_text("h1")
        tab.page.keyboard.press("?")
        assert tab.page.is_visible("dialog")
    assert tab.faults == []


def test_sessions_are_filtered(shop: Shop, browser: "Browser") -> None:
    tab = Tab(browser)
    with opened(tab, shop.workspace) as address:
        tab.page.goto(f"{address}/sessions")
        tab.page.click("summary")
        tab.page.select_option("[name=tool]", "codex")
        tab.page.fill("[name=branch]", "fix/double-charge")
        tab.page.click("text=Show")
        assert tab.page.locator("li.session").count() == 1
        tab.page.click("text=branch fix/double-charge")
        assert tab.page.locator("li.session").count() > 1


def test_a_newcomer_corrects_a_wrong_memory(shop: Shop, browser: "Browser") -> None:
    tab = Tab(browser)
    with opened(tab, shop.workspace, is_writable=True):
        tab.page.click("nav >> text=Memories")
        tab.page.click("text=Tests need Postgres 16")
        tab.page.click("text=Correct")
        tab.page.fill("[name=text]", "Tests need Postgres 17.")
        tab.page.click("text=Save")
        tab.page.click("text=Pin")
        tab.page.click("text=Unpin")
        assert tab.page.inner_text("h1") == "Tests need Postgres 17."
    memory = find(shop.workspace, MEMORY, tab.page.url.rpartition("/")[2])
    assert memory.text == "Tests need Postgres 17."
    assert tab.faults == []


def test_forms_do_what_they_say(shop: Shop, browser: "Browser") -> None:
    tab = Tab(browser)
    with opened(tab, shop.workspace, is_writable=True) as address:
        tab.page.goto(address + served_link("remember"))
        tab.page.fill("[name=text]", "Releases are cut on Tuesdays.")
        tab.page.click("button.main")
        assert tab.page.inner_text("h1") == "Releases are cut on Tuesdays."
        tab.page.click("text=Pin")
        tab.page.click("text=Unpin")
        tab.page.click("summary >> text=Supersede")
        tab.page.fill("[action$=supersede] [name=text]", "Releases are cut on Mondays.")
        tab.page.click("[action$=supersede] button")
        assert tab.page.inner_text("h1") == "Releases are cut on Mondays."
        tab.page.click("summary >> text=Forget")
        tab.page.click("[action$=forget] button")
        assert "Mondays" not in tab.page.inner_text("main")
        tab.page.goto(address + pages_of_shop(shop)["edit"])
        text = tab.page.input_value("[name=text]")
        tab.page.fill(
            "[name=text]", text.replace("Charge no customer", "Charge nobody")
        )
        tab.page.click("button.main")
        assert "Charge nobody twice" in tab.page.inner_text("h1")
    assert tab.faults == []


def test_the_link_works_once_and_leaves_the_address(
    shop: Shop, browser: "Browser"
) -> None:
    guard, access = guarded_pages(shop.workspace, is_writable=False)
    with served(guard) as port:
        link = access.link(f"http://127.0.0.1:{port}")
        first, second = Tab(browser), Tab(browser)
        first.page.goto(link)
        assert first.page.url == f"http://127.0.0.1:{port}/"
        first.page.click("nav >> text=Sessions")
        assert first.page.inner_text("h1") == "Sessions"
        [cookie] = first.page.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        for url in (link, f"http://127.0.0.1:{port}/sessions"):
            refusal = second.page.goto(url)
            assert refusal
            assert refusal.status == 401
    assert first.faults == []


def test_hostile_text_stays_inert(tmp_path: Path, browser: "Browser") -> None:
    root, memory = hostile_memory(tmp_path / "<b>hacked<b>")
    workspace = workspace_at(root)
    pages = pages_of(workspace, "hacked", memory) | {
        "why": served_link("why", target="<img src=x onerror=hacked()>.py"),
        "search": served_link("search", q=f"hacked {HOSTILE}"),
        "filters": served_link("sessions", branch=HOSTILE, tool=HOSTILE, path=HOSTILE),
        "refusal": served_link("session", name=f"{HOSTILE}".replace("/", "")),
    }
    file = tmp_path / "out.html"
    contents = FileContents(with_conversations=True, with_private=True, with_local=True)
    file.write_text(SingleFile(workspace, contents).html(), "utf-8")
    tab = Tab(browser)
    with opened(tab, workspace, is_writable=True) as address:
        for url in (*(f"{address}{path}" for path in pages.values()), file.as_uri()):
            tab.page.goto(url)
            faults = [fault for fault in tab.faults if "server responded" not in fault]
            assert (url, faults) == (url, [])
            assert tab.page.evaluate("window.hacked") is None, url
            assert "hacked" in tab.page.content(), url
            links = tab.page.locator("a[href^='javascript' i], [onerror], main script")
            assert links.count() == 0, url
        assert all(url.startswith((address, "file:")) for url in tab.requests)
