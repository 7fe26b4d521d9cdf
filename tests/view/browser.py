"""Chromium without a window, and what it has to say of a page."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = Path(__file__).parent.parent / "fixtures" / "axe-core-4.14.1" / "axe.min.js"
_SERIOUS = ("serious", "critical")
Scheme = Literal["light", "dark"]


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Yield the browser of the machine; skip the test where none can be had."""
    program = os.environ.get("OCM_TEST_CHROMIUM") or shutil.which("chromium")
    if program is None:
        pytest.skip("There is no Chromium; OCM_TEST_CHROMIUM names one.")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        yield browser
        browser.close()


class Tab:
    """A page of the browser that notes what goes wrong in it."""

    def __init__(
        self, browser: "Browser", width: int = 1280, scheme: Scheme = "light"
    ) -> None:
        viewport: Any = {"width": width, "height": 800}
        context = browser.new_context(viewport=viewport, color_scheme=scheme)
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: self.faults.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def is_too_wide(self) -> bool:
        root = "document.documentElement"
        return bool(self.page.evaluate(f"{root}.scrollWidth > {root}.clientWidth"))

    def serious_findings(self) -> list[str]:
        """Return what the checker of accessibility finds."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found: Any = self.page.evaluate("axe.run()")
        return [
            f"{violation['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
            for violation in found["violations"]
            if violation["impact"] in _SERIOUS
            for node in violation["nodes"]
        ]
