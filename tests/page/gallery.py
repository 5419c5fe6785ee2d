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
from typing import Final

from playwright.sync_api import Browser

from tests.end_to_end.browser import chromium
from tests.end_to_end.processes import Program, Server
from tests.end_to_end.test_browser import Scene

SIZES: Final[Mapping[str, tuple[int, int]]] = {"desktop": (1100, 760), "phone": (390, 760)}
PLAYED: Final = 14
"""Games of tic-tac-toe that are played before the first picture."""
PLAN: Final = """
name = "Autumn cup"
game_type = "5-in-line-tic-tac-toe"
entrants = ["ada", "grace", "alan", "edsger"]
repeats = 6
"""


def main(directory: Path) -> None:
    """Take all pictures."""
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, ExitStack() as stack:
        plan = Path(work) / "plan.toml"
        plan.write_text(PLAN, encoding="utf-8")
        options = ("--data-dir", Path(work) / "data", "--http-port", "0", "--championship", plan)
        server = stack.enter_context(Server(Path(work), *options))
        for game in ("tic-tac-toe", "apologies"):
            stack.enter_context(Program.ugs("master", game, "--connect", server.address, "--id", f"{game}-1"))
        for nick, thinks in (("ada", 60), ("grace", 60), ("alan", 60), ("edsger", 60)):
            play(stack, server, "tic-tac-toe", nick, thinks)
        for nick in ("barbara", "donald", "tony"):
            play(stack, server, "apologies", nick, 300)
        scene = Scene(f"http://{server.ready['http']}", Path(work) / "data", "")
        while scene.asks("championship", name="Autumn cup")["counted"] < PLAYED:
            time.sleep(0.2)
        for browser in [stack.enter_context(chromium())]:
            for name, path in pages(scene).items():
                take(browser, directory, name, f"{scene.base}/{path}")


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
        "live": f"game?id={scene.running('apologies')}",
        "player": "player?nick=ada",
        "championship": "championship?name=Autumn+cup",
        "pools": "masters",
        "waiting": "waiting?name=barbara",
    }


def take(browser: Browser, directory: Path, name: str, url: str) -> None:
    """The pictures of one page: small and large screens, light and dark."""
    for device, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="light" if scheme == "light" else "dark",
                timezone_id="UTC",
                locale="en-GB",
            )
            page = context.new_page()
            page.goto(url)
            page.wait_for_timeout(300)
            file = directory / f"{name}-{device}-{scheme}.png"
            page.screenshot(path=file)
            context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
