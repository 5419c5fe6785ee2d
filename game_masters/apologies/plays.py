"""Which plays a position allows, in the order that the computer player's choice depends on, and what they do.

A play is a card with *actions*, which were chosen, and *effects*, which follow from them: bumps, which send a pawn
each to its start. Without actions it is a forfeit. Landing comes before sliding: a play is refused for an own pawn on
the square where a pawn lands, and any pawn on that square or on the following slide is bumped.

Two profiles of the rules differ in what happens when pawns of one play meet:

* ``strict``: a safe square belongs to one colour; a slide never bumps a pawn that the same play moves; a play after
  which two pawns would share a square is illegal.
* ``upstream``: which pawn stands on a place is looked up on the board as it was before the play, without regard to the
  colour of a safe square. So a pawn may bump itself, or bump a pawn out of a foreign safe row.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple, Protocol, TypeAlias

from game_masters.apologies.board import (
    CIRCLE,
    HOME,
    NOWHERE,
    PAWNS,
    SLIDING,
    SQUARES,
    START,
    TARGETS,
    Pawn,
    Pawns,
    Place,
    pawns_of,
)
from game_masters.apologies.cards import KINDS, Card, Kind

Step: TypeAlias = tuple[Pawn, Place, Place]
"""A pawn, the place where it was before the play, and where it goes."""


class Profile(StrEnum):
    """The rules for pawns of one play that meet."""

    STRICT = "strict"
    UPSTREAM = "upstream"


class Change(Protocol):
    """What happens to the pawns."""

    @property
    def actions(self) -> tuple[Step, ...]:
        """The steps that were chosen."""

    @property
    def effects(self) -> tuple[Step, ...]:
        """The steps that follow from the actions."""


class Play(NamedTuple):
    """A card, and what happens to the pawns."""

    card: Card
    actions: tuple[Step, ...] = ()
    effects: tuple[Step, ...] = ()

    @property
    def forfeit(self) -> bool:
        """Whether the card is only discarded."""
        return not self.actions


def legal_plays(pawns: Pawns, seat: int, cards: Iterable[Card], profile: Profile) -> list[Play]:
    """Return all plays of ``seat`` with one of these cards; if there are none, a forfeit of each card."""
    cards = tuple(cards)
    situation = _Situation(pawns, seat, profile is Profile.STRICT)
    found: list[Play] = []
    for card in cards:
        from_start, on_the_way = _WAYS_OF_CARD[card]
        for pawn in situation.own:
            place = pawns[pawn]
            if place < HOME:
                for way, steps in on_the_way:
                    way(situation, card, pawn, steps, found)
            elif place == START:
                for way, steps in from_start:
                    way(situation, card, pawn, steps, found)
    return found or [Play(card) for card in cards]


def after(pawns: Pawns, change: Change) -> Pawns:
    """Return the position after a play: actions in order, then effects in order."""
    places = list(pawns)
    for pawn, _, place in change.actions:
        places[pawn] = place
    for pawn, _, place in change.effects:
        places[pawn] = place
    return tuple(places)


class _Situation:
    """A position as the seat whose turn it is sees it."""

    __slots__ = ("foreign", "occupant", "order", "own", "pawns", "sliding", "strict", "targets")

    def __init__(self, pawns: Pawns, seat: int, strict: bool) -> None:
        self.pawns = pawns
        self.strict = strict
        self.own, self.foreign, self.order, backwards = _ORDERS[len(pawns) // PAWNS, seat]
        self.targets = TARGETS[seat]
        self.sliding = SLIDING[seat]
        # Own pawns are found before foreign ones, and foreign ones in the order of the seats: the last one entered
        # stays.
        self.occupant = {pawns[pawn]: pawn for pawn in backwards}
        # Home has room for all pawns, and no pawn lands in start.
        self.occupant.pop(HOME, None)

    def landing(self, place: Place, gone: Pawn = NOWHERE) -> tuple[Step, ...] | None:
        """Return the bumps of landing on ``place``, at most one; None if an own pawn is in the way. The pawn ``gone``
        no longer stands there."""
        hit = self.occupant.get(place)
        if hit is not None and hit == gone:
            hit = next((pawn for pawn in self.order if self.pawns[pawn] == place and pawn != gone), None)
        if hit is None:
            return ()
        if hit in self.own:
            return None
        # Safe rows are apart; in upstream's engine a pawn is bumped out of a row that no other colour can enter.
        if self.strict and place >= SQUARES:
            return ()
        return ((hit, place, START),)

    def sweep(self, squares: Sequence[Place], moved: tuple[Pawn, ...]) -> tuple[Step, ...]:
        """Return the bumps of a slide over ``squares`` in a play that moves the pawns ``moved``."""
        bumped = []
        for square in squares:
            hit = self.occupant.get(square)
            # In upstream's engine a slide bumps even the pawn that slides, if it began there.
            if hit is not None and not (self.strict and hit in moved):
                bumped.append((hit, square, START))
        return tuple(bumped)


def _leave(situation: _Situation, card: Card, pawn: Pawn, steps: int, found: list[Play]) -> None:
    """Yield leaving start to the circle. The circle is the end of a slide, so no pawn slides from there."""
    circle = CIRCLE[pawn // PAWNS]
    bumped = situation.landing(circle)
    if bumped is not None:
        found.append(Play(card, ((pawn, START, circle),), bumped))


def _walk(situation: _Situation, card: Card, pawn: Pawn, steps: int, found: list[Play]) -> None:
    """Yield walking ``steps`` steps with one pawn."""
    place = situation.pawns[pawn]
    target = situation.targets[steps][place]
    if target == NOWHERE:
        return
    bumped = situation.landing(target) if target in situation.occupant else ()
    if bumped is None:
        return
    slide = situation.sliding.get(target)
    if slide is not None:
        bumped += situation.sweep(slide, (pawn,))
        target = slide[-1]
    found.append(Play(card, ((pawn, place, target),), bumped))


def _split(situation: _Situation, card: Card, pawn: Pawn, steps: int, found: list[Play]) -> None:
    """Yield sharing the steps with another pawn, which walks the rest.

    Where the first pawn lands, the other one has gone already; where the other one lands, the first still stands.
    """
    pawns, targets, sliding = situation.pawns, situation.targets, situation.sliding
    place = pawns[pawn]
    for other in situation.own:
        other_place = pawns[other]
        if other == pawn or other_place >= HOME:
            continue
        shared: list[Play] = []
        for part in range(1, steps):
            target, other_target = targets[part][place], targets[steps - part][other_place]
            if target == NOWHERE or other_target == NOWHERE:
                continue
            bumped = situation.landing(target, gone=other)
            if bumped is None:
                continue
            other_bumped = situation.landing(other_target)
            if other_bumped is None:
                continue
            # First the bumps of both landings, then those of the slides: the order of upstream's effects.
            effects = bumped + other_bumped
            slide, other_slide = sliding.get(target), sliding.get(other_target)
            if slide is not None:
                effects += situation.sweep(slide, (pawn, other))
                target = slide[-1]
            if other_slide is not None:
                effects += situation.sweep(other_slide, (pawn, other))
                other_target = other_slide[-1]
            # Upstream allows two pawns on one square here.
            if situation.strict and target == other_target != HOME:
                continue
            play = Play(card, ((pawn, place, target), (other, other_place, other_target)), effects)
            # With slides, two ways to share the steps may give the same result.
            if play not in shared:
                shared.append(play)
        found += shared


def _swap(situation: _Situation, card: Card, pawn: Pawn, steps: int, found: list[Play]) -> None:
    """Yield changing places with a foreign pawn on the ring. Both may then slide."""
    place = situation.pawns[pawn]
    if place >= SQUARES:
        return
    for other in situation.foreign:
        other_place = situation.pawns[other]
        if other_place >= SQUARES:
            continue
        target, other_target = other_place, place
        effects: tuple[Step, ...] = ()
        # The pawn that is swapped away slides as well, except on its own colour's slides.
        slide, other_slide = situation.sliding.get(target), SLIDING[other // PAWNS].get(other_target)
        if slide is not None:
            effects = situation.sweep(slide, (pawn, other))
            target = slide[-1]
        if other_slide is not None:
            effects += situation.sweep(other_slide, (pawn, other))
            other_target = other_slide[-1]
        # Where the square that was left is the end of the slide, both would stop there.
        if situation.strict and target == other_target:
            continue
        found.append(Play(card, ((pawn, place, target), (other, other_place, other_target)), effects))


def _take(situation: _Situation, card: Card, pawn: Pawn, steps: int, found: list[Play]) -> None:
    """Yield leaving start to the place of a foreign pawn on the ring, which goes to its own start."""
    for other in situation.foreign:
        target = situation.pawns[other]
        if target >= SQUARES:
            continue
        # Chosen with the play, so an action; only what follows by itself is an effect.
        victim = (other, target, START)
        effects: tuple[Step, ...] = ()
        slide = situation.sliding.get(target)
        if slide is not None:
            effects = situation.sweep(slide, (pawn, other))
            target = slide[-1]
        found.append(Play(card, ((pawn, START, target), victim), effects))


_Way: TypeAlias = Callable[[_Situation, Card, Pawn, int, list[Play]], None]

_WAYS_FROM_START: Mapping[Kind, Sequence[tuple[_Way, int]]] = {
    Kind.ONE: ((_leave, 0),),
    Kind.TWO: ((_leave, 0),),
    Kind.APOLOGIES: ((_take, 0),),
}
_WAYS_ON: Mapping[Kind, Sequence[tuple[_Way, int]]] = {
    Kind.ONE: ((_walk, 1),),
    Kind.TWO: ((_walk, 2),),
    Kind.THREE: ((_walk, 3),),
    Kind.FOUR: ((_walk, -4),),
    Kind.FIVE: ((_walk, 5),),
    Kind.SEVEN: ((_walk, 7), (_split, 7)),
    Kind.EIGHT: ((_walk, 8),),
    Kind.TEN: ((_walk, 10), (_walk, -1)),
    Kind.ELEVEN: ((_swap, 0), (_walk, 11)),
    Kind.TWELVE: ((_walk, 12),),
}
"""What a card does with each pawn, in start or on the ring and in the safe row, in order, with the steps it walks."""
_WAYS_OF_CARD = tuple((_WAYS_FROM_START.get(kind, ()), _WAYS_ON.get(kind, ())) for kind in KINDS)


def _orders(seats: int, seat: int) -> tuple[range, tuple[Pawn, ...], tuple[Pawn, ...], tuple[Pawn, ...]]:
    own = pawns_of(seat)
    foreign = tuple(chain.from_iterable(pawns_of(other) for other in range(seats) if other != seat))
    order = (*own, *foreign)
    return own, foreign, order, order[::-1]


_ORDERS = {(seats, seat): _orders(seats, seat) for seats in (2, 3, 4) for seat in range(seats)}
"""Own pawns, foreign pawns, both, and both backwards."""
