"""Strikes: how many dice, what they have to show, whom surplus hits may be carried to, and who may strike whom."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from game_masters.titan.battlelands import BRAMBLE, DRIFT, DUNE, SLOPE, VOLCANO, WALL, Battleland, Hex, distance
from game_masters.titan.creatures import KINDS
from game_masters.titan.maneuvers import touching
from game_masters.titan.position import Battle, BattlePhase, Fighter, Position
from game_masters.titan.sight import brambles, open_paths

HARDEST = 6
"""The highest number that a die has to show."""
EVEN = 4
"""What a die has to show among creatures of equal skill."""
NEAREST, FARTHEST = 3, 4
"""The ranges of rangestrikes, except for magic missiles."""


class Terms(NamedTuple):
    """The dice of a strike, and the number that each has to show at least."""

    dice: int
    number: int


@dataclass(frozen=True, slots=True)
class Blow:
    """A strike that can be made, with all terms that may be chosen; the plain ones first."""

    striker: Fighter
    target: Fighter
    terms: tuple[Terms, ...]
    ranged: bool = False


def battle_of(position: Position) -> Battle:
    """Return the battle. Raises ValueError if there is none."""
    if position.battle is None:
        raise ValueError("there is no battle")
    return position.battle


# --- strikes at neighbours --------------------------------------------------------------------------------------------


def terms(land: Battleland, power: int, striker: Fighter, target: Fighter) -> Terms:
    """Return the plain terms of a strike at a neighbour. ``power`` is the striker's."""
    return melee(land, power, striker.creature, striker.hex or "", target.creature, target.hex or "")


def melee(land: Battleland, power: int, striker: str, origin: Hex, target: str, hex: Hex) -> Terms:
    """Return the plain terms of a strike of one creature on ``origin`` at another one on the neighbouring ``hex``."""
    own, other = KINDS[striker], KINDS[target]
    down, up = land.going_down(origin, hex), land.going_up(origin, hex)
    dice, skill, harder = power, own.skill, 0
    if land.surface(origin) == VOLCANO and VOLCANO in own.native:
        dice += 2
    # The three below exclude each other; the volcano adds to any of them.
    if down == DUNE and DUNE in own.native:
        dice += 2
    elif down == SLOPE and SLOPE in own.native:
        dice += 1
    elif up == DUNE and DUNE not in own.native:
        dice -= 1
    if land.surface(origin) == BRAMBLE and BRAMBLE not in own.native:
        skill -= 1
    # Walls are the same for everyone.
    if down == WALL:
        skill += 1
    elif up == WALL or (up == SLOPE and SLOPE not in own.native):
        skill -= 1
    if land.surface(hex) == BRAMBLE and BRAMBLE in other.native and BRAMBLE not in own.native:
        harder = 1
    return Terms(dice, min(HARDEST, EVEN - skill + other.skill + harder))


def _over_dune(land: Battleland, striker: Fighter, target: Fighter) -> bool:
    """Return whether a strike goes up over a dune."""
    return land.going_up(striker.hex or "", target.hex or "") == DUNE


def choices(position: Position, striker: Fighter, target: Fighter) -> tuple[Terms, ...]:
    """Return the terms of a creature's strike on a neighbour: the plain ones, then worse ones that could
    carry hits further."""
    land = battle_of(position).land
    power = position.power(striker)
    # Terms may be made worse so that more creatures can take surplus hits.
    plain = terms(land, power, striker, target)
    left = position.power(target) - target.hits
    found = {plain: None}
    for other in touching(position, striker):
        # Up over a dune only if the strike itself goes up over one.
        if other.hex == target.hex or (_over_dune(land, striker, other) and not _over_dune(land, striker, target)):
            continue
        theirs = terms(land, power, striker, other)
        pair = Terms(min(plain.dice, theirs.dice), max(plain.number, theirs.number))
        # Dice that cannot bring a surplus make worse terms useless.
        if pair.dice > left:
            found[pair] = None
    return tuple(found) if plain.dice > left else (plain,)


def carry_targets(position: Position, striker: Fighter, target: Fighter, chosen: Terms) -> tuple[Hex, ...]:
    """Return the hexes of the creatures that surplus hits of a strike may be carried to."""
    land = battle_of(position).land
    power = position.power(striker)
    found = []
    for other in touching(position, striker):
        if other.hex is None or other.hex == target.hex:
            continue
        theirs = terms(land, power, striker, other)
        dune = _over_dune(land, striker, other) and not _over_dune(land, striker, target)
        # No creature may be easier to reach by carrying than it is by striking.
        if theirs.dice >= chosen.dice and theirs.number <= chosen.number and not dune:
            found.append(other.hex)
    return tuple(sorted(found))


# --- rangestrikes -----------------------------------------------------------------------------------------------------


def ranged_terms(position: Position, striker: Fighter, target: Fighter) -> Terms | None:
    """Return the terms of a rangestrike; None if the target is not in range or cannot be seen."""
    battle = battle_of(position)
    if striker.hex is None or target.hex is None:
        return None
    occupied = {one.hex for one in battle.fighters if one.hex is not None}
    power = position.power(striker)
    return aimed(battle.land, power, striker.creature, striker.hex, target.creature, target.hex, occupied)


def aimed(
    land: Battleland, power: int, striker: str, origin: Hex, target: str, hex: Hex, occupied: set[Hex]
) -> Terms | None:
    """Return the terms of a rangestrike of one creature at another one, with those hexes occupied; None if there is
    none."""
    own, other = KINDS[striker], KINDS[target]
    far = distance(origin, hex) + 1
    if not own.rangestrikes or far > own.skill:
        return None
    # Half of the power, rounded down.
    dice = power // 2
    # Magic missiles need no sight, take any target, and suffer nothing from the terrain.
    if own.magic:
        return Terms(dice, min(HARDEST, EVEN - own.skill + other.skill))
    # Other rangestrikes are at two ranges only, and never at lords.
    if far not in (NEAREST, FARTHEST) or other.lord:
        return None
    found = open_paths(land, origin, hex, occupied)
    if not found:
        return None
    if land.surface(origin) == VOLCANO and VOLCANO in own.native:
        dice += 2
    skill, harder = own.skill - (far - NEAREST), 0
    stranger = BRAMBLE not in own.native
    if stranger:
        skill -= brambles(land, found)
    # Per level of difference, for a target behind walls only.
    if _walled(land, hex):
        skill -= max(0, land.elevation(hex) - land.elevation(origin))
    if land.surface(hex) == VOLCANO:
        skill -= 1
    if stranger and land.surface(hex) == BRAMBLE and BRAMBLE in other.native:
        harder = 1
    return Terms(dice, min(HARDEST, EVEN - skill + other.skill + harder))


def _walled(land: Battleland, hex: Hex) -> bool:
    sides = land.ground(hex).sides
    return sides is not None and WALL in sides.values()


# --- who may strike, and who must -------------------------------------------------------------------------------------


def blows(position: Position) -> Iterator[Blow]:
    """Yield all strikes that the acting side can make now."""
    for striker in strikers(position):
        yield from blows_of(position, striker)


def strikers(position: Position) -> list[Fighter]:
    """Return the creatures of the acting side on the map that have not struck in this phase; the dead among them."""
    battle = battle_of(position)
    return [one for one in battle.fighters if one.side == battle.acting and one.hex is not None and not one.struck]


def blows_of(position: Position, striker: Fighter) -> Iterator[Blow]:
    """Yield the strikes that a creature can make now."""
    near = touching(position, striker)
    for target in near:
        yield Blow(striker, target, choices(position, striker, target))
    # With an enemy in contact there is no rangestrike.
    if near or not may_aim(position, striker):
        return
    for target in battle_of(position).fighters:
        if target.side != striker.side and target.hex is not None and position.alive(target):
            found = ranged_terms(position, striker, target)
            if found is not None:
                yield Blow(striker, target, (found,), ranged=True)


def may_aim(position: Position, striker: Fighter) -> bool:
    """Return whether a creature may rangestrike, if there is a target: no enemy is or was next to it in this phase."""
    if not KINDS[striker.creature].rangestrikes or battle_of(position).phase is not BattlePhase.STRIKE:
        return False
    # Also those killed in this phase count as contact.
    return not touching(position, striker, dead=True)


def compulsory(position: Position) -> list[Fighter]:
    """Return the creatures that still have to strike."""
    return [striker for striker in strikers(position) if touching(position, striker)]


def drifting(position: Position) -> list[Hex]:
    """Return the hexes of the creatures that the drift hurts."""
    battle = battle_of(position)
    return sorted(
        one.hex
        for one in battle.fighters
        if one.hex is not None
        and battle.land.surface(one.hex) == DRIFT
        and DRIFT not in KINDS[one.creature].native
        # A creature that is dead already takes no more hits.
        and position.alive(one)
    )
