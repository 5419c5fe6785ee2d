"""A captain on the masterboard: splits, moves, musters."""

from game_masters.titan import requests as ask
from game_masters.titan.bots.odds import danger, holds_titan, strength, worth
from game_masters.titan.creatures import ANGEL, ARCHANGEL, KINDS, TITAN, UNKNOWN, Creature, value
from game_masters.titan.lands import LANDS
from game_masters.titan.legal import legal_requests, possible_splits
from game_masters.titan.movement import Way, ways, why_not_done
from game_masters.titan.mustering import Muster, musters
from game_masters.titan.position import HIGHEST, Legion, Position
from game_masters.titan.requests import Request

FIRST_HALF = ("Angel", "Centaur", "Centaur", "Ogre")
"""What leaves the Titan on the first turn: a pair for each half."""
FULL_FROM = 7
"""A legion of this height is split, since it could muster no more."""
MIN_DONOR = 3
"""No angel is called out of a legion of at most this height when the battle is over."""
PATIENT_TURNS = 25
"""Captains begin to attack at worse odds after this number of turns, so that games end."""


def split(position: Position, seat: int) -> Request:
    """Split the first legion, later those that are full, as long as there are markers."""
    markers = position.players[seat].markers
    for legion in position.legions_of(seat):
        choice = possible_splits(position, legion) if legion.height >= FULL_FROM and markers else []
        if position.turn == 1 and choice:
            wanted = FIRST_HALF if FIRST_HALF in choice else choice[0]
            return ask.Split(legion.marker, markers[0], wanted)
        if choice and not _weak(position, legion):
            pairs = [gone for gone in choice if len(gone) == 2 and not any(KINDS[one].lord for one in gone)]
            if pairs:
                return ask.Split(legion.marker, markers[0], min(pairs, key=lambda gone: _cost(position, legion, gone)))
    return ask.Roll()


def _weak(position: Position, legion: Legion) -> bool:
    """Return whether a legion with the Titan would rather stay together."""
    # Split, the Titan's part has about four fifths of its strength.
    return holds_titan(legion) and danger(position, legion.seat, legion.hex, strength(position, legion) * 0.8) > 0.4


def _cost(position: Position, legion: Legion, gone: tuple[Creature, ...]) -> float:
    """Return what leaves with a pair: cheap creatures go, and rather two of a kind, which can muster."""
    return sum(worth(one, 0, position.turn) for one in gone) - (6 if gone[0] == gone[1] else 0)


def move(position: Position, seat: int) -> Request:
    """Make the best move of all legions, if it is better than to stay; else end the moves."""
    best: tuple[float, Legion, Way] | None = None
    forced: tuple[float, Legion, Way] | None = None
    for legion in position.legions_of(seat):
        if legion.moved:
            continue
        staying = _place(position, legion, legion.hex, stays=True)
        for way in ways(position, legion):
            gain = _place(position, legion, way.hex) - staying
            if best is None or gain > best[0]:
                best = gain, legion, way
            if not way.teleport and (forced is None or gain > forced[0]):
                forced = gain, legion, way
    if best is not None and best[0] > 0:
        return _moved(best[1], best[2])
    if why_not_done(position):
        return _forced(position, seat, forced)
    return ask.DoneMoving()


def _moved(legion: Legion, way: Way) -> Request:
    return ask.Move(legion.marker, way.hex, way.entry_side, way.teleport, way.lord)


def _forced(position: Position, seat: int, best: tuple[float, Legion, Way] | None) -> Request:
    """Return the least bad move that brings the end of the moves nearer: of a legion that shares its land, if some
    do."""
    legions = position.legions_of(seat)
    shared = [one for one in legions if any(other.hex == one.hex for other in legions if other is not one)]
    found: list[tuple[float, Legion, Way]] = []
    for legion in shared:
        found += [(_place(position, legion, way.hex), legion, way) for way in ways(position, legion)]
    if found:
        _, legion, way = max(found, key=lambda one: one[0])
        return _moved(legion, way)
    if best is not None:
        return _moved(best[1], best[2])
    return next(request for request in legal_requests(position) if isinstance(request, ask.Move))


def _place(position: Position, legion: Legion, label: str, *, stays: bool = False) -> float:
    """Return what it is worth for a legion to be in a land at the end of the turn, in points."""
    own = strength(position, legion)
    precious = sum(worth(one, position.score_of(legion.seat), position.turn) for one in legion.creatures)
    if holds_titan(legion):
        precious += 150
    enemy = next((one for one in position.in_land(label) if one.seat != legion.seat), None)
    found = 0.0
    if enemy is not None:
        return _attack(position, legion, enemy, own, precious)
    if not stays:
        found += 1.0 + recruit_gain(position, legion, label)
    return found - danger(position, legion.seat, label, own) * precious * 0.8


def recruit_gain(position: Position, legion: Legion, label: str) -> float:
    """Return what a legion gains by mustering in a land."""
    if legion.height >= HIGHEST:
        return 0.0
    best = best_muster(position, legion, label)
    return worth(best.recruit, 0, position.turn) * 0.9 if best is not None else 0.0


def best_muster(position: Position, legion: Legion, label: str) -> Muster | None:
    """Return the most valuable muster of a legion in a land."""
    found = musters(LANDS[label].terrain, legion.creatures, position.stock)
    return max(found, key=lambda one: (_future(one.recruit), -one.number), default=None)


def _future(creature: Creature) -> float:
    return worth(creature, 0, 0)


def _attack(position: Position, legion: Legion, enemy: Legion, own: float, precious: float) -> float:
    """Return what an attack promises."""
    theirs = strength(position, enemy)
    ratio = own / max(theirs, 1.0)
    needed = 1.6 if holds_titan(legion) else 1.15
    needed -= max(0, position.turn - PATIENT_TURNS) * 0.012
    prize = _points(position, enemy)
    if ratio < max(0.35, needed):
        return -precious
    return prize * min(2.0, ratio) * 0.6 + (120 if holds_titan(enemy) else 0)


def _points(position: Position, legion: Legion) -> float:
    known = [creature for creature in legion.creatures if creature != UNKNOWN]
    return value(known, position.score_of(legion.seat)) + 15.0 * (legion.height - len(known))


def muster(position: Position, seat: int) -> Request:
    """Muster the best with each legion that can, then end the turn."""
    for legion in position.legions_of(seat):
        # Only a legion that has moved may muster.
        if legion.moved and legion.recruit is None and legion.height < HIGHEST:
            best = best_muster(position, legion, legion.hex)
            if best is not None:
                return ask.Recruit(legion.marker, best.recruit, best.recruiter)
    return ask.NextTurn()


def best_summons(position: Position, seat: int) -> tuple[str, Creature] | None:
    """Return the best creature to call, and from where: not from the Titan's legion while that is lower than 5."""
    found = []
    for donor, creature in position.donors(seat):
        if creature in (ANGEL, ARCHANGEL) and not (TITAN in donor.creatures and donor.height < 5):
            found.append((KINDS[creature].points, donor.height, donor.marker, creature))
    if not found:
        return None
    _, _, marker, creature = max(found)
    return marker, creature


def gains_by(position: Position, winner: Legion, donor: Legion) -> bool:
    """Return whether an angel is better off in the legion that has just won: that is in danger, or has the Titan, and
    the donor is neither weak nor the Titan's."""
    if holds_titan(donor) or donor.height <= MIN_DONOR:
        return False
    hurt = danger(position, winner.seat, winner.hex, strength(position, winner))
    return holds_titan(winner) or hurt > danger(position, donor.seat, donor.hex, strength(position, donor))
