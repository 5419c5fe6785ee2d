"""People play at a real browser against real masters: whole games by clicking, a reload between, their own games."""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from os import kill
from pathlib import Path
from signal import SIGKILL

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocketRoute, expect

from tests.end_to_end.browser import BOUND_MS, CHROMIUM, PHONE, Visit, chromium, visit
from tests.end_to_end.clicking import MADE, clicks, comes_in, is_asked, plays, sets_up
from tests.end_to_end.processes import GAME_TYPE, Program, Server, answer_of, own_port, until
from tests.page.every_page.shots import OUTSIDE
from tests.profile import sized
from ugs.admin import ask
from ugs.broker.values.record import EntryKind
from ugs.journal.reader import Reader
from ugs.record.ugsg import read

HOSTILE = "<script>alert(1)</script>"
SERIOUS = frozenset({"serious", "critical"})
HOW = re.compile(r"^(\w+ won|the computer won|\w+ drew): (\d+ in a row from \S+ to \S+|board full)$")
"""How a game of 5-in-a-row against the computer ends, in one clause."""
SMALL = (("width", "3"), ("height", "3"), ("row", "3"))
"""A board of 5-in-a-row on which a game takes nine moves at most."""
AWAITED = re.compile(r"^The game master has lost its line\. .* until \d+:\d\d:\d\d( [AP]M)?; no clock runs\.$")
WATCHED = """() => {
  const $ = (id) => document.getElementById(id);
  window.seen = [];
  new MutationObserver(() => {
    const bare = $("game").hidden || !$("board").querySelector("svg");
    const now = `${$("turn").textContent}${bare ? ", without a board" : ""}`;
    if (now !== seen.at(-1)) seen.push(now);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""From now on ``seen`` has each headline of a game that is shown, and whether there was a board."""
CLOCK_MS = 2100
"""Two steps of a clock."""
WHOLE = sized(quick=False, deep=True)
"""Whether games of large kinds are played to their end; else they are given up after some moves."""
MOST = sized(quick=6, deep=20_000)
"""Moves of a person in a game of a large kind."""
LARGE: list[tuple[str, str, int, Sequence[tuple[str, str]]]] = [
    ("apologies", "apologies", 2, ()),
    ("apologies-adult", "apologies-adult", 2, ()),
    ("bang", "bang", 4, ()),
    ("catan", "settlers", 2, ()),
    ("titan", "titan", 2, ()),
]
"""Games, their types, how many seats there are, and with which options."""
LARGER: list[tuple[str, str, int, Sequence[tuple[str, str]]]] = [
    ("apologies", "apologies", 4, ()),
    ("apologies-adult", "apologies-adult", 4, ()),
    ("bang", "bang", 7, ()),
    ("catan", "settlers", 4, (("SC", "SC_FOG"),)),
    ("catan-six", "settlers6", 6, ()),
    ("titan", "titan", 4, ()),
    ("tic-tac-toe", GAME_TYPE, 2, ()),
]


class House:
    """A server with a journal, and masters."""

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self.data = directory / "data"
        self._stack = stack
        self._masters: dict[str, Program] = {}
        patient = "move_timeout_s = 3600\nmaster_timeout_s = 3600\nmaster_grace_s = 3600\n"
        self._server = stack.enter_context(Server(directory, "--data-dir", self.data, config=patient))
        self.base = f"http://{self._server.ready['http']}"

    def has_master(self, game: str, game_type: str) -> None:
        """From now on there is one of this game, and the page, which is kept for a moment, offers the game."""
        if game not in self._masters:
            master = Program.ugs("master", game, "--connect", self._server.address)
            self._masters[game] = self._stack.enter_context(master)
            offered = f'value="{game_type}"'.encode()
            until(lambda: offered in answer_of(f"{self.base}/play"))

    def loses_master(self, game: str) -> None:
        """That of this game is killed."""
        master = self._masters.pop(game)
        master.signal(SIGKILL)
        master.ends()

    def dies(self) -> None:
        """The server is killed."""
        self._server.signal(SIGKILL)
        self._server.ends()

    def moves_of(self, nick: str) -> list[int]:
        """How many moves of this player each of its ended games has, by the journal."""
        with Reader(self.data) as reader:
            games = [summary.game_id for _, summary in reader.ended(nick=nick, began_us=(0, 1 << 62))]
            records = [reader.record(game) for game in games]
        return [
            sum(entry.kind is EntryKind.MOVE and entry.seat == record.seats.index(nick) for entry in record.entries)
            for record in records
        ]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server for all tests, with a master of 5-in-a-row."""
    with ExitStack() as stack:
        house = House(tmp_path_factory.mktemp("playing"), stack)
        house.has_master("tic-tac-toe", GAME_TYPE)
        yield house


def test_a_whole_game_and_one_more_and_what_became_of_them(browser: Browser, house: House) -> None:
    # What glides must not be in the way of who plays.
    with visit(browser, house.base, motion=True) as visitor:
        page = visitor.goes("play")
        comes_in(page, "ann", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        expect(page).to_have_title(re.compile("^● Your turn – "))
        made = plays(page, 9)
        expect(page.locator("#turn")).to_have_text(re.compile("You have won|You have lost|A draw"))
        expect(page.locator("#said")).to_have_text(HOW)
        expect(page).not_to_have_title(re.compile("Your turn"))
        page.get_by_role("button", name="Why?").click()
        expect(page.locator("#account")).to_contain_text("game ")
        assert house.moves_of("ann") == [made], "each click has reached the master"
        page.get_by_role("button", name="Replay").click()
        expect(page.locator("#why")).to_contain_text("your last messages")
        expect(page.locator("h1")).to_contain_text("ann")
        page.go_back()
        expect(page.get_by_role("button", name="Play another game")).to_be_visible()
        page.get_by_role("button", name="Play again").click()
        expect(page.locator("#over")).to_be_hidden()
        expect(page.locator("#game")).to_be_visible()
        again = plays(page, 9, first=3)
        expect(page.locator("#said")).to_have_text(HOW)
        assert house.moves_of("ann") == [again, made]

        page.get_by_role("button", name="My games").click()
        expect(page.locator("h1")).to_have_text("Your games, ann")
        assert "#" not in page.url
        assert page.locator("main > ul.lines > li").count() == 2
        with page.expect_download() as download:
            page.get_by_role("link", name=".ugsg").last.click()
        (record,) = read(Path(download.value.path()).read_bytes().splitlines(keepends=True))
        assert "ann" in record.seats
        page.locator("ul.lines a.plain").last.click()
        expect(page.locator("#why")).to_contain_text(record.game_id)
        page.locator("[data-step=first]").click()
        expect(page.locator("#at")).to_have_text("0")
        page.locator("[data-step=next]").click()
        expect(page.locator("#at")).to_have_text("1")


def test_a_puzzle_is_found_tried_and_solved(browser: Browser, house: House) -> None:
    with visit(browser, house.base) as visitor:
        page = visitor.goes(f"puzzles?game_type={GAME_TYPE}")
        card = page.locator(".puzzles > li").first
        expect(card).to_contain_text("One is missing")
        expect(card.locator("svg")).to_be_visible()
        card.get_by_role("link", name="Play it").click()
        expect(page.locator("#game_type")).to_have_value(GAME_TYPE)
        expect(page.locator("#wanted")).to_have_text("Puzzle 1: One is missing. Come in, then set up its table.")
        page.locator("#nick").fill("zoe")
        page.get_by_role("button", name="Come in").click()
        expect(page.locator("#puzzle-task")).to_have_text("Complete a row of five crosses now.")
        expect(page.get_by_role("button", name="Set up the table")).to_be_in_viewport()
        page.get_by_role("button", name="Set up the table").click()
        assert is_asked(page)
        expect(page.locator("#task")).to_have_text("Puzzle 1: Complete a row of five crosses now.")
        page.locator("#all-title").click()
        page.get_by_role("button", name="X on 6,3", exact=True).click()
        expect(page.locator("#turn")).to_have_text("You have won")
        expect(page.locator("#said")).to_have_text("zoe won: puzzle solved")
        page.reload()  # the link was for the game that has ended
        expect(page.locator("#turn")).to_have_text("You have won")
        page.get_by_role("button", name="Replay").click()
        page.go_back()
        expect(page.locator("#turn")).to_have_text("You have won")
        page.get_by_role("button", name="Next puzzle").click()
        expect(page.locator("#over")).to_be_hidden()  # the end of the one before
        assert is_asked(page)
        expect(page.locator("#task")).to_have_text("Puzzle 2: Complete a row of five crosses now.")
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Give up").click()
        expect(page.locator("#turn")).to_have_text("You have given up; the game does not count")
        expect(page.locator("#said")).to_have_text("")
        page.goto(f"{house.base}/play?game_type={GAME_TYPE}&puzzle=3")  # not the end of the last game
        expect(page.locator("#puzzle")).to_have_value("3")
        expect(page.get_by_role("button", name="Set up the table")).to_be_in_viewport()
        house.has_master("apologies", "apologies")
        page.goto(f"{house.base}/play?game_type=apologies&puzzle=2")
        expect(page.locator("#noted")).to_have_text("You are at Five in a row. Leave it to play Apologies.")
        page.once("dialog", lambda dialog: dialog.accept())  # a game has been played
        page.get_by_role("button", name="Leave", exact=True).click()
        expect(page.locator("#nick")).to_have_value("zoe")
        page.get_by_role("button", name="Come in").click()
        expect(page.locator("#puzzle")).to_have_value("2")
        expect(page.locator("#notes")).to_be_hidden()


def test_the_page_is_loaded_again_in_the_middle(browser: Browser, house: House) -> None:
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "ben", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        expect(page.locator("#how")).to_have_text("Click on the board, or choose below.")
        clicks(page, 0)
        assert is_asked(page), "nobody wins a game with one move"
        words = page.locator("#words").text_content()
        page.reload()
        assert is_asked(page)
        assert page.locator("#words").text_content() == words
        plays(page, 9)
        expect(page.locator("#said")).to_have_text(HOW)
        page.get_by_role("button", name="Play again").click()
        expect(page.locator("#over")).to_be_hidden()
        expect(page.locator("#game")).to_be_visible()
        plays(page, 9)  # on as small a board
        expect(page.locator("#said")).to_have_text(HOW)
    assert len(house.moves_of("ben")) == 2


def test_the_page_is_loaded_again_at_a_table_whose_game_begins_and_ends(browser: Browser, house: House) -> None:
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "hal", GAME_TYPE)
        for leaves in (True, False):
            expect(page.locator("#set-up")).to_be_visible()
            page.locator("#computers").fill("0")
            page.locator("#options-box").evaluate("box => { box.open = true; }")
            for name, value in SMALL:
                page.locator(f'[data-option="{name}"]').fill(value)
            page.get_by_role("button", name="Set up the table").click()
            expect(page.locator("#table")).to_be_visible()
            page.reload()
            expect(page.locator("#table-name")).to_have_text("table of hal")
            expect(page.locator("#table-nicks")).to_have_text("hal")
            if leaves:
                page.get_by_role("button", name="Leave the table").click()
        page.get_by_role("button", name="Begin now").click()
        assert is_asked(page)
        page.reload()  # how it was set up is known to the page alone from now on
        plays(page, 9)
        expect(page.locator("#said")).to_have_text(HOW)
        expect(page.get_by_role("button", name="Play another game")).to_be_visible()
        page.get_by_role("button", name="Play again").click()
        expect(page.locator("#over")).to_be_hidden()
        expect(page.locator("#game")).to_be_visible()
        plays(page, 9)  # on as small a board
        expect(page.locator("#said")).to_have_text(HOW)


def test_who_comes_back_sees_what_has_happened_and_how_its_last_game_has_ended(browser: Browser, house: House) -> None:
    """After a reload in the middle the list was empty; after the end there was neither result nor board."""
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "bea", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        clicks(page, 0)
        assert is_asked(page)
        news = page.locator("#news li")
        happened = news.all_text_contents()
        assert len(happened) >= 2
        page.reload()
        assert is_asked(page)
        assert news.all_text_contents() == happened
        page.evaluate("sessionStorage.removeItem('ugs.play.seen /')")
        page.add_init_script("localStorage.removeItem('ugs.play.left /')")
        page.reload()
        assert is_asked(page)
        assert news.all_text_contents() == happened, "the server has it"
        plays(page, 9)
        expect(page.locator("#said")).to_have_text(HOW)
        said = page.locator("#said").text_content() or ""
        words = page.locator("#words").text_content() or ""
        page.reload()
        expect(page.locator("#said")).to_have_text(said)
        expect(page.locator("#words")).to_have_text(words)
        expect(page.locator("#board svg")).to_be_visible()
        page.get_by_role("button", name="Why?").click()
        expect(page.locator("#account")).to_contain_text("game ")
        page.get_by_role("button", name="Play again").click()
        expect(page.locator("#over")).to_be_hidden()
        expect(page.locator("#game")).to_be_visible()
        assert is_asked(page)
        assert len(happened) > news.count(), "it is another game"


def test_who_closes_the_tab_and_opens_another_one_comes_back(browser: Browser, house: House) -> None:
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "cleo", GAME_TYPE)
        sets_up(page, SMALL)
        plays(page, 9)
        said = page.locator("#said").text_content() or ""
        other = page.context.new_page()
        other.goto(f"{house.base}/play")
        expect(other.locator("#out")).to_be_visible()
        page.close(run_before_unload=True)
        expect(other.locator("#out")).to_be_visible()
        other.goto(f"{house.base}/play")
        expect(other.locator("#said")).to_have_text(said)
        expect(other.locator("#board svg")).to_be_visible()
        other.get_by_role("button", name="Leave", exact=True).click()
        expect(other.locator("#out")).to_be_visible()
        other.reload()
        expect(other.locator("#out")).to_be_visible()


def test_who_plays_comes_back_after_the_browser_was_killed(browser: Browser, house: House, tmp_path: Path) -> None:
    """Only what is written to the disk is left: the session was in the tab alone, and the game was lost."""

    def opens() -> BrowserContext:
        found = browser.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        found.set_default_timeout(BOUND_MS)
        return found

    context = opens()
    page = context.pages[0]
    page.goto(f"{house.base}/play")
    comes_in(page, "kim", GAME_TYPE)
    sets_up(page, SMALL)
    assert is_asked(page)
    clicks(page, 0)
    assert is_asked(page)
    words = page.locator("#words").text_content() or ""
    for tab in (context.new_page(), context.new_page()):
        tab.goto(f"{house.base}/play")
        expect(tab.locator("#noted")).to_have_text(ELSEWHERE)
        tab.reload()
        expect(tab.locator("#noted")).to_have_text(ELSEWHERE)
    assert page.locator("#turn").text_content() == "Your turn"
    token = page.locator("#session").input_value()
    until(lambda: any(token.encode() in one.read_bytes() for one in (tmp_path / "profile").rglob("leveldb/*.log")))
    with context.expect_event("close"):
        kill(process_with(f"--user-data-dir={tmp_path / 'profile'}"), SIGKILL)

    context = opens()
    page = context.pages[0]
    page.goto(f"{house.base}/play")
    assert is_asked(page)
    expect(page.locator("#words")).to_have_text(words)
    page.reload()
    assert is_asked(page)
    again = context.new_page()
    again.goto(f"{house.base}/play")
    expect(again.locator("#noted")).to_have_text(ELSEWHERE)
    plays(page, 9)
    expect(again.locator("#notes")).to_be_hidden()
    assert page.evaluate("localStorage['ugs.play.sitting /']") == "[]"
    context.close()


def process_with(argument: str) -> int:
    """The process that was started with this argument, and is no part of another one (``--type``)."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = place.read_bytes().split(b"\0")
            if argument.encode() in words and not any(word.startswith(b"--type") for word in words):
                return int(place.parent.name)
    raise AssertionError(argument)


ELSEWHERE = "You are in a game in another tab of this browser."
NEVER_TOO_LATE = """window.setTimeout = ((set) => (act, ms, ...more) =>
  (more[0] === true ? 0 : set(act, ms, ...more)))(setTimeout)"""
"""However long another tab takes to answer that it has the game: nothing else is put off with that argument."""


def test_where_browsers_have_no_locks_a_game_is_in_one_tab_too(browser: Browser, house: House) -> None:
    """Browsers have locks with https and on their own machine alone."""
    with visit(browser, house.base) as visitor:
        context = visitor.page.context
        context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
        context.add_init_script(NEVER_TOO_LATE)
        page = visitor.goes("play")
        comes_in(page, "kay", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        other = context.new_page()
        other.goto(f"{house.base}/play")
        expect(other.locator("#noted")).to_have_text(ELSEWHERE)
        assert is_asked(page)


ANSWERS_LATE = """LockManager.prototype.request = ((request) => function (...asked) {
  request.apply(this, asked);
  return new Promise(() => {});
})(LockManager.prototype.request)"""
"""A lock that was given back is another tab's before one hears that it was there."""
NO_LOCKS = """Object.defineProperty(navigator, 'locks', { value: undefined })
window.setTimeout = ((set) => (act, ms, ...more) => set(act, more[0] === true ? 8 * ms : ms, ...more))(setTimeout)"""
"""The other tab has more time to answer, since the machine may be busy."""
HAS_COME = "() => document.querySelector('#noted li') || document.querySelector('#turn').className === 'mine'"


@pytest.mark.parametrize("script", [ANSWERS_LATE, NO_LOCKS])
def test_of_two_tabs_that_open_at_once_one_comes_back(browser: Browser, house: House, script: str) -> None:
    """After a browser was killed: each found that no other tab was at the game, and they took it from each other."""
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, f"kit {len(script)}", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        kept = page.evaluate("localStorage['ugs.play.sitting /']")
        page.goto(house.base)
        page.evaluate("kept => { localStorage.clear(); localStorage['ugs.play.sitting /'] = kept; }", kept)
        context = page.context
        context.add_init_script(script)
        tabs = []
        for _ in range(2):
            with context.expect_page() as opened:
                page.evaluate("() => { open('/play', '_blank', 'noopener'); }")
            tabs.append(opened.value)
        for tab in tabs:
            tab.wait_for_function(HAS_COME)
        assert sorted(tab.locator("#noted").text_content() or "" for tab in tabs) == ["", ELSEWHERE]


def test_of_two_servers_behind_one_host_the_second_is_sent_no_token_of_the_first(
    browser: Browser, house: House
) -> None:
    """The page at another path took the session over, and the game was lost."""
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "kea", GAME_TYPE)
        sets_up(page, SMALL)
        plays(page, 9)
        page.get_by_role("button", name="Play again").click()
        expect(page.locator("#over")).to_be_hidden()  # the end of the game before
        assert is_asked(page)
        context = page.context
        context.route("**/b/**", lambda route: route.continue_(url=route.request.url.replace("/b/", "/")))
        sent: list[str | bytes] = []

        def at_second(line: WebSocketRoute) -> None:
            line.on_message(lambda text: sent.append(text))
            line.send('{"view": {"phase": "out", "notes": [], "tables": []}}')

        context.route_web_socket(re.compile("/b/play/line$"), at_second)
        page.goto(f"{house.base}/b/play")
        expect(page.locator("#out")).to_be_visible()
        expect(page.locator("#earlier")).to_be_hidden()
        assert sent == []
        page.goto(f"{house.base}/play")
        assert is_asked(page)
        page.goto(f"{house.base}/mine")
        expect(page.locator("#earlier")).to_be_visible()


def test_who_comes_in_again_finds_the_games_of_before(browser: Browser, house: House) -> None:
    """They were games of another session, and no way led to them."""
    with visit(browser, house.base, size=PHONE) as visitor:
        page = visitor.goes("play")
        expect(page.locator("#earlier")).to_be_hidden()
        comes_in(page, "dora", GAME_TYPE)
        sets_up(page, SMALL)
        plays(page, 9)
        page.reload()
        expect(page.locator("#over")).to_be_visible()
        page.get_by_role("button", name="Leave", exact=True).click()
        expect(page.locator("#earlier li")).to_contain_text("dora Five in a row, one game")
        assert not faults(page)
        assert page.evaluate(OUTSIDE) == []
        comes_in(page, "dora", GAME_TYPE)
        page.get_by_role("button", name="My games").click()
        expect(page.locator("h1")).to_have_text("Your games, dora")
        expect(page.locator("main")).to_contain_text("None has ended yet.")
        earlier = page.locator("#earlier li")
        expect(earlier).to_have_count(1)
        assert not faults(page)
        earlier.get_by_role("button", name="Its games").click()
        expect(page.locator("main > .lines .plain")).to_have_count(1)
        page.locator("#earlier li a").click()
        expect(page.locator("h1")).to_contain_text("dora")
        page.get_by_role("link", name="My games").click()
        page.get_by_role("button", name="Leave", exact=True).click()
        expect(page.get_by_label("Your token")).to_be_visible()
        form, above = page.get_by_label("Your token").bounding_box(), earlier.bounding_box()
        assert form is not None
        assert above is not None
        assert form["y"] > above["y"], "whoever has played here needs no token"
        page.get_by_role("button", name="Forget it").click()
        expect(page.locator("#earlier")).to_be_hidden()
        page.reload()
        expect(page.locator("#earlier")).to_be_hidden()


def test_of_a_game_type_that_is_paused_the_reason_is_read_before_one_plays(browser: Browser, house: House) -> None:
    pause = {"ask": "act", "kind": "pause", "game_type": GAME_TYPE, "who": "eve", "why": "lunch & tea"}
    note = re.compile(r"^The organiser has paused .*, and no game of it begins: lunch & tea$")
    assert ask(house.data, pause)["ok"]
    try:
        until(lambda: b"lunch" in answer_of(f"{house.base}/play"))
        with visit(browser, house.base) as visitor:
            page = visitor.goes("play")
            page.locator("#game_type").select_option(GAME_TYPE)
            expect(page.locator("#noted li")).to_have_text(note)
            comes_in(page, "ivo", GAME_TYPE)
            expect(page.locator("#noted li")).to_have_text(note)
            assert ask(house.data, {**pause, "kind": "resume"})["ok"]
            until(lambda: b"lunch" not in answer_of(f"{house.base}/play"))
            page.get_by_role("button", name="Look again").click()
            expect(page.locator("#notes")).to_be_hidden()
            page.get_by_role("button", name="Leave").click()
            expect(page.locator("#out")).to_be_visible()
    finally:
        ask(house.data, {**pause, "kind": "resume"})


def test_who_plays_one_game_changes_to_another(browser: Browser, house: House) -> None:
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "nora", GAME_TYPE)
        house.has_master("apologies-adult", "apologies-adult")  # after the page was loaded
        sets_up(page, SMALL)
        plays(page, 9)
        page.get_by_role("button", name="Play another game").click()
        page.locator("#changed").select_option("apologies-adult")
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Change").click()
        expect(page.locator("#pool-about")).to_contain_text("The next free player of Apologies for adults")
        expect(page.locator("#lobby")).to_be_visible()


def test_who_was_away_for_too_long_comes_in_again_with_one_click(browser: Browser, house: House) -> None:
    house.has_master("apologies", "apologies")  # stands before 5-in-a-row
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "vera", GAME_TYPE)
        # When the page goes: until then, any news of the server makes it keep its session once more.
        page.evaluate("""() => addEventListener("pagehide", () => {
            const [key] = Object.keys(sessionStorage), kept = JSON.parse(sessionStorage[key]);
            sessionStorage[key] = JSON.stringify({...kept, token: "of-long-ago"});
        })""")
        page.reload()
        expect(page.locator("#noted")).to_contain_text("you were away for too long")
        expect(page.locator("#nick")).to_have_value("vera")
        expect(page.locator("#game_type")).to_have_value(GAME_TYPE)


def test_a_player_whose_server_has_died_is_told_so(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, stack)
        house.has_master("tic-tac-toe", GAME_TYPE)
        visitor = Visit(browser, house.base, size=PHONE, dark=False, script=True, motion=False)
        stack.callback(visitor.leaves)  # with complaints: its line breaks, and it tries again
        page = visitor.goes("play")
        comes_in(page, "hal", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        house.dies()
        state = page.locator("#state")
        expect(state).to_have_text("The line to the server is lost; your seat is kept. Trying again.")
        expect(state).to_be_in_viewport()
        expect(page.locator("#turn")).to_have_text("The line is lost")
        expect(page.locator("#clock")).to_have_text("")
        expect(page).not_to_have_title(re.compile("Your turn"))
        page.locator("#board [data-offer]").first.click()
        lost = "The line to the server is lost; your seat is kept, your last click was not received. Trying again."
        expect(state).to_have_text(lost)
        expect(page.locator("#moves-box")).to_be_visible()
        page.wait_for_timeout(CLOCK_MS)
        expect(page.locator("#clock")).to_have_text("")  # it does not count down what nobody knows


def test_a_player_whose_game_master_is_lost_is_told_so(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        house = House(tmp_path, stack)
        house.has_master("tic-tac-toe", GAME_TYPE)
        visitor = stack.enter_context(visit(browser, house.base, size=PHONE))
        page = visitor.goes("play")
        comes_in(page, "ida", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        expect(page.locator("#clock")).to_contain_text("for this move")
        expect(page.locator("#awaited")).to_be_hidden()
        house.loses_master("tic-tac-toe")
        expect(page.locator("#awaited")).to_have_text(AWAITED)
        expect(page.locator("#awaited")).to_be_in_viewport()
        expect(page.locator("#clock")).to_have_text("")
        page.locator("#board [data-offer]").first.click()
        expect(page.locator("#turn")).to_have_text("Your move is sent, it waits for the game master")
        expect(page.locator("#board")).to_have_class(re.compile(r"\bsent\b"))
        house.has_master("tic-tac-toe", GAME_TYPE)
        expect(page.locator("#awaited")).to_be_hidden()
        expect(page.locator("#clock")).to_contain_text("for this move")
        plays(page, 9)
        expect(page.locator("#said")).to_have_text(HOW)


def test_the_board_stays_while_the_server_comes_back_and_the_game_waits_for_its_master(
    browser: Browser, tmp_path: Path
) -> None:
    """It was gone, "the game master sets the game up", and it was the person's turn all the same."""
    options = ("--data-dir", tmp_path / "data", "--port", own_port(), "--http-port", own_port())
    patient = "move_timeout_s = 3600\nmaster_timeout_s = 3600\nmaster_grace_s = 3600\n"
    with ExitStack() as stack:
        server = stack.enter_context(Server(tmp_path, *options, config=patient))
        base = f"http://{server.ready['http']}"
        master = stack.enter_context(Program.ugs("master", "tic-tac-toe", "--connect", server.address))
        until(lambda: f'value="{GAME_TYPE}"'.encode() in answer_of(f"{base}/play"))
        visitor = Visit(browser, base, size=PHONE, dark=False, script=True, motion=False)
        stack.callback(visitor.leaves)  # with complaints: its line breaks, and it tries again
        page = visitor.goes("play")
        comes_in(page, "isa", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        clicks(page, 0)
        assert is_asked(page)
        master.signal(SIGKILL)
        master.ends()
        expect(page.locator("#awaited")).to_be_visible()
        page.evaluate(WATCHED)
        server.signal(SIGKILL)
        server.ends()
        expect(page.locator("#turn")).to_have_text("The line is lost")
        stack.enter_context(Server(tmp_path, *options, config=patient))
        expect(page.locator("#awaited")).to_have_text(AWAITED)
        expect(page.locator("#board svg")).to_be_visible()
        stack.enter_context(Program.ugs("master", "tic-tac-toe", "--connect", server.address))
        expect(page.locator("#awaited")).to_be_hidden()
        plays(page, 9)
        expect(page.locator("#said")).to_have_text(HOW)
        assert [one for one in page.evaluate("seen") if "without a board" in one] == []


def test_whose_game_has_ended_while_the_server_was_away_is_told_so(browser: Browser, tmp_path: Path) -> None:
    options = ("--data-dir", tmp_path / "data", "--port", own_port(), "--http-port", own_port())
    with ExitStack() as stack:
        server = stack.enter_context(Server(tmp_path, *options))
        base = f"http://{server.ready['http']}"
        stack.enter_context(Program.ugs("master", "tic-tac-toe", "--connect", server.address))
        until(lambda: f'value="{GAME_TYPE}"'.encode() in answer_of(f"{base}/play"))
        visitor = Visit(browser, base, size=PHONE, dark=False, script=True, motion=False)
        stack.callback(visitor.leaves)  # with complaints: its line breaks, and it tries again
        page = visitor.goes("play")
        comes_in(page, "ida", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        server.signal(SIGKILL)
        server.ends()
        stack.enter_context(Server(tmp_path, *options))
        expect(page.locator("#lobby")).to_be_visible()
        ended = "Your game has ended while the line was lost. My games has how it ended."
        # By the page, or by the server, which may still find its line.
        expect(page.locator("#noted")).to_have_text(re.compile(f"^({ended}|game void: the server was lost[^.]*)$"))
        page.wait_for_function("() => JSON.parse(localStorage.getItem('ugs.played /') || '[]').length === 1")
        page.get_by_role("button", name="My games").click()
        expect(page.locator("main > ul.lines > li")).to_contain_text("void")


def test_two_people_meet_at_a_table(browser: Browser, house: House) -> None:
    with visit(browser, house.base) as first, visit(browser, house.base, size=PHONE, dark=True) as second:
        cyd, dan = first.goes("play"), second.goes("play")
        comes_in(cyd, "cyd", GAME_TYPE)
        expect(cyd.locator("#set-up")).to_be_visible()
        cyd.locator("#computers").fill("0")
        cyd.locator("#options-box summary").click()
        cyd.locator('[data-option="row"]').fill("4")
        cyd.get_by_label("Public: any player may sit down").check()
        cyd.get_by_role("button", name="Set up the table").click()
        expect(cyd.locator("#table")).to_be_visible()
        expect(cyd.locator("#table-options")).to_have_text("row: 4")
        comes_in(dan, HOSTILE, GAME_TYPE)
        dan.get_by_role("button", name="Look again").click()
        dan.get_by_role("button", name="Sit down at table of cyd").click()
        expect(dan.locator("#game")).to_be_visible()
        expect(cyd.locator("#players")).to_contain_text(HOSTILE)
        asked: list[str] = []
        for window in (cyd, dan):
            window.on("dialog", lambda dialog: asked.append(dialog.message))
        cyd.once("dialog", lambda dialog: dialog.dismiss())
        cyd.get_by_role("button", name="Leave", exact=True).click()
        expect(cyd.locator("#game")).to_be_visible()
        assert asked.pop().startswith("Leave this game? You have set up its table")
        cyd.once("dialog", lambda dialog: dialog.dismiss())
        dan.once("dialog", lambda dialog: dialog.accept())
        for window in (cyd, dan):
            window.get_by_role("button", name="Give up").click()
        expect(dan.locator("#over")).to_be_visible()
        assert "ends for all and is void" in asked[0]
        assert "if too few are left at its table, it is void" in asked[1]
        expect(dan.locator("#turn")).to_have_text("You have given up")
        expect(dan.locator("#note-box")).to_be_hidden()
        expect(cyd.locator("#over")).to_be_visible()
        expect(cyd.locator("#turn")).to_have_text("The game does not count")


def test_a_link_with_a_token_opens_the_corner_and_leaves_no_trace(browser: Browser, house: House) -> None:
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "eve", GAME_TYPE)
        expect(page.get_by_role("button", name="My games")).to_be_visible()
        token = page.locator("#session").input_value()
        asked: list[str] = []
        with visit(browser, house.base) as other:
            other.page.on("request", lambda request: asked.append(f"{request.url} {request.headers}"))
            corner = other.goes(f"mine#{token}")
            expect(corner.locator("h1")).to_have_text("Your games, eve")
            assert corner.url == f"{house.base}/mine"
            below = corner.get_by_text("those of this browser are listed below")
            expect(below).to_be_hidden()  # there are none
            corner.evaluate(
                "localStorage.setItem('ugs.played /', JSON.stringify([{token: 't', nick: 'n', games: []}]))"
            )
            corner.reload()
            expect(below).to_be_visible()
            corner.evaluate("localStorage.removeItem('ugs.played /')")
            assert not [one for one in asked if token in one]
            corner.get_by_role("button", name="Leave").click()
            expect(corner.get_by_label("Your token")).to_be_visible()
            corner.get_by_label("Your token").fill("wrong")
            corner.get_by_role("button", name="Enter").click()
            expect(corner.get_by_role("alert")).to_contain_text("This token is unknown")
            assert [text for text in other.complaints if "401" not in text] == []
            other.complaints.clear()


def faults(page: Page) -> set[tuple[str, str]]:
    """What axe finds that is serious."""
    found = Axe().run(page).response["violations"]
    return {(one["id"], node["html"][:200]) for one in found if one["impact"] in SERIOUS for node in one["nodes"]}


def test_a_piece_that_is_clicked_shows_where_it_may_go(browser: Browser, house: House) -> None:
    house.has_master("chess", "chess")
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "una", "chess")
        sets_up(page)
        assert is_asked(page)
        piece = page.locator("#board [data-offer*=' ']").first
        piece.dispatch_event("click")
        expect(piece).to_have_class("picked")
        expect(page.locator("#board .target").first).to_be_attached()
        piece.dispatch_event("click")
        expect(page.locator("#board .target")).to_have_count(0)


def square(page: Page, name: str) -> Locator:
    """A square of the board of chess, seen by White."""
    column, row = "abcdefgh".index(name[0]), 8 - int(name[1])
    return page.locator(f'#board g[transform="translate({45 * column} {45 * row})"]')


def test_a_piece_and_its_place_are_clicked_one_after_the_other(browser: Browser, house: House) -> None:
    """Where another piece could go there, too, the second click began anew, and the page asked which was meant."""
    house.has_master("chess", "chess")
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, "pia", "chess")
        sets_up(page)
        assert is_asked(page)
        square(page, "e4").click()  # one pawn can go there: that is shown, and nothing is moved yet
        expect(page.locator("#how")).to_have_text("Go on with what is marked.")
        expect(page.locator("#board .target-mark")).to_have_count(1)
        square(page, "e2").click()  # the pawn is chosen, and may go to two places
        expect(page.locator("#board .target-mark")).to_have_count(2)
        square(page, "b1").click()
        expect(page.locator("#board .target-mark")).to_have_count(2)
        expect(page.locator("#choice")).to_be_hidden()  # the marks lead to each move
        expect(page.locator("#board .picked-mark")).to_have_count(1)
        before = page.locator("#board").get_attribute("data-number")
        square(page, "a3").click()  # the pawn of a2 could go there, too
        page.wait_for_function(MADE, arg=before)
        expect(page.locator("#news li").last).to_contain_text("Na3")


def test_moves_stay_where_a_click_could_not_be_taken(browser: Browser, house: House) -> None:
    """The page took them away with the click, and showed why it was not taken beside a dead board."""
    refused: list[str] = []

    def refuse_first(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def asked(text: str | bytes) -> None:
            if '"do":"move"' in str(text) and not refused:
                refused.append(str(text))
                line.send('{"wrong": "not now"}')
            else:
                server.send(text)

        line.on_message(asked)

    with visit(browser, house.base) as visitor:
        visitor.page.route_web_socket(re.compile("/play/line$"), refuse_first)
        page = visitor.goes("play")
        comes_in(page, "pat", GAME_TYPE)
        sets_up(page, SMALL)
        assert is_asked(page)
        page.locator("#board [data-offer]").first.click()
        expect(page.locator("#noted")).to_contain_text("not now")
        expect(page.locator("#moves-box")).to_be_visible()
        page.locator("#board [data-offer]").first.click()
        expect(page.locator("#news li").last).to_contain_text("pat puts")
        assert len(refused) == 1


def test_the_clock_goes_on_whatever_is_shown_meanwhile(browser: Browser, house: House) -> None:
    """It jumped back to the whole time of the move, with each warning for instance."""
    with visit(browser, house.base) as visitor:
        visitor.page.clock.install()
        page = visitor.goes("play")
        comes_in(page, "pol", GAME_TYPE)
        sets_up(page)
        assert is_asked(page)
        # Seconds of its own go by on a busy machine.
        expect(page.locator("#clock")).to_contain_text(re.compile(r"(60:00|59:\d\d) for this move"))
        page.clock.run_for(100_000)
        expect(page.locator("#clock")).to_contain_text(re.compile(r"5[78]:\d\d for this move"))
        page.locator("#note").evaluate("form => { form.closest('details').open = true; }")
        page.locator("#note-text").fill("hello")
        page.locator("#note button").click()
        expect(page.locator("#noted")).to_contain_text("your note is in the record")
        assert re.match(r"5[78]:", page.locator("#clock").inner_text())


@pytest.mark.parametrize("dark", sized(quick=[True], deep=[False, True]))
def test_everybody_can_play(browser: Browser, house: House, dark: bool) -> None:
    """No serious fault is found by axe on the way, and nothing is wider than the screen of a phone."""
    with visit(browser, house.base, size=PHONE, dark=dark) as visitor:
        page = visitor.goes("play")

        def is_fine() -> None:
            assert not faults(page)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert page.evaluate(OUTSIDE) == []

        page.locator("#game_type").evaluate("one => one.add(new Option('a game with a very long title '.repeat(3)))")
        is_fine()
        comes_in(page, f"fay {dark}", GAME_TYPE)
        expect(page.locator("#set-up")).to_be_visible()
        is_fine()
        sets_up(page)
        assert is_asked(page)
        page.locator("#all-title").click()
        is_fine()
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Give up").click()
        expect(page.locator("#over")).to_be_visible()
        expect(page.locator("figure.halted")).to_be_visible()
        is_fine()
        page.get_by_role("button", name="My games").click()
        expect(page.locator("h1")).to_contain_text("Your games")
        is_fine()


@pytest.mark.parametrize(("game", "game_type", "seats", "options"), sized(quick=LARGE, deep=LARGE + LARGER))
def test_other_games_are_played_by_clicking_too(
    browser: Browser, house: House, game: str, game_type: str, seats: int, options: Sequence[tuple[str, str]]
) -> None:
    house.has_master(game, game_type)
    nick = f"gil of {game} {seats}"
    with visit(browser, house.base) as visitor:
        page = visitor.goes("play")
        comes_in(page, nick, game_type)
        sets_up(page, options, seats=seats)
        assert is_asked(page)
        clicks(page, 0)
        page.reload()
        made = 1 + plays(page, MOST, first=1)
        if not WHOLE and not page.locator("#over").is_visible():
            page.on("dialog", lambda dialog: dialog.accept())
            page.get_by_role("button", name="Give up").click()
        expect(page.locator("#over")).to_be_visible()
        print(
            game,
            seats,
            "seats,",
            made,
            "moves:",
            page.locator("#turn").inner_text(),
            page.locator("#said").inner_text(),
        )
    assert house.moves_of(nick) == [made]
