"""A real browser, without a window: Debian's Chromium, driven by Playwright.

What a page loads from elsewhere, and what it writes to the console, fails the test that opened it.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or "chromium"
PHONE, DESKTOP = (390, 844), (1200, 800)
BOUND_MS = 300_000
"""Milliseconds within which anything must have happened, on a busy machine too."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser. Nothing of it is downloaded: it is a package of the system (``make chromium``)."""
    expect.set_options(timeout=BOUND_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """One visitor with a window of its own."""

    def __init__(
        self, browser: Browser, base: str, *, size: tuple[int, int], dark: bool, script: bool, motion: bool
    ) -> None:
        self.base = base
        self.complaints: list[str] = []
        """What the console said, and what was asked of another place."""
        self.bytes = 0
        self._context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=script,
            reduced_motion="no-preference" if motion else "reduce",
        )
        self._context.set_default_timeout(BOUND_MS)
        self.page: Page = self._context.new_page()
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("request", lambda request: self._asked(request.url))

    def goes(self, path: str) -> Page:
        """Open a page of the site."""
        self.page.goto(f"{self.base}/{path}")
        return self.page

    def leaves(self) -> None:
        """Close the window."""
        self._context.close()

    def _asked(self, url: str) -> None:
        wanted, own = urlsplit(url), urlsplit(self.base)
        if (wanted.scheme, wanted.netloc) != (own.scheme, own.netloc):
            self.complaints.append(f"asked for {url}")


@contextmanager
def visit(
    browser: Browser,
    base: str,
    *,
    size: tuple[int, int] = DESKTOP,
    dark: bool = False,
    script: bool = True,
    motion: bool = False,
) -> Iterator[Visit]:
    """A visitor, who has nothing to complain of at the end."""
    visitor = Visit(browser, base, size=size, dark=dark, script=script, motion=motion)
    try:
        yield visitor
    finally:
        visitor.leaves()
    assert visitor.complaints == [], visitor.complaints
