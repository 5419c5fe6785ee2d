"""Games whose masters draw them with sketches, in JavaScript, C, Go and Python: clicked through to their ends in a
browser, watched while they run, and replayed from the journal afterwards."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.end_to_end.browser import PHONE, chromium, visit
from tests.end_to_end.clicking import ASKED, clicks, comes_in
from tests.end_to_end.processes import BOUND_S, TOP, Program, Server, answer_of, until
from tests.kits import build, started
from tests.profile import sized
from tests.third_party import installed
from ugs.broker.values.record import EntryKind
from ugs.commands.kits import MASTER, kits_of
from ugs.journal.reader import Reader

MASTERS = TOP / "tests" / "masters"
STRICT_C = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-O2")
MOST = 70
"""Moves of a game: no Reversi has more."""


def node(_directory: Path) -> tuple[str | Path, ...]:
    """The example for people, in JavaScript."""
    return "node", TOP / "examples" / "kits" / "master" / "javascript" / "master.mjs"


def c(directory: Path) -> tuple[str | Path, ...]:
    """Nim in C, compiled."""
    subprocess.run(["cc", *STRICT_C, "-o", directory / "nim", MASTERS / "nim.c"], check=True)
    return (directory / "nim",)


def kit_in_go(directory: Path) -> tuple[str | Path, ...]:
    """The same in Go, compiled."""
    kit = kits_of(MASTER)["go"]
    folder = shutil.copytree(kit.folder, directory / "kit")
    build(kit, folder)
    return started(kit, folder)


def go(directory: Path) -> tuple[str | Path, ...]:
    """Reversi in Go, compiled."""
    caches = {
        "GOCACHE": str(directory / "cache"),
        "GO111MODULE": "off",
        "HOME": str(directory),
        "PATH": "/usr/bin:/bin",
    }
    source, program = str(MASTERS / "reversi.go"), str(directory / "reversi")
    subprocess.run(["go", "build", "-o", program, source], check=True, env=caches, timeout=BOUND_S)
    return (directory / "reversi",)


def kit(directory: Path) -> tuple[str | Path, ...]:
    """Nim in Python, a game of the kit in a package that is installed for its master alone."""
    site = installed(directory)
    return "sh", "-c", f'PYTHONPATH="{site}" exec "{sys.executable}" -m ugs master nim --connect "$0:$1"'


GAMES: Mapping[str, tuple[str, Callable[[Path], tuple[str | Path, ...]], tuple[str, ...]]] = {
    "connect-four in JavaScript": ("node", node, ()),
    "connect-four in Go": ("go", kit_in_go, ()),
    "nim in C": ("cc", c, ()),
    "reversi in Go": ("go", go, (sized(quick="4", deep="8"),)),
    "nim in Python": ("sh", kit, ()),
}
"""By game type and language: what it is made with, its master, and what the master is given behind host and port."""
CLICKED = sized(quick=("connect-four in JavaScript", "nim in C", "reversi in Go"), deep=tuple(GAMES))
"""Three games in three languages; a quick run asks the kits for their sketches at a lower level."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with chromium() as found:
        yield found


def look(_page: Page, _name: str) -> None:
    """A picture of this page is worth a look; replaced by who wants to look."""


def meets(page: Page, nick: str, game_type: str) -> None:
    """Log in, and wait for whoever comes."""
    comes_in(page, nick, game_type)
    page.get_by_role("button", name="Find a game").click()


def plays_out(first: Page, second: Page, first_moves: Callable[[], None]) -> int:
    """Two people play until their game is over; how many moves there were."""
    for number in range(MOST):
        mover = None
        while mover is None:
            mover = next((page for page in (first, second) if page.evaluate(ASKED)), None)
            first.wait_for_timeout(20)
        if mover.locator("#over").is_visible():
            return number
        clicks(mover, 5 * number)
        if number == 1:
            first_moves()
    raise AssertionError("the game has no end")


def cell(page: Page, column: int, row: int) -> Locator:
    """A cell of a board that stands for moves; all are of one size."""
    parts = page.locator("#board [data-offer]")
    places = parts.evaluate_all("parts => parts.map((part) => [part.x.baseVal.value, part.y.baseVal.value])")
    columns, rows = (sorted({place[axis] for place in places}) for axis in (0, 1))
    return parts.nth(places.index([columns[column], rows[row]]))


def test_moves_with_an_order_are_clicked_cell_by_cell(browser: Browser, tmp_path: Path) -> None:
    """Without it one click moves where no two moves share a cell, and after the first click all cells are marked."""
    master = ("-c", f'PYTHONPATH="{kits_of(MASTER)["python"].folder}" exec "{sys.executable}" "$0" "$@"')
    with ExitStack() as stack:
        server = stack.enter_context(Server(tmp_path, "--data-dir", tmp_path / "data"))
        base = f"http://{server.ready['http']}"
        stack.enter_context(Program("sh", *master, MASTERS / "steps.py", *server.address.split(":")))
        until(lambda: b'value="steps"' in answer_of(f"{base}/play"))
        ann, bob = (stack.enter_context(visit(browser, base)) for _ in range(2))
        page = ann.goes("play")
        meets(page, "ann", "steps")
        meets(bob.goes("play"), "bob", "steps")
        expect(page.locator("#how")).to_have_text("Click where a move begins, then what is marked.")
        expect(page.locator("#board")).to_have_class(re.compile("begins"))
        targets = page.locator("#board .target-mark")

        cell(page, 1, 1).click()
        expect(page.locator("#how")).to_have_text("No move begins there.")
        cell(page, 0, 0).click()
        expect(page.locator("#how")).to_have_text("Go on with what is marked.")
        expect(targets).to_have_count(1)  # not what comes third
        page.keyboard.press("Escape")
        expect(targets).to_have_count(0)
        expect(page.locator("#choice")).to_be_hidden()
        cell(page, 0, 0).click()
        cell(page, 2, 2).click()
        expect(page.locator("#how")).to_have_text("The move does not go on there. Begin it again.")
        for place in ((0, 0), (1, 1), (2, 2)):
            expect(page.locator("#news li")).to_have_count(0)
            cell(page, *place).click()
        expect(page.locator("#news li")).to_have_text(["a captures"])

        expect(page.locator("#how")).to_have_text("Click where a move begins, then what is marked.")
        cell(page, 0, 0).click()
        expect(targets).to_have_count(2)
        expect(page.locator("#choice")).to_be_hidden()  # the marks lead to each of the three
        cell(page, 1, 1).click()
        expect(targets).to_have_count(1)
        shade = page.locator("#board .shade path")
        expect(shade).to_have_count(1)
        come_to, shown = cell(page, 1, 1).bounding_box(), shade.bounding_box()
        assert come_to is not None
        assert shown is not None
        for axis, size in (("x", "width"), ("y", "height")):  # the disc that lies where the move began
            assert come_to[axis] < shown[axis] < shown[axis] + shown[size] < come_to[axis] + come_to[size]  # type: ignore[literal-required]
        expect(page.locator("#choice")).to_be_hidden()
        expect(page.locator("#how")).to_contain_text("click the last place once more to stop there")
        cell(page, 0, 0).click()
        expect(page.locator("#news li").first).to_have_text("a goes there and back")
        expect(shade).to_have_count(0)

        cell(page, 0, 0).click()
        cell(page, 1, 1).click()
        cell(page, 1, 1).click()
        expect(page.locator("#news li").first).to_have_text("a goes there")

        cell(page, 0, 0).click()
        page.set_viewport_size({"width": 900, "height": 500})
        page.locator("#board").scroll_into_view_if_needed()
        before = page.evaluate("scrollY")
        cell(page, 1, 1).dispatch_event("click")
        expect(page.locator("#choices button")).to_have_text(["a becomes a king", "a becomes a queen"])
        expect(page.locator("#choices button").first).to_be_focused()
        assert page.evaluate("scrollY") == before, "the buttons below the board have the focus, and the page stays"
        page.locator("#choices button").last.click()
        expect(page.locator("#news li").first).to_have_text("a becomes a queen")

        expect(page.locator("#how")).to_have_text("Click a place that is marked.")
        cell(page, 0, 1).click()
        expect(page.locator("#turn")).to_have_text("A draw")
        expect(page.locator("#news li").first).to_have_text("b rests")


@pytest.mark.parametrize("name", CLICKED)
def test_a_game_of_any_language_is_clicked_to_its_end_and_replayed(browser: Browser, tmp_path: Path, name: str) -> None:
    tool, program, arguments = GAMES[name]
    game_type = name.partition(" ")[0]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not on this machine")
    data = tmp_path / "data"
    command = program(tmp_path)
    with ExitStack() as stack:
        server = stack.enter_context(Server(tmp_path, "--data-dir", data))
        base = f"http://{server.ready['http']}"
        stack.enter_context(Program(*command, *server.address.split(":"), *arguments))
        until(lambda: f'value="{game_type}"'.encode() in answer_of(f"{base}/play"))
        ann, bob = (stack.enter_context(visit(browser, base)), stack.enter_context(visit(browser, base, size=PHONE)))
        fan = stack.enter_context(visit(browser, base, dark=True))
        meets(ann.goes("play"), "ann", game_type)
        meets(bob.goes("play"), "bob", game_type)
        expect(ann.page.locator("#board svg")).to_be_visible()

        def in_the_middle() -> None:
            look(ann.page, f"{game_type}-play")
            look(bob.page, f"{game_type}-play-phone")
            overview = fan.goes("")
            expect(overview.locator("svg title", has_text="Board").first).to_be_attached()
            overview.locator("a[href*='game?id=']").first.click()
            expect(overview.locator("svg title", has_text="Board").first).to_be_attached()
            look(overview, f"{game_type}-live-dark")

        made = plays_out(ann.page, bob.page, in_the_middle)
        expect(ann.page.locator("#turn")).to_have_text(re.compile("You have won|You have lost|A draw"))
        look(ann.page, f"{game_type}-over")
        with Reader(data) as reader:
            (summary,) = [summary for _, summary in reader.ended(began_us=(0, 1 << 62))]
            record = reader.record(summary.game_id)
    kinds = [entry.kind for entry in record.entries]
    assert kinds.count(EntryKind.MOVE) == made
    assert kinds.count(EntryKind.SKETCH) == kinds.count(EntryKind.STATE) + 1 == made + 1

    with Server(tmp_path, "--data-dir", data) as again, ExitStack() as stack:
        visitor = stack.enter_context(visit(browser, f"http://{again.ready['http']}", size=PHONE))
        page = visitor.goes(f"game?id={summary.game_id}")
        expect(page.locator("#board svg title").first).to_be_attached()
        assert not page.get_by_text("State of the game").count(), "it is drawn, not shown as a tree"
        look(page, f"{game_type}-replay-phone")
        page.locator("[data-step=first]").click()
        expect(page.locator("#at")).to_have_text("0")
        page.locator("[data-step=next]").click()
        expect(page.locator("#at")).to_have_text("1")
        large = stack.enter_context(visit(browser, f"http://{again.ready['http']}")).goes(f"game?id={summary.game_id}")
        expect(large.locator("#board svg title").first).to_be_attached()
        look(large, f"{game_type}-replay")
