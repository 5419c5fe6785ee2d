"""What choices lead to: what a land lets a legion muster, and how likely a strike kills."""

from collections.abc import Iterator, Sequence
from math import comb

from game_masters.titan import requests as ask
from game_masters.titan.battlelands import BRAMBLE, PLAIN, SIDE_TO, Battleland
from game_masters.titan.creatures import KINDS, UNKNOWN, Creature
from game_masters.titan.lands import LANDS, Label
from game_masters.titan.mustering import musters
from game_masters.titan.position import HIGHEST, Fighter, Position
from game_masters.titan.strikes import EVEN


def mustered(position: Position, marker: str, hex: Label) -> Sequence[Creature]:
    """Return what a legion could muster in a land, the strongest first, as far as what is known of it decides."""
    legion = position.legions.get(marker)
    if legion is None or hex not in LANDS or legion.height >= HIGHEST:
        return ()
    known = [creature for creature in legion.creatures if creature != UNKNOWN]
    found = {one.recruit for one in musters(LANDS[hex].terrain, known, position.stock)}
    return sorted(found, key=lambda creature: (-KINDS[creature].points, creature))


def at_least(needed: int, dice: int, number: int) -> float:
    """Return the probability that at least ``needed`` of the dice show ``number`` or more."""
    chance = (7 - number) / 6
    return sum(
        comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in range(max(0, needed), dice + 1)
    )


def of_strike(position: Position, request: ask.Strike) -> str:
    """Return what a strike leads to, and why, in words; empty where that is not known."""
    battle = position.battle
    striker, target = (battle.at(hex) if battle else None for hex in (request.striker_hex, request.target_hex))
    if battle is None or striker is None or target is None or request.dice is None or request.strike is None:
        return ""
    left = position.power(target) - target.hits
    kills = at_least(left, request.dice, request.strike)
    expected = request.dice * (7 - request.strike) / 6
    words = f"{percent(kills)} to kill, {expected:.1f} hits on average"
    return f"{words} ({', '.join(_reasons(position, battle.land, striker, target, request))})"


def percent(chance: float) -> str:
    """Return a probability for people: certain and impossible are never rounded to."""
    if 0 < chance < 0.005:
        return "under 1 %"
    if 0.995 <= chance < 1:
        return "over 99 %"
    return f"{chance:.0%}".replace("%", " %")


def _reasons(
    position: Position, land: Battleland, striker: Fighter, target: Fighter, request: ask.Strike
) -> Iterator[str]:
    """Why there are that many dice, and why they have to show that number."""
    power, own, other = position.power(striker), KINDS[striker.creature].skill, KINDS[target.creature].skill
    yield f"power {power}"
    yield f"skill {own} against {other}"
    assert striker.hex is not None
    assert target.hex is not None
    # Power and skill alone explain these numbers.
    if (request.dice, request.strike) == (power, EVEN - own + other):
        return
    if (striker.hex, target.hex) in SIDE_TO:
        ways = (("down", land.going_down), ("up", land.going_up))
        yield from (f"{way} a {hazard.lower()}" for way, going in ways if (hazard := going(striker.hex, target.hex)))
    else:
        yield "from afar"
    if land.surface(striker.hex) != PLAIN:
        yield f"from {land.surface(striker.hex).lower()}"
    if land.surface(target.hex) == BRAMBLE:
        yield "into bramble"
