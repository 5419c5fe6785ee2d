"""Pieces glide in a real browser: what was moved, what is new, and what neither is."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.end_to_end.browser import DESKTOP, chromium
from ugs.page.assets import assets
from ugs.pictures.album import Album
from ugs.pictures.contract import Scene, Seat, Shown
from ugs.pictures.svg import Svg

PUT = """async svg => {
  document.getElementById("board").innerHTML = svg;
  await Promise.resolve();
  return [...document.querySelectorAll("svg > [data-glides] > [data-glides]")].map(copy => {
    const [first] = copy.getAnimations()[0].effect.getKeyframes();
    return first.translate ? "from " + first.translate : "new";
  });
}"""
"""Puts a picture in place; what becomes of each piece that is not where it was."""
QUIET_MS = 400
"""After so long the next picture is not one of a quick row."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium() as found:
        yield found


def _page(browser: Browser, motion: Any) -> Page:
    page = browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, reduced_motion=motion).new_page()
    page.set_content('<main id="main"><div class="picture" id="board"></div></main>')
    page.evaluate(assets()["gliding.js"].body.decode())
    return page


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with an empty board, for somebody who may see motion."""
    page = _page(browser, "no-preference")
    yield page
    page.context.close()


def board(draw: Callable[[Svg], None]) -> str:
    """A picture with units of its own in it, as boards have."""
    drawn = Svg("p", 200, 100, "Board", "A board.")
    drawn.open(transform="translate(100 0) scale(2)")
    draw(drawn)
    drawn.close()
    return str(drawn)


def men(*places: tuple[str, int, int]) -> str:
    """Named pieces, each in a square of its own: the squares that come later lie above those that come first."""

    def draw(drawn: Svg) -> None:
        for name, x, y in places:
            drawn.open(transform=f"translate({10 * x} {10 * y})", offers=(0,))
            drawn.rect(0, 0, 10, 10, fill="sand")
            drawn.circle(5, 5, 4, fill="red", data_piece=name)
            drawn.close()

    return board(draw)


def sketch(*cells: str) -> str:
    """Pieces of a master in any language, with letters: all are in one path, and all letters in one group."""
    inside = f'<grid columns="8" rows="8"/><pieces at="{" ".join(cells)}" colour="red" letter="K"/>'
    shown = Shown(b"<gameState/>", (0,), sketch=f"<sketch>{inside}</sketch>".encode())
    return Album("go", Scene((Seat("ann"), Seat("bob"))), {}).show(shown).svg("p")


def put(page: Page, svg: str, after_ms: int = QUIET_MS) -> list[str]:
    """Put a picture in the place of the one before, some time later."""
    page.wait_for_timeout(after_ms)
    found: list[str] = page.evaluate(PUT, svg)
    return found


def test_what_was_moved_comes_from_where_it_was_and_a_new_piece_comes_up(page: Page) -> None:
    assert put(page, men(("K", 0, 0), ("P", 1, 0), ("P", 3, 0))) == []
    # Of two that look the same, the one goes whose place is left; in units of its own square.
    assert put(page, men(("K", 0, 0), ("P", 1, 0), ("P", 3, 2), ("Q", 2, 2))) == ["from 0px -20px", "new"]
    assert put(page, men(("K", 0, 0), ("P", 1, 0), ("P", 3, 0))) == ["from 0px 20px"], "one step back"


def test_nothing_is_left_of_a_glide_and_what_it_hides_can_be_clicked(page: Page) -> None:
    put(page, men(("K", 0, 0)))
    after = men(("K", 3, 3))
    assert put(page, after) == ["from -30px -30px"]
    assert page.locator("[data-offer]").count() == 1
    page.wait_for_timeout(QUIET_MS)
    assert page.locator("[data-glides]").count() == 0
    assert page.evaluate("document.getAnimations().length") == 0


def test_what_a_game_only_places_never_glides(page: Page) -> None:
    def stones(*places: int) -> str:
        def draw(drawn: Svg) -> None:
            drawn.path("".join(f"M{place} 5h4" for place in places), stroke="red", data_pieces="placed")

        return board(draw)

    put(page, stones(10, 20))
    assert put(page, stones(10, 40)) == ["new"], "one was captured, and another one put down"


def test_pieces_of_a_sketch_glide_out_of_their_path(page: Page) -> None:
    put(page, sketch("0,0", "1,1", "5,5"))
    moved = put(page, sketch("0,0", "5,5", "1,3"))
    assert len(moved) == 2, "the piece and its letter"
    assert moved[0] == moved[1]
    path = page.locator("path[data-pieces]")
    assert (path.get_attribute("d") or "").count("M") == 3, "the picture itself stays as it was written"


def test_pictures_that_come_faster_than_the_eye_follows_are_shown_at_once(page: Page) -> None:
    put(page, men(("K", 0, 0)))
    quick = [
        page.evaluate(
            f"async ([a, b]) => {{ await ({PUT})(a); return ({PUT})(b); }}", [men(("K", 1, 0)), men(("K", 2, 0))]
        )
    ]
    assert quick == [[]]


def test_another_position_of_the_game_is_no_move(page: Page) -> None:
    put(page, men(*((f"P{each}", each % 8, each // 8) for each in range(40))))
    assert put(page, men(*((f"P{each}", each % 8, 1 + each // 8) for each in range(40)))) == []


def test_a_picture_that_was_kept_in_motion_is_put_back_at_rest(page: Page) -> None:
    put(page, men(("K", 0, 0)))
    put(page, men(("K", 1, 0)))
    kept = page.evaluate("document.getElementById('board').innerHTML")
    assert "data-glides" in kept
    put(page, men(("K", 0, 0)))
    assert put(page, kept) == ["from -10px"]
    assert page.locator("svg > [data-glides]").count() == 1


def test_who_wants_no_motion_sees_none(browser: Browser) -> None:
    page = _page(browser, "reduce")
    put(page, men(("K", 0, 0)))
    assert put(page, men(("K", 1, 0))) == []
    page.context.close()
