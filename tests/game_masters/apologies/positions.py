"""Positions to try things on: from games, and scattered over the board."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from game_masters.apologies.board import ALL_HOME, CIRCLE, HOME, PAWNS, PLACES, SQUARES, START, Pawns
from game_masters.apologies.cards import CARDS, HAND, Card
from game_masters.apologies.plays import Play, Profile, after, legal_plays
from game_masters.apologies.reward import best


class Decision(NamedTuple):
    """A position in which ``seat`` has to play one of the cards."""

    pawns: Pawns
    seat: int
    cards: tuple[Card, ...]


Chooser: TypeAlias = Callable[[Decision, Sequence[Play]], Play]


def from_games(rng: random.Random, seats: int, cards: int, profile: Profile) -> Iterator[Decision]:
    """Yield, without end, the decisions of game after game, each half at random and half by reward.

    With one card everybody begins in start; with several, each player has a pawn on the circle, as in ADULT.
    """
    while True:
        pawns = [START] * PAWNS * seats
        if cards == HAND:
            pawns[::PAWNS] = CIRCLE[:seats]
        position = tuple(pawns)
        seat = rng.randrange(seats)
        while all(position[other * PAWNS : other * PAWNS + PAWNS] != ALL_HOME for other in range(seats)):
            decision = Decision(position, seat, tuple(rng.sample(CARDS, cards)))
            yield decision
            plays = legal_plays(*decision, profile)
            play = rng.choice(plays) if rng.random() < 0.5 else plays[best(position, seat, plays)]
            position = after(position, play)
            seat = (seat + 1) % seats


def scattered(rng: random.Random, seats: int, cards: int, *, apart: bool) -> Iterator[Decision]:
    """Yield, without end, positions with pawns anywhere, many of them close to each other. With ``apart`` no two are in
    one place."""
    while True:
        first = rng.randrange(SQUARES)
        near = [(first + step) % SQUARES for step in range(rng.choice((12, 30, SQUARES)))]
        pawns: list[int] = []
        while len(pawns) < PAWNS * seats:
            place = rng.choice(near) if rng.random() < 0.7 else rng.choice(PLACES)
            own = pawns[len(pawns) // PAWNS * PAWNS :]
            taken = pawns if place < SQUARES else own
            if not apart or place in (HOME, START) or place not in taken:
                pawns.append(place)
        position = tuple(pawns)
        if all(position[other * PAWNS : other * PAWNS + PAWNS] != ALL_HOME for other in range(seats)):
            yield Decision(position, rng.randrange(seats), tuple(rng.sample(CARDS, cards)))
