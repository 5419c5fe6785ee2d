"""What there is to see: pages of anybody, of people who play, and of organisers."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from playwright.sync_api import Page

from tests.end_to_end.clicking import ASKED, clicks, comes_in, is_asked, plays, sets_up
from tests.page.every_page.scene import CASTS, SKETCHED, TOKEN, Scene
from tests.page.every_page.shots import Shots

READY_MS: Final = 60_000


class Sitting(NamedTuple):
    """A game of somebody at a browser against the computer."""

    game_type: str
    seats: int
    moves: int
    """How many are made before the picture."""
    options: tuple[tuple[str, str], ...] = ()


SITTINGS: Final[Mapping[str, Sitting]] = {
    "tic-tac-toe": Sitting("5-in-line-tic-tac-toe", 2, 4),
    "apologies": Sitting("apologies", 3, 5),
    "apologies-adult": Sitting("apologies-adult", 3, 6),
    "bang": Sitting("bang", 5, 4),
    "catan": Sitting("settlers", 3, 7),
    "titan": Sitting("titan", 3, 5),
    "chess": Sitting("chess", 2, 4),
    "go": Sitting("go", 2, 6),
    "openspiel-othello": Sitting("openspiel:othello", 2, 4),
    "openspiel-backgammon": Sitting("openspiel:backgammon", 2, 3),
}


def plain(scene: Scene) -> Iterator[tuple[str, str]]:
    """Pages by the names of their pictures."""
    yield "now", ""
    yield "games", "games"
    yield "games-none", "games?nick=no-such-player"
    yield "standings", "standings"
    for cast in CASTS:
        if cast.game in ("tic-tac-toe", "catan", "openspiel:othello"):
            name = cast.game.replace(":", "-")
            yield f"standings-{name}", f"standings?game_type={cast.game_type}"
            yield f"games-{name}", f"games?game_type={cast.game_type}"
            yield f"pools-{name}", f"masters?game_type={cast.game_type}"
    yield "player", "player?nick=ada"
    yield "player-titan", "player?nick=jason"
    yield "championships", "championships"
    for name, title in (
        ("round-robin", "All against all"),
        ("swiss", "Othello by night"),
        ("knock-out", "Four in a row"),
    ):
        yield f"championship-{name}", f"championship?name={title.replace(' ', '+')}"
    yield "championship-walkover", "championship?name=Spring+cup"
    yield "championship-stages", "championship?name=Two+stages"
    yield "standings-championship", "standings?championship=Othello+by+night"
    yield "pools", "masters"
    yield "puzzles", "puzzles"
    yield "puzzles-apologies", "puzzles?game_type=apologies"
    yield "waiting", "waiting"
    yield "waiting-somebody", "waiting?nick=barbara"
    yield "waiting-nobody", "waiting?nick=no-such-player"
    yield "play-enter", "play"
    yield "mine-enter", "mine"
    yield "admin-enter", "admin"
    yield "not-found", "no-such-page"
    yield "error-game", "game?id=no-such-game"
    yield "error-player", "player?nick=no-such-player"
    yield "error-championship", "championship?name=no-such-championship"
    yield "error-standings", "standings?game_type=no-such-game"
    yield "docs", "docs/"


def pages(shots: Shots, scene: Scene) -> None:
    """Pages that anybody opens, and replays."""
    for name, path in plain(scene):
        shots.visit(name, f"{scene.base}/{path}")
    for cast in CASTS:
        name, game = cast.game.replace(":", "-"), scene.ended(cast.game_type)
        if game is not None:
            at = int(game["moves"]) * 3 // 4
            shots.visit(f"replay-{name}", f"{scene.base}/game?id={game['game']}&at={at}")
            shots.visit(f"end-{name}", f"{scene.base}/game?id={game['game']}")
            if cast.game == "titan":
                shots.visit("zoomed-titan", f"{scene.base}/game?id={game['game']}&at={at}", "[data-zoom]")


def live(shots: Shots, scene: Scene) -> None:
    """Games that run."""
    for cast in CASTS:
        name = cast.game.replace(":", "-")
        if not shots.wants(f"live-{name}"):
            continue
        game = None
        until = time.monotonic() + READY_MS / 1000
        while game is None and time.monotonic() < until:
            game = scene.running(cast.game_type)
        if game is not None:
            shots.visit(f"live-{name}", f"{scene.base}/game?id={game['game']}")


def people(shots: Shots, scene: Scene) -> None:
    """People who play: the form, the lobby, their turn in each game, a table that waits, their games."""
    for name, sitting in SITTINGS.items():
        if shots.wants(f"play-{name}"):
            with shots.tried(f"play-{name}"):
                _sits(shots, scene, name, sitting)
    for name, shown in PLACES.items():
        if shots.wants(name):
            with shots.tried(name):
                page = shots.window()
                page.goto(f"{scene.base}/play")
                shown(page, scene)
                shots.take(page, name)
                page.context.close()
    if shots.wants("sketch"):
        with shots.tried("sketch"):
            _sketched(shots, scene)


def _sits(shots: Shots, scene: Scene, name: str, sitting: Sitting) -> None:
    page = shots.window()
    page.goto(f"{scene.base}/play")
    comes_in(page, f"katherine of {name}", sitting.game_type)
    sets_up(page, sitting.options, seats=sitting.seats)
    plays(page, sitting.moves, first=3)
    is_asked(page)
    shots.take(page, f"play-{name}")
    if not page.locator("#over").is_visible():
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Give up").click()
        page.locator("#over").wait_for()
    if name in ("tic-tac-toe", "titan"):
        shots.take(page, f"play-{name}-given-up")
    page.get_by_role("button", name="My games").click()
    page.locator("h1", has_text="Your games").wait_for()
    if name == "tic-tac-toe":
        shots.take(page, "play-tic-tac-toe-mine")
        page.locator("ul.lines a.plain").first.click()
        page.locator("#why").wait_for()
        shots.take(page, "play-tic-tac-toe-own-game")
    page.context.close()


def _refused(page: Page, _scene: Scene) -> None:
    page.locator("#nick").fill("ada")
    page.get_by_role("button", name="Come in").click()
    page.locator("#noted li").first.wait_for()


def _lobby(page: Page, _scene: Scene) -> None:
    comes_in(page, "maria", "titan")
    page.locator("#options-box summary").click()


def _table(page: Page, _scene: Scene, host: str = "emmy") -> None:
    comes_in(page, host, "settlers")
    page.locator("#seats").fill("3")
    page.locator("#computers").fill("1")
    page.locator("#public").check()
    page.get_by_role("button", name="Set up the table").click()
    page.locator("#table").wait_for()


def _tables(page: Page, scene: Scene) -> None:
    """Another one's table is there to sit down at."""
    context = page.context.browser
    assert context is not None
    host = context.new_page()
    host.goto(f"{scene.base}/play")
    _table(host, scene, "ada of settlers")
    comes_in(page, "sofia", "settlers")
    page.locator("#tables li").first.wait_for()


def _waits(page: Page, _scene: Scene) -> None:
    comes_in(page, "lise", SKETCHED)
    page.get_by_role("button", name="Find a game").click()
    page.locator("#waiting").wait_for()


PLACES: Final[Mapping[str, Callable[[Page, Scene], None]]] = {
    "play-refused": _refused,
    "play-lobby": _lobby,
    "play-table": _table,
    "play-tables": _tables,
    "play-waiting": _waits,
}


def _sketched(shots: Shots, scene: Scene) -> None:
    """Two people play a game whose master is a program in JavaScript that draws it with sketches."""
    windows = [shots.window() for _ in range(2)]
    for nick, page in zip(("ann", "bob"), windows, strict=True):
        page.goto(f"{scene.base}/play")
        comes_in(page, nick, SKETCHED)
        page.get_by_role("button", name="Find a game").click()
    for number in range(60):
        while not (asked := [page for page in windows if page.evaluate(ASKED)]):
            windows[0].wait_for_timeout(50)
        if asked[0].locator("#over").is_visible():
            break
        if number == 8:
            shots.take(asked[0], "sketch-play")
            game = scene.running(SKETCHED)
            if game is not None:
                shots.visit("sketch-live", f"{scene.base}/game?id={game['game']}")
        clicks(asked[0], 3 * number)
    shots.take(windows[0], "sketch-over")
    game = scene.ended(SKETCHED)
    if game is not None:
        shots.visit("sketch-replay", f"{scene.base}/game?id={game['game']}&at=5")
    for page in windows:
        page.context.close()


def organisers(shots: Shots, scene: Scene) -> None:
    """The administration."""
    if not shots.wants("admin"):
        return
    page = shots.window()
    page.goto(f"{scene.base}/admin")
    page.get_by_label("Your token").fill("a wrong token")
    page.get_by_role("button", name="Enter").click()
    shots.take(page, "admin-refused")
    page.goto(f"{scene.base}/admin")
    page.get_by_label("Your token").fill(TOKEN)
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("heading", name="Championships").first.wait_for()
    shots.take(page, "admin-desk")
    page.context.close()
