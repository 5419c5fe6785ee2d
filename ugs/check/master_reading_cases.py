"""The cases of game masters that are about what they read, and about many games at once."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from ugs.check import as_server
from ugs.check.case import Broken, Case, NotForThis, Run
from ugs.check.led_game import check_judged
from ugs.check.sentences import S
from ugs.check.shared_cases import spelled
from ugs.check.tried_master import TriedMaster
from ugs.check.xml_spelling import PLAIN, STYLES, WHOLE, Cut, Style, in_words, respelled
from ugs.wire.extensions import Family

MANY: Final = 20
"""Games at once."""


# Reading.


async def begin_read(master: TriedMaster, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A game to lead."""
    game = await master.begin(style=style, cut=cut)
    await game.drop()


async def move_read(master: TriedMaster, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A move, with a nick that has a letter of two bytes where the master is shown it."""
    game = await master.begin(["Jürgen", *master.nicks()[:1], *master.nicks()[2:]])
    await game.turn(style, cut)
    check_judged(game)
    await game.drop()


async def left_read(master: TriedMaster, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A player leaves."""
    game = await master.begin()
    await game.leave(game.position.movers[0] if game.going else game.nicks[0], style, cut)
    await game.answered()
    await master.plays_on()


async def error_read(master: TriedMaster, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
    """A text for people."""
    await master.send(as_server.error("Jürgen has won a prize"), style=style, cut=cut)
    await master.plays_on()


READ: Final[dict[str, tuple[str, str, Callable[..., Any]]]] = {
    "begin": ("a game to lead", "state/first", begin_read),
    "move": ("a move", "state/first", move_read),
    "left": ("a player who leaves", "left/asked-0", left_read),
    "error": ("an error", "error/empty", error_read),
}
"""What a master reads, by name: in words, the case that it builds on, how it is tried."""


async def move_spelled(master: TriedMaster, style: Style) -> None:
    """The same move in two games, once in another spelling: the same comes of it."""
    rules = master.rules
    if (rules is None or rules.chance) and Family.RESTORE not in master.granted:
        raise NotForThis(
            "the game may have chance, and the master takes no seed; to run these cases, let it ask for restore and "
            "take all chance of a game from its seed"
        )
    one, other = await master.begin(), await master.begin()
    payload = one.legal()
    try:
        written = respelled(payload, style)
    except ValueError as why:
        raise NotForThis(f"the move cannot be written otherwise: {why}") from None
    plain, spelled = await one.move(payload), await other.move(written)
    if (plain.movers, plain.results, one.shown) != (spelled.movers, spelled.results, other.shown):
        raise Broken(f"expected the same state after {payload!r} and {written!r}")
    await one.drop()
    await other.drop()


# Many games.


async def two_begins(master: TriedMaster) -> None:
    """Two games in one piece."""
    await many_begins(master, 2)


async def many_begins(master: TriedMaster, number: int) -> None:
    """Many games in one piece, and a turn in each."""
    games = [master.new_game() for _ in range(number)]
    await master.send(*(game.beginning() for game in games))
    for game in games:
        await game.answered()
    playing = [game for game in games if game.knows_move]
    if playing:
        await master.send(*(game.moving(game.legal()) for game in playing))
        for game in playing:
            await game.answered()
            check_judged(game)
    for game in games:
        await game.drop()


async def moves_in_turns(master: TriedMaster) -> None:
    """Two games, whose moves come by turns."""
    one, other = await master.begin(), await master.begin()
    for _ in range(3):
        for game in (one, other):
            if game.going:
                await game.turn()
                check_judged(game)
    await one.drop()
    await other.drop()


async def begin_behind_move(master: TriedMaster) -> None:
    """A move and a new game in one piece."""
    game = await master.begin()
    move = game.moving(game.legal())
    next_one = master.new_game()
    await master.send(move, next_one.beginning())
    await game.answered()
    await next_one.answered()
    await game.drop()
    await next_one.drop()


async def three_and_a_half(master: TriedMaster) -> None:
    """Three games and half of a fourth, then the rest."""
    games = [master.new_game() for _ in range(4)]
    await master.send(*(game.beginning() for game in games), cut=Cut(before_end=20))
    for game in games:
        await game.answered()
        await game.drop()


GLUED: Final[dict[str, tuple[str, Run]]] = {
    "two-games": ("two games to lead in one piece", two_begins),
    "move-and-game": ("a move and a new game in one piece", begin_behind_move),
    "three-and-a-half": ("three and a half games in one piece, then the rest", three_and_a_half),
}


def reading_cases() -> Iterator[Case]:
    """All of them."""
    yield Case("games/by-turns", "the moves of two games come by turns", S.MANY_GAMES, moves_in_turns)
    what = f"{MANY} games in one piece, and a move in each"
    yield Case("games/twenty", what, S.MANY_GAMES, partial(many_begins, number=MANY))
    yield from spelled(READ, GLUED)
    for name, style in STYLES.items():
        # A payload has no declaration, and nothing in front of it.
        if not style.in_front and style.declaration is None:
            run = partial(move_spelled, style=style)
            yield Case(f"payload/{name}", f"the move itself, written otherwise: {in_words(name)}", S.UNCHANGED, run)
