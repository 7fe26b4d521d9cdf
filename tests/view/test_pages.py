"""Pages without a browser: what they say, and what they refuse."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.events import now
from support.web import ask, served
from view.shop import Shop, filled_shop

from gitmem.view.app import application
from gitmem.view.pages import PAGES


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return filled_shop(tmp_path / "shop", now())


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
