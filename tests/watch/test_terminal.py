"""Pictures of games as they are played, on a terminal and elsewhere."""

import io
from dataclasses import replace

from rich.console import Console

from tests.watch.test_pictures import ended, over, state, watching
from ugs.watch.pictures import GamesShown
from ugs.watch.terminal import InPlace, OneByOne, in_front
from ugs.wire.extensions import EventKind, GameEvent


def printed(height: int, games: GamesShown) -> list[str]:
    console = Console(file=io.StringIO(), width=80, height=height)
    with console.capture() as capture:
        console.print(in_front(games, 80, height))
    return capture.get().splitlines()


def test_elsewhere_every_picture_is_printed() -> None:
    file = io.StringIO()
    shown = OneByOne(Console(file=file, width=80))
    for message in (watching(), GameEvent("g1", 1, 0, EventKind.MOVE, "ada"), state(1, "bob"), over(), ended()):
        shown.report(message)
    text = file.getvalue()
    assert "ada moves" not in text
    assert (
        text.index("bob to move")
        < text.index("ada puts X on 1,0")
        < text.index("  0 · X · · ·")
        < text.index("finished")
    )
    assert text.count("  0 · X · · ·") == 2


def test_of_the_past_only_the_last_position_is_printed() -> None:
    file = io.StringIO()
    shown = OneByOne(Console(file=file, width=80))
    shown.past(watching(), False)
    shown.past(state(1, "bob"), False)
    assert not file.getvalue()
    shown.past(state(2, "ada"), True)
    assert "  0 · X · · ·" not in file.getvalue()
    assert "  0 · X O · ·" in file.getvalue()
    shown.report(state(3, "bob"))
    assert "  0 · X O X ·" in file.getvalue()
    assert file.getvalue().count("  0 · X O · ·") == 1


def test_on_a_terminal_the_picture_stays_in_its_place() -> None:
    file = io.StringIO()
    with InPlace(Console(file=file, width=80, height=30, force_terminal=True)) as shown:
        shown.past(watching(), False)
        shown.report(state(1, "bob"))
    assert "game g1" in file.getvalue()
    assert "ada puts X on 1,0" in file.getvalue()


def test_a_low_terminal_shows_the_picture_rather_than_the_news() -> None:
    games = GamesShown()
    assert printed(20, games) == ["waiting for a game"]
    games.take_in(watching())
    games.take_in(watching("g2"))
    games.take_in(state(1, "bob"))
    assert printed(20, games)[0] == "game g1, one of 2"
    assert printed(20, games)[-1] == "ada puts X on 1,0"
    assert "ada puts X on 1,0" not in printed(10, games)


def test_pasts_of_several_games_are_kept_apart() -> None:
    file = io.StringIO()
    shown = OneByOne(Console(file=file, width=80))
    for game in ("g1", "g2"):
        shown.past(watching(game), False)
        shown.past(state(1, "bob", game=game), False)
    assert not file.getvalue()
    shown.past(state(2, "ada", game="g1"), True)
    assert "g1 2 0.500 s" in file.getvalue()
    assert "g2" not in file.getvalue()
    # What was last may have been for others.
    shown.report(GameEvent("g2", 4, 1, EventKind.ENDED, text="finished"))
    assert file.getvalue().index("g2 2 0.500 s") < file.getvalue().index("g2 4 1.000 s")


def test_that_no_board_is_drawn_stands_there_once() -> None:
    file, games = io.StringIO(), GamesShown()
    shown = OneByOne(Console(file=file, width=80))
    first = replace(watching(), number=220, state=b'<gameState><tac x="1" y="0"/></gameState>')
    for message in (first, replace(state(2, "bob"), number=222)):
        shown.report(message)
        games.take_in(message)
    assert file.getvalue().count("the board is not drawn") == 1
    assert "·" not in file.getvalue()
    assert "  ada puts X on 2,0" in file.getvalue()
    assert "what was before is not known, so the board is not drawn:" in printed(20, games)


def test_of_positions_that_come_at_once_the_newest_of_each_game_is_drawn_and_all_are_told() -> None:
    file = io.StringIO()
    shown = OneByOne(Console(file=file, width=80))
    batch = (
        watching("g1"),
        watching("g2"),
        state(1, "bob", game="g1"),
        state(3, "bob", game="g2"),
        state(2, "ada", game="g1"),
        over("g1"),
        ended("g1"),
    )
    shown.ahead(batch)
    for message in batch:
        shown.report(message)
    text = file.getvalue()
    assert "g1 2 0.500 s  bob to move\n  ada puts X on 1,0\ng2 2" in text
    assert "g1 2 0.500 s  ada to move\n  bob puts O on 2,0\ng1 3" in text
    assert text.count("  0 · ") == 2
    assert "positions that came too fast to be drawn: 2\n  > X ada" not in text
    assert text.index("positions that came too fast to be drawn: 2") < text.index("X ada won") < text.index("finished")
    assert "  0 · X O · ·" in text
    assert "  0 · · · X ·" in text


def test_positions_that_come_one_by_one_are_all_drawn_also_after_some_that_were_not() -> None:
    file = io.StringIO()
    shown = OneByOne(Console(file=file, width=80))
    for batch in ((watching(), state(1, "bob"), state(2, "ada")), (state(3, "bob"),), (state(4, "ada"),)):
        shown.ahead(batch)
        for message in batch:
            shown.report(message)
    assert file.getvalue().count("  0 · ") == 3
    assert file.getvalue().count("too fast to be drawn: 1") == 1
