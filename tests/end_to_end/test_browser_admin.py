"""An organiser at a real browser: the administration does what its forms say, and everybody can use it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.browser import PHONE, chromium, visit
from tests.end_to_end.clicking import comes_in
from tests.end_to_end.processes import GAME_TYPE, Program, Server, answer_of, until
from tests.page.every_page.shots import OUTSIDE
from tests.profile import sized

TOKEN = "margaret-0123456789-0123456789"
SERIOUS = frozenset({"serious", "critical"})


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium() as found:
        yield found


@pytest.fixture
def base(tmp_path: Path) -> Iterator[str]:
    """A server with a master and an organiser."""
    tokens = tmp_path / "tokens"
    tokens.write_text(f"margaret {TOKEN}\n", encoding="utf-8")
    tokens.chmod(0o600)
    options = ("--data-dir", tmp_path / "data", "--http-port", "0")
    config = f'admin_token_file = "{tokens}"\n'
    with (
        Server(tmp_path, *options, config=config) as server,
        Program.ugs("master", "tic-tac-toe", "--connect", server.address),
    ):
        server.logs("master logged in")
        answer_of(f"http://{server.ready['http']}/play")  # the page's worker has to start first
        yield f"http://{server.ready['http']}"


def does(page: Page, form: str, button: str, **fields: str) -> None:
    """Fill in the form of this button in this part of the page, and send it."""
    part = page.get_by_role("region", name=form)
    sent = part.locator("form").filter(has=page.get_by_role("button", name=button, exact=True)).last
    for name, value in fields.items():
        sent.locator(f"[name={name}]").fill(value)
    sent.get_by_role("button", name=button, exact=True).click()


def latest_acts(page: Page) -> str:
    """What stands there when the page is asked for again."""
    page.goto(page.url)
    return page.get_by_role("region", name="Latest acts").inner_text()


def faults(page: Page) -> set[tuple[str, str]]:
    """What axe finds that is serious."""
    found = Axe().run(page).response["violations"]
    return {(one["id"], node["html"][:200]) for one in found if one["impact"] in SERIOUS for node in one["nodes"]}


def test_an_organiser_steps_in(browser: Browser, base: str) -> None:
    with visit(browser, base) as organiser, visit(browser, base) as player:
        page = organiser.goes("admin")
        assert not faults(page)
        page.get_by_label("Your token").fill(TOKEN)
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_text("You are margaret.")).to_be_visible()
        assert not faults(page)

        ann, ben = player.goes("play"), player.page.context.new_page()
        ben.goto(f"{base}/play")
        for window, nick in ((ann, "ann"), (ben, "ben")):
            comes_in(window, nick, GAME_TYPE)

        does(page, "Game types", "Pause", game_type=GAME_TYPE, why="new rules at noon")
        expect(page.get_by_role("status").first).to_contain_text("done")
        expect(page.get_by_role("region", name="Game types")).to_contain_text("is paused: new rules at noon")
        for window in (ann, ben):
            window.get_by_role("button", name="Find a game").click()
            expect(window.locator("#waiting")).to_be_visible()
        expect(ben.locator("#waiting-why")).to_contain_text("new rules at noon")
        does(page, "Game types", "Resume", why="they are here")
        for window in (ann, ben):
            expect(window.locator("#game")).to_be_visible()

        page.locator("[name=everybody]").check()
        does(page, "The server", "Send", subject="Tea is ready.", why="it is")
        expect(page.get_by_role("status").first).to_contain_text("done")
        expect(ann.locator("#notes")).to_contain_text("Tea is ready.")

        does(page, "Stop the server", "Stop the server", why="by mistake")
        assert page.get_by_label("I mean it: stop for all").evaluate("box => !box.checkValidity()")
        page.get_by_role("link", name="look, remove or ban ann", exact=True).click()
        people = page.get_by_role("region", name="Who is here")
        expect(people.get_by_label("Whom").first).to_have_value("ann")
        does(page, "Who is here", "Ban", why="flood of moves")
        expect(page.get_by_role("status").first).to_contain_text("done")
        expect(ann.locator("#out")).to_be_visible()
        expect(ann.locator("#notes")).to_contain_text("flood of moves")
        expect(ben.locator("#over")).to_be_visible()
        ann.locator("#nick").fill("ANN")
        ann.get_by_role("button", name="Come in").click()
        expect(ann.locator("#notes")).to_contain_text("banned")
        # The page has waited for the disk; on a machine on which that takes too long it is asked for again.
        until(lambda: "margaret: ban ann" in latest_acts(page))
        assert not faults(page)


@pytest.mark.parametrize("letters", sized(quick=[32], deep=[16, 32]))
def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, base: str, letters: int) -> None:
    with visit(browser, base, size=PHONE, dark=True) as organiser:
        window = organiser.page.context.new_cdp_session(organiser.page)
        window.send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
        page = organiser.goes("admin")
        page.get_by_label("Your token").fill(TOKEN)
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_text("You are margaret.")).to_be_visible()
        expect(page.get_by_role("link", name="look, remove or ban")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(OUTSIDE) == []
        assert not faults(page)


def test_many_who_are_here_are_one_line_until_they_are_wanted(browser: Browser, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(f"margaret {TOKEN}\n", encoding="utf-8")
    tokens.chmod(0o600)
    with Server(tmp_path, "--http-port", "0", config=f'admin_token_file = "{tokens}"\n') as server:
        for number in range(13):
            server.player(f"ann {number}", "go")
        with visit(browser, f"http://{server.ready['http']}", size=PHONE) as organiser:
            page = organiser.goes("admin")
            page.get_by_label("Your token").fill(TOKEN)
            page.get_by_role("button", name="Enter").click()
            people = page.get_by_role("region", name="Who is here")
            last = people.get_by_role("link", name="ann 12")
            expect(last).to_be_hidden()
            people.get_by_text("0 game masters, 13 players").click()
            expect(last).to_be_visible()
