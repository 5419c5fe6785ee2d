"""How a captain talks before a battle: what it offers, and which offers it takes.

Both sides reckon with the same odds, so a captain offers what it would take itself: the stronger side keeps about what
a battle would leave it, and the weaker one is spared nothing but the dice. It asks once, and fights if the other side
does not agree.
"""

from game_masters.titan import requests as ask
from game_masters.titan.battlelands import ATTACKER
from game_masters.titan.bots.odds import holds_titan, strength, win_chance, worth
from game_masters.titan.creatures import TITAN, UNKNOWN, Creature, ordered
from game_masters.titan.position import OTHER, Engagement, Legion, Offer, Position
from game_masters.titan.requests import Request

TITAN_WORTH = 300.0
"""What a Titan is worth more than its strength: with it goes the game."""
SPOILS = 0.6
"""The part of the worth of what an enemy loses that is gained by it."""
MAX_ASKED = 1
"""Offers that a captain makes in one engagement."""
HEAVY_LOSSES = 0.4
"""A battle is worth an offer only if the winner is likely to lose this part of its legion."""


def talk(position: Position, seat: int) -> Request:
    """Accept the offer that stands, make one, or fight."""
    engagement = _engagement(position)
    side = engagement.side_of(seat) or ATTACKER
    own, other = (position.legions[engagement.marker(one)] for one in (side, OTHER[side]))
    # An offer names creatures, and what it is worth depends on all of them.
    if UNKNOWN in (*own.creatures, *other.creatures):
        return ask.Fight(engagement.hex)
    fought = battle_worth(position, own, other, attacks=side == ATTACKER)
    offer = engagement.talks.offer
    if offer is not None and offer.side != side:
        if _offered(position, own, other, offer) >= fought:
            return ask.Accept(engagement.hex, offer.survivor)
        return ask.Fight(engagement.hex)
    asked = engagement.talks.made_by(side)
    if asked < MAX_ASKED and not holds_titan(own) and not holds_titan(other):
        return _proposal(position, engagement, own, other, side) or ask.Fight(engagement.hex)
    return ask.Fight(engagement.hex)


def _engagement(position: Position) -> Engagement:
    assert position.engagement is not None
    return position.engagement


def left_after(chance: float) -> float:
    """Return the part of its legion that a winner keeps, by how likely it was to win: from the battles of captains, in
    which winners kept 48 % at even strength, 61 % at 1.3 to 1 and 76 % at 1.6 to 1."""
    return 0.4 + 0.5 * float(chance**6)


def _worth_of(position: Position, legion: Legion) -> float:
    score = position.score_of(legion.seat)
    found = sum(worth(one, score, position.turn) for one in legion.creatures)
    return found + (TITAN_WORTH if TITAN in legion.creatures else 0.0)


def battle_worth(position: Position, own: Legion, other: Legion, *, attacks: bool) -> float:
    """Return what a battle is worth to the owner of a legion: what it keeps, and a part of what the enemy loses."""
    mine, theirs = strength(position, own), strength(position, other)
    chance = win_chance(mine, theirs) if attacks else 1 - win_chance(theirs, mine)
    have, there = _worth_of(position, own), _worth_of(position, other)
    won = have * left_after(chance) + SPOILS * there
    lost = SPOILS * there * (1 - left_after(1 - chance))
    return chance * won + (1 - chance) * lost


def _offered(position: Position, own: Legion, other: Legion, offer: Offer) -> float:
    """Return what an offer is worth to the owner of a legion, reckoned as a battle is."""
    kept = {own.marker: 0.0, other.marker: 0.0}
    if offer.survivor is not None:
        legion = position.legions[offer.survivor]
        score = position.score_of(legion.seat)
        kept[legion.marker] = sum(worth(one, score, position.turn) for one in offer.creatures or ())
        kept[legion.marker] += TITAN_WORTH if TITAN in (offer.creatures or ()) else 0.0
    return kept[own.marker] + SPOILS * (_worth_of(position, other) - kept[other.marker])


def _proposal(position: Position, engagement: Engagement, own: Legion, other: Legion, side: str) -> Request | None:
    """Offer that the stronger legion survives with about what a battle would leave it, or that none does; None where
    a battle is not worth the words."""
    mine, theirs = strength(position, own), strength(position, other)
    chance = win_chance(mine, theirs) if side == ATTACKER else 1 - win_chance(theirs, mine)
    strong, its_chance = (own, chance) if chance >= 0.5 else (other, 1 - chance)
    if 1 - left_after(its_chance) < HEAVY_LOSSES:
        return None
    kept = dearest(position, strong, left_after(its_chance) * (2 * its_chance - 1))
    return ask.Negotiate(engagement.hex, strong.marker, kept) if kept else ask.Negotiate(engagement.hex)


def dearest(position: Position, legion: Legion, part: float) -> tuple[Creature, ...]:
    """Return the dearest creatures of a legion that are not worth more than this part of it."""
    score = position.score_of(legion.seat)
    room = part * sum(worth(one, score, position.turn) for one in legion.creatures)
    kept = []
    for creature in sorted(legion.creatures, key=lambda one: -worth(one, score, position.turn)):
        if worth(creature, score, position.turn) <= room:
            kept.append(creature)
            room -= worth(creature, score, position.turn)
    return ordered(kept)
