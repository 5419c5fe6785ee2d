"""The manual under /docs: what of a folder is given away, with which headers, and what stands there without one."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from starlette.routing import BaseRoute
from trio.testing import MockClock

from tests.daemon.shell import Shell
from tests.page.asking import Direct, Got, get
from ugs.config import ConfigError
from ugs.daemon.http.live import LiveServer
from ugs.page.contract import SiteSettings
from ugs.page.server import manual
from ugs.page.server.app import POLICY, Site
from ugs.page.server.manual import manual_routes, policy_of, site_folder

FIRST = "<html><script>go()</script><script src=x.js></script><p>Welcome</html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small site beside a file that belongs to others."""
    site = tmp_path / "site"
    (site / "api").mkdir(parents=True)
    (site / "index.html").write_text(FIRST, encoding="utf-8")
    (site / "api" / "kit.html").write_text("the kit", encoding="utf-8")
    (site / "x.js").write_text("go = () => 0", encoding="utf-8")
    for name in ("notes.txt", ".hidden.html", "journal.sqlite"):
        (site / name).write_text("secret", encoding="utf-8")
    (site / ".git").mkdir()
    (site / ".git" / "index.html").write_text("secret", encoding="utf-8")
    (tmp_path / "other.html").write_text("secret", encoding="utf-8")
    (site / "link.html").symlink_to(tmp_path / "other.html")
    os.mkfifo(site / "pipe.html")
    return site


async def asked(routes: Sequence[BaseRoute], path: str, method: str = "GET", **headers: str) -> Got:
    """The answer of a page with these routes."""
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        site = Site(LiveServer(shell.broker, shell.questions), Direct(SiteSettings()), routes)
        got = await get(site, path, {name.replace("_", "-"): value for name, value in headers.items()}, method)
        nursery.cancel_scope.cancel()
    return got


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("/docs/", FIRST, "text/html; charset=utf-8"),
        ("/docs/index.html", FIRST, "text/html; charset=utf-8"),
        ("/docs/api/kit.html", "the kit", "text/html; charset=utf-8"),
        ("/docs/x.js", "go = () => 0", "text/javascript; charset=utf-8"),
    ],
)
async def test_files_of_the_site_are_given(
    path: str, body: str, kind: str, folder: Path, autojump_clock: MockClock
) -> None:
    got = await asked(manual_routes(str(folder)), path)
    assert (got.status, got.text, got.headers["content-type"]) == (200, body, kind)
    assert got.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/docs/../other.html",
        "/docs/api/../../other.html",
        "/docs//etc/passwd",
        "/docs/%2e%2e/other.html",
        "/docs/..\\other.html",
        "/docs/link.html",
        "/docs/pipe.html",
        "/docs/notes.txt",
        "/docs/journal.sqlite",
        "/docs/.hidden.html",
        "/docs/.git/index.html",
        "/docs/api",
        "/docs/api/",
        "/docs/index.html/",
        "/docs/index.html\0.html",
        "/docs/" + "x" * 5000 + ".html",
        "/docsindex.html",
    ],
)
async def test_nothing_else_is(path: str, folder: Path, autojump_clock: MockClock) -> None:
    got = await asked(manual_routes(str(folder)), path)
    if path == "/docs/index.html/":  # a slash too many leads to no other file
        assert got.text in (FIRST, '{"error": "Not Found"}')
        return
    assert got.status == 404
    assert "secret" not in got.text


async def test_a_page_is_sent_once_and_whole(folder: Path, autojump_clock: MockClock) -> None:
    routes = manual_routes(str(folder))
    tag = (await asked(routes, "/docs/")).headers["etag"]
    again = await asked(routes, "/docs/", if_none_match=tag)
    assert (again.status, again.body) == (304, b"")
    part = await asked(routes, "/docs/", range="bytes=0-1,2-3,4-5")
    assert (part.status, part.text) == (200, FIRST)
    head = await asked(routes, "/docs/", "HEAD")
    assert (head.status, head.body, head.headers["etag"]) == (200, b"", tag)
    assert (await asked(routes, "/docs/", "DELETE")).status == 405


async def test_only_scripts_of_the_site_run(folder: Path, autojump_clock: MockClock) -> None:
    got = await asked(manual_routes(str(folder)), "/docs/")
    assert got.headers["content-security-policy"] == policy_of(FIRST.encode())
    sources = policy_of(FIRST.encode()).split("script-src ")[1].split(";")[0].split()
    assert len(sources) == 2
    assert sources[0] == "'self'"
    assert "unsafe" not in policy_of(FIRST.encode())
    assert (await asked(manual_routes(str(folder)), "/")).headers["content-security-policy"] == POLICY


async def test_the_way_to_it_does_not_lead_to_where_the_client_says_that_we_are(
    folder: Path, autojump_clock: MockClock
) -> None:
    got = await asked(manual_routes(str(folder)), "/docs", host="evil.example")
    assert (got.status, got.headers["location"]) == (307, "docs/")


@pytest.mark.parametrize("path", ["/docs", "/docs/", "/docs/organiser.html"])
async def test_where_there_is_none_a_page_says_how_to_get_it(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    monkeypatch.setattr(manual, "PLACES", (tmp_path,))
    got = await asked(manual_routes(""), path, accept="text/html")
    assert got.status == 404
    assert "pip install &#34;ugs[docs]&#34;" in got.text
    assert "make docs" in got.text


def test_a_site_is_found_where_it_is_installed_and_where_the_settings_say(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual, "PLACES", (tmp_path / "nowhere", folder))
    assert site_folder("") == folder
    with pytest.raises(ConfigError, match=r"site.docs: .*: has no index.html, so it is not the folder of a site"):
        site_folder(str(tmp_path))


@pytest.mark.parametrize("is_there", [False, True])
async def test_pages_link_to_the_manual_where_there_is_one(is_there: bool, autojump_clock: MockClock) -> None:
    settings = SiteSettings(manual=is_there)
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery)
        live = LiveServer(shell.broker, shell.questions)
        site = Site(live, Direct(settings), masthead=settings.masthead)
        nursery.start_soon(site.run)
        for path in ("/", "/games", "/mine", "/no-such-page"):
            got = await get(site, path, {"accept": "text/html"})
            assert ('docs/">Manual' in got.text) == is_there, path
        nursery.cancel_scope.cancel()
