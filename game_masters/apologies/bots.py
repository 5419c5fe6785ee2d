"""Computer players for Apologies. All look one play ahead; they differ in what they value."""

import random
from collections.abc import Mapping, Sequence

from game_masters.apologies.board import ALL_HOME, COLOURS, HOME, PAWNS, PLACES, SAFE, START, Pawns, progress
from game_masters.apologies.cards import Kind
from game_masters.apologies.plays import after
from game_masters.apologies.reward import best
from game_masters.apologies.views import Move, Offer, Pick, View
from game_masters.kit.rules import Bot

OUT_OF_START = 12
"""A pawn in start waits for a 1, a 2 or an Apologies card, so being out is worth many steps."""
WAY_BACK = 6
"""The worth of a pawn within four squares past its turn square: it needs only a 4 to have gone all the way round."""
WAY_BACK_PROGRESS = 3
IN_SAFE_ROW = 6
AT_HOME = 14
WON = 200

CARD_WORTH: Mapping[Kind, int] = {
    Kind.APOLOGIES: 8, Kind.ELEVEN: 6, Kind.ONE: 5, Kind.SEVEN: 3, Kind.FOUR: 3, Kind.TEN: 2,
}  # fmt: skip
"""The worth of a card that stays in the hand, in steps. Playing a 2 is worth as much as keeping it."""


def choose_random(view: View, rng: random.Random) -> Move:
    """Return any play on offer."""
    return Pick(rng.choice(view.offers).id)


def choose_by_reward(view: View, rng: random.Random) -> Move:
    """Return the play that ``<optimal/>`` stands for, without chance."""
    return Pick(view.offers[best(view.pawns, view.mover, view.offers)].id)


def choose_by_position(view: View, rng: random.Random) -> Move:
    """Return the play that leads to the best position; the first of equals."""
    pawns, seat = view.pawns, view.mover
    opponents = len(view.seats) - 1

    def worth(offer: Offer) -> int:
        # A lead counts once for each opponent, so the card does, too.
        return _lead(after(pawns, offer), seat) - opponents * CARD_WORTH.get(offer.kind, 0)

    return Pick(max(view.offers, key=worth).id)


BOTS = (
    Bot("positional", "gets its pawns out, minds the way back round, and keeps its good cards", choose_by_position),
    Bot(
        "reward",
        "as far ahead as one play can get it; plays the seats without players",
        choose_by_reward,
        fills_seats=True,
    ),
    Bot("random", "plays anything", choose_random),
)


def _place_worth(seat: int, place: int) -> int:
    if place == START:
        return -OUT_OF_START
    reached = progress(seat, place)
    if place == HOME:
        return reached + AT_HOME
    if place >= SAFE:
        return reached + IN_SAFE_ROW
    return reached + (WAY_BACK if reached <= WAY_BACK_PROGRESS else 0)


_WORTH: Sequence[Sequence[int]] = tuple(
    tuple(_place_worth(seat, place) for place in PLACES) for seat in range(len(COLOURS))
)


def _lead(pawns: Pawns, seat: int) -> int:
    """Return how far a seat is ahead of all the others together; may be negative."""
    standings = [_standing(pawns, other) for other in range(len(pawns) // PAWNS)]
    # That is its lead over each of the others, added up.
    return len(standings) * standings[seat] - sum(standings)


def _standing(pawns: Pawns, seat: int) -> int:
    own = pawns[seat * PAWNS : (seat + 1) * PAWNS]
    worth = _WORTH[seat]
    return sum([worth[place] for place in own]) + (WON if own == ALL_HOME else 0)
