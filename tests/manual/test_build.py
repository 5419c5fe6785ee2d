"""The site itself, as mkdocs builds it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route

from tests.end_to_end.browser import chromium
from tests.manual.build import build
from tests.profile import ONLY_DEEP

pytestmark = ONLY_DEEP


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site."""
    folder = tmp_path_factory.mktemp("site") / "docs"
    build(folder)
    return folder


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
