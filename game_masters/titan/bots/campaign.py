"""A marshal on the masterboard: moves, splits and flights by what they are worth on average.

What a captain decides by ratios of strength, a marshal reckons: how likely each battle is won, what is gained and lost
by it, and what a legion can muster in the turn after this one. A Titan is worth the game.
"""

from collections.abc import Iterable
from functools import lru_cache

from game_masters.titan import requests as ask
from game_masters.titan.bots.odds import DIE, chance_to_come, holds_titan, strength, win_chance, worth
from game_masters.titan.bots.planning import best_muster
from game_masters.titan.bots.talks import SPOILS, left_after
from game_masters.titan.creatures import KINDS, UNKNOWN, Creature, ordered, value
from game_masters.titan.lands import LANDS, Exit, Label, opposite
from game_masters.titan.legal import legal_requests, possible_splits
from game_masters.titan.movement import Way, ways, why_not_done
from game_masters.titan.mustering import musters
from game_masters.titan.position import HIGHEST, Legion, Position
from game_masters.titan.requests import Request

GAME = 500.0
"""What a Titan is worth beside its strength, in the points that creatures are reckoned in."""
POINTS = 0.35
"""What a scored point is worth: they bring angels, and make the Titan grow."""
NEXT = 0.45
"""What the best muster of the next turn counts, against one of this turn."""
MUSTERED = 0.9
BOLD = 0.6
"""Enemies that are less likely to win than this are not expected to come."""


def split(position: Position, seat: int) -> Request:
    """Split the first legion in two, later those that are full: the part that leaves shall muster, too."""
    markers = position.players[seat].markers
    for legion in position.legions_of(seat):
        choice = possible_splits(position, legion) if markers and legion.height >= HIGHEST else []
        if not choice:
            continue
        if position.turn == 1:
            return ask.Split(legion.marker, markers[0], _first(choice))
        pairs = [gone for gone in choice if len(gone) == 2 and not any(KINDS[one].lord for one in gone)]
        if pairs and not _threatened(position, legion):
            return ask.Split(legion.marker, markers[0], min(pairs, key=lambda gone: _cost(position, legion, gone)))
    return ask.Roll()


def _first(choice: list[tuple[Creature, ...]]) -> tuple[Creature, ...]:
    wanted = ("Angel", "Centaur", "Centaur", "Ogre")
    return wanted if wanted in choice else choice[0]


def _threatened(position: Position, legion: Legion) -> bool:
    """Return whether a legion with the Titan would be much worse off without a pair."""
    if not holds_titan(legion):
        return False
    own = strength(position, legion)
    return loss(position, legion, legion.hex, own * 0.8) > loss(position, legion, legion.hex, own) + 30


def _cost(position: Position, legion: Legion, gone: tuple[Creature, ...]) -> float:
    """Return what a pair takes with it, less what it can become."""
    found = sum(worth(one, 0, position.turn) for one in gone)
    return found - 0.5 * future(legion.hex, gone, _plenty(position))


def move(position: Position, seat: int) -> Request:
    """Make the best move of all legions, if it is better than to stay; else end the moves."""
    best: tuple[float, Legion, Way] | None = None
    forced: tuple[float, Legion, Way] | None = None
    legions = position.legions_of(seat)
    shared = {one.hex for one in legions if sum(other.hex == one.hex for other in legions) > 1}
    for legion in legions:
        if legion.moved:
            continue
        staying = place(position, legion, legion.hex, stays=True)
        for way in ways(position, legion):
            gain = place(position, legion, way.hex) - staying
            if best is None or gain > best[0]:
                best = gain, legion, way
            if not way.teleport and (forced is None or (legion.hex in shared, gain) > _rank(forced, shared)):
                forced = gain, legion, way
    chosen = best if best is not None and best[0] > 0 else None
    if chosen is None and why_not_done(position):
        chosen = forced
        if chosen is None:
            return next(request for request in legal_requests(position) if isinstance(request, ask.Move))
    if chosen is None:
        return ask.DoneMoving()
    _, legion, way = chosen
    return ask.Move(legion.marker, way.hex, way.entry_side, way.teleport, way.lord)


def _rank(found: tuple[float, Legion, Way], shared: set[Label]) -> tuple[bool, float]:
    return found[1].hex in shared, found[0]


def place(position: Position, legion: Legion, label: Label, *, stays: bool = False) -> float:
    """Return what it is worth for a legion to be in a land at the end of the turn, in points."""
    enemy = next((one for one in position.in_land(label) if one.seat != legion.seat), None)
    if enemy is not None:
        return attack(position, legion, enemy)
    creatures = legion.creatures
    gain = 0.0
    if not stays and legion.height < HIGHEST:
        best = best_muster(position, legion, label)
        if best is not None:
            creatures = ordered((*creatures, best.recruit))
            gain = MUSTERED * worth(best.recruit, 0, position.turn)
    if len(creatures) < HIGHEST:
        gain += NEXT * future(label, creatures, _plenty(position))
    return gain - loss(position, legion, label, strength(position, legion))


def dear(position: Position, legion: Legion) -> float:
    """Return what it would cost to lose a legion."""
    score = position.score_of(legion.seat)
    found = sum(worth(one, score, position.turn) for one in legion.creatures)
    return found + (GAME if holds_titan(legion) else 0.0)


def attack(position: Position, legion: Legion, enemy: Legion) -> float:
    """Return what an attack is worth on average."""
    chance = win_chance(strength(position, legion), strength(position, enemy))
    own, theirs = dear(position, legion), _theirs(position, enemy)
    score = position.score_of(legion.seat)
    mine = sum(worth(one, score, position.turn) for one in legion.creatures)
    won = theirs + POINTS * _points(position, enemy) - (1 - left_after(chance)) * mine
    lost = own + POINTS * value([one for one in legion.creatures if one != UNKNOWN], score)
    return chance * won - (1 - chance) * (lost - theirs * 0.3 * chance)


def _theirs(position: Position, enemy: Legion) -> float:
    """Return what it is worth that an enemy loses a legion; among several players others gain by it as well."""
    alone = len(position.living) == 2
    score = position.score_of(enemy.seat)
    found = sum(worth(one, score, position.turn) for one in enemy.creatures)
    titan = (GAME if alone else GAME / 2) if holds_titan(enemy) else 0.0
    return SPOILS * found * (1.0 if alone else 0.5) + titan


def _points(position: Position, enemy: Legion) -> float:
    known = [creature for creature in enemy.creatures if creature != UNKNOWN]
    return value(known, position.score_of(enemy.seat)) + 15.0 * (enemy.height - len(known))


def loss(position: Position, legion: Legion, label: Label, own: float) -> float:
    """Return what a legion of strength ``own`` may lose in a land before its owner's next turn, on average."""
    found = 0.0
    cost = dear(position, legion)
    for enemy in position.legions.values():
        if enemy.seat == legion.seat or not position.players[enemy.seat].alive:
            continue
        coming = chance_to_come(enemy.hex, label)
        if coming:
            beaten = win_chance(strength(position, enemy), own)
            # Who would rather lose than win does not come.
            there = dear(position, enemy)
            hurt = beaten * cost - (1 - beaten) * SPOILS * there
            if hurt > 0 and beaten > BOLD:
                found += coming * hurt
    # Several enemies may come, but it is lost only once.
    return min(found, cost)


def flee(position: Position, seat: int) -> Request:
    """Flee where a battle would cost more, points for the enemy included."""
    engagement = position.engagement
    assert engagement is not None
    attacker, defender = (position.legions[marker] for marker in (engagement.attacker, engagement.defender))
    # A legion with a lord may not flee.
    if defender.lord:
        return ask.DoNotFlee(defender.marker)
    beaten = win_chance(strength(position, attacker), strength(position, defender))
    own = dear(position, defender)
    points = value([one for one in defender.creatures if one != UNKNOWN], position.score_of(seat))
    score = position.score_of(attacker.seat)
    theirs = sum(worth(one, score, position.turn) for one in attacker.creatures)
    titan = GAME if holds_titan(attacker) else 0.0
    fought = (1 - beaten) * (SPOILS * theirs + titan - own * (1 - left_after(1 - beaten)))
    fought -= beaten * (own + POINTS * points - SPOILS * theirs * (1 - left_after(beaten)))
    # For a legion that flees the attacker scores half its points.
    fled = -own - POINTS * points / 2
    return ask.DoNotFlee(defender.marker) if fought >= fled else ask.Flee(defender.marker)


# --- what can be mustered one turn later ------------------------------------------------------------------------------


def _plenty(position: Position) -> frozenset[Creature]:
    """Return the kinds that are not used up."""
    return frozenset(name for name, number in position.stock.items() if number > 0)


@lru_cache(maxsize=65536)
def future(label: Label, creatures: tuple[Creature, ...], left: frozenset[Creature]) -> float:
    """Return what creatures in a land can muster next turn, on the average of the rolls."""
    total = 0.0
    for roll in range(1, DIE + 1):
        total += max((_best_in(terrain, creatures, left) for terrain in _terrains(label, roll)), default=0.0)
    return total / DIE


@lru_cache(maxsize=65536)
def _best_in(terrain: str, creatures: tuple[Creature, ...], left: frozenset[Creature]) -> float:
    found = musters(terrain, creatures, dict.fromkeys(left, 1))
    return max((worth(one.recruit, 0, 0) for one in found), default=0.0)


@lru_cache(maxsize=1024)
def _terrains(label: Label, roll: int) -> frozenset[str]:
    """Return the terrains of the lands where a roll ends on an empty board."""
    found: set[str] = set()

    def walk(exits: Iterable[Exit], left: int, came_over: int | None) -> None:
        for exit in exits:
            # No legion goes back over the side that it came in by.
            if exit.side == came_over:
                continue
            if left > 1:
                # After the first step only arrows lead on.
                walk(LANDS[exit.to].onward, left - 1, opposite(exit.side))
            else:
                found.add(LANDS[exit.to].terrain)

    walk(LANDS[label].ways, roll, None)
    return frozenset(found)
