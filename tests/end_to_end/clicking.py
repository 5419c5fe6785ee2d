"""A person at a real browser who plays by clicking: on the picture where something stands for moves, or on buttons."""

from collections.abc import Sequence

from playwright.sync_api import Page, expect

from tests.end_to_end.browser import BOUND_MS

ASKED = """() => document.querySelector('#over').hidden === false
  || (document.querySelector('#turn').className === 'mine' && !document.querySelector('#moves-box').hidden)"""
MADE = """before => document.querySelector('#moves-box').hidden
  || document.querySelector('#board').dataset.number !== before"""
"""The move is made, and perhaps answered already."""
PLACE = """number => {
  const parts = [...document.querySelectorAll('#board [data-offer]')];
  if (!parts.length) return null;
  const part = parts[number % parts.length];
  part.scrollIntoView({ block: 'center' });
  const box = part.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def comes_in(page: Page, nick: str, game_type: str) -> None:
    """Log in, and see what can be played."""
    page.locator("#nick").fill(nick)
    page.locator("#game_type").select_option(game_type)
    page.get_by_role("button", name="Come in").click()
    expect(page.locator("#lobby")).to_be_visible()


def sets_up(page: Page, options: Sequence[tuple[str, str]] = (), *, seats: int | None = None) -> None:
    """Set up a table, all other seats of which are for the computer; the game begins."""
    expect(page.locator("#set-up")).to_be_visible()
    if seats is not None:
        page.locator("#seats").fill(str(seats))
        page.locator("#computers").fill(str(seats - 1))
    if options and page.locator("#options-box").get_attribute("open") is None:
        page.locator("#options-box summary").click()
    for name, value in options:
        field = page.locator(f'[data-option="{name}"]')
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.get_by_role("button", name="Set up the table").click()
    expect(page.locator("#game")).to_be_visible()


def is_asked(page: Page) -> bool:
    """Wait until a move is wanted, or the game is over; whether a move is wanted."""
    page.wait_for_function(ASKED, timeout=2 * BOUND_MS)
    return not page.locator("#over").is_visible()


def clicks(page: Page, number: int) -> None:
    """Make some move, by the mouse, and wait until it is made; ``number`` says which."""
    before = page.locator("#board").get_attribute("data-number")
    place = page.evaluate(PLACE, number)
    if place is not None:
        page.mouse.click(*place)
        if page.locator("#choice").is_visible():
            page.locator("#choices button").nth(number % page.locator("#choices button").count()).click()
    if not page.evaluate(MADE, before):  # nothing stands for a move there, or something lies above it
        if not page.locator("#plain-moves button").count() and page.locator("#all-moves").get_attribute("open") is None:
            page.locator("#all-title").click()
        buttons = page.locator("#plain-moves button, #moves button")
        expect(buttons.first).to_be_visible()  # the list is written when it has been opened
        buttons.nth(number % buttons.count()).click()
    page.wait_for_function(MADE, arg=before)


def plays(page: Page, most: int, first: int = 0) -> int:
    """Play until the game is over, at most so many moves; how many there were."""
    for number in range(most):
        if not is_asked(page):
            return number
        clicks(page, first + 7 * number)
    return most
