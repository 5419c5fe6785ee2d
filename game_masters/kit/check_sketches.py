"""Contract tests of the sketches of a game. A game without sketches keeps them all."""

import random
from collections.abc import Iterator
from typing import Final

from game_masters.kit.contract import Check, ContractBroken, expect
from game_masters.kit.gallery import walk
from game_masters.kit.rules import AnyGame, AnyState, Unreadable
from ugs.sketch.decoding import read
from ugs.sketch.elements import Unfit
from ugs.sketch.model import Sketch

SKETCHED_EVERY: Final = 4
"""Positions of a game of random moves between two that are looked at."""
MAX_SKETCHED: Final = 60


def sketches_every_position(game: AnyGame) -> None:
    """Every position has a sketch within its bounds, for each seat and for spectators; nicks may hold anything."""
    for state, nicks, number in _positions(game):
        for seat in (None, *range(len(nicks))):
            _read(game, state, nicks, seat, f"after {number} moves, seat {seat}")


def sketches_offer_legal_moves(game: AnyGame) -> None:
    """What a sketch offers to whom is asked may be done: each move once, and no other."""
    for state, nicks, number in _positions(game):
        if not state.movers:
            continue
        seat = state.movers[0]
        where = f"after {number} moves, seat {seat}"
        offers = [one for one in _read(game, state, nicks, seat, where).offers if one.nick in ("", nicks[seat])]
        try:
            moves = [game.notation.read_move(one.move) for one in offers]
        except Unreadable as error:
            raise ContractBroken(f"{game.name}: {where}: an offer is no move: {error}") from error
        expect(len(set(moves)) == len(moves), game, f"{where}: a move is offered twice")
        expect(set(moves) <= set(state.legal_moves(seat)), game, f"{where}: an offer is not legal")


def sketches_reveal_no_secrets(game: AnyGame) -> None:
    """What is hidden from a seat is dealt in another way, and its sketch must stay the same."""
    if not game.hidden_information:
        return
    rng = random.Random(12)
    for state, nicks, number in _positions(game):
        for seat in range(len(nicks)):
            same = _bytes(game, state, nicks, seat) == _bytes(game, state.resampled(seat, rng), nicks, seat)
            expect(same, game, f"the sketch of seat {seat} shows something hidden after {number} moves")


def _positions(game: AnyGame) -> Iterator[tuple[AnyState, tuple[str, ...], int]]:
    """Positions of a game of random moves, each with its nicks and the number of moves; a state changes as the game
    goes on."""
    if game.conduct.sketch is None:
        return
    # Nicks with signs that would end an element or an attribute.
    nicks = ("<ann>&", "b\"ob'", *(f"p{seat}" for seat in range(2, game.players.max)))[: game.players.max]
    for number, (state, _) in enumerate(walk(game, nicks, 3, {})):
        if number > MAX_SKETCHED:
            return
        if number % SKETCHED_EVERY == 0 or state.outcome is not None:
            yield state, nicks, number


def _bytes(game: AnyGame, state: AnyState, nicks: tuple[str, ...], seat: int | None) -> bytes:
    assert game.conduct.sketch is not None
    return game.conduct.sketch(state.view(seat), nicks, seat)


def _read(game: AnyGame, state: AnyState, nicks: tuple[str, ...], seat: int | None, where: str) -> Sketch:
    try:
        return read(_bytes(game, state, nicks, seat))
    except Unfit as error:
        raise ContractBroken(f"{game.name}: {where}: the sketch is wrong: {error}") from error


SKETCHED: tuple[Check, ...] = (sketches_every_position, sketches_offer_legal_moves, sketches_reveal_no_secrets)
