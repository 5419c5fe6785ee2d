"""The promise that no question reveals a secret: who is asked what, and when, follows from what all players know."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from game_masters.kit.contract import Check, all_numbers_of_players, expect
from game_masters.kit.rules import AnyGame, AnyState, RuleBroken, Table

WALKS = 4
"""Games that are played with each number of seats."""
MAX_WALK = 2000
"""A game is broken off after this number of moves."""
FORKED_EVERY = 3
"""Another world begins at one position in this many, each for one of the seats."""
FOLLOWED = 60
"""A world is left after this number of moves. It is dropped earlier if a move is impossible there, or if
something has come out."""
SEED = 15


@dataclass(slots=True)
class _World:
    """A game that may have gone another way, for all that some readers know."""

    state: AnyState
    readers: set[int | None]
    """The seats, and None for spectators, that have received the same as in the real game."""
    moves: int = 0


def questions_reveal_no_secret(game: AnyGame) -> None:
    """To readers who have received the same, two games look the same: what they are shown, who is asked next, and after
    how many entries of the record.

    Games of random moves are played. Now and then, what is hidden from a seat is dealt again, and the other world goes
    on with the same moves beside the real one, as long as they are possible there. What comes out ends the comparison;
    what shows before it has come out is a leak, also if only the next question differs.
    """
    if not game.hides(game.choose_options({})):
        return
    numbers = all_numbers_of_players(game)
    compared = sum(_walk(game, seats, random.Random(SEED + walk)) for seats in numbers for walk in range(WALKS))
    expect(compared > 0, game, "hidden information is declared, and no other world could be followed")


def _walk(game: AnyGame, seats: int, rng: random.Random) -> int:
    """Play a game and the worlds beside it. Return how often another world was compared with it."""
    names = tuple(f"player-{seat}" for seat in range(seats))
    table = Table("contract", names, game.choose_options({}))
    state: AnyState = game.start(table, random.Random(rng.getrandbits(64)))
    worlds: list[_World] = []
    compared = 0
    for number in range(MAX_WALK):
        if state.outcome is not None:
            break
        if number % FORKED_EVERY == 0:
            worlds += _forks(game, state, rng.randrange(seats), rng)
        seat = rng.choice(state.movers)
        move = rng.choice(state.legal_moves(seat))
        before = len(state.record)
        state.apply(seat, move)
        for world in worlds:
            since = _goes_on(world, seat, move)
            world.readers = {
                one for one in world.readers if state.received(one, before) == world.state.received(one, since)
            }
            compared += bool(world.readers)
            where = f"{seats} seats, after {number + 1} moves, the last being {move} of seat {seat}"
            _compare(game, state, world, (before, since), where)
        worlds = [world for world in worlds if world.readers and world.moves < FOLLOWED]
    return compared


def _goes_on(world: _World, seat: int, move: Any) -> int:
    """Make the move of the real game in a world too; where that is impossible, the world is compared no longer. Return
    the number of entries before."""
    since = len(world.state.record)
    try:
        world.state.apply(seat, move)
    except RuleBroken:
        world.readers = set()
    world.moves += 1
    return since


def _forks(game: AnyGame, state: AnyState, seat: int, rng: random.Random) -> Iterator[_World]:
    """Yield a world where what is hidden from a seat is dealt again, if anything is hidden."""
    world = _World(state.resampled(seat, rng), {seat, None})
    now = len(state.record)
    _compare(game, state, world, (now, now), f"what is hidden from seat {seat} is dealt again")
    # It may have been dealt as it was: then there is nothing to compare.
    if str(world.state) != str(state):
        yield world


def _compare(game: AnyGame, state: AnyState, world: _World, since: tuple[int, int], where: str) -> None:
    """Expect that both worlds look the same to the readers who have received the same."""
    if not world.readers:
        return
    other = world.state
    expect(
        other.movers == state.movers, game, f"{where}: who is asked reveals a secret: {other.movers} or {state.movers}"
    )
    expect(
        (other.outcome is None) == (state.outcome is None), game, f"{where}: whether the game is over reveals a secret"
    )
    entries = len(state.record) - since[0], len(other.record) - since[1]
    expect(entries[0] == entries[1], game, f"{where}: how long it took reveals a secret: {entries[0]} or {entries[1]}")
    if state.outcome is not None:
        return  # a game that is over may show what was hidden, such as the cards that were not played
    for reader in world.readers:
        one = game.notation.write_view(state.view(reader, since[0]))
        another = game.notation.write_view(other.view(reader, since[1]))
        who = "the public" if reader is None else f"seat {reader}"
        expect(one == another, game, f"{where}: a secret shows to {who}: {one!r} or {another!r}")


QUESTIONS: tuple[Check, ...] = (questions_reveal_no_secret,)
"""Every promise about questions."""
