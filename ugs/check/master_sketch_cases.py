"""The cases of game masters that draw: what a server refuses no one sees, and the game goes on without a picture."""

from collections.abc import Iterator
from typing import Final

from ugs.check.case import Broken, Case, Level, NotForThis
from ugs.check.led_game import TriedGame
from ugs.check.sentences import S
from ugs.check.tried_master import TriedMaster
from ugs.wire.extensions import Family

MAX_MOVES: Final = 40


async def sketches_accepted(master: TriedMaster) -> None:
    """Its sketches of a game are taken, from the first position on."""
    master.needs(Family.SKETCH)
    game = await master.begin()
    _check_taken(game)
    for _ in range(MAX_MOVES):
        if not game.knows_move:
            break
        await game.turn()
        _check_taken(game)
    await game.drop()
    if not game.drawings.count:
        raise NotForThis("the game master asks for sketch, and has drawn nothing")


def _check_taken(game: TriedGame) -> None:
    if game.drawings.refused:
        raise Broken(
            f"expected a sketch that the server takes; it refuses this one: x-sketch: {game.drawings.refused[0]} "
            f"(game {game.id})"
        )


async def movers_offered(master: TriedMaster) -> None:
    """Where it offers moves at all, each player who is to move is offered one in each position that is drawn."""
    master.needs(Family.SKETCH)
    game = await master.begin()
    offers, without = False, ""
    for moves in range(MAX_MOVES):
        for mover in game.position.movers if game.going else ():
            if game.drawings.offered(mover):
                offers = True
            elif game.drawings.is_drawn_for(mover):
                without = without or f"{mover!r}, who is to move after {moves} moves; its sketch has none"
        if not game.knows_move:
            break
        await game.turn()
    await game.drop()
    if not offers:
        raise NotForThis("the game master draws, and offers no moves in what it draws")
    if without:
        raise Broken(
            f"expected an offer for {without}: people who play in a browser have nothing to click (game {game.id})"
        )


def sketch_cases() -> Iterator[Case]:
    """All of them."""
    yield Case("sketch/accepted", "its sketches are taken by the server", S.SKETCH, sketches_accepted)
    yield Case("sketch/offers", "who is to move is offered a move", S.OFFERED, movers_offered, Level.SHOULD)
