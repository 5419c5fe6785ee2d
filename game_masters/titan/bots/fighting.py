"""A captain in a battle: where creatures go, whom they strike."""

from game_masters.titan import requests as ask
from game_masters.titan.battlelands import ATTACKER, Hex, distance
from game_masters.titan.battles import may_call, why_no_reinforcement
from game_masters.titan.bots.odds import chances_of_hits, expected_hits, worth
from game_masters.titan.bots.planning import best_summons
from game_masters.titan.creatures import KINDS, TITAN
from game_masters.titan.maneuvers import destinations, entries
from game_masters.titan.mustering import musters
from game_masters.titan.position import HIGHEST, Battle, Fighter, Legion, Position
from game_masters.titan.requests import Request
from game_masters.titan.strikes import Blow, Terms, blows, carry_targets

KILL = 8.0
"""What it is worth to kill a creature, beside its own worth: it strikes no more."""
NATIVE = 0.6
"""What it is worth to stand on ground that others are slowed by."""


def maneuver(position: Position, seat: int) -> Request:
    """Bring a creature on or move one, if that is better than to stay; else end the maneuvers."""
    battle, engagement = position.battle, position.engagement
    assert battle is not None
    assert engagement is not None
    own = position.legions[engagement.marker(battle.side)]
    helped = _help(position, own, seat)
    if helped is not None:
        return helped
    entering = _entering(position, battle)
    if entering is not None:
        return entering
    for fighter in sorted(battle.fighters, key=lambda one: _distance_to_enemies(battle, one)):
        if fighter.side != battle.side or fighter.hex is None or fighter.moved:
            continue
        choice = destinations(position, fighter)
        if choice:
            best = max(choice, key=lambda hex: _worth_of(position, battle, fighter, hex))
            here = _worth_of(position, battle, fighter, fighter.hex)
            if _worth_of(position, battle, fighter, best) > here + 0.2:
                return ask.Maneuver(fighter.hex, best)
    return ask.DoneManeuvering()


def _help(position: Position, own: Legion, seat: int) -> Request | None:
    """Call an angel or a reinforcement when that is possible."""
    if may_call(position, own):
        found = best_summons(position, seat)
        if found is not None:
            return ask.Summon(own.marker, *found)
    if not why_no_reinforcement(position) and own.height < HIGHEST:
        choice = musters(position.terrain(own.hex), own.creatures, position.stock)
        if choice:
            best = max(choice, key=lambda one: worth(one.recruit, 0, 0))
            return ask.Recruit(own.marker, best.recruit, best.recruiter)
    return None


def _entering(position: Position, battle: Battle) -> Request | None:
    """Bring the next creature on: those who get far first, so that the others find room."""
    waiting = battle.off_board(battle.side)
    options = [(fighter, destinations(position, fighter)) for fighter in waiting]
    options = [(fighter, choice) for fighter, choice in options if choice]
    if not options:
        return None
    fighter, choice = max(options, key=lambda one: (len(one[1]), one[0].creature))
    doors = entries(battle, battle.side)

    def worth_of(hex: Hex) -> float:
        # The hexes at the edge are left free for those who still wait.
        crowding = 6.0 if hex in doors and len(waiting) > 1 else 0.0
        return _worth_of(position, battle, fighter, hex) - crowding

    return ask.Enter(fighter.creature, max(choice, key=worth_of))


def _distance_to_enemies(battle: Battle, fighter: Fighter) -> int:
    places = [one.hex for one in battle.fighters if one.side != fighter.side and one.hex is not None]
    return min((distance(fighter.hex, place) for place in places), default=9) if fighter.hex is not None else 9


def _worth_of(position: Position, battle: Battle, fighter: Fighter, hex: Hex) -> float:
    """Return what it is worth for a creature to stand on a hex: what it deals, less what it takes."""
    land, power = battle.land, position.power(fighter)
    near = land.touching[hex]
    dealt = taken = 0.0
    closest = 9
    for other in battle.fighters:
        if other.side == fighter.side or other.hex is None:
            continue
        closest = min(closest, distance(hex, other.hex))
        if other.hex in near:
            their_power = position.power(other)
            hits = expected_hits(battle.terrain, power, fighter.creature, hex, other.creature, other.hex)
            left = their_power - other.hits
            dealt = max(dealt, min(hits, left) * _per_hit(position, other) + (8 if hits >= left else 0))
            taken += expected_hits(battle.terrain, their_power, other.creature, other.hex, fighter.creature, hex)
    risk = taken * _per_hit(position, fighter) + (10 if taken >= power - fighter.hits else 0)
    surface = land.surface(hex)
    ground = NATIVE * land.elevation(hex) + (NATIVE if surface in KINDS[fighter.creature].native else 0.0)
    if surface == "Drift" and surface not in KINDS[fighter.creature].native:
        ground -= 3.0
    eager = _eagerness(battle, fighter)
    # With the Titan goes the game: it strikes half as eagerly, and minds hits more.
    if fighter.creature == TITAN:
        return dealt * 0.5 - 2.5 * risk + ground + (0.3 * closest if eager < 1 else 0)
    return dealt * eager - risk + ground - 0.8 * eager * closest


def _eagerness(battle: Battle, fighter: Fighter) -> float:
    """Return how much a side wants to fight: the attacker has seven turns, the defender has time."""
    if fighter.side == ATTACKER:
        return 1.3 + 0.2 * battle.turn
    return 1.0 if battle.turn < 3 else 1.1


def _per_hit(position: Position, fighter: Fighter) -> float:
    return KINDS[fighter.creature].skill * (3.0 if fighter.creature == TITAN else 1.0)


def strike(position: Position, seat: int) -> Request:
    """Make the best strike, on worse terms where the hits that can be carried then are worth it; end the phase when
    there is none."""
    found = [
        # Those nearest to the enemy first, which makes room behind them.
        (_value(position, blow, terms), number, blow, terms)
        for number, blow in enumerate(blows(position))
        for terms in blow.terms
    ]
    if not found:
        return ask.DoneStriking()
    _, _, blow, terms = max(found, key=lambda one: (one[0], -one[1]))
    return ask.Strike(blow.striker.hex or "", blow.target.hex or "", terms.dice, terms.number)


def _value(position: Position, blow: Blow, terms: Terms) -> float:
    """Return what a strike is worth: the parts of creatures that are hit on average, and more for a kill."""
    left = position.power(blow.target) - blow.target.hits
    chances = chances_of_hits(terms.dice, terms.number)
    found = _hurt(position, blow.target, chances)
    if blow.ranged or terms.dice <= left:
        return found
    # Surplus hits go to the one for whom they are worth most.
    surplus = (sum(chances[: left + 1]), *chances[left + 1 :])
    battle = position.battle
    assert battle is not None
    others = (battle.at(hex) for hex in carry_targets(position, blow.striker, blow.target, terms))
    return found + max((_hurt(position, other, surplus) for other in others if other is not None), default=0.0)


def _hurt(position: Position, target: Fighter, chances: tuple[float, ...]) -> float:
    """Return what hits on a creature are worth, by how likely each number of them is."""
    left = position.power(target) - target.hits
    dear = worth(target.creature, 0, 0) * (4 if target.creature == TITAN else 1)
    hits = sum(min(number, left) * chance for number, chance in enumerate(chances))
    return hits / left * dear + KILL * sum(chances[left:])


def carry(position: Position, seat: int) -> Request:
    """Carry all that can be carried to the creature that is nearest to death, the dearest of equals."""
    battle = position.battle
    assert battle is not None
    assert battle.carry is not None
    targets = [fighter for hex in battle.carry.hexes if (fighter := battle.at(hex)) is not None]

    def worth_of(fighter: Fighter) -> tuple[bool, float]:
        left = position.power(fighter) - fighter.hits
        assert battle is not None
        assert battle.carry is not None
        return left <= battle.carry.left, worth(fighter.creature, 0, 0)

    target = max(targets, key=worth_of)
    return ask.Carry(target.hex or "", battle.carry.left)
