"""The page of a real server in a real browser: pages move by themselves, replays can be stepped, the public can read.

Nothing moves but what a test moves: whoever plays waits for the test, so that no game is over before it is looked at.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from tests.end_to_end.browser import DESKTOP, PHONE, chromium, visit
from tests.end_to_end.processes import GAME_TYPE, Program, Server, answer_of, output, until
from tests.page.every_page.shots import OUTSIDE
from tests.profile import sized
from ugs.pictures.installed_renderers import puzzled
from ugs.wire.messages import GameState, Logout, Move, ThankYou

NICK, HOSTILE = "gil", "<script>alert(1)</script>"
SERIOUS = frozenset({"serious", "critical"})
TITLE = "Five in a row"
FOR_EVER = "36000"
"""More seconds than all tests take."""
WAYS = [(PHONE, True), (DESKTOP, False)]
MORE_WAYS = [(PHONE, False), (DESKTOP, True)]
NARROW = (320, 700)
LARGE_LETTERS = 32
"""Pixels of what a browser calls a letter of usual size."""
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""What axe finds in other colours and on a wider screen alone."""


@dataclass(frozen=True)
class Scene:
    """A server with games of both kinds, some of them over."""

    server: Server
    base: str
    data_dir: Path
    finished: str
    """The id of a game of tic-tac-toe that has ended."""

    def asks(self, path: str, **query: Any) -> Any:
        """What the API says."""
        return json.loads(answer_of(f"{self.base}/api/v1/{path}?{urlencode(query)}"))

    def running(self, game_type: str) -> str:
        """The id of a game that runs; waits for one."""
        found: list[str] = []

        def is_there() -> bool:
            games = self.asks("overview")["running"]
            found.extend(game["game"] for game in games if game["game_type"] == game_type)
            return bool(found)

        until(is_there)
        return found[0]


class Match:
    """A game of 5-in-a-row of two players for whom the test speaks. Who begins wins with the ninth move."""

    def __init__(self, server: Server) -> None:
        self._players = {nick: server.player(nick) for nick in (NICK, HOSTILE)}
        self._moves = 0
        self._state = self._heard()
        self.id = self._state.game_id

    @property
    def is_over(self) -> bool:
        """Whether the last state was the last."""
        return self._state.game_over is not None

    def goes_on(self) -> None:
        """One more move."""
        mover = self._state.next_player
        assert mover is not None
        stone = b'<move><tic x="%d" y="%d"/></move>' % divmod(self._moves, 2)
        self._players[mover].says(Move(self.id, stone))
        self._moves += 1
        self._state = self._heard()

    def ends(self) -> None:
        """Play it to its end; both go."""
        while not self.is_over:
            self.goes_on()
        for player in self._players.values():
            player.says(ThankYou(self.id), Logout())
            assert player.hears() is None
            player.closes()

    def _heard(self) -> GameState:
        first, second = (player.hears() for player in self._players.values())
        assert isinstance(first, GameState)
        assert second == first
        return first


ENDED = """names => {
  const boards = names.map(name => `<li class="card board ${name}"><p>${name}</p></li>`).join("");
  document.querySelector("main").innerHTML = `<ul class="boards">${boards}</ul>`;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A server with a game of 5-in-a-row that has ended, a game of Apologies that never does, somebody who waits, and
    a championship that nobody has come to."""
    directory = tmp_path_factory.mktemp("browser")
    data = directory / "data"
    plan = directory / "cup.toml"
    plan.write_text('name = "cup"\ngame_type = "apologies-adult"\nentrants = ["zoe", "yan"]\n', encoding="utf-8")
    config = f"move_timeout_s = {FOR_EVER}\nplayer_idle_s = {FOR_EVER}\n"
    with ExitStack() as stack:
        options = ("--data-dir", data, "--championship", plan)
        server = stack.enter_context(Server(directory, *options, config=config))
        for game in ("tic-tac-toe", "apologies"):
            stack.enter_context(Program.ugs("master", game, "--connect", server.address))
        for nick in ("eve", "fay"):
            slow = ("--nick", nick, "--think-ms", f"{FOR_EVER}000")
            stack.enter_context(Program.ugs("bot", "apologies", "--connect", server.address, *slow))
        server.player("ada", "go")
        server.logs("master logged in", times=2)
        match = Match(server)
        match.ends()
        scene = Scene(server, f"http://{server.ready['http']}", data, match.id)
        until(lambda: bool(scene.asks("games", game_type=GAME_TYPE)["games"]))
        scene.running("apologies")
        yield scene


@pytest.fixture
def match(scene: Scene) -> Iterator[Match]:
    """A game that runs, and is over after the test."""
    match = Match(scene.server)
    yield match
    if not match.is_over:
        match.ends()


def paths(scene: Scene) -> list[str]:
    """Each kind of page."""
    return [
        "",
        f"standings?game_type={GAME_TYPE}",
        "games",
        "championships",
        "championship?name=cup",
        "standings?championship=cup",
        "masters",
        *(f"puzzles?game_type={name}" for name in puzzled()),
        "waiting",
        "waiting?nick=ada",
        "mine",
        f"player?nick={NICK}",
        f"game?id={scene.finished}",
        f"game?id={scene.running('apologies')}",
    ]


def test_what_happens_now_changes_by_itself(browser: Browser, scene: Scene, match: Match) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes("")
        boards = page.locator("[data-part=running]")
        expect(boards.locator("svg")).to_have_count(2)
        before = boards.inner_html()
        match.goes_on()
        page.wait_for_function(
            "before => document.querySelector('[data-part=running]').innerHTML !== before", arg=before
        )
        expect(boards).to_contain_text(HOSTILE)


def test_on_a_phone_one_game_that_has_ended_is_enough(browser: Browser, scene: Scene) -> None:
    """Up to five of six boards below "Playing now" were of games that had ended."""
    for size, seen in ((PHONE, 1), (DESKTOP, 3)):
        with visit(browser, scene.base, size=size) as visitor:
            page = visitor.goes("games")
            page.evaluate(ENDED, ["ended", "", "ended", "ended", ""])
            assert page.locator(".board.ended:visible").count() == seen
            assert page.locator(".board:visible").count() == seen + 2


def test_standings_change_by_themselves_while_games_run(browser: Browser, scene: Scene, match: Match) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"standings?game_type={GAME_TYPE}")
        before = page.locator("[data-part=table] p").first.inner_text()
        match.ends()
        expect(page.locator("[data-part=table] p").first).not_to_have_text(before)


def test_a_live_game_moves_and_ends(browser: Browser, scene: Scene, match: Match) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"game?id={match.id}")
        expect(page.locator(".live")).to_have_text("live")
        before = page.locator("#board").inner_html()
        match.goes_on()
        page.wait_for_function("before => document.querySelector('#board').innerHTML !== before", arg=before)
        match.ends()
        expect(page.locator(".live")).to_have_count(0)
        expect(page.locator(".verdict")).to_contain_text(re.compile(r"won: \d+ in a row from "))


def test_a_reader_steps_back_in_a_live_game_and_comes_back_to_its_end(
    browser: Browser, scene: Scene, match: Match
) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"game?id={match.id}")
        at, board = page.locator("#at"), page.locator("#board")
        match.goes_on()
        expect(at).to_have_text("1")
        match.goes_on()
        expect(page.locator(".moves li.here")).to_have_attribute("data-position", "3")
        expect(page.locator("[data-thinks]")).to_have_count(1)
        page.locator("[data-step=back]").click()
        expect(at).to_have_text("1")
        stepped_back = board.inner_html()
        match.goes_on()
        expect(page.locator(".where")).to_have_text("move 1 of 3")
        assert board.inner_html() == stepped_back, "what is looked at stays"
        expect(page.locator(".moves li.here")).to_have_attribute("data-position", "2")
        page.locator("[data-step=last]").click()
        expect(at).to_have_text("3")
        match.goes_on()
        expect(at).to_have_text("4")
        page.keyboard.press("Home")
        expect(page.locator(".moves li.here")).to_have_attribute("data-position", "1")
        page.reload()
        expect(page.locator(".where")).to_have_text("move 0 of 4")


def test_a_link_leads_to_a_position_of_a_live_game_without_scripts(
    browser: Browser, scene: Scene, match: Match
) -> None:
    match.goes_on()
    match.goes_on()
    with visit(browser, scene.base, script=False) as visitor:
        page = visitor.goes(f"game?id={match.id}&at=2")
        assert page.locator("#at").inner_text() == "1"
        assert "0 rings" in (page.locator("#words").text_content() or "")


def test_a_replay_steps_back_and_forth_and_plays(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"game?id={scene.finished}&at=3")
        at, board = page.locator("#at"), page.locator("#board")
        third = board.inner_html()
        page.locator("[data-step=next]").click()
        expect(at).to_have_text("3")  # the position after three moves is the fourth
        assert board.inner_html() != third
        page.keyboard.press("ArrowLeft")
        expect(at).to_have_text("2")
        assert board.inner_html() == third
        assert "move=2" in page.url
        assert "at=" not in page.url
        page.locator("[data-step=last]").click()
        total = scene.asks("game", id=scene.finished)["positions"]
        expect(at).to_have_text(str(total - 1))
        page.locator("#slider").fill(str(total - 3))
        expect(at).to_have_text(str(total - 4))
        page.locator("#speed").select_option("5")
        page.locator("[data-step=play]").click()
        expect(at).to_have_text(str(total - 1))
        page.locator('.moves [data-position="5"] a').click()
        expect(at).to_have_text("4")


def test_what_is_new_on_a_board_comes_up(browser: Browser, scene: Scene, match: Match) -> None:
    """In a replay and in a game that runs; under the policy of the page, which has no style in its elements."""
    with visit(browser, scene.base, motion=True) as visitor:
        page = visitor.goes(f"game?id={scene.finished}&at=3")
        assert glides_after(page, page.locator("[data-step=next]").click)
        page = visitor.goes(f"game?id={match.id}")
        assert glides_after(page, match.goes_on)


def glides_after(page: Page, step: Callable[[], None]) -> bool:
    """Whether something moves after a step: one of several, since what follows too quickly is shown at once."""
    page.evaluate(GLIDES)
    for _ in range(5):
        page.wait_for_timeout(1000)
        before = page.locator("#board").inner_html()
        step()
        page.wait_for_function("before => document.querySelector('#board').innerHTML !== before", arg=before)
        page.wait_for_timeout(1000)
        if page.evaluate("window.glides") > 0:
            expect(page.locator("[data-glides]")).to_have_count(0)
            return True
    return False


GLIDES = """() => {
  window.glides = 0;
  new MutationObserver(() => { window.glides += document.querySelectorAll("[data-glides]").length; })
    .observe(document.getElementById("board").parentNode.parentNode, { childList: true, subtree: true });
}"""
"""Counts what is in motion on a board."""


def test_a_board_that_becomes_lower_keeps_its_place(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"game?id={scene.finished}")
        height = "document.getElementById('board').clientHeight"
        before = page.evaluate(height)
        page.evaluate("document.getElementById('board').innerHTML = '<svg viewBox=\"0 0 300 30\"></svg>'")
        assert page.evaluate(height) == before


@pytest.mark.parametrize("script", [True, False])
def test_a_link_leads_to_a_move(browser: Browser, scene: Scene, script: bool) -> None:
    with visit(browser, scene.base, script=script) as visitor:
        page = visitor.goes(f"game?id={scene.finished}&move=3")
        fourth = page.locator("#words").inner_text() if script else page.locator("#words").text_content()
        assert page.locator("#at").inner_text() == "3"
        page.locator("[data-step=next]").click()
        expect(page.locator("#at")).to_have_text("4")
        assert page.locator("#words").text_content() != fourth


def test_an_end_without_a_move_is_told_as_such(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        visitor.goes("games")

        def ends_unmoved(route: Route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=answer.text().replace(" data-total=", " data-unmoved data-total=", 1))

        visitor.page.route("**/game?*", ends_unmoved)
        page = visitor.goes(f"game?id={scene.finished}")
        where, total = page.locator(".where"), int(page.locator("#slider").get_attribute("max") or 0)
        page.locator("[data-step=back]").click()
        expect(where).to_have_text(f"move {total - 2} of {total - 2}")
        page.locator("[data-step=last]").click()
        expect(where).to_have_text("the end")
        expect(page.locator("#slider")).to_have_attribute("aria-valuetext", "the end")
        page.locator("[data-step=first]").click()
        expect(where).to_have_text(f"move 0 of {total - 2}")


def test_all_can_be_read_without_scripts(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base, script=False) as visitor:
        for path in paths(scene):
            page = visitor.goes(path)
            assert page.locator("main h1").count() == 1
            assert page.locator("main").inner_text().strip()


def test_a_hostile_nick_is_text(browser: Browser, scene: Scene, match: Match) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes(f"player?{urlencode({'nick': HOSTILE})}")
        expect(page.locator("h1")).to_have_text(HOSTILE)
        page = visitor.goes(f"standings?game_type={GAME_TYPE}")
        expect(page.locator(".nick", has_text=HOSTILE).first).to_be_visible()
        page = visitor.goes(f"game?id={match.id}")
        before = page.locator("[data-part=seats]").inner_html()
        assert "&lt;script&gt;" in before
        match.ends()  # news are put in place by the script
        page.wait_for_function("before => document.querySelector('[data-part=seats]').innerHTML !== before", arg=before)
        expect(page.locator("[data-part=seats]")).to_contain_text(HOSTILE)


@pytest.mark.parametrize("token", ["no-such-token", "100%-wrong"])
@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
def test_a_token_leaves_the_address_whatever_it_is(browser: Browser, scene: Scene, token: str, is_open: bool) -> None:
    """Whether the page was open before or not: the token stayed where whoever looks over a shoulder reads it."""
    context = browser.new_context()
    page = context.new_page()
    if is_open:
        page.goto(f"{scene.base}/mine")
    page.goto(f"{scene.base}/mine#{token}")
    expect(page.get_by_text("This token is unknown")).to_be_visible()
    assert "#" not in page.url
    context.close()


def check_page(page: Page, path: str, **options: Any) -> None:
    """No serious fault is found by axe, and nothing is wider than the screen."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    faults = {(one["id"], node["html"][:200]) for one in found if one["impact"] in SERIOUS for node in one["nodes"]}
    assert not faults, (path, faults)
    too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert too_wide <= 0, path
    assert page.evaluate(OUTSIDE) == [], path


@pytest.mark.parametrize(("size", "dark"), sized(quick=WAYS[:1], deep=WAYS + MORE_WAYS))
def test_everybody_can_use_every_page(browser: Browser, scene: Scene, size: tuple[int, int], dark: bool) -> None:
    """A quick run turns a page that is open into the other way, where a deep one opens each page in each way."""
    with visit(browser, scene.base, size=size, dark=dark) as visitor:
        for path in paths(scene):
            page = visitor.goes(path)
            check_page(page, path)
            for (width, height), is_dark in sized(quick=WAYS[1:], deep=[]):
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme="dark" if is_dark else "light", reduced_motion="reduce")
                check_page(page, path, runOnly=OF_COLOURS)
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")


def test_who_has_set_large_letters_has_them_on_every_page(browser: Browser, scene: Scene) -> None:
    """Twice as large as usual, on the narrowest phone: the page took no notice of what is set in the browser."""
    with visit(browser, scene.base, size=NARROW) as visitor:
        window = visitor.page.context.new_cdp_session(visitor.page)
        window.send("Page.setFontSizes", {"fontSizes": {"standard": LARGE_LETTERS}})
        for path in paths(scene):
            page = visitor.goes(path)
            assert page.evaluate("getComputedStyle(document.body).fontSize") == f"{LARGE_LETTERS}px"
            check_page(page, path, runOnly=OF_COLOURS)


HIDDEN = "part => part.scrollWidth - part.clientWidth"
"""How much of a part that can be moved sideways is not in sight."""


def test_tables_that_fit_are_not_moved_sideways(browser: Browser, scene: Scene) -> None:
    """With days beside times the programs of a player were wider than half a desktop, and standings than a phone."""
    (player, *_) = scene.asks("standings", game_type=GAME_TYPE)["scores"]
    with visit(browser, scene.base) as visitor:
        programs = visitor.goes(f"player?nick={player['nick']}").locator(".programs")
        expect(programs).to_be_visible()
        for number in range(programs.locator("time").count()):
            programs.locator("time").nth(number).evaluate("one => { one.textContent = 'Nov 30, 2026, 10:20 AM'; }")
        assert programs.evaluate(HIDDEN) <= 0
    with visit(browser, scene.base, size=PHONE) as visitor:
        standings = visitor.goes(f"standings?game_type={GAME_TYPE}").get_by_role("region", name="standings")
        expect(standings).to_be_visible()
        assert standings.locator("thead th").count() <= 8, "nobody has made faults"
        assert standings.evaluate(HIDDEN) <= 0


LONG = "x" * 64
"""A nick without a place to break it."""


def test_on_a_phone_long_words_stay_in_their_cards_and_all_pages_are_in_sight(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base, size=PHONE) as visitor:
        page = visitor.goes(f"standings?game_type={GAME_TYPE}")
        page.evaluate(
            """word => document.querySelector("main").insertAdjacentHTML("beforeend",
            `<div class="columns"><div><ul class="card plain-list"><li>${word} and ${word} meet</ul></div></div>
            <ul class="lines card"><li><span class="grow">${word}, ${word}</span> <span>now</span></ul>`)""",
            LONG,
        )
        check_page(page, "standings", runOnly=OF_COLOURS)
        links = page.locator("nav[aria-label=Pages] a")
        places = [links.nth(number).bounding_box() for number in range(links.count())]
        assert len(places) >= 8
        assert len({place["y"] for place in places if place is not None}) == 2, "they were one line, moved sideways"
        assert all(place is not None and place["x"] + place["width"] <= PHONE[0] for place in places)
        assert all(place is not None and place["height"] >= 24 for place in places), "a finger finds each"


def test_news_that_become_shorter_keep_their_place(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base, size=PHONE) as visitor:
        page = visitor.goes(f"game?id={scene.finished}")
        height = "document.querySelector('.news').getBoundingClientRect().height"
        page.evaluate("document.getElementById('news').innerHTML = '<li>a</li><li>b</li><li>c</li><li>d</li>'")
        page.wait_for_function("document.querySelector('.news').style.minHeight !== ''")
        before = page.evaluate(height)
        page.evaluate("document.getElementById('news').innerHTML = '<li>a</li>'")
        assert page.evaluate(height) == before


def test_what_is_left_until_a_begin_is_counted_down(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes("games")
        page.evaluate(
            """() => document.querySelector("main").insertAdjacentHTML("beforeend",
            `<p id="left" data-until="${new Date(Date.now() + 3_599_500).toISOString()}">in 59 min</p>`)"""
        )
        page.wait_for_function("() => /^in 59 min \\d+ s$/.test(document.getElementById('left').textContent)")


def test_the_keyboard_reaches_everything_and_first_the_content(browser: Browser, scene: Scene) -> None:
    with visit(browser, scene.base) as visitor:
        page = visitor.goes("games")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "To the content"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.keyboard.press("Tab")
        reached = [page.evaluate("document.activeElement.tagName")]
        while page.evaluate("document.activeElement.closest('form') !== null"):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.tagName"))
        assert reached[0] in ("INPUT", "SELECT")
        assert page.evaluate("document.activeElement.getAttribute('href')").startswith("game?id=")


def test_an_exported_site_is_opened_from_the_disk(browser: Browser, scene: Scene, tmp_path: Path) -> None:
    site = tmp_path / "site"
    # One or several: whether other tests have played games here before depends on how they are shared out.
    assert re.search("games? with a replay", output("site", "export", str(site), "--data-dir", str(scene.data_dir)))
    with visit(browser, site.as_uri()) as visitor:
        page = visitor.goes("index.html")
        page.get_by_role("link", name=TITLE).first.click()
        expect(page.locator("h1")).to_contain_text(TITLE)
        page.get_by_role("link", name="Games", exact=True).click()
        page.locator(".lines a").last.click()
        page.locator("[data-step=first]").click()
        expect(page.locator("#at")).to_have_text("0")
        first = page.locator("#board").inner_html()
        page.locator("[data-step=next]").click()
        expect(page.locator("#at")).to_have_text("1")
        assert page.locator("#board").inner_html() != first
        assert page.url.endswith("#move-1")
        moves = page.locator(".moves li").count()
        page.goto(page.url.replace("#move-1", "?#3"))  # as links of before
        expect(page.locator("#at")).to_have_text("2")
        expect(page.locator(".moves .here")).to_have_attribute("data-position", "3")
        assert page.locator(".moves li").count() == moves
