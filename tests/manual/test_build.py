"""The site itself, as mkdocs builds it."""

import re
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import Route

from tests.end_to_end.browser import chromium, visit
from tests.end_to_end.processes import Server
from tests.manual.build import build
from tests.profile import ONLY_DEEP
from tests.sources import TOP
from tests.wheels.build import build as build_wheel
from tests.wheels.parts import MANUAL, contents_of_site

pytestmark = ONLY_DEEP


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site."""
    folder = tmp_path_factory.mktemp("site") / "docs"
    build(folder)
    return folder


def test_a_server_shows_it_and_its_search_runs_under_a_strict_policy(site: Path, tmp_path: Path) -> None:
    options = ("--http-port", "0")
    with (
        Server(tmp_path, *options, config=f'[site]\ndocs = "{site}"\n') as server,
        chromium() as browser,
        visit(browser, f"http://{server.ready['http']}") as visitor,
    ):
        page = visitor.goes("")
        page.get_by_role("link", name="Manual").click()
        page.click(".md-search__input")
        page.keyboard.type("lost on time")
        page.wait_for_selector(".md-search-result__item", timeout=60_000)
        assert "Questions" in page.inner_text(".md-search-result__list")
        visitor.goes("docs/protocol.html")
        assert "playerLogin" in page.inner_text("article")


def test_the_same_source_makes_the_same_wheel(site: Path, tmp_path: Path) -> None:
    build(tmp_path / "again")
    made = []
    for folder in (site, tmp_path / "again"):
        with tempfile.TemporaryDirectory() as room:
            wheel, bill = build_wheel(MANUAL, contents_of_site(folder), Path(room))
            made.append((wheel.read_bytes(), bill.read_bytes()))
    assert made[0] == made[1]


def test_it_is_as_large_as_the_manual_has_it(site: Path) -> None:
    size = sum((site / path).stat().st_size for path in contents_of_site(site).values())
    page = (TOP / "docs" / "dependencies.md").read_text(encoding="utf-8")
    written = re.search(r"this manual as a site, (\d+) MB", page)
    assert written is not None
    assert abs(int(written[1]) - size / 1e6) < 1.5


def test_nothing_comes_from_the_network(site: Path) -> None:
    loaded = r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//[^"]+"'
    assert [path.name for path in site.rglob("*.html") if re.search(loaded, path.read_text(encoding="utf-8"))] == []


def test_it_is_read_from_a_disk_without_scripts_and_searched_with_them(site: Path) -> None:
    wanted: list[str] = []

    def refuse(route: Route) -> None:
        wanted.append(route.request.url)
        route.abort()

    with chromium() as browser:
        plain = browser.new_context(java_script_enabled=False).new_page()
        plain.goto((site / "protocol.html").as_uri())
        assert "playerLogin" in plain.inner_text("article")
        page = browser.new_page()
        page.route(re.compile("^https?:"), refuse)
        page.goto((site / "index.html").as_uri())
        page.click(".md-search__input")
        page.keyboard.type("lost on time")
        page.wait_for_selector(".md-search-result__item", timeout=60_000)
        assert "Questions" in page.inner_text(".md-search-result__list")
    assert wanted == []
