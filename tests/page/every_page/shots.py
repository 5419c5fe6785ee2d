"""Pictures of what a window shows, in all sizes and colours, what axe finds in it, and a page to look at them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Final, Literal, TypeAlias

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, FloatRect, Page

SIZES: Final[Mapping[str, tuple[int, int]]] = {"desktop": (1200, 800), "phone": (390, 844)}
Way: TypeAlias = tuple[str, Literal["light", "dark"]]
WAYS: Final[tuple[Way, ...]] = (("desktop", "light"), ("desktop", "dark"), ("phone", "light"), ("phone", "dark"))
QUICK_WAYS: Final[tuple[Way, ...]] = (("desktop", "light"), ("phone", "dark"))
SERIOUS: Final = frozenset({"serious", "critical"})
PATIENCE_MS: Final = 90_000
MAX_HEIGHT: Final = 6000
"""A picture ends here, however long a page is."""
SETTLED_MS: Final = 150


DRAWN: Final = """() => !/being computed|picture comes as soon/.test(document.body.innerText)
  && (!document.getElementById("running") || document.querySelector(".boards svg"))"""
"""Whether standings and pictures have come: a page does not wait for them."""
OVERFLOWING: Final = """() => [...document.querySelectorAll("main :is(td, th, p, li, dd, h1, h2, h3, label, a)")]
  .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).overflowX === "visible" && getComputedStyle(one).display !== "inline"
    && !one.closest(".unseen"))
  .map((one) => one.textContent.trim().slice(0, 80))"""
"""What stands out of its cell or line."""


OUTSIDE: Final = """() => [...document.querySelectorAll("main .card :is(select, input, button, li, p, td, th, h2, h3)")]
  .filter((one) => one.checkVisibility() && !one.closest(".scroll, .unseen")
    && one.getBoundingClientRect().right > one.closest(".card").getBoundingClientRect().right + 1)
  .map((one) => one.textContent.trim().slice(0, 80))"""
"""What stands out of its card."""


class Shots:
    """Takes pictures into a folder, and keeps what is wrong with the pages."""

    def __init__(self, browser: Browser, directory: Path, only: str, *, quick: bool) -> None:
        self._browser = browser
        self._directory = directory
        self._only = [word for word in only.split(",") if word] or [""]
        self._quick = quick
        self.names: list[str] = []
        self.faults: list[str] = []
        directory.mkdir(parents=True, exist_ok=True)

    def wants(self, name: str) -> bool:
        """Whether pictures of that name were asked for."""
        return name.startswith(tuple(self._only))

    def window(self) -> Page:
        """A window of somebody who was never here."""
        context = self._browser.new_context(timezone_id="UTC", locale="en-GB", reduced_motion="reduce")
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        return page

    def visit(self, name: str, url: str, click: str = "") -> None:
        """Pictures of an address; of what is there after a click, if one is wanted."""
        if not self.wants(name):
            return
        with self.tried(name):
            page = self.window()
            page.goto(url)
            page.wait_for_function(DRAWN)
            if click:
                page.locator(click).click()
            self.take(page, name)
            page.context.close()

    @contextmanager
    def tried(self, name: str) -> Iterator[None]:
        """What fails here is a fault of that page; the other pages are looked at."""
        try:
            yield
        except (Error, AssertionError) as error:
            self.faults.append(f"{name}: {error}")

    def take(self, page: Page, name: str) -> None:
        """Pictures of what a window shows. They are as long as the page is: a line shows what is seen first."""
        if not self.wants(name):
            return
        for device, scheme in QUICK_WAYS if self._quick else WAYS:
            width, height = SIZES[device]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            page.evaluate("() => scrollTo(0, 0)")
            page.wait_for_timeout(SETTLED_MS)
            long = min(MAX_HEIGHT, int(page.evaluate("document.documentElement.scrollHeight")))
            clip = FloatRect(x=0, y=0, width=width, height=max(height, long))
            page.screenshot(path=self._directory / f"{name}-{device}-{scheme}.png", full_page=True, clip=clip)
            self._look(page, f"{name} {device} {scheme}")
        self.names.append(name)
        print(name, flush=True)

    def _look(self, page: Page, name: str) -> None:
        found = Axe().run(page).response["violations"]
        self.faults += [
            f"{name}: {one['id']}: {node['html'][:160]}"
            for one in found
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]
        if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
            self.faults.append(f"{name}: wider than the screen")
        self.faults += [f"{name}: text wider than its place: {text}" for text in page.evaluate(OVERFLOWING)]
        self.faults += [f"{name}: wider than its card: {text}" for text in page.evaluate(OUTSIDE)]

    def index(self) -> None:
        """Write ``index.html``: all pictures that lie in the folder, each page in a row."""
        names = sorted({path.name.rsplit("-", 2)[0] for path in self._directory.glob("*-*-*.png")})
        rows = "".join(
            f"<h2 id='{escape(name)}'>{escape(name)}</h2><div>{''.join(_figure(name, *one) for one in WAYS)}</div>"
            for name in names
        )
        links = " ".join(f"<a href='#{escape(name)}'>{escape(name)}</a>" for name in names)
        faults = "".join(f"<li>{escape(fault)}" for fault in self.faults)
        text = f"<!doctype html><meta charset=utf-8><title>Every page</title><style>{STYLE}</style>"
        text += f"<h1>Every page</h1><p>{links}</p><ul>{faults}</ul>{rows}"
        (self._directory / "index.html").write_text(text, encoding="utf-8")


STYLE: Final = """
body { font: 15px system-ui, sans-serif; margin: 1rem; background: #888; }
div { display: flex; gap: 1rem; align-items: start; }
figure { margin: 0; position: relative; }
img { display: block; }
.desktop, .desktop img { width: 600px; } .phone, .phone img { width: 260px; }
figure::after { content: ""; position: absolute; left: 0; right: 0; border-top: 2px dashed #d0f; }
.desktop::after { top: 400px; } .phone::after { top: 563px; }
"""


def _figure(name: str, device: str, scheme: str) -> str:
    source = escape(f"{name}-{device}-{scheme}.png")
    return f"<figure class='{device}'><a href='{source}'><img src='{source}' loading=lazy alt='{source}'></a></figure>"
