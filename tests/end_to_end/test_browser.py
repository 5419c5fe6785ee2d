"""The page of a real server in a real browser: pages move by themselves, replays can be stepped, everybody can read."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.end_to_end.browser import DESKTOP, PHONE, chromium, visit
from tests.end_to_end.processes import GAME_TYPE, Program, Server, output, until

HOSTILE = "<script>alert(1)</script>"
PATIENCE = 6
"""How many times longer than usual something may take while a whole scene starts."""
SERIOUS = frozenset({"serious", "critical"})


@dataclass(frozen=True)
class Scene:
    """A server with games of both kinds, some of them over."""

    base: str
    data_dir: Path
    finished: str
    """The id of a game of tic-tac-toe that has ended."""

    def asks(self, path: str, **query: Any) -> Any:
        """What the API says."""
        with urlopen(f"{self.base}/api/v1/{path}?{urlencode(query)}") as answer:
            return json.load(answer)

    def running(self, game_type: str) -> str:
        """The id of a game that runs; waits for one."""
        found: list[str] = []

        def is_there() -> bool:
            games = self.asks("overview")["running"]
            found.extend(game["game"] for game in games if game["game_type"] == game_type)
            return bool(found)

        patiently(is_there)
        return found[0]


def patiently(is_so: Callable[[], bool]) -> None:
    """Wait for what nine processes bring about, which have to start first."""
    for _ in range(PATIENCE):
        try:
            until(is_so)
        except AssertionError:
            continue
        return
    until(is_so)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A server, masters and bots; ready when a game of each kind has something to show, and one has ended."""
    directory = tmp_path_factory.mktemp("browser")
    data = directory / "data"
    plan = directory / "cup.toml"
    plan.write_text('name = "cup"\ngame_type = "apologies-adult"\nentrants = ["zoe", "yan"]\n', encoding="utf-8")
    options = ("--data-dir", data, "--http-port", "0", "--championship", plan)
    with ExitStack() as stack:
        server = stack.enter_context(Server(directory, *options))
        for game in ("tic-tac-toe", "apologies"):
            stack.enter_context(Program.ugs("master", game, "--connect", server.address))
        for nick, thinks in (("ada", "150"), (HOSTILE, "150"), ("cleo", "20"), ("dan", "20")):
            stack.enter_context(
                Program.ugs("bot", "tic-tac-toe", "--connect", server.address, "--nick", nick, "--think-ms", thinks)
            )
        for nick in ("eve", "fay"):
            stack.enter_context(
                Program.ugs("bot", "apologies", "--connect", server.address, "--nick", nick, "--think-ms", "200")
            )
        base = f"http://{server.ready['http']}"
        scene = Scene(base, data, "")
        patiently(lambda: bool(scene.asks("games", game_type=GAME_TYPE)["games"]))
        finished = scene.asks("games", game_type=GAME_TYPE)["games"][0]["game"]
        yield Scene(base, data, finished)


def paths(scene: Scene) -> list[str]:
    """Each kind of page."""
    return [
        "",
        f"standings?game_type={GAME_TYPE}",
        "games",
        "championships",
        "championship?name=cup",
        "masters",
        "waiting?name=ada",
        "player?nick=ada",
        f"game?id={scene.finished}",
        f"game?id={scene.running('apologies')}",
    ]


def test_what_happens_now_changes_by_itself(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes("")
        boards = page.locator("[data-part=running]")
        before = boards.inner_html()
        page.wait_for_function(
            "before => document.querySelector('[data-part=running]').innerHTML !== before", arg=before
        )
        assert boards.locator("svg").count() >= 2


def test_standings_change_by_themselves_while_games_run(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"standings?game_type={GAME_TYPE}")
        before = page.locator("[data-part=table] p").first.inner_text()
        expect(page.locator("[data-part=table] p").first).not_to_have_text(before, timeout=30_000)


def test_a_live_game_moves_and_ends(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"game?id={scene.running(GAME_TYPE)}")
        expect(page.locator(".live")).to_have_text("live")
        before = page.locator("#board").inner_html()
        page.wait_for_function("before => document.querySelector('#board').innerHTML !== before", arg=before)
        expect(page.locator(".live")).to_have_count(0, timeout=30_000)
        expect(page.locator(".verdict")).to_contain_text("finished")


def test_a_replay_steps_back_and_forth_and_plays(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"game?id={scene.finished}&at=3")
        at, board = page.locator("#at"), page.locator("#board")
        third = board.inner_html()
        page.locator("[data-step=next]").click()
        expect(at).to_have_text("4")
        assert board.inner_html() != third
        page.keyboard.press("ArrowLeft")
        expect(at).to_have_text("3")
        assert board.inner_html() == third
        assert "at=3" in page.url
        page.locator("[data-step=last]").click()
        total = scene.asks("game", id=scene.finished)["positions"]
        expect(at).to_have_text(str(total))
        page.locator("#slider").fill("2")
        expect(at).to_have_text("2")
        page.locator("#speed").select_option("5")
        page.locator("[data-step=play]").click()
        expect(at).to_have_text(str(total), timeout=30_000)
        page.locator('.moves [data-position="5"] a').click()
        expect(at).to_have_text("5")


@pytest.mark.parametrize("script", [True, False])
def test_a_link_leads_to_a_move(browser: Browser, scene: Scene, script: bool) -> None:
    with visit(browser, scene.base, script=script) as visitor:
        page = visitor.goes(f"game?id={scene.finished}&at=4")
        fourth = page.locator("#words").inner_text() if script else page.locator("#words").text_content()
        assert page.locator("#at").inner_text() == "4"
        page.locator("[data-step=next]").click()
        expect(page.locator("#at")).to_have_text("5")
        assert page.locator("#words").text_content() != fourth


def test_all_can_be_read_without_scripts(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base, script=False) as visitor:
        for path in paths(scene):
            page = visitor.goes(path)
            assert page.locator("main h1").count() == 1
            assert page.locator("main").inner_text().strip()


def test_a_hostile_nick_is_text(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"player?{urlencode({'nick': HOSTILE})}")
        expect(page.locator("h1")).to_have_text(HOSTILE)
        page = visitor.goes(f"standings?game_type={GAME_TYPE}")
        expect(page.locator(".nick", has_text=HOSTILE).first).to_be_visible()
        page = visitor.goes("")
        page.wait_for_timeout(3000)  # longer than until the next news: they are put in place by the script


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_everybody_can_use_every_page(browser: Browser, scene: Scene, size: tuple[int, int], dark: bool) -> None:
    """No serious fault is found by axe, and nothing is wider than the screen."""
    with visit(browser, scene.base, size=size, dark=dark) as visitor:
        for path in paths(scene):
            page = visitor.goes(path)
            found = Axe().run(page).response["violations"]
            faults = {
                (one["id"], node["html"][:200]) for one in found if one["impact"] in SERIOUS for node in one["nodes"]
            }
            assert not faults, (path, faults)
            too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert too_wide <= 0, path


def test_the_keyboard_reaches_everything_and_first_the_content(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes("games")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "To the content"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.getAttribute('href')").startswith("game?id=")


def test_an_exported_site_is_opened_from_the_disk(browser: Browser, scene: Scene, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert "games with a replay" in output("site", "export", str(site), "--data-dir", str(scene.data_dir))
    with visit(browser, site.as_uri()) as visitor:
        page = visitor.goes("index.html")
        page.get_by_role("link", name=GAME_TYPE).first.click()
        expect(page.locator("h1")).to_contain_text(GAME_TYPE)
        page.get_by_role("link", name="Games", exact=True).click()
        page.locator(".lines a").last.click()
        page.locator("[data-step=first]").click()
        expect(page.locator("#at")).to_have_text("1")
        first = page.locator("#board").inner_html()
        page.locator("[data-step=next]").click()
        expect(page.locator("#at")).to_have_text("2")
        assert page.locator("#board").inner_html() != first
