"""Screenshots of every page, from a real server on which bots play.

    python -m tests.page.gallery docs/pictures

Games differ from run to run, so the pictures do: they are for people to look at, not for tests to compare.
"""

import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, Page

from tests.end_to_end.browser import chromium
from tests.end_to_end.clicking import comes_in, is_asked, plays, sets_up
from tests.end_to_end.processes import Program, Server
from tests.end_to_end.test_browser import Scene
from tests.page.every_page.shots import DRAWN

SIZES: Final[Mapping[str, tuple[int, int]]] = {"desktop": (1100, 760), "phone": (390, 760)}
TOKEN: Final = "a-token-of-more-than-twenty-characters"
PATIENCE_MS: Final = 120_000
PLAYED: Final = 14
"""Games of tic-tac-toe that are played before the first picture."""
PLANNED: Final = 36
PLAN: Final = """
name = "Autumn cup"
game_type = "5-in-line-tic-tac-toe"
entrants = ["ada", "grace", "alan", "edsger"]
repeats = 6
"""


SITE: Final = '''
[site]
title = "Bot cup of Kiel"
text = """
Four bots of two courses meet six times each, every Thursday at 20:00.

The rules: https://games.example.org/rules
"""
'''


def main(directory: Path) -> None:
    """Take all pictures."""
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, ExitStack() as stack:
        plan = Path(work) / "plan.toml"
        plan.write_text(PLAN, encoding="utf-8")
        options = ("--data-dir", Path(work) / "data", "--http-port", "0", "--championship", plan)
        tokens = Path(work) / "tokens"
        tokens.write_text(f"margaret {TOKEN}\n", encoding="utf-8")
        tokens.chmod(0o600)
        config = f'admin_token_file = "{tokens}"\n{SITE}'
        server = stack.enter_context(Server(Path(work), *options, config=config))
        for game in ("tic-tac-toe", "apologies", "apologies-adult"):
            stack.enter_context(Program.ugs("master", game, "--connect", server.address, "--id", f"{game}-1"))
        for nick, thinks in (("ada", 60), ("grace", 60), ("alan", 60), ("edsger", 60)):
            play(stack, server, "tic-tac-toe", nick, thinks)
        for nick in ("barbara", "donald", "tony"):
            play(stack, server, "apologies", nick, 300)
        scene = Scene(server, f"http://{server.ready['http']}", Path(work) / "data", "")
        until_counted(scene, PLAYED)
        browser = stack.enter_context(chromium())
        for name, path in pages(scene).items():
            take(browser, directory, name, f"{scene.base}/{path}")
        take_live(browser, directory, scene)
        until_counted(scene, PLANNED)  # nobody else may come in before
        take_of_people(browser, directory, scene.base)
        take_of_organisers(browser, directory, scene.base)


def until_counted(scene: Scene, games: int) -> None:
    """Wait until so many games of the championship count."""
    while scene.asks("championship", name="Autumn cup")["counted"] < games:
        time.sleep(0.2)


def play(stack: ExitStack, server: Server, game: str, nick: str, thinks_ms: int) -> None:
    """A bot that plays until the end."""
    bot = ("bot", game, "--connect", server.address, "--nick", nick, "--think-ms", str(thinks_ms))
    stack.enter_context(Program.ugs(*bot))


def pages(scene: Scene) -> dict[str, str]:
    """Each page, by the name of its picture."""
    games = scene.asks("games", game_type="5-in-line-tic-tac-toe")["games"]
    finished = max(games, key=lambda game: int(game["moves"]))
    return {
        "now": "",
        "standings": "standings?championship=Autumn+cup",
        "games": "games",
        "replay": f"game?id={finished['game']}&at={finished['moves'] * 3 // 4}",
        "player": "player?nick=ada",
        "championship": "championship?name=Autumn+cup",
        "championships": "championships",
        "pools": "masters",
        "puzzles": "puzzles?game_type=apologies",
        "waiting": "waiting?nick=barbara",
    }


def take_live(browser: Browser, directory: Path, scene: Scene) -> None:
    """Pictures of a game that still runs when the last of them is taken."""
    runs = False
    while not runs:
        page = a_page(browser)
        page.goto(f"{scene.base}/game?id={scene.running('apologies')}")
        page.wait_for_function(DRAWN)
        shots(page, directory, "live")
        runs = page.locator(".live").count() > 0
        page.context.close()


def take_of_people(browser: Browser, directory: Path, base: str) -> None:
    """Pictures of somebody who plays: a game of cards with the computer, and its own games."""
    page = a_page(browser)
    page.goto(f"{base}/play")
    comes_in(page, "katherine", "5-in-line-tic-tac-toe")
    for number in range(3):
        sets_up(page, (("width", "5"), ("height", "5"), ("row", "4")))
        plays(page, 30, first=number)
        page.get_by_role("button", name="Play another game").click()
    shots(page, directory, "lobby")
    page.get_by_role("button", name="My games").click()
    page.get_by_role("heading", name="Your games").wait_for()
    shots(page, directory, "mine")
    page.locator("ul.lines a.plain").first.click()
    page.locator("#why").wait_for()
    shots(page, directory, "own-game")
    page.context.close()
    page = a_page(browser)
    page.goto(f"{base}/play")
    comes_in(page, "radia", "apologies-adult")
    sets_up(page, seats=3)
    plays(page, 9)
    if is_asked(page):
        shots(page, directory, "play")
    page.context.close()


def take_of_organisers(browser: Browser, directory: Path, base: str) -> None:
    """Pictures of the administration."""
    page = a_page(browser)
    page.goto(f"{base}/admin")
    page.get_by_label("Your token").fill(TOKEN)
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("heading", name="Championships").first.wait_for()
    shots(page, directory, "admin")
    page.context.close()


def a_page(browser: Browser) -> Page:
    """A window."""
    context = browser.new_context(timezone_id="UTC", locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def shots(page: Page, directory: Path, name: str) -> None:
    """The pictures of what a window shows: small and large screens, light and dark."""
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for device, (width, height) in SIZES.items():
        for scheme in schemes:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            page.evaluate("() => scrollTo(0, 0)")
            page.wait_for_timeout(200)
            page.screenshot(path=directory / f"{name}-{device}-{scheme}.png")


def take(browser: Browser, directory: Path, name: str, url: str) -> None:
    """The pictures of one page."""
    page = a_page(browser)
    page.goto(url)
    page.wait_for_function(DRAWN)
    shots(page, directory, name)
    page.context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
